import { randomBytes } from 'node:crypto';
import { chmod, link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BadConfig } from './bad-config.js';

/** The secrets of one installation, as texts; their UTF-8 bytes are the keys. */
export interface Keys {
  readonly jwtSecret: string;
  readonly signingKey: string;
  readonly sealingKey: string;
}

const FILE = 'keys.json';
const newKey = (): string => randomBytes(32).toString('base64url');

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

async function readKeys(path: string): Promise<Keys | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new BadConfig(`${path} cannot be read: ${(error as Error).message}.`);
  }
  const { mode } = await stat(path);
  if ((mode & 0o077) !== 0)
    throw new BadConfig(
      `${path} holds this installation's keys and others can read it: run chmod 600 on it.`,
    );
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

/** Writes all keys or none: a second process reads the keys that the first one wrote. */
async function writeKeys(path: string): Promise<void> {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  const keys = { jwt_secret: newKey(), signing_key: newKey(), sealing_key: newKey() };
  await writeFile(draft, `${JSON.stringify(keys, undefined, 2)}\n`, { mode: 0o600, flag: 'wx' });
  try {
    await chmod(draft, 0o600);
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft);
  }
}

/**
 * Returns the keys in a data directory; the first call generates them (SPEC §13), in one file of mode 0600.
 * Fails with BadConfig if others can read the file or its content is invalid.
 */
export async function keysOf(dataDir: string): Promise<Keys> {
  const path = join(dataDir, FILE);
  const present = await readKeys(path);
  if (present !== undefined) return present;
  try {
    // Others may pass through the folder, because the embedded Postgres can run as another user.
    await mkdir(dataDir, { recursive: true });
    await writeKeys(path);
  } catch (error) {
    throw new BadConfig(`MACE_DATA_DIR ${dataDir} cannot be written: ${(error as Error).message}.`);
  }
  const made = await readKeys(path);
  if (made === undefined) throw new BadConfig(`${path} disappeared while it was created.`);
  return made;
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
