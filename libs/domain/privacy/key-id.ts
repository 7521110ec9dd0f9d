import type { Sealed } from '../held.js';

/** Returns the id of a subject's key, the `kid` of what it seals: `<subject>#<version>` (SPEC P5). */
export const keyId = (subject: string, version: number): string => `${subject}#${version}`;

export function partsOfKeyId(kid: string): { readonly subject: string; readonly version: number } {
  const end = kid.lastIndexOf('#');
  return { subject: kid.slice(0, end), version: Number(kid.slice(end + 1)) };
}

/** Returns the id of the key in the header of a sealed value. Fails if the value is not a compact JWE with one. */
export function keyIdOf({ jwe }: Sealed): string {
  const header = jwe.slice(0, jwe.indexOf('.')).replaceAll('-', '+').replaceAll('_', '/');
  const bytes = Uint8Array.from(atob(header), (character) => character.charCodeAt(0));
  const { kid } = JSON.parse(new TextDecoder().decode(bytes)) as { readonly kid?: unknown };
  if (typeof kid !== 'string') throw new TypeError('a sealed value names no key');
  return kid;
}
