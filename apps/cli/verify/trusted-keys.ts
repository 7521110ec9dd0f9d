import { keyIdsIn } from '#platform/signing/signature.js';
import { couldNotCheck } from '../exit-code.js';
import { textOf } from '#files/file-bytes.js';

const MAX_BYTES = 1024 * 1024;

/** Returns the ids of the keys in the file of `--key`; the command ends if the file has no such key. */
export async function trustedKeys(file: string): Promise<ReadonlySet<string>> {
  const text = await textOf(file, MAX_BYTES).catch((error: Error) => {
    throw couldNotCheck(`The key file ${file} cannot be read: ${error.message}.`);
  });
  const ids = await keyIdsIn(text).catch(() => new Set<string>());
  if (ids.size === 0)
    throw couldNotCheck(
      `${file} holds no Ed25519 public key, neither as JWK or JWK set nor as PEM.`,
    );
  return ids;
}
