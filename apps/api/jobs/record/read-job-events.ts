import { Inject, StreamableFile } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { placeIn } from '#domain/job/event-matches.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { Json } from '#domain/json.js';
import { plainView } from '#domain/plain-view.js';
import { jobStream } from '#domain/stream-names.js';
import { readRecorded } from '#event-store/aggregate-store.js';
import type { EventStore, LoggedEvent } from '#event-store/event-store.js';
import { type EventView, eventView } from '../../events/event-view.js';
import { JobAccess } from '../../ownership/job-access.js';
import { EVENT_STORE } from '../../platform/tokens.js';
import {
  acceptsEventStream,
  EVENT_STREAM,
  EventStreamRequest,
} from '../../events/event-stream-request.js';
import { EventStreams } from '../../events/event-streams.js';
import { readersOf } from '../../platform/auth/roles.js';
import { EventNumber, OneOf, SeedText, Text, Whole } from '../../platform/http/fields.js';
import { Describes, FromRequest } from '../../platform/http/request.js';
import { JobEventsPageDto } from './job-record-view.js';
import { JobEventStream } from './job-event-stream.js';
import { EventMatches, pageOf } from './event-matches.js';

const DEFAULT_PAGE = 100;
const FULL_PAGE_CHARACTERS = 4 * 1024 * 1024;
/** Matches that lie at most this far apart are read together with the events between them. */
const READ_TOGETHER = 32;

@Describes({
  summary:
    'A job’s stored events, in pages; `plain` is easier to read. With `Accept: text/event-stream`, as server-sent events',
  roles: readersOf('job'),
  answers: {
    description: 'A page of events; or, if the request accepts it, a stream of server-sent events.',
    json: JobEventsPageDto,
    content: { [EVENT_STREAM]: { schema: { type: 'string' } } },
  },
  fails: ['NOT_FOUND', 'RATE_LIMITED'],
})
export class ReadJobEvents extends EventStreamRequest<StreamableFile | JobEventsPageDto> {
  @FromRequest(acceptsEventStream) readonly isStream!: boolean;
  @SeedText() seed!: string;
  @EventNumber({ optional: true }) from?: number;
  @Whole({ optional: true, min: 1, max: 1_000 }) limit?: number;
  @OneOf(['json', 'plain'], { optional: true }) format?: 'json' | 'plain';

  @Whole({
    ...{ optional: true, min: 0, max: 2_147_483_647 },
    description: 'Leaves out this many events from `from` on.',
  })
  skip?: number;

  @Text({
    ...{ optional: true, min: 1, max: 1_000, pattern: /^[a-z_]+(,[a-z_]+)*$/ },
    description: 'Only events of these types, separated by commas.',
  })
  types?: string;

  @OneOf(['input', 'outcome'], { optional: true }) kind?: 'input' | 'outcome';

  @EventNumber({ optional: true, description: 'Only events of this tick or a later one.' })
  from_tick?: number;

  @EventNumber({ optional: true, description: 'Only events of this tick or an earlier one.' })
  to_tick?: number;

  @Text({
    ...{ optional: true, min: 1, max: 200 },
    description:
      'Only events whose type, data or metadata contain this text. Upper and lower case are the same.',
  })
  text?: string;

  @Text({
    ...{ optional: true, min: 1, max: 200 },
    description:
      'As `text`, for each of these words. What stands between double quotes counts as one word.',
  })
  words?: string;

  @Text({
    ...{ optional: true, min: 1, max: 256 },
    description: 'Only events of this actor, or of those whose name begins so.',
  })
  actor_name?: string;
}

/**
 * Returns a page of a job's stored events, or of those that meet conditions. A page is built in memory, so a page
 * with large events contains fewer events.
 */
@QueryHandler(ReadJobEvents)
export class ReadJobEventsHandler implements IQueryHandler<ReadJobEvents> {
  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    private readonly access: JobAccess,
    private readonly matches: EventMatches,
    private readonly streams: EventStreams,
    private readonly stream: JobEventStream,
  ) {}

  async execute(asked: ReadJobEvents): Promise<StreamableFile | JobEventsPageDto> {
    const { actor, seed, holder, lastEventId, format, isStream } = asked;
    const from = isStream ? firstNumberOf(asked) : 0;
    await this.access.requireRead(actor, seed);
    if (isStream) return this.streams.open(holder, await this.stream.from(seed, from, lastEventId));
    const page = await this.pageOf(asked);
    if (format !== 'plain') return page;
    const text = page.events.map((event) => `${plainView({ ...event } as Json)}\n`).join('\n');
    const bytes = Buffer.from(text);
    return new StreamableFile(bytes, {
      type: 'text/plain; charset=utf-8',
      length: bytes.length,
    });
  }

  private async pageOf({ seed, ...asked }: ReadJobEvents): Promise<JobEventsPageDto> {
    const { from = 0, skip = 0, limit = DEFAULT_PAGE } = asked;
    const stream = jobStream(seed);
    const { types, kind, from_tick: fromTick, to_tick: toTick, text, words } = asked;
    const { actor_name: actor } = asked;
    const search = { types: types?.split(','), kind, fromTick, toTick, text, words, actor };
    if (Object.values(search).every((condition) => condition === undefined)) {
      const first = from + skip;
      const read = this.eventStore.readStream(stream, { from: first, limit });
      const { events, isCut } = await pageFrom(read);
      const last = events.at(-1);
      const goesOn = last !== undefined && (isCut || events.length === limit);
      return { events, next_from: goesOn ? last.number + 1 : null };
    }
    const matches = await this.matches.of(seed, search);
    const numbers = pageOf(matches, { from, skip, limit });
    const { events } = await pageFrom(this.numbered(stream, numbers));
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

/** @throws Refusal INVALID_INPUT for parameters that a stream does not have. */
function firstNumberOf(asked: ReadJobEvents): number {
  const { from = 0, limit, skip, format, types, kind, from_tick, to_tick } = asked;
  const { text, words, actor_name } = asked;
  const others = [limit, skip, format, types, kind, from_tick, to_tick, text, words, actor_name];
  if (others.some((other) => other !== undefined))
    throw new Refusal('INVALID_INPUT', { reason: 'a stream of events takes only the field from' });
  return from;
}

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
