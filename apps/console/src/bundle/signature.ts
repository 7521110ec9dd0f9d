import { canonicalJsonWithout } from '#domain/determinism/canonical-json.js';
import { sha256Hex } from '#domain/determinism/hash.js';
import type { Signed } from '#domain/replay/receipt.js';

/** The result of checking the signature of a bundle or a receipt. */
export type SignatureFinding =
  /** `trusted` is true if the reader has this key from elsewhere than the file. */
  | { readonly kind: 'valid'; readonly keyId: string; readonly trusted: boolean }
  | { readonly kind: 'invalid'; readonly keyId: string }
  | { readonly kind: 'unsigned' }
  /** The browser cannot check it; `reason` says why. */
  | { readonly kind: 'not_checked'; readonly reason: string };

const CURVE = { kty: 'OKP', crv: 'Ed25519' } as const;
const SIGNATURE = /^[0-9a-f]{128}$/;
/** The bytes before the key in the DER form of an Ed25519 public key (RFC 8410). */
const DER_PREFIX = '302a300506032b6570032100';

/** Checks the signature of a bundle's first line, or of a receipt. @param trusted the ids of the keys that the reader trusts */
export async function signatureOf(
  content: object | Signed,
  trusted: ReadonlySet<string>,
): Promise<SignatureFinding> {
  if (!('signature' in content)) return { kind: 'unsigned' };
  const { key_id: keyId, public_key: x, signature } = content;
  if (!SIGNATURE.test(signature) || keyIdOf(x) !== keyId) return { kind: 'invalid', keyId };
  // Browsers have this only on pages that came over TLS or from this computer.
  const subtle = (globalThis.crypto as Crypto | undefined)?.subtle;
  if (subtle === undefined)
    return {
      kind: 'not_checked',
      reason: 'The browser checks signatures only on a page that came over HTTPS.',
    };
  let key: CryptoKey;
  try {
    key = await subtle.importKey('jwk', { ...CURVE, x }, 'Ed25519', false, ['verify']);
  } catch (cause) {
    return cause instanceof DOMException && cause.name === 'NotSupportedError'
      ? { kind: 'not_checked', reason: 'This browser does not know Ed25519. Use a newer one.' }
      : { kind: 'invalid', keyId };
  }
  const text = new TextEncoder().encode(canonicalJsonWithout(content, 'signature'));
  const isValid = await subtle.verify('Ed25519', key, bytesOfHex(signature), text);
  return isValid
    ? { kind: 'valid', keyId, trusted: trusted.has(keyId) }
    : { kind: 'invalid', keyId };
}

/** Returns the ids of the Ed25519 keys in a text: a JWK set, one JWK, or a public key as PEM. Empty if it has none. */
export function keyIdsIn(text: string): string[] {
  try {
    return publicKeysIn(text.trim()).map(keyIdOf);
  } catch {
    return [];
  }
}

function publicKeysIn(text: string): string[] {
  if (text.startsWith('{')) {
    const parsed = JSON.parse(text) as { readonly keys?: readonly Jwk[] } & Jwk;
    return (parsed.keys ?? [parsed])
      .filter(({ kty, crv, x }) => kty === CURVE.kty && crv === CURVE.crv && x !== undefined)
      .map(({ x }) => String(x));
  }
  const body = text.replace(/-----[^-]+-----/g, '').replace(/\s/g, '');
  const hex = Array.from(atob(body), (character) =>
    character.charCodeAt(0).toString(16).padStart(2, '0'),
  ).join('');
  return hex.startsWith(DER_PREFIX) ? [base64Url(hex.slice(DER_PREFIX.length))] : [];
}

interface Jwk {
  readonly kty?: string;
  readonly crv?: string;
  readonly x?: string;
}

/** Returns the thumbprint of a public key (RFC 7638). */
const keyIdOf = (x: string): string =>
  base64Url(sha256Hex(JSON.stringify({ crv: CURVE.crv, kty: CURVE.kty, x })));

const bytesOfHex = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));

const base64Url = (hex: string): string =>
  btoa(String.fromCharCode(...bytesOfHex(hex)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/={1,2}$/, '');
