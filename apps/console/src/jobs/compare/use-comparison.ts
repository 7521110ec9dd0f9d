import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { JobStateAfter, MaceClient } from '#client/index.js';
import { useMace } from '../../session/session-provider';
import {
  align,
  type Compared,
  type Entries,
  entriesOf,
  firstDifference,
  type Pair,
  withPage,
} from './align';

/** One of the two jobs, as far as it was read. */
export interface Side {
  readonly seed: string;
  readonly events: readonly Compared[];
  readonly end: JobStateAfter;
}

export interface Comparison {
  readonly left: Side;
  readonly right: Side;
  /** The number of the first event that is not the same; undefined if there is none, or none so far. */
  readonly first: number | undefined;
  /** The pairs of the ticks that are aligned. */
  readonly pairs: readonly Pair[];
  readonly isWhole: boolean;
}

const PAGE = 500;
/** Other work of the page gets its turn after this many ms. */
const SLICE_MS = 20;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** The most things among those that a job read whose values are compared. */
const MOST_READ = 200;

async function sideOf(mace: MaceClient, seed: string, signal: AbortSignal): Promise<Reading> {
  const { version } = await mace.job(seed).timeline({ signal });
  const [end, { read }] = await Promise.all([
    mace.job(seed).stateAfter(version, { signal }),
    mace.job(seed).knew({ version, limit: MOST_READ }, { signal }),
  ]);
  return { seed, end, events: [], entries: entriesOf(read), next: 0 };
}

/** Reads both jobs page by page, and shows what is known after each. */
export function useComparison(left: string, right: string) {
  const mace = useMace();
  const [comparison, setComparison] = useState<Comparison>();
  useEffect(() => setComparison(undefined), [left, right]);
  const reading = useQuery({
    queryKey: ['comparison', left, right],
    queryFn: async ({ signal }) => {
      const sides = await Promise.all([sideOf(mace, left, signal), sideOf(mace, right, signal)]);
      let first: number | undefined;
      let same = 0;
      const show = (pairs: readonly Pair[], isWhole: boolean): void => {
        const [one, other] = sides;
        const areRead = one.next === null && other.next === null;
        first ??= firstDifference(one.events, other.events, areRead, same);
        same = Math.min(one.events.length, other.events.length);
        setComparison({ left: { ...one }, right: { ...other }, first, pairs, isWhole });
      };
      while (sides.some(({ next }) => next !== null)) {
        await Promise.all(sides.map((side) => readPage(mace, side, signal)));
        show([], false);
      }
      const pairs: Pair[] = [];
      let turn = performance.now();
      for (const ofTick of align(sides[0].events, sides[1].events)) {
        pairs.push(...ofTick);
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
  });
  return { comparison, error: reading.error, retry: () => void reading.refetch() };
}

interface Reading {
  readonly seed: string;
  readonly end: JobStateAfter;
  events: readonly Compared[];
  readonly entries: Entries;
  /** The number of the next event to read; null after the last. */
  next: number | null;
}

async function readPage(mace: MaceClient, side: Reading, signal: AbortSignal): Promise<void> {
  if (side.next === null) return;
  const page = await mace.job(side.seed).events({ from: side.next, limit: PAGE }, { signal });
  // A running job may have got more events since its end was read.
  const events = page.events.filter(({ number }) => number <= side.end.version);
  side.events = withPage(side.events, events, side.entries);
  side.next = events.length < page.events.length ? null : page.next_from;
}
