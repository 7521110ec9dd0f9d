import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '#domain/errors/refusal.js';
import { type EventStore, EventStoreUnavailable } from '#event-store/event-store.js';
import { minPosition } from '../http/freshness.hook.js';
import { EVENT_STORE } from '../tokens.js';

/**
 * Finds out whether a request was refused only because the log that was read is behind what the caller has seen of
 * it. The read models wait for `Mace-Min-Position`, but a read of the log itself does not: it is the newest there is,
 * except on a leader of a cluster that was paused and does not know its successor yet.
 */
@Injectable()
export class LogBehind {
  constructor(@Inject(EVENT_STORE) private readonly log: EventStore) {}

  /** Returns the cause of a failure: `EventStoreUnavailable` if what was not found may be later in the log. */
  async causeOf(error: unknown, request: FastifyRequest): Promise<unknown> {
    const isAbsence = error instanceof Refusal && error.code === 'NOT_FOUND';
    if (!isAbsence || request.mace?.actor === undefined) return error;
    try {
      const least = minPosition(request);
      if (least === undefined) return error;
      const end = (await this.log.lastPosition()) ?? 0n;
      return end >= least
        ? error
        : new EventStoreUnavailable(`the log ends at ${end}, and the caller has seen ${least}`);
    } catch (cause) {
      return cause instanceof EventStoreUnavailable ? cause : error;
    }
  }
}
