import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { BadConfig } from './bad-config.js';
import { DATA_FOLDERS, type DataFolder, folderWithData } from './kept-data.js';
import { isSecretKept, keptSecretFile, type SecretFile, secretFile } from './secret-file.js';

/** The secrets of one installation, as texts. Their UTF-8 bytes are the keys. */
export interface Keys {
  readonly jwtSecret: string;
  readonly signingKey: string;
  readonly sealingKey: string;
}

export const KEYS_FILE = 'keys.json';
const newKey = (): string => randomBytes(32).toString('base64url');

const newKeys = (): string => {
  const keys = { jwt_secret: newKey(), signing_key: newKey(), sealing_key: newKey() };
  return `${JSON.stringify(keys, undefined, 2)}\n`;
};

/**
 * Returns the keys in a data directory. The first call generates them, in one file of mode 0600 (SPEC
 * §13). Fails with BadConfig if other users can read the file, if its content is invalid, or if it is gone
 * from a directory with data: new keys could neither verify nor open what the old ones signed and sealed.
 *
 * @param folders the folders whose data depends on these keys
 */
export async function keysOf(
  dataDir: string,
  folders: readonly DataFolder[] = DATA_FOLDERS,
): Promise<Keys> {
  await refuseToReplaceKeys(dataDir, folders);
  return keysIn(await secretFile(dataDir, KEYS_FILE, newKeys));
}

/**
 * Returns the keys in a data directory; undefined if it has none and no data. It writes nothing, and fails as
 * `keysOf` does.
 */
export async function keptKeys(dataDir: string): Promise<Keys | undefined> {
  await refuseToReplaceKeys(dataDir, DATA_FOLDERS);
  const kept = await keptSecretFile(dataDir, KEYS_FILE);
  return kept && keysIn(kept);
}

function keysIn({ path, text }: SecretFile): Keys {
  try {
    const { jwt_secret, signing_key, sealing_key } = JSON.parse(text) as Record<string, string>;
    return {
      jwtSecret: checkKey('jwt_secret', jwt_secret),
      signingKey: checkKey('signing_key', signing_key),
      sealingKey: checkKey('sealing_key', sealing_key),
    };
  } catch (error) {
    if (error instanceof BadConfig) throw new BadConfig(`${path}: ${error.message}`);
    throw new BadConfig(`${path} is not a key file that this service wrote.`);
  }
}

async function refuseToReplaceKeys(dataDir: string, folders: readonly DataFolder[]): Promise<void> {
  if (await isSecretKept(dataDir, KEYS_FILE)) return;
  const data = await folderWithData(dataDir, folders);
  // Another process may have made the keys and then its servers' folders in the meantime.
  if (data === undefined || (await isSecretKept(dataDir, KEYS_FILE))) return;
  throw new BadConfig(
    `${join(dataDir, KEYS_FILE)} is missing, but ${data} holds data that its keys have signed and sealed: restore ${KEYS_FILE} from a backup, or set MACE_JWT_SECRET, MACE_SIGNING_KEY and MACE_SEALING_KEY to these keys. For a new installation, set MACE_DATA_DIR to another directory.`,
  );
}

const WELL_KNOWN =
  /change.?me|default|secret|password|example|replace.?(me|this)|insecure|1234567|abcdef|qwerty/i;

/** Returns a key if it is hard to guess; throws BadConfig with its name otherwise (SPEC L2). */
export function checkKey(name: string, key: string | undefined): string {
  if (key === undefined || Buffer.byteLength(key) < 32)
    throw new BadConfig(`${name} must be at least 32 bytes long.`);
  if (new Set(key).size < 10 || WELL_KNOWN.test(key))
    throw new BadConfig(`${name} is easy to guess. Generate one with: openssl rand -base64 32`);
  return key;
}
