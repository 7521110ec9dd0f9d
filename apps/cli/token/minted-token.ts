import { mintToken, type TokenClaims } from '#platform/auth/mint-token.js';
import { BadConfig } from '#platform/config/bad-config.js';
import { checkKey, keysOf } from '#platform/config/keys.js';
import { dataDirOf, tokenPartiesOf } from '#platform/config/service-config.js';
import { couldNotCheck } from '../exit-code.js';

/**
 * Mints a token for the service of this environment, with MACE_JWT_SECRET or else with the secret in the data
 * directory.
 */
export async function mintedToken(env: NodeJS.ProcessEnv, claims: TokenClaims): Promise<string> {
  if (env['MACE_JWKS_URL'])
    throw couldNotCheck(
      'MACE_JWKS_URL is set: tokens come from its issuer. Give one with --token or MACE_TOKEN.',
    );
  try {
    const secret = env['MACE_JWT_SECRET'];
    const jwtSecret = secret
      ? checkKey('MACE_JWT_SECRET', secret)
      : (await keysOf(dataDirOf(env))).jwtSecret;
    return await mintToken({ jwtSecret, ...tokenPartiesOf(env) }, claims);
  } catch (error) {
    if (error instanceof BadConfig) throw couldNotCheck(error.message);
    throw error;
  }
}
