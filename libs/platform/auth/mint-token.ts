import { SignJWT } from 'jose';
import type { Role } from './roles.js';

export interface TokenClaims {
  readonly sub: string;
  readonly roles: readonly Role[];
  readonly user_id?: string | undefined;
  /** The lifetime of the token in seconds. */
  readonly ttl: number;
}

/** Mints a bearer token (HS256), which services with the same secret accept. */
export const mintToken = (
  config: { readonly jwtSecret: string },
  { sub, roles, user_id, ttl }: TokenClaims,
): Promise<string> =>
  new SignJWT({ roles: [...roles], ...(user_id === undefined ? {} : { user_id }) })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(sub)
    .setIssuedAt()
    .setExpirationTime(Math.floor(Date.now() / 1000) + ttl)
    .sign(new TextEncoder().encode(config.jwtSecret));
