import type { QueryRun } from '#domain/query/log-content.js';
import { readRecorded } from '#event-store/aggregate-store.js';
import type { EventStore } from '#event-store/event-store.js';

/** One run of a query, and the trace id of its request. */
export interface RecordedRun extends QueryRun {
  readonly trace_id: string;
}

/** Reads the run of a query from the metadata of its events (SPEC X1). */
export async function recordedRun(eventStore: EventStore, stream: string): Promise<RecordedRun> {
  const agent_time_ms = new Map<number, number>();
  let first: { query_id: string; trace_id: string } | undefined;
  for await (const { type, data, metadata } of readRecorded(eventStore, stream)) {
    first ??= { query_id: textOf(metadata['query_id']), trace_id: metadata.trace_id };
    const { call } = data;
    if ((type === 'agent_answered' || type === 'agent_failed') && typeof call === 'number')
      agent_time_ms.set(call, Number(metadata['agent_time_ms'] ?? 0));
  }
  if (first === undefined) throw new Error(`${stream} contains no events`);
  return { ...first, agent_time_ms };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : 'unknown');
