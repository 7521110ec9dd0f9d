import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import { BadConfig } from './bad-config.js';
import { keptSecretFile, secretFile } from './secret-file.js';

/**
 * The private key has a file of its own, because installations of earlier releases have their other keys
 * in keys.json already, and that file is never rewritten.
 */
export const BUNDLE_KEY_FILE = 'bundle-key.pem';

const newKey = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** Returns the key that signs bundles, from the data directory. The first call generates it. */
export async function bundleKeyOf(dataDir: string): Promise<KeyObject> {
  const { path, text } = await secretFile(dataDir, BUNDLE_KEY_FILE, newKey);
  return checkBundleKey(path, text);
}

/**
 * Returns the key that signs bundles, from the setting MACE_BUNDLE_KEY or else from the data directory;
 * undefined if neither has one. It writes nothing.
 */
export async function keptBundleKey(
  setting: string | undefined,
  dataDir: string,
): Promise<KeyObject | undefined> {
  if (setting) return checkBundleKey('MACE_BUNDLE_KEY', setting);
  const kept = await keptSecretFile(dataDir, BUNDLE_KEY_FILE);
  return kept && checkBundleKey(kept.path, kept.text);
}

/**
 * Returns an Ed25519 private key, given as PKCS #8 in PEM, or as the base64 text inside the PEM, which
 * fits on one line. Fails with BadConfig, whose message does not show the key.
 */
export function checkBundleKey(name: string, text: string): KeyObject {
  const base64 = text.replace(/-----[A-Z ]+-----/g, '').replace(/\s|\\n/g, '');
  try {
    const der = Buffer.from(base64, 'base64');
    const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {
    // The text is not a private key; the sentence below says how to make one.
  }
  throw new BadConfig(
    `${name} must be an Ed25519 private key. Make one with: openssl genpkey -algorithm ed25519 -outform DER | base64`,
  );
}

/** Returns an Ed25519 public key, given as the field `x` of its JWK, if it is one. */
export function checkOldBundleKey(name: string, x: string): string {
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    if (key.export({ format: 'jwk' }).x === x) return x;
  } catch {
    // The text is not a public key; the sentence below says where to find one.
  }
  throw new BadConfig(
    `${name} must be the "x" of an Ed25519 public key, as /.well-known/jwks.json shows it.`,
  );
}
