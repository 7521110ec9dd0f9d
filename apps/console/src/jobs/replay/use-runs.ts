import { useMemo, useState } from 'react';
import type { Timeline } from '../record/job-record';
import { type HistoryRow, historyRows, runAt } from './history-rows';

export interface Runs {
  readonly rows: readonly HistoryRow[];
  /** Opens or folds the run that begins with this event. */
  readonly toggle: (first: number) => void;
  /** Opens or folds the run that an event belongs to. */
  readonly toggleAt: (number: number) => void;
}

/** The rows of the history, with the runs that the reader has opened. */
export function useRuns(timeline: Timeline): Runs {
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const rows = useMemo(() => historyRows(timeline, opened), [timeline, opened]);
  const toggle = (first: number): void =>
    setOpened(
      opened.has(first)
        ? new Set([...opened].filter((one) => one !== first))
        : new Set([...opened, first]),
    );
  return {
    ...{ rows, toggle },
    toggleAt: (number) => {
      const first = runAt(timeline, number);
      if (first !== undefined) toggle(first);
    },
  };
}
