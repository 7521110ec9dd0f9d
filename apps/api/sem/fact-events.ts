import { Inject, Injectable } from '@nestjs/common';
import { fewAtOnce } from '#bounded/few-at-once.js';
import { heldOf } from '#domain/held.js';
import type { Actor } from '#domain/recorded-event.js';
import { type SemEvent, semSchemas } from '#domain/sem/events.js';
import { keyOfSemStream, semStream } from '#domain/stream-names.js';
import { upcast } from '#domain/upcast.js';
import { readRecorded } from '#event-store/aggregate-store.js';
import type { EventStore, LoggedEvent } from '#event-store/event-store.js';
import { countAt } from '#event-store/stream-past.js';
import { eventSource } from '../platform/http/event-source.dto.js';
import { EVENT_STORE } from '../platform/tokens.js';
import type { FactEventDto } from './fact-history-view.js';
import { FactRequests } from './fact-requests.js';
import { ShownFacts } from './shown-facts.js';

/** Shows the events of a fact's stream: its writes with their grounds, its claims and its collisions. */
@Injectable()
export class FactEvents {
  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    private readonly requests: FactRequests,
    private readonly shown: ShownFacts,
  ) {}

  /** Returns the number of the stream's last event, at a position if one is given; -1 without one. */
  async lastNumber(key: string, position?: bigint): Promise<number> {
    const stream = semStream(key);
    if (position !== undefined) return (await countAt(this.eventStore, stream, position)) - 1;
    return (await this.eventStore.lastOf(stream))?.number ?? -1;
  }

  /** Returns the events with these numbers, newest first. */
  async between(actor: Actor, key: string, from: number, to: number): Promise<FactEventDto[]> {
    const events: LoggedEvent[] = [];
    for await (const event of readRecorded(this.eventStore, semStream(key), { from, to }))
      events.push(event);
    return fewAtOnce(events.reverse(), (event) => this.viewOf(actor, event));
  }

  private async viewOf(actor: Actor, logged: LoggedEvent): Promise<FactEventDto> {
    const event = upcast<SemEvent>(semSchemas, logged);
    const { stream, number, metadata } = logged;
    const common = {
      version: number,
      actor: metadata.actor,
      recorded_at: metadata.recorded_at,
      event: eventSource(logged),
    };
    switch (event.type) {
      case 'fact_put': {
        const { timestamp, source, notes, meta, superseded } = event.data;
        return {
          ...{ type: event.type, ...common, timestamp, source, notes, meta, superseded },
          value: await this.shown.value(actor, keyOfSemStream(stream), heldOf(event.data)),
          ...(await this.requests.behind(actor, { stream, number, meta })),
        };
      }
      case 'fact_deleted': {
        const { timestamp, source, superseded } = event.data;
        return { type: event.type, ...common, timestamp, source, superseded };
      }
      case 'key_claimed':
      case 'collision_event':
        return { type: event.type, ...common, title: event.data.title };
      case 'collision_closed':
        return { type: event.type, ...common, reason: event.data.reason };
    }
  }
}
