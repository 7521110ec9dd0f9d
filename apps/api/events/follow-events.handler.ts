import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { permit } from '#domain/errors/permit.js';
import { Refusal } from '#domain/errors/refusal.js';
import { reachInCategory } from '#domain/ownership/stream-access.js';
import type { Actor } from '#domain/recorded-event.js';
import { STREAM_CATEGORIES } from '#domain/replay/stream-rules.js';
import { categoryOf } from '#domain/stream-names.js';
import type { EventStore } from '#event-store/event-store.js';
import { wholeLog } from '#event-store/whole-log.js';
import { EVENT_STORE } from '../platform/tokens.js';
import type { FollowEventsQuery } from './dto/events.dto.js';
import { EventAccess } from './event-access.js';
import { framesOf } from './event-frames.js';
import type { StreamPiece } from './event-stream-body.js';
import { type CatchUp, LogTail } from './log-tail.js';
import { LOG_START } from './recent-events.js';
import { positionIn, startPosition } from './start-position.js';
import { onceReachable } from './unreachable.js';

/** Says that the stream has ended at `until`, and not because of a stop. */
const END = ': the end\n\n';
/** Says where the stream begins, so that a client that loses it before the first event goes on from there. */
const beginsAt = (position: bigint): string => `: the stream begins\nid: ${position}\n\n`;

/** Opens a stream of events, which ends when the signal aborts. */
export type FollowedEvents = (signal: AbortSignal) => AsyncIterable<StreamPiece>;

export class FollowEvents extends Query<FollowedEvents> {
  constructor(
    readonly actor: Actor,
    readonly filter: FollowEventsQuery,
    readonly lastEventId: bigint | undefined,
  ) {
    super();
  }
}

/** Follows the log, and shows of it what the caller may read (SPEC §13). */
@QueryHandler(FollowEvents)
export class FollowEventsHandler implements IQueryHandler<FollowEvents> {
  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    private readonly access: EventAccess,
    private readonly tail: LogTail,
  ) {}

  async execute({ actor, filter, lastEventId }: FollowEvents): Promise<FollowedEvents> {
    const categories = categoriesIn(actor, filter.categories);
    const end = (await this.eventStore.lastPosition()) ?? LOG_START;
    const after = await startPosition(this.eventStore, lastEventId, filter.after, end);
    const until = positionIn('until', filter.until, end);
    const reader = this.access.readerOf(actor);
    const { tail } = this;
    const catchUp: CatchUp = (at, upTo, signal) =>
      wholeLog(this.eventStore, upTo, signal, at === LOG_START ? undefined : at);
    return async function* (signal) {
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
    };
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
