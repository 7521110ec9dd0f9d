import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MemoryTrace } from '#domain/memory-contract/events.js';
import type { MemoryItem } from '#domain/memory-contract/item.js';
import type { PolicySnapshot } from '#domain/memory-contract/policy.js';
import { traceOf } from '#domain/memory-contract/trace/trace.js';
import { canonicalBytes } from '../platform/http/json-bytes.js';

/** The answer to a recall or an interaction (SPEC M20). */
type MemoryAnswer = (
  { readonly items: readonly MemoryItem[] } | { readonly written: readonly MemoryItem[] }
) & { readonly trace: readonly MemoryTrace[] };

/**
 * Returns the canonical JSON of an answer, as every write has it. The JSON is made in the next turn of the event loop, so that the append is
 * sent first and the event store writes to disk meanwhile (apps/api/platform/README.md has the figure).
 */
export function answerBytes(
  { trace, ...items }: MemoryAnswer,
  policy: PolicySnapshot,
): Promise<Buffer> {
  const bytes = nextTurn().then(() =>
    canonicalBytes({ ...items, trace: trace.map((event) => traceOf(event, policy)) }),
  );
  // The caller handles a failure when it awaits the bytes. Without this handler, a failure before that
  // would end the process.
  bytes.catch(() => undefined);
  return bytes;
}
