import { mintToken } from '#platform/auth/mint-token.js';
import type { ServiceConfig } from '#platform/config/service-config.js';
import type { Service } from './service.js';

const HALF_A_DAY_SECONDS = 43_200;
const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

/**
 * Returns a one-time link that signs in to the console as `reviewer` with the role council. Returns undefined
 * if the service can be reached from elsewhere, or has no secret to mint a token with.
 */
export async function signInLinkFor(
  { host, tokenKeys }: ServiceConfig,
  { url, makeSignInLink }: Pick<Service, 'url' | 'makeSignInLink'>,
): Promise<string | undefined> {
  if (!LOOPBACK_HOST.test(host) || !('jwtSecret' in tokenKeys)) return undefined;
  const ttl = HALF_A_DAY_SECONDS;
  const sub = 'reviewer';
  const token = await mintToken(tokenKeys, { sub, roles: ['council'], ttl });
  const { code } = makeSignInLink(token, sub, Date.now() + ttl * 1000);
  return `${url}/console/sign-in#code=${code}`;
}
