import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type PlaceInMatches, placeIn } from '#domain/job/event-matches.js';
import type { Actor } from '#domain/recorded-event.js';
import { jobStream } from '#domain/stream-names.js';
import { readRecorded } from '#event-store/aggregate-store.js';
import type { EventStore, LoggedEvent } from '#event-store/event-store.js';
import { type EventView, eventView } from '../../events/event-view.js';
import { JobAccess } from '../../ownership/job-access.js';
import { EVENT_STORE } from '../../platform/tokens.js';
import type { EventsQuery } from './dto/job-record-query.dto.js';
import { EventMatches, pageOf } from './event-matches.js';

const DEFAULT_PAGE = 100;
const FULL_PAGE_CHARACTERS = 4 * 1024 * 1024;
/** Matches that lie at most this far apart are read together with the events between them. */
const READ_TOGETHER = 32;

export interface JobEventsPage {
  readonly events: readonly EventView[];
  /** The first event number of the next page; null on the last page. */
  readonly next_from: number | null;
  /** Only with conditions: how many events meet them, and where `from` lies among them. */
  readonly matches?: PlaceInMatches;
}

type Page = Omit<EventsQuery, 'format'>;

export class ListJobEvents extends Query<JobEventsPage> {
  constructor(
    readonly actor: Actor,
    readonly seed: string,
    readonly page: Page,
  ) {
    super();
  }
}

/**
 * Returns a page of a job's stored events, or of those that meet conditions. A page is built in memory, so a page
 * with large events contains fewer events.
 */
@QueryHandler(ListJobEvents)
export class ListJobEventsHandler implements IQueryHandler<ListJobEvents> {
  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    private readonly access: JobAccess,
    private readonly matches: EventMatches,
  ) {}

  async execute({ actor, seed, page }: ListJobEvents): Promise<JobEventsPage> {
    await this.access.requireRead(actor, seed);
    const { from = 0, skip = 0, limit = DEFAULT_PAGE, ...conditions } = page;
    const stream = jobStream(seed);
    if (!hasConditions(conditions)) {
      const first = from + skip;
      const read = this.eventStore.readStream(stream, { from: first, limit });
      const { events, isCut } = await pageFrom(read);
      const last = events.at(-1);
      const goesOn = last !== undefined && (isCut || events.length === limit);
      return { events, next_from: goesOn ? last.number + 1 : null };
    }
    const { types, kind, from_tick: fromTick, to_tick: toTick, text } = conditions;
    const search = { types: types?.split(','), kind, fromTick, toTick, text };
    const matches = await this.matches.of(seed, search);
    const asked = pageOf(matches, { from, skip, limit });
    const { events } = await pageFrom(this.numbered(stream, asked));
    const last = events.at(-1);
    const next_from = last === undefined ? null : placeIn(matches, last.number).next;
    return { events, next_from, matches: placeIn(matches, from) };
  }

  /** Yields the events with these ascending numbers. */
  private async *numbered(stream: string, numbers: readonly number[]): AsyncGenerator<LoggedEvent> {
    for (let index = 0; index < numbers.length;) {
      const from = numbers[index]!;
      let to = from;
      const asked = new Set<number>();
      for (; index < numbers.length && numbers[index]! - to <= READ_TOGETHER; index += 1) {
        to = numbers[index]!;
        asked.add(to);
      }
      for await (const event of readRecorded(this.eventStore, stream, { from, to }))
        if (asked.has(event.number)) yield event;
    }
  }
}

const hasConditions = (conditions: Omit<Page, 'from' | 'skip' | 'limit'>): boolean =>
  Object.values(conditions).some((condition) => condition !== undefined);

/** Collects the events of a page, until it is full. */
async function pageFrom(
  read: AsyncIterable<LoggedEvent>,
): Promise<{ readonly events: readonly EventView[]; readonly isCut: boolean }> {
  const events: EventView[] = [];
  let characters = 0;
  for await (const event of read) {
    events.push(eventView(event));
    characters += JSON.stringify(event.data).length;
    if (characters > FULL_PAGE_CHARACTERS) return { events, isCut: true };
  }
  return { events, isCut: false };
}
