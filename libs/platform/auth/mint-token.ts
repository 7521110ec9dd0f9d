import { SignJWT } from 'jose';
import type { TokenParties } from '../config/service-config.js';
import type { Role } from './roles.js';

export interface TokenClaims {
  readonly sub: string;
  readonly roles: readonly Role[];
  readonly user_id?: string | undefined;
  /** The lifetime of the token in seconds. */
  readonly ttl: number;
}

/** Mints a bearer token (HS256), which services with the same secret, audience and issuer accept. */
export const mintToken = (
  { jwtSecret, audience, issuer }: TokenParties & { readonly jwtSecret: string },
  { sub, roles, user_id, ttl }: TokenClaims,
): Promise<string> =>
  new SignJWT({
    roles: [...roles],
    ...(user_id === undefined ? {} : { user_id }),
    ...(audience === undefined ? {} : { aud: audience }),
    ...(issuer === undefined ? {} : { iss: issuer }),
  })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(sub)
    .setIssuedAt()
    .setExpirationTime(Math.floor(Date.now() / 1000) + ttl)
    .sign(new TextEncoder().encode(jwtSecret));
