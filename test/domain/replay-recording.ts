import type { Decider, DomainEvent } from '#domain/decider.js';
import { CHAIN_START, chainHash } from '#domain/determinism/hash-chain.js';
import { eventId } from '#domain/determinism/ids.js';
import { seededBase, seededTimestamp } from '#domain/determinism/seeded-clock.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { JsonObject } from '#domain/json.js';
import type { EventMetadata, RecordedEvent } from '#domain/recorded-event.js';

/** Links events into the hash chain of a stream, as the log does. */
export function chained(
  events: readonly Omit<RecordedEvent, 'metadata'>[],
  metadataOf: (index: number) => Omit<EventMetadata, 'hash'>,
): RecordedEvent[] {
  let prev = CHAIN_START;
  return events.map((event, index) => {
    const metadata = metadataOf(index);
    const hash = chainHash(prev, { ...event, metadata });
    prev = hash;
    return { ...event, metadata: { ...metadata, hash } } as RecordedEvent;
  });
}

/**
 * Returns the events that these commands produce, computed in memory without an event store. Refused
 * commands add nothing.
 */
export function recorded<State, Command, Event extends DomainEvent>(
  decider: Decider<State, Command, Event>,
  stream: string,
  commands: readonly Command[],
  run: Readonly<Record<'recorded_at' | 'trace_id', string>> = {
    recorded_at: '2026-01-01T00:00:00.000Z',
    trace_id: 'trace',
  },
): RecordedEvent[] {
  let state = decider.initialState(stream);
  const events: { event: Event; command: number }[] = [];
  const take = (made: readonly Event[], command: number) => {
    for (const event of made) {
      events.push({ event, command });
      state = decider.evolve(state, event);
    }
  };
  commands.forEach((command, index) => {
    try {
      take(decider.decide(command, state), index);
      take(decider.owed?.(state) ?? [], index);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  });
  const first = events[0];
  if (first === undefined) return [];
  const { seed, epoch } = decider.seedOf?.(stream, first.event) ?? { seed: stream };
  const base = seededBase(seed, epoch);
  return chained(
    events.map(({ event: { type, data } }, number) => ({
      stream,
      number,
      type,
      // JSON turns the data into the form that is read back from the log.
      data: JSON.parse(JSON.stringify(data)) as JsonObject,
    })),
    (number) => {
      const { event, command } = events[number] as (typeof events)[number];
      const schema = decider.schemas[event.type as Event['type']];
      return {
        event_id: eventId(stream, number, event.type),
        seeded_ts: seededTimestamp(base, number),
        recorded_at: run.recorded_at,
        schema_version: schema.version,
        kind: schema.kind,
        command_id: `command-${command}`,
        command_index: 0,
        body_hash: 'b0d7',
        actor: 'agent-1',
        trace_id: run.trace_id,
      };
    },
  );
}
