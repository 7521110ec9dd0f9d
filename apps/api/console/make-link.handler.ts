import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { SignInLinkDto } from './dto/sign-in.dto.js';
import { SignInLinks } from './sign-in-links.js';

export class MakeLink extends Command<SignInLinkDto> {
  constructor(
    readonly token: string,
    readonly sub: string,
    readonly tokenExpiresAt: number,
  ) {
    super();
  }
}

/** Makes a one-time link that signs in with the caller's own token. */
@CommandHandler(MakeLink)
export class MakeLinkHandler implements ICommandHandler<MakeLink> {
  constructor(private readonly links: SignInLinks) {}

  execute({ token, sub, tokenExpiresAt }: MakeLink): Promise<SignInLinkDto> {
    const { code, expiresAt } = this.links.make(token, sub, tokenExpiresAt);
    return Promise.resolve({ code, expires_at: new Date(expiresAt).toISOString() });
  }
}
