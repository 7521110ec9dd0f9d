import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isMaceError, type JobEvent, type MaceClient } from '#client/index.js';
import type { JobRecord, Timeline } from './record/job-record';
import { timelineQuery } from './record/use-record';

/** New events are shown at most this often, in ms. */
const BATCH_MS = 100;
/** The pause in ms before a stream that could not be opened is opened again. */
const RETRY_MS = 2_000;
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
    let retry: ReturnType<typeof setTimeout> | undefined;
    const add = (): void => {
      flush = undefined;
      const events = waiting;
      waiting = [];
      client.setQueryData<Timeline>(
        JSON.parse(key) as readonly string[],
        (before) => before && withEvents(before, events),
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
    const follow = (): void =>
      void read().catch((error: unknown) => {
        const isRefused = isMaceError(error) && ![429, 503].includes(error.status);
        if (!isRefused && !signal.aborted) retry = setTimeout(follow, RETRY_MS);
      });
    follow();
    return () => {
      stop.abort();
      clearTimeout(flush);
      clearTimeout(retry);
    };
  }, [client, key, isRunning, mace, seed]);
}

/** Returns the timeline with the events that come after its last one. Events that it has already change nothing. */
export function withEvents(
  timeline: Timeline,
  events: readonly Pick<JobEvent, 'number' | 'type'>[],
): Timeline {
  const types = [...timeline.types];
  const type_of = [...timeline.type_of];
  const ticks = [...timeline.ticks];
  for (const { number, type } of events) {
    if (number !== type_of.length) continue;
    if (!types.includes(type)) types.push(type);
    type_of.push(types.indexOf(type));
    if (type === 'ticked') ticks.push(number);
  }
  return { ...timeline, version: type_of.length - 1, types, type_of, ticks };
}
