import { Inject, Injectable } from '@nestjs/common';
import { type EventStore, EventStoreUnavailable } from '#event-store/event-store.js';
import type { ReadModels } from './read-models.js';
import { EVENT_STORE, READ_MODELS } from './tokens.js';

/** Lets a read see every write that was acknowledged before it, by any instance (SPEC S6, J1). */
@Injectable()
export class LogEnd {
  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  /**
   * Resolves once these read models show everything that the log holds now. Fails with PROJECTION_LAG
   * after 2 s, or with `EventStoreUnavailable`.
   */
  reach(...names: readonly string[]): Promise<void> {
    return this.readUpToDate(names, () => Promise.resolve());
  }

  /**
   * Returns the result of `read` once these read models show everything that the log holds now. It calls
   * `read` while it asks the log for its end, and again if the read models were behind. Fails like `reach`
   * and `read`.
   */
  async readUpToDate<Result>(
    names: readonly string[],
    read: () => Promise<Result>,
  ): Promise<Result> {
    const shown = this.readModels.shown(names);
    const early = shown === undefined ? undefined : read();
    // If the early result is not used, its rejection must not go unhandled.
    early?.catch(() => undefined);
    this.readModels.hurry(names);
    const end = await this.eventStore.lastPosition();
    if (early !== undefined && (end === undefined || end <= shown!)) return early;
    if (end !== undefined) await this.readModels.reach(end, names);
    return read();
  }

  /**
   * The same as `reach`, but returns false if the event store cannot be reached. The caller can then use
   * the read models as they are.
   */
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
