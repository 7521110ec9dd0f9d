/** Items that follow each other in a conversation and in one event. */
export interface Run {
  /** The number of the event that holds the items. */
  readonly event: number;
  /** The place of the first item in the event's list. */
  readonly place: number;
  readonly count: number;
}

/**
 * The last run of a conversation, linked to the runs before it. A change at the end makes a few new links
 * and shares the others, so its cost does not grow with the conversation.
 */
export interface ItemRun extends Run {
  readonly before: ItemRun | undefined;
  /** The number of items up to and including this run. */
  readonly items: number;
  /** The number of runs up to and including this one. */
  readonly runs: number;
}

/** Items from index `from` to before index `to`. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

export const itemCount = (last: ItemRun | undefined): number => last?.items ?? 0;

export const runCount = (last: ItemRun | undefined): number => last?.runs ?? 0;

/** Adds a run; an empty one adds nothing. */
export const linked = (last: ItemRun | undefined, { event, place, count }: Run) =>
  count === 0
    ? last
    : {
        event,
        place,
        count,
        before: last,
        items: itemCount(last) + count,
        runs: runCount(last) + 1,
      };

export function cut(last: ItemRun | undefined, count: number): ItemRun | undefined {
  let run = last;
  while (run?.before !== undefined && run.before.items >= count) run = run.before;
  if (run === undefined || run.items <= count) return run;
  return linked(run.before, { ...run, count: count - itemCount(run.before) });
}

/** Returns the runs of a range, oldest first, cut at its ends. */
export function runsIn(last: ItemRun | undefined, { from, to }: Range): Run[] {
  const runs: Run[] = [];
  for (let run = last; run !== undefined && run.items > from; run = run.before) {
    const start = itemCount(run.before);
    const first = Math.max(start, from);
    const count = Math.min(run.items, to) - first;
    if (count > 0) runs.push({ event: run.event, place: run.place + first - start, count });
  }
  return runs.reverse();
}
