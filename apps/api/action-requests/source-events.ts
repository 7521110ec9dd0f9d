import { Inject, Injectable } from '@nestjs/common';
import { semSchemas, type SemEvent } from '#domain/sem/events.js';
import { semStream, type Winner } from '#domain/sem/state.js';
import { upcast } from '#domain/upcast.js';
import type { EventStore, LoggedEvent } from '#event-store/event-store.js';
import { EVENT_STORE } from '../platform/tokens.js';
import type { SourceEventDto } from './dto/source-event.dto.js';

export const sourceEventOf = ({ stream, number, position, metadata }: LoggedEvent) => ({
  stream,
  number,
  position: position.toString(),
  hash: metadata.hash,
  recorded_at: metadata.recorded_at,
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
    for await (const event of this.eventStore.readStream(stream, { from: number, limit: 1 }))
      return event.number === number ? event : undefined;
    return undefined;
  }

  /** Returns the write of a key that stood before a position of the log, and the one that stands now. */
  async writesOf(key: string, position: bigint) {
    const writes: { then: StandingWrite | null; now: StandingWrite | null } = {
      then: null,
      now: null,
    };
    for await (const event of this.eventStore.readStream(semStream(key), { backwards: true })) {
      const winner = winnerIn(event);
      if (winner === null) continue;
      const standing = { winner, event: sourceEventOf(event) };
      writes.now ??= standing;
      if (event.position >= position) continue;
      writes.then = standing;
      break;
    }
    return writes;
  }
}

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
