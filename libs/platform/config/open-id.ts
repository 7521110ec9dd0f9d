import { BadConfig } from './bad-config.js';

/** The OpenID Connect provider by which people sign in to the console. */
export interface OpenIdConfig {
  /** The issuer's URL, as its tokens name it. */
  readonly issuer: string;
  readonly clientId: string;
  /** The scopes that are asked for, separated by spaces. */
  readonly scope: string;
  /** The audience that the access token must name. */
  readonly audience: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const ISSUER = 'MACE_OIDC_ISSUER';
const CLIENT_ID = 'MACE_OIDC_CLIENT_ID';
const SCOPE = 'MACE_OIDC_SCOPE';
const CLIENT = /^[\x21-\x7e]{1,512}$/;
/** RFC 6749, 3.3 */
const SCOPES = /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/;

/**
 * Reads MACE_OIDC_ISSUER, MACE_OIDC_CLIENT_ID and MACE_OIDC_SCOPE. They need MACE_JWKS_URL, because the service
 * must accept the provider's tokens. Fails with BadConfig.
 *
 * @param audience the audience of tokens, if they come from MACE_JWKS_URL
 */
export function readOpenId(
  env: Environment,
  audience: string | undefined,
): OpenIdConfig | undefined {
  const issuer = env[ISSUER] ?? '';
  const clientId = env[CLIENT_ID] ?? '';
  const scope = env[SCOPE] ?? '';
  if (issuer === '') {
    const alone = clientId !== '' ? CLIENT_ID : SCOPE;
    if (clientId !== '' || scope !== '') throw new BadConfig(`${alone} is set without ${ISSUER}.`);
    return undefined;
  }
  if (audience === undefined)
    throw new BadConfig(`${ISSUER} needs MACE_JWKS_URL, with which its tokens are verified.`);
  if (clientId === '') throw new BadConfig(`${CLIENT_ID} must be set if ${ISSUER} is set.`);
  if (!CLIENT.test(clientId))
    throw new BadConfig(`${CLIENT_ID} must be printable ASCII characters without spaces.`);
  if (scope !== '' && (scope.length > 1_000 || !SCOPES.test(scope)))
    throw new BadConfig(`${SCOPE} must be scopes separated by single spaces.`);
  return { issuer: checkIssuer(issuer), clientId, scope: scope || 'openid', audience };
}

function checkIssuer(text: string): string {
  const problem = new BadConfig(
    `${ISSUER} must be a URL that begins with https:// (on this machine also http://), without user, query or fragment.`,
  );
  if (!URL.canParse(text)) throw problem;
  const { protocol, hostname, username, password, search, hash } = new URL(text);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  const isAllowed = protocol === 'https:' || (protocol === 'http:' && isLocal);
  if (!isAllowed || [username, password, search, hash].some((part) => part !== '')) throw problem;
  return text;
}
