import { sha256Hex } from '#domain/determinism/hash.js';

/** Keeps what is too large for an event, once, by the SHA-256 of its bytes (SPEC L1). */
export interface ArtifactStore {
  /** Resolves once the bytes are durable. The same text again changes nothing. */
  put(text: string): Promise<ArtifactUrl>;
  /** The text, or undefined where there is none. Fails with `ArtifactBroken` if its bytes have changed. */
  get(url: ArtifactUrl): Promise<string | undefined>;
}

/** `artifact:sha256:<64 hex digits>` */
export type ArtifactUrl = `artifact:sha256:${string}`;

export const artifactUrl = (text: string): ArtifactUrl => `artifact:sha256:${sha256Hex(text)}`;

const URL_PATTERN = /^artifact:sha256:([0-9a-f]{64})$/;

/** The SHA-256 that a URL names. @throws TypeError for what is no such URL. */
export function hashOfUrl(url: string): string {
  const hash = URL_PATTERN.exec(url)?.[1];
  if (hash === undefined) throw new TypeError('not an artifact URL');
  return hash;
}

/** The stored bytes are not those that their name promises. */
export class ArtifactBroken extends Error {
  override readonly name = 'ArtifactBroken';
}

/** The artifact store cannot be reached, or refused: nothing can be said of what it holds. */
export class ArtifactsUnavailable extends Error {
  override readonly name = 'ArtifactsUnavailable';
}

/** The text of bytes that must hash to `hash`. */
export function verifiedText(hash: string, bytes: Uint8Array): string {
  if (sha256Hex(bytes) !== hash) throw new ArtifactBroken(`artifact ${hash} has changed`);
  return Buffer.from(bytes).toString('utf8');
}
