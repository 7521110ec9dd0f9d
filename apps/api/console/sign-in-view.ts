import {
  ApiField,
  FLAG,
  INSTANT,
  list,
  one,
  oneOf,
  orNull,
  TEXT,
} from '../platform/http/answer-fields.js';
import { ROLES, type Role } from '#platform/auth/roles.js';

export class OpenIdProviderDto {
  @ApiField(TEXT, { description: 'The issuer, whose discovery document the console reads.' })
  readonly issuer!: string;

  @ApiField(TEXT) readonly client_id!: string;
  @ApiField(TEXT) readonly scope!: string;

  @ApiField(TEXT, { description: 'The audience that the access token must name.' })
  readonly audience!: string;
}

/** How people sign in to the console. A token can always be pasted. */
export class SignInWaysDto {
  @ApiField(FLAG, {
    description:
      '`mace console` can make a sign-in link, because the service has a secret of its own.',
  })
  readonly links!: boolean;

  @ApiField(orNull(one(OpenIdProviderDto)), {
    description: 'The OpenID Connect provider, if there is one.',
  })
  readonly openid!: OpenIdProviderDto | null;
}

export class SignInLinkDto {
  @ApiField(TEXT, { description: 'The secret of the link; it works once.' })
  readonly code!: string;

  @ApiField(INSTANT) readonly expires_at!: string;
}

export class SignedInDto {
  @ApiField(TEXT, { description: 'The bearer token that the link carried.' })
  readonly token!: string;
}

/** The claims of the caller's verified token. */
export class SessionDto {
  @ApiField(TEXT) readonly sub!: string;
  @ApiField(list(oneOf(...ROLES))) readonly roles!: readonly Role[];
  @ApiField(orNull(TEXT)) readonly user_id!: string | null;

  @ApiField(INSTANT, { description: 'When the token expires.' })
  readonly expires_at!: string;
}
