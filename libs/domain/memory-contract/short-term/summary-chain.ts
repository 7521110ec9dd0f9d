import type { MemoryTrace, PromotionRequested } from '../events.js';
import { withMeta, type MemoryItem } from '../item.js';

/**
 * A summary stands for every turn that ever left its phase's window (SPEC M11). Events do not say them all
 * again: they name the summary whose turns come first, and only what is new. Answers and states have the
 * whole list.
 */
export const summaryAfter = (summary: MemoryItem, prior: MemoryItem | undefined): MemoryItem => {
  if (prior === undefined) return summary;
  const summary_of = (summary.meta.summary_of ?? []).slice((prior.meta.summary_of ?? []).length);
  return withMeta(summary, { summary_of, summary_after: prior.id });
};

/** An item as an event shows it that its store has stored already. */
const named = (item: MemoryItem): MemoryItem =>
  item.meta.summary_of === undefined
    ? item
    : withMeta(item, { summary_of: [], summary_after: item.id });

/** An item with the whole list; `summaryOf` tells what an earlier summary stands for. */
export function spelledOut(
  item: MemoryItem,
  summaryOf: (summaryId: string) => readonly string[],
): MemoryItem {
  const { summary_after, ...meta } = item.meta;
  if (summary_after === undefined) return item;
  const summary_of = [...summaryOf(summary_after), ...(meta.summary_of ?? [])];
  return { ...item, meta: { ...meta, summary_of } };
}

/** A request's first trace event with each of its items changed. */
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

/** A trace event as it is stored. */
export const traceNamed = (trace: MemoryTrace): MemoryTrace => withItems(trace, named);

/** A promotion's request as it is stored. */
export const requestNamed = (requested: PromotionRequested): PromotionRequested => ({
  ...requested,
  written: requested.written.map(named),
});
