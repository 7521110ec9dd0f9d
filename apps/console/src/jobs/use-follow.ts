import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { JobEvent, MaceClient } from '#client/index.js';
import type { JobRecord, Timeline } from './record/job-record';
import { timelineQuery } from './record/use-record';

/** New events are shown at most this often, in ms. */
const BATCH_MS = 100;
const LAST_TYPE = 'episodic_summary';

export const hasEnded = ({ types, type_of }: Timeline): boolean =>
  types[type_of.at(-1) ?? -1] === LAST_TYPE;

/** Adds the events of a running job to its timeline as they come. */
export function useFollow(
  mace: MaceClient,
  record: JobRecord,
  seed: string,
  timeline: Timeline | undefined,
): void {
  const client = useQueryClient();
  const isRunning = timeline !== undefined && !hasEnded(timeline);
  const { queryKey } = timelineQuery(record);
  const key = JSON.stringify(queryKey);
  useEffect(() => {
    if (!isRunning) return;
    const stop = new AbortController();
    const { signal } = stop;
    let waiting: JobEvent[] = [];
    let flush: ReturnType<typeof setTimeout> | undefined;
    const add = (): void => {
      flush = undefined;
      const events = waiting;
      waiting = [];
      client.setQueryData<Timeline>(
        JSON.parse(key) as readonly string[],
        (before) => before && events.reduce(withEvent, before),
      );
    };
    const read = async (): Promise<void> => {
      const known = client.getQueryData<Timeline>(JSON.parse(key) as readonly string[]);
      const events = mace
        .job(seed)
        .follow({ from: (known?.version ?? -1) + 1, toEnd: true, signal });
      for await (const event of events) {
        waiting.push(event);
        flush ??= setTimeout(add, BATCH_MS);
      }
    };
    // A failure ends the following. The page still shows what it has, and a reload asks again.
    read().catch(() => undefined);
    return () => {
      stop.abort();
      clearTimeout(flush);
    };
  }, [client, key, isRunning, mace, seed]);
}

/** Returns the timeline with one more event. An event that it has already changes nothing. */
export function withEvent(
  timeline: Timeline,
  { number, type }: Pick<JobEvent, 'number' | 'type'>,
): Timeline {
  const { version, types, type_of, ticks } = timeline;
  if (number !== version + 1) return timeline;
  const known = types.indexOf(type);
  return {
    ...timeline,
    version: number,
    types: known === -1 ? [...types, type] : types,
    type_of: [...type_of, known === -1 ? types.length : known],
    ticks: type === 'ticked' ? [...ticks, number] : ticks,
  };
}
