import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { jobStream } from '#domain/job/state.js';
import type { Actor } from '#domain/recorded-event.js';
import type { EventStore } from '#event-store/event-store.js';
import { type EventView, eventView } from '../events/event-view.js';
import { JobAccess } from '../jobs/job-access.js';
import { EVENT_STORE } from '../platform/tokens.js';
import type { EventsQuery } from './dto/audit.dto.js';

const DEFAULT_PAGE = 100;
const FULL_PAGE_CHARACTERS = 4 * 1024 * 1024;

export interface JobEventsPage {
  readonly events: readonly EventView[];
  /** The first event number of the next page; null on the last page. */
  readonly next_from: number | null;
}

export class ListJobEvents extends Query<JobEventsPage> {
  constructor(
    readonly actor: Actor,
    readonly seed: string,
    readonly page: Pick<EventsQuery, 'from' | 'limit'>,
  ) {
    super();
  }
}

/**
 * Returns a page of a job's stored events. A page is built in memory, so a page with large events
 * contains fewer events.
 */
@QueryHandler(ListJobEvents)
export class ListJobEventsHandler implements IQueryHandler<ListJobEvents> {
  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    private readonly access: JobAccess,
  ) {}

  async execute({ actor, seed, page }: ListJobEvents): Promise<JobEventsPage> {
    await this.access.requireRead(actor, seed);
    const { from = 0, limit = DEFAULT_PAGE } = page;
    const events: JobEventsPage['events'][number][] = [];
    let characters = 0;
    for await (const event of this.eventStore.readStream(jobStream(seed), { from, limit })) {
      events.push(eventView(event));
      characters += JSON.stringify(event.data).length;
      if (characters > FULL_PAGE_CHARACTERS) return { events, next_from: event.number + 1 };
    }
    const last = events.at(-1);
    const isFull = last !== undefined && events.length === limit;
    return { events, next_from: isFull ? last.number + 1 : null };
  }
}
