import type { KeyObject } from 'node:crypto';
import { isSigned, type SignedHeader, type UnsignedHeader } from '#domain/replay/bundle.js';
import type { SignatureCheck } from '#domain/replay/verify-bundle.js';
import {
  isValidlySigned,
  jwkOf,
  publicPartOf,
  type Signature,
  signed,
  type SigningJwk,
} from './signature.js';

/** Signs bundles with the current key, and publishes it with the keys that it replaced (SPEC X4). */
export class BundleSigner {
  constructor(
    private readonly key: KeyObject,
    private readonly oldKeys: readonly string[],
  ) {}

  sign(content: UnsignedHeader & { readonly ended: boolean }): Promise<SignedHeader> {
    return signed(content, this.key);
  }

  /** Signs a document of another kind. */
  signDocument<Content extends object>(content: Content): Promise<Content & Signature> {
    return signed(content, this.key);
  }

  /** Returns the current key and then the replaced keys. */
  publicKeys(): Promise<SigningJwk[]> {
    return Promise.all([publicPartOf(this.key), ...this.oldKeys].map(jwkOf));
  }
}

/**
 * Returns a check of a bundle's signature with the public key in the bundle. With `trusted`, the ids of
 * keys, the check also requires a signature by one of these keys.
 */
export const signatureCheck =
  (trusted?: ReadonlySet<string>): SignatureCheck =>
  async (header) => {
    if (isSigned(header)) return signatureProblem(header, trusted);
    return trusted === undefined ? undefined : 'unsigned';
  };

/** Does the same for a document that has a signature. */
export async function signatureProblem(
  content: Signature,
  trusted?: ReadonlySet<string>,
): Promise<'wrong_signature' | 'other_key' | undefined> {
  if (!(await isValidlySigned(content))) return 'wrong_signature';
  return trusted === undefined || trusted.has(content.key_id) ? undefined : 'other_key';
}
