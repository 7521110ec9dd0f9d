import { Inject, Injectable } from '@nestjs/common';
import { type EventStore, EventStoreUnavailable } from '#event-store/event-store.js';
import type { ReadModels } from './read-models.js';
import { EVENT_STORE, READ_MODELS } from './tokens.js';

/** Lets a read see what was acknowledged before it began, by whichever instance (SPEC S6, J1). */
@Injectable()
export class LogEnd {
  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  /**
   * Resolves once these read models show everything that the log holds now.
   * Fails with PROJECTION_LAG after 2 s, and with `EventStoreUnavailable`.
   */
  reach(...names: readonly string[]): Promise<void> {
    return this.reading(names, () => Promise.resolve());
  }

  /**
   * What `read` finds once these read models show everything that the log holds now. It begins while the log is
   * asked how far that is, and begins again where they were not so far. Fails as `reach` and `read` do.
   */
  async reading<Found>(names: readonly string[], read: () => Promise<Found>): Promise<Found> {
    const shown = this.readModels.shown(names);
    const early = shown === undefined ? undefined : read();
    // It is awaited below, where its answer counts.
    early?.catch(() => undefined);
    this.readModels.hurry(names);
    const end = await this.eventStore.lastPosition();
    if (early !== undefined && (end === undefined || end <= shown!)) return early;
    if (end !== undefined) await this.readModels.reach(end, names);
    return read();
  }

  /** As `reach`; false where the log cannot be asked, so that reads go on as the read models are. */
  async isReached(...names: readonly string[]): Promise<boolean> {
    try {
      await this.reach(...names);
      return true;
    } catch (cause) {
      if (cause instanceof EventStoreUnavailable) return false;
      throw cause;
    }
  }
}
