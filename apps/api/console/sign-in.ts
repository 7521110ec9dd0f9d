import { Inject } from '@nestjs/common';
import {
  Command,
  CommandHandler,
  type ICommandHandler,
  type IQueryHandler,
  Query,
  QueryHandler,
} from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import { ROLES } from '#platform/auth/roles.js';
import type { ServiceConfig } from '#platform/config/service-config.js';
import { bearerOf } from '../platform/auth/authentication.hook.js';
import { Text } from '../platform/http/fields.js';
import { Describes, FromRequest, ReadRequest, ServiceRequest } from '../platform/http/request.js';
import { CONFIG } from '../platform/tokens.js';
import { SignInLinks } from './sign-in-links.js';
import { SessionDto, SignedInDto, SignInLinkDto, SignInWaysDto } from './sign-in-view.js';

const expiryOf = ({ mace }: FastifyRequest): number => mace.tokenExpiresAt;

@Describes({
  summary: 'How people sign in to the console',
  roles: 'public',
  answers: [200, SignInWaysDto],
})
export class ListSignInWays extends Query<SignInWaysDto> {}

/** Returns the ways to sign in that the settings allow. */
@QueryHandler(ListSignInWays)
export class ListSignInWaysHandler implements IQueryHandler<ListSignInWays> {
  constructor(@Inject(CONFIG) private readonly config: ServiceConfig) {}

  execute(): Promise<SignInWaysDto> {
    const { tokenKeys, openId } = this.config;
    return Promise.resolve({
      links: 'jwtSecret' in tokenKeys,
      openid:
        openId === undefined
          ? null
          : {
              issuer: openId.issuer,
              client_id: openId.clientId,
              scope: openId.scope,
              audience: openId.audience,
            },
    });
  }
}

@Describes({
  summary: 'Exchange a one-time sign-in link for its token; only from the service’s machine',
  roles: 'public',
  answers: [200, SignedInDto],
})
export class UseLink extends Command<SignedInDto> {
  @Text({ min: 1, max: 128, description: 'The secret of the link.' })
  code!: string;
}

/** Exchanges the secret of a link for its token, once. */
@CommandHandler(UseLink)
export class UseLinkHandler implements ICommandHandler<UseLink> {
  constructor(private readonly links: SignInLinks) {}

  execute({ code }: UseLink): Promise<SignedInDto> {
    return Promise.resolve({ token: this.links.use(code) });
  }
}

@Describes({
  summary:
    'Make a link that signs in to the console with the caller’s token; only from the service’s machine',
  roles: { own: ROLES, of: 'token' },
  answers: [201, SignInLinkDto],
})
export class MakeLink extends ServiceRequest<SignInLinkDto> {
  @FromRequest(bearerOf) readonly token!: string;
  @FromRequest(expiryOf) readonly tokenExpiresAt!: number;
}

/** Makes a one-time link that signs in with the caller's own token. */
@CommandHandler(MakeLink)
export class MakeLinkHandler implements ICommandHandler<MakeLink> {
  constructor(private readonly links: SignInLinks) {}

  execute({ token, actor, tokenExpiresAt }: MakeLink): Promise<SignInLinkDto> {
    const { code, expiresAt } = this.links.make(token, actor.sub, tokenExpiresAt);
    return Promise.resolve({ code, expires_at: new Date(expiresAt).toISOString() });
  }
}

@Describes({
  summary: 'Who the caller is, and until when',
  roles: { own: ROLES, of: 'token' },
  answers: [200, SessionDto],
})
export class WhoAmI extends ReadRequest<SessionDto> {
  @FromRequest(expiryOf) readonly tokenExpiresAt!: number;
}

/** Returns who the caller is, as the service has verified it. */
@QueryHandler(WhoAmI)
export class WhoAmIHandler implements IQueryHandler<WhoAmI> {
  execute({ actor, tokenExpiresAt }: WhoAmI): Promise<SessionDto> {
    const { sub, roles, user_id } = actor;
    return Promise.resolve({
      sub,
      roles: roles as SessionDto['roles'],
      user_id: user_id ?? null,
      expires_at: new Date(tokenExpiresAt).toISOString(),
    });
  }
}
