import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Actor } from '#domain/recorded-event.js';
import { jobStream } from '#domain/stream-names.js';
import type { EventStore, LoggedEvent } from '#event-store/event-store.js';
import { JobAccess } from '../ownership/job-access.js';
import { EVENT_STORE } from '../platform/tokens.js';
import { framesOf } from './event-frames.js';
import type { FollowedEvents } from './follow-events.handler.js';
import { type CatchUp, LogTail } from './log-tail.js';
import { LOG_START } from './recent-events.js';
import { startPosition } from './start-position.js';

const PAGE = 100;

export class FollowJobEvents extends Query<FollowedEvents> {
  constructor(
    readonly actor: Actor,
    readonly seed: string,
    readonly from: number,
    readonly lastEventId: bigint | undefined,
  ) {
    super();
  }
}

/** Follows the events of one job, from an event number on or after the client's last event (SPEC §13). */
@QueryHandler(FollowJobEvents)
export class FollowJobEventsHandler implements IQueryHandler<FollowJobEvents> {
  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    private readonly access: JobAccess,
    private readonly tail: LogTail,
  ) {}

  async execute({ actor, seed, from, lastEventId }: FollowJobEvents): Promise<FollowedEvents> {
    await this.access.requireRead(actor, seed);
    const end = (await this.eventStore.lastPosition()) ?? LOG_START;
    const after = await startPosition(this.eventStore, lastEventId, undefined, end);
    const { eventStore, tail } = this;
    const stream = jobStream(seed);
    return async function* (signal) {
      for await (const { events, upTo } of tail.follow(
        after,
        ofStream(eventStore, stream),
        signal,
      )) {
        const asked = events.filter((event) => event.stream === stream && event.number >= from);
        yield* framesOf({ events: asked, upTo });
      }
    };
  }
}

/** Returns a catch-up that reads one stream; each read goes on where the last one has ended. */
function ofStream(eventStore: EventStore, stream: string): CatchUp {
  let next = 0;
  return async function* (at, upTo) {
    let page: LoggedEvent[] = [];
    for await (const event of eventStore.readStream(stream, { from: next })) {
      if (event.position > upTo) continue;
      next = event.number + 1;
      if (event.position <= at) continue;
      page.push(event);
      if (page.length < PAGE) continue;
      yield page;
      page = [];
    }
    if (page.length > 0) yield page;
  };
}
