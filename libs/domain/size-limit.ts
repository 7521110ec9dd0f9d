import { canonicalSize } from './determinism/canonical-json.js';
import { Refusal } from './errors/refusal.js';

/** The most bytes of canonical JSON that a field takes, the unit of all size limits in SPEC. */
export interface SizeLimit {
  readonly bytes: number;
  /** Returns why a value of so many bytes is refused. */
  readonly reason: (bytes: number) => string;
}

/** Checks the size of a value. @throws Refusal INVALID_INPUT beyond the limit */
export function requireSize(value: unknown, { bytes, reason }: SizeLimit): void {
  const size = canonicalSize(value);
  if (size > bytes) throw new Refusal('INVALID_INPUT', { reason: reason(size) });
}

/** Returns the limit of a field whose refusal names the field and both sizes. */
export const limitOf = (field: string, most: number): SizeLimit => ({
  bytes: most,
  reason: (bytes) => `${field}: ${bytes} bytes, at most ${most} are allowed`,
});
