import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '#domain/errors/refusal.js';
import { type EventStore, EventStoreUnavailable } from '#event-store/event-store.js';
import { minPosition } from '../http/freshness.hook.js';
import { EVENT_STORE } from '../tokens.js';

/**
 * Finds out whether the log that is read is behind what the caller has seen of it. The read models wait for
 * `Mace-Min-Position`, but a read of the log itself does not: it is the newest there is, except on a leader of a cluster
 * that was paused and does not know its successor yet.
 */
@Injectable()
export class LogBehind {
  constructor(@Inject(EVENT_STORE) private readonly log: EventStore) {}

  /**
   * Refuses with READ_UNAVAILABLE if the log ends before a position. If the log cannot be asked, the read itself
   * finds that out.
   */
  async requireEnd(least: bigint): Promise<void> {
    const reason = await this.behind(least).catch(() => undefined);
    if (reason !== undefined) throw new Refusal('READ_UNAVAILABLE', { reason });
  }

  /** Returns the cause of a failure: that the log cannot be reached, if what was not found may be later in the log. */
  async causeOf(error: unknown, request: FastifyRequest): Promise<unknown> {
    const isAbsence = error instanceof Refusal && error.code === 'NOT_FOUND';
    if (!isAbsence || request.mace?.actor === undefined) return error;
    try {
      const least = minPosition(request);
      const reason = least === undefined ? undefined : await this.behind(least);
      if (reason === undefined) return error;
      return request.mace.isWrite
        ? new EventStoreUnavailable(reason)
        : new Refusal('READ_UNAVAILABLE', { reason });
    } catch (cause) {
      return cause instanceof EventStoreUnavailable ? cause : error;
    }
  }

  private async behind(least: bigint): Promise<string | undefined> {
    const end = (await this.log.lastPosition()) ?? 0n;
    return end >= least ? undefined : `the log ends at ${end}, before Mace-Min-Position ${least}`;
  }
}
