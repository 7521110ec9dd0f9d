import { sha256Hex } from '#domain/determinism/hash.js';

/** Stores texts that are too large for an event, each once, under the SHA-256 of its bytes (SPEC L1). */
export interface ArtifactStore {
  /** Resolves when the bytes are durable. Storing the same text again changes nothing. */
  put(text: string): Promise<ArtifactUrl>;
  /**
   * Returns the text; undefined if no such artifact is stored. Fails with `ArtifactBroken` if the stored
   * bytes have changed.
   */
  get(url: ArtifactUrl): Promise<string | undefined>;
}

/** `artifact:sha256:<64 hex digits>` */
export type ArtifactUrl = `artifact:sha256:${string}`;

export const artifactUrl = (text: string): ArtifactUrl => `artifact:sha256:${sha256Hex(text)}`;

const URL_PATTERN = /^artifact:sha256:([0-9a-f]{64})$/;

/**
 * Returns the SHA-256 in a URL.
 * @throws TypeError for any other URL.
 */
export function hashOfUrl(url: string): string {
  const hash = URL_PATTERN.exec(url)?.[1];
  if (hash === undefined) throw new TypeError('not an artifact URL');
  return hash;
}

/** Thrown if the stored bytes do not match their hash. */
export class ArtifactBroken extends Error {
  override readonly name = 'ArtifactBroken';
}

/**
 * Thrown if the artifact store cannot be reached or refused the request. It is then unknown whether the
 * artifact is stored.
 */
export class ArtifactsUnavailable extends Error {
  override readonly name = 'ArtifactsUnavailable';
}

/**
 * Returns the text of the bytes.
 * @throws ArtifactBroken if their SHA-256 is not `hash`.
 */
export function verifiedText(hash: string, bytes: Uint8Array): string {
  if (sha256Hex(bytes) !== hash) throw new ArtifactBroken(`artifact ${hash} has changed`);
  return Buffer.from(bytes).toString('utf8');
}
