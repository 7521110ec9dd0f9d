import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { SignedInDto } from './dto/sign-in.dto.js';
import { SignInLinks } from './sign-in-links.js';

export class UseLink extends Command<SignedInDto> {
  constructor(readonly code: string) {
    super();
  }
}

/** Exchanges the secret of a link for its token, once. */
@CommandHandler(UseLink)
export class UseLinkHandler implements ICommandHandler<UseLink> {
  constructor(private readonly links: SignInLinks) {}

  execute({ code }: UseLink): Promise<SignedInDto> {
    return Promise.resolve({ token: this.links.use(code) });
  }
}
