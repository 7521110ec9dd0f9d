import { mintToken, type TokenClaims } from '#platform/auth/mint-token.js';
import { checkKey, keptKeys } from '#platform/config/keys.js';
import { dataDirOf, tokenPartiesOf } from '#platform/config/service-config.js';
import { couldNotCheck } from '../exit-code.js';

/**
 * Mints a token for the service of this environment, with MACE_JWT_SECRET or else with the secret in the data
 * directory. Only the service makes that secret: a new one would make tokens that the service refuses.
 */
export async function mintedToken(env: NodeJS.ProcessEnv, claims: TokenClaims): Promise<string> {
  if (env['MACE_JWKS_URL'])
    throw couldNotCheck(
      'MACE_JWKS_URL is set: tokens come from its issuer. Give one with --token or MACE_TOKEN, or run mace login --token <token>.',
    );
  const secret = env['MACE_JWT_SECRET'];
  const jwtSecret = secret ? checkKey('MACE_JWT_SECRET', secret) : await keptSecret(dataDirOf(env));
  return mintToken({ jwtSecret, ...tokenPartiesOf(env) }, claims);
}

async function keptSecret(dataDir: string): Promise<string> {
  const keys = await keptKeys(dataDir);
  if (keys !== undefined) return keys.jwtSecret;
  throw couldNotCheck(
    `There is no data directory with keys at ${dataDir}. Start the service first (npm start), which makes it. ` +
      'For a service elsewhere, set MACE_DATA_DIR to its data directory or MACE_JWT_SECRET to its secret, or give a ' +
      'token with --token or MACE_TOKEN, or run mace login --token <token>.',
  );
}
