import type { MemoryTrace, PromotionRequested } from '../events.js';
import { withMeta, type MemoryItem } from '../item.js';

/**
 * Returns a summary in the form in which an event records it. A summary lists every turn that ever left
 * its phase's window (SPEC M11). An event records only the new turns and the id of the previous summary;
 * answers and states have the whole list.
 */
export const summaryAfter = (summary: MemoryItem, prior: MemoryItem | undefined): MemoryItem => {
  if (prior === undefined) return summary;
  const summary_of = (summary.meta.summary_of ?? []).slice((prior.meta.summary_of ?? []).length);
  return withMeta(summary, { summary_of, summary_after: prior.id });
};

/** Returns an item that is already in the store, in the form in which an event records it. */
const asStored = (item: MemoryItem): MemoryItem =>
  item.meta.summary_of === undefined
    ? item
    : withMeta(item, { summary_of: [], summary_after: item.id });

/**
 * Returns an item with its whole list of turns. The callback `summaryOf` must return the turns of an
 * earlier summary.
 */
export function withWholeSummary(
  item: MemoryItem,
  summaryOf: (summaryId: string) => readonly string[],
): MemoryItem {
  const { summary_after, ...meta } = item.meta;
  if (summary_after === undefined) return item;
  const summary_of = [...summaryOf(summary_after), ...(meta.summary_of ?? [])];
  return { ...item, meta: { ...meta, summary_of } };
}

/** Changes each item of a `memory_write` or `memory_recall` trace event, and returns the resulting trace event. */
export function withItems(
  trace: MemoryTrace,
  change: (item: MemoryItem) => MemoryItem,
): MemoryTrace {
  if (trace.type === 'memory_write')
    return { ...trace, data: { ...trace.data, written: trace.data.written.map(change) } };
  if (trace.type === 'memory_recall')
    return { ...trace, data: { ...trace.data, recalled: trace.data.recalled.map(change) } };
  return trace;
}

/** Returns a trace event as it is stored. */
export const traceNamed = (trace: MemoryTrace): MemoryTrace => withItems(trace, asStored);

/** Returns a promotion request as it is stored. */
export const requestNamed = (requested: PromotionRequested): PromotionRequested => ({
  ...requested,
  written: requested.written.map(asStored),
});
