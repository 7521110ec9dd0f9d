import { Inject, Injectable } from '@nestjs/common';
import type { EventStore, LoggedEvent } from '#event-store/event-store.js';
import { EVENT_STORE } from '../platform/tokens.js';
import { RecentEvents } from './recent-events.js';
import { waitAfter } from './unreachable.js';

const MAX_PAGE = 500;

/** Events of the log, and the position up to which the log has been read. */
export interface LogPage {
  readonly events: readonly LoggedEvent[];
  readonly upTo: bigint;
}

/** Reads what a reader needs of the log after `at`, up to and including `upTo`, in pages. */
export type CatchUp = (
  at: bigint,
  upTo: bigint,
  signal: AbortSignal,
) => AsyncIterable<readonly LoggedEvent[]>;

/**
 * Follows the log for any number of readers. They share one subscription, which runs while there is a reader:
 * with one subscription each, the event store would send every event once for each reader (README.md
 * has the figures). A reader that is behind catches up by a read of its own.
 */
@Injectable()
export class LogTail {
  private readers = 0;
  private recent: Promise<RecentEvents> | undefined;

  constructor(@Inject(EVENT_STORE) private readonly eventStore: EventStore) {}

  /**
   * Yields the events after a position, in the order of the log, until the signal aborts. The next events are
   * read when the caller asks for them. While the event store cannot be reached, the reader waits. Fails
   * with `DamagedEvent` at an event that is damaged.
   */
  async *follow(
    after: bigint,
    catchUp: CatchUp,
    signal: AbortSignal,
  ): AsyncGenerator<LogPage, void, undefined> {
    this.readers += 1;
    let at = after;
    try {
      while (!signal.aborted) {
        try {
          for await (const page of this.pages(at, catchUp, signal)) {
            yield page;
            at = page.upTo;
          }
        } catch (cause) {
          await waitAfter(cause, signal);
        }
      }
    } finally {
      this.leave();
    }
  }

  private async *pages(
    after: bigint,
    catchUp: CatchUp,
    signal: AbortSignal,
  ): AsyncGenerator<LogPage, void, undefined> {
    const recent = await this.join();
    for (let at = after; !signal.aborted;) {
      const events = recent.after(at, MAX_PAGE);
      if (events === undefined) {
        const { upTo } = recent;
        for await (const page of catchUp(at, upTo, signal))
          yield { events: page, upTo: page.at(-1)!.position };
        at = upTo;
        yield { events: [], upTo };
      } else if (events.length > 0) {
        at = events.at(-1)!.position;
        yield { events, upTo: at };
      } else {
        if (recent.upTo > at) yield { events, upTo: (at = recent.upTo) };
        await recent.grown(at, signal);
      }
    }
  }

  private join(): Promise<RecentEvents> {
    if (this.recent !== undefined) return this.recent;
    const recent = RecentEvents.follow(this.eventStore);
    recent.catch(() => {
      if (this.recent === recent) this.recent = undefined;
    });
    this.recent = recent;
    return recent;
  }

  private leave(): void {
    this.readers -= 1;
    if (this.readers > 0) return;
    void this.recent?.then((recent) => recent.stop()).catch(() => undefined);
    this.recent = undefined;
  }
}
