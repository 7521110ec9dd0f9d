import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { readRegular } from '#files/regular-file.js';
import { writeSecretFile } from '../secret-file.js';

export const SECRET_FILE = 'secret';
const MAX_BYTES = 1024;

/** Returns the secret of the node on a folder; undefined if this user cannot read it or no node has made it. */
export async function keptNodeSecret(folder: string): Promise<string | undefined> {
  const kept = await readRegular(join(folder, SECRET_FILE), MAX_BYTES).catch(() => '');
  return kept.length === 0 ? undefined : kept.toString('utf8').trim();
}

/**
 * Returns the secret of the node on a folder, and makes it at the first start. Clients send it as the name of
 * their connection: without TLS, the official client leaves out user and password, but not this name.
 */
export async function nodeSecret(folder: string): Promise<string> {
  const kept = await keptNodeSecret(folder);
  if (kept !== undefined) return kept;
  await writeSecretFile(join(folder, SECRET_FILE), `${randomBytes(24).toString('base64url')}\n`);
  return (await keptNodeSecret(folder))!;
}

export const nodeUrl = (host: string, port: number, secret: string): string =>
  `esdb://${host}:${port}?tls=false&connectionName=${secret}`;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Returns a check whether a text is the secret, whose duration does not depend on the text. */
export function secretCheck(secret: string): (text: string) => boolean {
  const expected = digest(secret);
  return (text) => timingSafeEqual(digest(text), expected);
}
