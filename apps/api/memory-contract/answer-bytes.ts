import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MemoryTrace } from '#domain/memory-contract/events.js';
import type { MemoryItem } from '#domain/memory-contract/item.js';
import type { PolicySnapshot } from '#domain/memory-contract/policy.js';
import { traceOf } from '#domain/memory-contract/trace/trace.js';
import { jsonBytes } from '../platform/http/json-bytes.js';

/** What the caller of a recall or an interaction gets (SPEC M20). */
type MemoryAnswer = (
  { readonly items: readonly MemoryItem[] } | { readonly written: readonly MemoryItem[] }
) & { readonly trace: readonly MemoryTrace[] };

/**
 * Returns the JSON of an answer. It is made in the next turn of the event loop: a decision's append has left by
 * then, and the event store writes it to its disk meanwhile. A summary makes answers of hundreds of kilobytes.
 */
export async function answerBytes(
  { trace, ...items }: MemoryAnswer,
  policy: PolicySnapshot,
): Promise<Buffer> {
  await nextTurn();
  return jsonBytes({ ...items, trace: trace.map((event) => traceOf(event, policy)) });
}
