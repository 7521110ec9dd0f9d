import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ShownState } from '../record/job-record';
import {
  align,
  type Compared,
  type Entries,
  entriesOf,
  firstDifference,
  type Pair,
  withPage,
} from './align';
import type { ComparedSide } from './compared-side';
import { byNumber, firstChange } from './same-job';

/** One of the two jobs, as far as it was read. */
export interface Side extends ComparedSide {
  readonly events: readonly Compared[];
  /** Undefined if an event does not fit the chain, because no state is proven after it. */
  readonly end: ShownState | undefined;
}

export interface Comparison {
  readonly left: Side;
  readonly right: Side;
  /** True if both are records of the same job, so that every byte counts. */
  readonly isSameJob: boolean;
  /** The number of the first event that is not the same; undefined if there is none, or none so far. */
  readonly first: number | undefined;
  /** The pairs that are aligned. */
  readonly pairs: readonly Pair[];
  readonly isWhole: boolean;
}

const PAGE = 500;
/** Other work of the page gets its turn after this many ms. */
const SLICE_MS = 20;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

interface Reading extends Side {
  events: readonly Compared[];
  readonly entries: Entries;
  /** The number of the last event. A running job may get more. */
  readonly last: number;
  /** The number of the next event to read; null after the last. */
  next: number | null;
}

/** @param hasValues true if the values that the job read count, because both records have them */
async function sideOf(
  side: ComparedSide,
  hasValues: boolean,
  signal: AbortSignal,
): Promise<Reading> {
  const { record } = side;
  const { version: last, broken_at } = await record.timeline(signal);
  const isWhole = broken_at === null && last >= 0;
  const [end, read] = await Promise.all([
    isWhole ? record.stateAfter(last, signal) : undefined,
    isWhole && hasValues ? record.valuesRead?.(last, signal) : undefined,
  ]);
  const entries = entriesOf(read ?? []);
  return { ...side, end, events: [], entries, last, next: last < 0 ? null : 0 };
}

async function readPage(side: Reading, signal: AbortSignal): Promise<void> {
  if (side.next === null) return;
  const page = await side.record.events({ from: side.next, limit: PAGE }, signal);
  const events = page.events.filter(({ number }) => number <= side.last);
  side.events = withPage(side.events, events, side.entries);
  const read = events.at(-1)?.number ?? side.last;
  side.next = read < side.last ? read + 1 : null;
}

/** Reads both jobs page by page, and shows what is known after each. */
export function useComparison(left: ComparedSide, right: ComparedSide) {
  const [comparison, setComparison] = useState<Comparison>();
  useEffect(() => setComparison(undefined), [left.record.id, right.record.id]);
  const reading = useQuery({
    queryKey: ['comparison', left.record.id, right.record.id],
    queryFn: async ({ signal }) => {
      const isSameJob = left.seed === right.seed;
      const hasValues = !left.isFile && !right.isFile;
      const sides = await Promise.all([
        sideOf(left, hasValues, signal),
        sideOf(right, hasValues, signal),
      ]);
      let first: number | undefined;
      let same = 0;
      const show = (pairs: readonly Pair[], isWhole: boolean): void => {
        const [one, other] = sides;
        const areRead = one.next === null && other.next === null;
        first ??= isSameJob
          ? firstChange(one.events, other.events, same)
          : firstDifference(one.events, other.events, areRead, same);
        same = Math.min(one.events.length, other.events.length);
        setComparison({ left: { ...one }, right: { ...other }, isSameJob, first, pairs, isWhole });
      };
      while (sides.some(({ next }) => next !== null)) {
        await Promise.all(sides.map((side) => readPage(side, signal)));
        show([], false);
      }
      const pairs: Pair[] = [];
      let turn = performance.now();
      const inOrder = isSameJob ? byNumber : align;
      for (const next of inOrder(sides[0].events, sides[1].events)) {
        pairs.push(...next);
        if (performance.now() - turn < SLICE_MS) continue;
        await pause();
        signal.throwIfAborted();
        turn = performance.now();
      }
      show(pairs, true);
      return null;
    },
    gcTime: 0,
    staleTime: Infinity,
    // A bundle is read without a network.
    networkMode: 'always',
  });
  return { comparison, error: reading.error, retry: () => void reading.refetch() };
}
