import { uncarriable } from '../determinism/canonical-json.js';
import { Refusal } from '../errors/refusal.js';
import { heldContent, heldOf, heldSize, isSealed, type Held } from '../held.js';
import { limitOf, requireSize } from '../size-limit.js';

export type WmType = 'fact' | 'context' | 'hint' | 'temp';
export const WM_TYPES: readonly WmType[] = ['fact', 'context', 'hint', 'temp'];

/** The most bytes of a WM value (SPEC J2). */
export const VALUE_BYTES = 16 * 1024;
export const WM_VALUE = limitOf('value', VALUE_BYTES);

/**
 * The fields of an entry that no rule changes: the event, WM, the CWM and the session's next job keep them as they are
 * (SPEC J1, J2, J4, J5). A new field of this kind stands in this file, in the request and the answers
 * (apps/api/jobs/job-commands.ts and job-view.ts), in what the MCP tool read_job shows (libs/mcp/tools/jobs.ts), and in
 * the console's panel (apps/console/src/jobs/replay/state-panel.tsx). If it can hold personal data, it is sealed under a
 * name of its own: by job-gate.ts, in SEALED_FIELDS (privacy/sealed-in.ts, by which an erasure finds it), in
 * apps/api/privacy/sealed-values.ts, which opens it, and in `consolidated` (decide-end.ts), which may hold no seal.
 */
export type Content = Held & { readonly type: WmType };

/** Returns the content of an object that may have more fields. */
export const contentOf = (from: Content): Content => ({ type: from.type, ...heldOf(from) });

/** The approximate size of a content in memory, in characters. */
export function contentSize(content: Content): number {
  if (isSealed(content)) return content.sealed.jwe.length;
  return typeof content.value === 'string' ? content.value.length : heldSize(content);
}

/** Checks the content of a new entry. @throws Refusal INVALID_INPUT beyond the limits of SPEC J2. */
export function checkContent(content: Content): void {
  if (!WM_TYPES.includes(content.type))
    throw invalid(`type: must be one of ${WM_TYPES.join(', ')}`);
  if (!isSealed(content)) checkCarriable('value', content.value);
  requireSize(heldContent(content), WM_VALUE);
}

export const invalid = (reason: string): Refusal => new Refusal('INVALID_INPUT', { reason });

/** @throws Refusal INVALID_INPUT for a value that JCS or Postgres cannot represent. */
export function checkCarriable(field: string, value: unknown): void {
  const reason = uncarriable(value);
  if (reason !== undefined) throw invalid(`${field}: ${reason}`);
}
