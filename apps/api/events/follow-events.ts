import { Inject } from '@nestjs/common';
import type { StreamableFile } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { permit } from '#domain/errors/permit.js';
import { Refusal } from '#domain/errors/refusal.js';
import { reachInCategory } from '#domain/ownership/stream-access.js';
import type { Actor } from '#domain/recorded-event.js';
import { STREAM_CATEGORIES } from '#domain/replay/stream-rules.js';
import { categoryOf } from '#domain/stream-names.js';
import type { EventStore } from '#event-store/event-store.js';
import { wholeLog } from '#event-store/whole-log.js';
import { readersOf } from '../platform/auth/roles.js';
import { Text } from '../platform/http/fields.js';
import { Describes } from '../platform/http/request.js';
import { EVENT_STORE } from '../platform/tokens.js';
import { EventAccess } from './event-access.js';
import { framesOf } from './event-frames.js';
import { EVENT_STREAM, EventStreamRequest } from './event-stream-request.js';
import { EventStreams } from './event-streams.js';
import { type CatchUp, LogTail } from './log-tail.js';
import { LOG_START } from './recent-events.js';
import { positionIn, startPosition } from './start-position.js';
import { onceReachable } from './unreachable.js';

/** Says that the stream has ended at `until`, and not because of a stop. */
const END = ': the end\n\n';
/** Says where the stream begins, so that a client that loses it before the first event goes on from there. */
const beginsAt = (position: bigint): string => `: the stream begins\nid: ${position}\n\n`;

const POSITION_OR_END = /^(\d{1,18}|end)$/;

@Describes({
  summary:
    'Follow the log as server-sent events; agents and users get the events of their own streams',
  roles: readersOf('stream'),
  answers: {
    description: 'Each event has its position as its id, and the stored event as JSON as its data.',
    content: { [EVENT_STREAM]: { schema: { type: 'string' } } },
  },
  fails: ['RATE_LIMITED'],
})
export class FollowEvents extends EventStreamRequest<StreamableFile> {
  @Text({
    optional: true,
    max: 18,
    pattern: POSITION_OR_END,
    description:
      'Only events after this position; `end`: only events after the request. The default is the whole log. `Last-Event-ID` replaces it.',
  })
  after?: string;

  @Text({
    optional: true,
    max: 18,
    pattern: POSITION_OR_END,
    description:
      'The stream ends after this position; `end`: after the log’s last event at the time of the request. By default, it stays open.',
  })
  until?: string;

  @Text({
    optional: true,
    max: 256,
    pattern: /^[a-z]+(,[a-z]+)*$/,
    description: `Only events of these categories, separated by commas: ${STREAM_CATEGORIES.join(', ')}.`,
  })
  categories?: string;
}

/** Follows the log, and shows of it what the caller may read (SPEC §13). */
@QueryHandler(FollowEvents)
export class FollowEventsHandler implements IQueryHandler<FollowEvents> {
  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    private readonly access: EventAccess,
    private readonly tail: LogTail,
    private readonly streams: EventStreams,
  ) {}

  async execute(asked: FollowEvents): Promise<StreamableFile> {
    const { actor, holder } = asked;
    const categories = categoriesIn(actor, asked.categories);
    const end = (await this.eventStore.lastPosition()) ?? LOG_START;
    const after = await startPosition(this.eventStore, asked.lastEventId, asked.after, end);
    const until = positionIn('until', asked.until, end);
    const reader = this.access.readerOf(actor);
    const { tail } = this;
    const catchUp: CatchUp = (at, upTo, signal) =>
      wholeLog(this.eventStore, upTo, signal, at === LOG_START ? undefined : at);
    return this.streams.open(holder, async function* (signal) {
      if (until !== undefined && until <= after) {
        yield { text: END, upTo: after };
        return;
      }
      if (after !== LOG_START) yield { text: beginsAt(after), upTo: after };
      for await (const { events, upTo } of tail.follow(after, catchUp, signal)) {
        const asked = events.filter(
          ({ stream, position }) =>
            (categories === undefined || categories.has(categoryOf(stream))) &&
            (until === undefined || position <= until),
        );
        const readable = await onceReachable(() => reader.readable(asked), signal);
        if (readable === undefined) return;
        yield* framesOf({ events: readable, upTo });
        if (until === undefined || upTo < until) continue;
        yield { text: END, upTo };
        return;
      }
    });
  }
}

/** @throws Refusal INVALID_INPUT, and PERMISSION_DENIED for a category of which the actor may read nothing. */
function categoriesIn(actor: Actor, text: string | undefined): ReadonlySet<string> | undefined {
  if (text === undefined) return undefined;
  const categories = new Set(text.split(','));
  for (const category of categories) {
    if (!STREAM_CATEGORIES.includes(category))
      throw new Refusal('INVALID_INPUT', {
        reason: `categories: must be among ${STREAM_CATEGORIES.join(', ')}`,
      });
    permit(reachInCategory(actor, category) !== 'none', `read events of ${category}`, 'I9');
  }
  return categories;
}
