import { Inject, Injectable } from '@nestjs/common';
import { jobStream } from '#domain/stream-names.js';
import type { EventStore, LoggedEvent } from '#event-store/event-store.js';
import { framesOf } from '../../events/event-frames.js';
import type { StreamPiece } from '../../events/event-stream-body.js';
import { type CatchUp, LogTail } from '../../events/log-tail.js';
import { LOG_START } from '../../events/recent-events.js';
import { startPosition } from '../../events/start-position.js';
import { EVENT_STORE } from '../../platform/tokens.js';

const PAGE = 100;

/** Follows the events of one job (SPEC §13). */
@Injectable()
export class JobEventStream {
  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    private readonly tail: LogTail,
  ) {}

  /** Returns what opens the stream, from an event number on and after the client's last event. */
  async from(
    seed: string,
    from: number,
    lastEventId: bigint | undefined,
  ): Promise<(signal: AbortSignal) => AsyncIterable<StreamPiece>> {
    const end = (await this.eventStore.lastPosition()) ?? LOG_START;
    const after = await startPosition(this.eventStore, lastEventId, undefined, end);
    const { eventStore, tail } = this;
    const stream = jobStream(seed);
    return async function* (signal) {
      const catchUp = ofStream(eventStore, stream);
      for await (const { events, upTo } of tail.follow(after, catchUp, signal)) {
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
