import { Inject, Injectable } from '@nestjs/common';
import { semSchemas, type SemEvent } from '#domain/sem/events.js';
import { type Winner } from '#domain/sem/state.js';
import { semStream } from '#domain/stream-names.js';
import { upcast } from '#domain/upcast.js';
import type { EventStore, LoggedEvent } from '#event-store/event-store.js';
import { newestFirst } from '#event-store/newest-first.js';
import { eventSource } from '../../platform/http/event-source.dto.js';
import { EVENT_STORE } from '../../platform/tokens.js';
import type { SourceEventDto } from '../action-request-view.js';

export const sourceEventOf = (event: LoggedEvent) => ({
  ...eventSource(event),
  recorded_at: event.metadata.recorded_at,
});

/** A write that stands, with its event. */
export interface StandingWrite {
  readonly winner: Winner;
  readonly event: SourceEventDto;
}

/** Finds the events from which a request's facts and evidence come. Fails with `EventStoreUnavailable`. */
@Injectable()
export class SourceEvents {
  constructor(@Inject(EVENT_STORE) private readonly eventStore: EventStore) {}

  async at(stream: string, number: number): Promise<LoggedEvent | undefined> {
    let found: LoggedEvent | undefined;
    for await (const event of this.eventStore.readStream(stream, { from: number, limit: 1 }))
      if (event.number === number) found = event;
    return found;
  }

  /** Returns the writes of a key that won, newest first, back to the one that stood before a position of the log. */
  async writesBackTo(key: string, position: bigint): Promise<readonly StandingWrite[]> {
    const writes: StandingWrite[] = [];
    for await (const event of newestFirst(this.eventStore, semStream(key))) {
      const winner = winnerIn(event);
      if (winner === null) continue;
      writes.push({ winner, event: sourceEventOf(event) });
      if (event.position < position) break;
    }
    return writes;
  }
}

/** The write that stood before a position of the log, and the one that stands now. */
export interface WritesAround {
  readonly then: StandingWrite | null;
  readonly now: StandingWrite | null;
}

/** @param writes those of one key that won, newest first */
export const writesAround = (writes: readonly StandingWrite[], position: bigint): WritesAround => ({
  then: writes.find(({ event }) => BigInt(event.position) < position) ?? null,
  now: writes[0] ?? null,
});

/** Returns the write of an event that won when it was written (SPEC S3). */
function winnerIn(event: LoggedEvent): Winner | null {
  const { type, data } = upcast<SemEvent>(semSchemas, event);
  if (type === 'fact_put') {
    const fact = data;
    return fact.superseded ? null : { deleted: false, fact };
  }
  if (type !== 'fact_deleted') return null;
  const fact = data;
  return fact.superseded ? null : { deleted: true, fact };
}
