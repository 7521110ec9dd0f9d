import { calculateJwkThumbprint } from 'jose';
import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import {
  isSigned,
  type SignedHeader,
  signedText,
  type UnsignedHeader,
} from '#domain/replay/bundle.js';
import type { SignatureCheck } from '#domain/replay/verify-bundle.js';

/** A public key that verifies bundles, as an entry of a JWK set. */
export interface BundleJwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  /** The thumbprint of the key (RFC 7638). */
  readonly kid: string;
  readonly use: 'sig';
  readonly alg: 'EdDSA';
}

const CURVE = { kty: 'OKP', crv: 'Ed25519' } as const;

const jwkOf = async (x: string): Promise<BundleJwk> => ({
  ...CURVE,
  x,
  kid: await calculateJwkThumbprint({ ...CURVE, x }),
  use: 'sig',
  alg: 'EdDSA',
});

/** Returns the public part of an Ed25519 key, as the field `x` of its JWK. */
const publicPartOf = (key: KeyObject): string => String(key.export({ format: 'jwk' }).x);

/** Signs bundles with the current key, and publishes it with the keys that it replaced (SPEC X4). */
export class BundleSigner {
  constructor(
    private readonly key: KeyObject,
    private readonly oldKeys: readonly string[],
  ) {}

  async sign(content: UnsignedHeader & { readonly ended: boolean }): Promise<SignedHeader> {
    const { kid, x } = await jwkOf(publicPartOf(this.key));
    const header = { ...content, key_id: kid, public_key: x };
    const signature = sign(null, Buffer.from(signedText(header)), this.key).toString('hex');
    return { ...header, signature };
  }

  /** Returns the current key and then the replaced keys. */
  publicKeys(): Promise<BundleJwk[]> {
    return Promise.all([publicPartOf(this.key), ...this.oldKeys].map(jwkOf));
  }
}

/** Hex digits in lower case only: otherwise a signature would have a second spelling. */
const SIGNATURE = /^[0-9a-f]{128}$/;

async function isValid(header: SignedHeader): Promise<boolean> {
  const { key_id, public_key: x, signature } = header;
  if (!SIGNATURE.test(signature) || (await jwkOf(x)).kid !== key_id) return false;
  try {
    const key = createPublicKey({ key: { ...CURVE, x }, format: 'jwk' });
    return verify(null, Buffer.from(signedText(header)), key, Buffer.from(signature, 'hex'));
  } catch {
    // The header has a text in place of a public key.
    return false;
  }
}

/**
 * Returns a check of a bundle's signature with the public key in the bundle. With `trusted`, the ids of
 * keys, the check also requires a signature by one of these keys.
 */
export const signatureCheck =
  (trusted?: ReadonlySet<string>): SignatureCheck =>
  async (header) => {
    if (!isSigned(header)) return trusted === undefined ? undefined : 'unsigned';
    if (!(await isValid(header))) return 'wrong_signature';
    return trusted === undefined || trusted.has(header.key_id) ? undefined : 'other_key';
  };

/**
 * Returns the ids of the Ed25519 keys in a text: a JWK set, one JWK, or a key as PEM. @throws Error if
 * the text has another form.
 */
export async function keyIdsIn(text: string): Promise<ReadonlySet<string>> {
  const ids = await Promise.all(publicKeysIn(text).map(async (x) => (await jwkOf(x)).kid));
  return new Set(ids);
}

type Jwk = Readonly<Record<string, unknown>>;

function publicKeysIn(text: string): string[] {
  if (!text.trimStart().startsWith('{')) {
    const key = createPublicKey(text);
    return key.asymmetricKeyType === 'ed25519' ? [publicPartOf(key)] : [];
  }
  const parsed = JSON.parse(text) as { readonly keys?: readonly Jwk[] } & Jwk;
  return (parsed.keys ?? [parsed])
    .filter(({ kty, crv }) => kty === CURVE.kty && crv === CURVE.crv)
    .map(({ x }) => String(x));
}
