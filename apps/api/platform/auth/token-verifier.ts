import {
  createRemoteJWKSet,
  customFetch,
  errors,
  jwtVerify,
  type JWTPayload,
  type JWTVerifyGetKey,
} from 'jose';
import { LruMap, stringBytes } from '#bounded/lru-map.js';
import { parseBounded } from '#bounded/bounded-json.js';
import { askOutside } from '#bounded/outside.js';
import { isUserId } from '#domain/canonical-key/canonical-key.js';
import { Refusal } from '#domain/errors/refusal.js';
import { ownUserId } from '#domain/ownership/access.js';
import type { Actor } from '#domain/recorded-event.js';
import { ROLES, type Role } from '#platform/auth/roles.js';
import type { TokenKeys, TokenParties } from '#platform/config/service-config.js';

const refuse = (reason: string): Refusal => new Refusal('UNAUTHENTICATED', { reason });

/** The maximum size of the cached tokens. */
const MAX_CACHED_BYTES = 32 * 1024 * 1024;
/** The bounds of the keys that the identity provider publishes. */
const KEYS_TIMEOUT_MS = 5_000;
const MAX_KEYS_BYTES = 256 * 1024;
const KEYS_BOUNDS = { maxDepth: 10, maxPieces: 10_000 };
const CLOCK_TOLERANCE_SECONDS = 5;
const JWKS_ALGORITHMS = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'];

const isName = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.length > 0 &&
  value.length <= 256 &&
  value.isWellFormed() &&
  !/[\u0000-\u001f\u007f]/.test(value);

const isRole = (value: unknown): value is Role => ROLES.includes(value as Role);

function actorOf({ sub, roles, user_id }: JWTPayload): Actor {
  if (!isName(sub)) throw refuse('its sub is not a name of 1 to 256 characters');
  if (!Array.isArray(roles)) throw refuse('it carries no roles');
  if (user_id !== undefined && !isName(user_id))
    throw refuse('its user_id is not a name of 1 to 256 characters');
  const actor = { sub, roles: roles.filter(isRole), ...(user_id === undefined ? {} : { user_id }) };
  if (!isUserId(ownUserId(actor) ?? ''))
    throw refuse('its user’s id is not in Unicode NFC, or has white space at an end');
  return actor;
}

function reasonOf(error: unknown, hasSecret: boolean): string {
  if (error instanceof errors.JWTExpired) return 'it has expired';
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return hasSecret
      ? 'its signature is wrong: it was made with another secret (another MACE_DATA_DIR?)'
      : 'its signature is wrong';
  if (error instanceof errors.JOSEAlgNotAllowed) return 'its algorithm is not accepted';
  if (error instanceof errors.JWTClaimValidationFailed)
    return `its claim ${error.claim} is not valid`;
  if (error instanceof errors.JWKSNoMatchingKey) return 'its key is unknown';
  if (error instanceof errors.JWTInvalid || error instanceof errors.JWSInvalid)
    return 'it is not a token';
  return 'the keys to check it with cannot be read';
}

/** Reads the keys that the identity provider publishes. Fails with OutsideFailed, or SyntaxError for other JSON. */
async function publishedKeys(url: string, timeoutMs: number): Promise<Response> {
  const { status, text } = await askOutside({
    ...{ method: 'GET', url, headers: { accept: 'application/json' } },
    ...{ timeoutMs, maxBytes: MAX_KEYS_BYTES },
  });
  if (status !== 200) return new Response(null, { status: 502 });
  parseBounded(text, KEYS_BOUNDS);
  return new Response(text);
}

/** The caller whom a token names, and when the token expires. */
export interface VerifiedToken {
  readonly actor: Actor;
  /** The wall-clock time in ms. */
  readonly expiresAt: number;
}

/** Verifies bearer tokens and caches the result until the token expires. */
export class TokenVerifier {
  private readonly cache = new LruMap<string, VerifiedToken>({
    maxBytes: MAX_CACHED_BYTES,
    bytesOf: ({ actor }, token) => stringBytes(token) + 4 * actor.sub.length + 500,
  });
  private readonly check: (token: string) => Promise<JWTPayload>;

  constructor(
    private readonly keys: TokenKeys,
    keysTimeoutMs = KEYS_TIMEOUT_MS,
  ) {
    this.check =
      'jwtSecret' in keys
        ? this.verifyWith(new TextEncoder().encode(keys.jwtSecret), ['HS256'], keys)
        : this.verifyWith(
            createRemoteJWKSet(new URL(keys.jwksUrl), {
              [customFetch]: (url) => publishedKeys(url, keysTimeoutMs),
            }),
            JWKS_ALGORITHMS,
            keys,
          );
  }

  private verifyWith(
    key: Uint8Array | JWTVerifyGetKey,
    algorithms: string[],
    { audience, issuer }: TokenParties,
  ) {
    const options = {
      algorithms,
      ...(audience === undefined ? {} : { audience }),
      ...(issuer === undefined ? {} : { issuer }),
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      requiredClaims: ['sub', 'exp'],
    };
    return async (token: string): Promise<JWTPayload> =>
      typeof key === 'function'
        ? (await jwtVerify(token, key, options)).payload
        : (await jwtVerify(token, key, options)).payload;
  }

  /** Returns a cached token that has not expired; undefined for any other token. */
  cached(token: string): VerifiedToken | undefined {
    const cached = this.cache.get(token);
    if (cached === undefined) return undefined;
    if (cached.expiresAt > Date.now()) return cached;
    this.cache.delete(token);
    return undefined;
  }

  /** Verifies a token. @throws Refusal UNAUTHENTICATED */
  async verified(token: string): Promise<VerifiedToken> {
    let payload: JWTPayload;
    try {
      payload = await this.check(token);
    } catch (error) {
      throw refuse(reasonOf(error, 'jwtSecret' in this.keys));
    }
    const verified = { actor: actorOf(payload), expiresAt: (payload.exp ?? 0) * 1000 };
    this.cache.set(token, verified);
    return verified;
  }
}
