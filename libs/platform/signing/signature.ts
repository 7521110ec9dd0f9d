import { calculateJwkThumbprint } from 'jose';
import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { canonicalJsonWithout } from '#domain/determinism/canonical-json.js';

/** A public key that verifies signatures, as an entry of a JWK set. */
export interface SigningJwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  /** The thumbprint of the key (RFC 7638). */
  readonly kid: string;
  readonly use: 'sig';
  readonly alg: 'EdDSA';
}

/** The fields of a signed object. The signature covers the canonical JSON of all other fields. */
export interface Signature {
  /** The thumbprint of the public key (RFC 7638). */
  readonly key_id: string;
  /** The public key, as the field `x` of its JWK. */
  readonly public_key: string;
  /** An Ed25519 signature as 128 hex digits. */
  readonly signature: string;
}

const CURVE = { kty: 'OKP', crv: 'Ed25519' } as const;

/** Returns the JWK of the public key whose field `x` is given. */
export const jwkOf = async (x: string): Promise<SigningJwk> => ({
  ...CURVE,
  x,
  kid: await calculateJwkThumbprint({ ...CURVE, x }),
  use: 'sig',
  alg: 'EdDSA',
});

/** Returns the public part of an Ed25519 key, as the field `x` of its JWK. */
export const publicPartOf = (key: KeyObject): string => String(key.export({ format: 'jwk' }).x);

const signedText = (content: object): Buffer =>
  Buffer.from(canonicalJsonWithout(content, 'signature'));

/** Returns the content with the signature of an Ed25519 private key. */
export async function signed<Content extends object>(
  content: Content,
  key: KeyObject,
): Promise<Content & Signature> {
  const { kid, x } = await jwkOf(publicPartOf(key));
  const named = { ...content, key_id: kid, public_key: x };
  return { ...named, signature: sign(null, signedText(named), key).toString('hex') };
}

/** Hex digits in lower case only: otherwise a signature would have a second spelling. */
const SIGNATURE = /^[0-9a-f]{128}$/;

/** True if the signature is valid for all other fields, by the key that the object names. */
export async function isValidlySigned(content: Signature): Promise<boolean> {
  const { key_id, public_key: x, signature } = content;
  if (!SIGNATURE.test(signature) || (await jwkOf(x)).kid !== key_id) return false;
  try {
    const key = createPublicKey({ key: { ...CURVE, x }, format: 'jwk' });
    return verify(null, signedText(content), key, Buffer.from(signature, 'hex'));
  } catch {
    // The object has a text in place of a public key.
    return false;
  }
}

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
