import { uncarriable } from '../determinism/canonical-json.js';
import { Refusal } from '../errors/refusal.js';
import { type Held, heldContent, isSealed } from '../held.js';
import { limitOf, requireSize, type SizeLimit } from '../size-limit.js';
import { MAX_TTL_SECONDS } from '../time-to-live.js';

export const MAX_COMPONENTS = 16;
export const MAX_COMPONENT_LENGTH = 128;
export const MAX_KEY_LENGTH = 256;
const MAX_NAME_BYTES = 2_048;
/** The limit of namespace and key together; an index of the read model has no room for more. */
export const NOTE_NAME: SizeLimit = {
  bytes: MAX_NAME_BYTES,
  reason: () => `namespace and key together have at most ${MAX_NAME_BYTES} bytes`,
};
/** The maximum canonical bytes of a value; for a sealed one, of its sealed form (SPEC N1, P5). */
export const MAX_VALUE_BYTES = 64 * 1024;
export const NOTE_VALUE = limitOf('value', MAX_VALUE_BYTES);

export const invalid = (reason: string): Refusal => new Refusal('INVALID_INPUT', { reason });

/** Checks the name of a note. @throws Refusal INVALID_INPUT */
export function requireName(namespace: readonly string[], key: string): void {
  if (namespace.length === 0 || namespace.length > MAX_COMPONENTS)
    throw invalid(`namespace: has 1 to ${MAX_COMPONENTS} components`);
  requireText('namespace', namespace, MAX_COMPONENT_LENGTH);
  requireText('key', [key], MAX_KEY_LENGTH);
  requireSize([namespace, key], NOTE_NAME);
}

function requireText(field: string, texts: readonly string[], maxLength: number): void {
  const reason = uncarriable(texts);
  if (reason !== undefined) throw invalid(`${field}: ${reason}`);
  if (texts.some((text) => text.length === 0 || text.length > maxLength))
    throw invalid(`${field}: has 1 to ${maxLength} characters in each part`);
}

/** Checks the value of a note. @throws Refusal INVALID_INPUT */
export function requireValue(held: Held): void {
  const reason = isSealed(held) ? undefined : uncarriable(held.value);
  if (reason !== undefined) throw invalid(`value: ${reason}`);
  requireSize(heldContent(held), NOTE_VALUE);
}

/** Checks a time to live. @throws Refusal INVALID_INPUT */
export function requireTtl(seconds: number | null): void {
  if (seconds === null) return;
  if (!Number.isSafeInteger(seconds) || seconds < 1 || seconds > MAX_TTL_SECONDS)
    throw invalid(`ttl_seconds: is a whole number from 1 to ${MAX_TTL_SECONDS}`);
}
