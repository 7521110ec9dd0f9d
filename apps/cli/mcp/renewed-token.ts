import { mintedToken } from '../token/minted-token.js';

type Claims = Omit<Parameters<typeof mintedToken>[1], 'ttl'>;

const HOUR_SECONDS = 3_600;
const HALF_AN_HOUR_MS = 1_800_000;

/** Returns a function that mints a token for an hour, and a new one when half of it is over. */
export function renewedToken(claims: Claims): () => Promise<string> {
  let token: Promise<string> | undefined;
  let mintedAt = 0;
  return () => {
    if (token === undefined || Date.now() - mintedAt > HALF_AN_HOUR_MS) {
      mintedAt = Date.now();
      token = mintedToken(process.env, { ...claims, ttl: HOUR_SECONDS });
    }
    return token;
  };
}
