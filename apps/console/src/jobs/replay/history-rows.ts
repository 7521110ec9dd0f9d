import type { Timeline } from '../record/job-record';

/** The fewest like neighbours that are folded to one row. */
const RUN = 4;
const TICKED = 'ticked';

/**
 * A row of a job's history: an event; the heading of a tick, which is the event that began it; or a run of like
 * events.
 */
export type HistoryRow =
  | { readonly kind: 'event'; readonly number: number }
  /** No event began tick 0, so its heading has the number -1. */
  | { readonly kind: 'tick'; readonly number: number; readonly tick: number }
  | {
      readonly kind: 'run';
      /** The first event of the run. */
      readonly number: number;
      readonly last: number;
      /** True if the rows of its events follow. */
      readonly isOpen: boolean;
    };

type Shape = Pick<Timeline, 'types' | 'type_of' | 'version'>;

/**
 * Returns the rows of a job's history, in order: each event has exactly one row, unless it is in a folded run.
 * @param opened the first events of the runs that are open
 */
export function historyRows(
  { types, type_of, version }: Shape,
  opened: ReadonlySet<number>,
): readonly HistoryRow[] {
  const ticked = types.indexOf(TICKED);
  const rows: HistoryRow[] = [{ kind: 'tick', number: -1, tick: 0 }];
  let tick = 0;
  for (let number = 0; number <= version;) {
    const code = type_of[number];
    let last = number;
    while (last < version && type_of[last + 1] === code) last += 1;
    const isRun = last - number + 1 >= RUN;
    const isOpen = !isRun || opened.has(number);
    if (isRun) rows.push({ kind: 'run', number, last, isOpen });
    if (!isOpen && code === ticked) tick += last - number + 1;
    if (isOpen)
      for (let one = number; one <= last; one += 1)
        rows.push(
          code === ticked
            ? { kind: 'tick', number: one, tick: (tick += 1) }
            : { kind: 'event', number: one },
        );
    number = last + 1;
  }
  return rows;
}

/** Returns the index of the row that shows an event. */
export function rowOf(rows: readonly HistoryRow[], number: number): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle]?.number ?? 0) <= number) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Returns the first event of the run that an event belongs to; undefined if it belongs to none. */
export function runAt({ type_of, version }: Shape, number: number): number | undefined {
  const code = type_of[number];
  let [first, last] = [number, number];
  while (first > 0 && type_of[first - 1] === code) first -= 1;
  while (last < version && type_of[last + 1] === code) last += 1;
  return last - first + 1 >= RUN ? first : undefined;
}
