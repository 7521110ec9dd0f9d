import { Inject, Injectable } from '@nestjs/common';
import { actionRequestSchemas, type ActionRequestEvent } from '#domain/action-request/events.js';
import { isOwnVote } from '#domain/action-request/vote-sight.js';
import type { Actor } from '#domain/recorded-event.js';
import { upcast } from '#domain/upcast.js';
import type { EventStore } from '#event-store/event-store.js';
import { newestFirst } from '#event-store/newest-first.js';
import { EVENT_STORE } from '../platform/tokens.js';
import type { SourceEventDto } from './dto/source-event.dto.js';
import { sourceEventOf } from './source-events.js';

/** Finds the event of a vote, which is its receipt. */
@Injectable()
export class VoteReceipts {
  constructor(@Inject(EVENT_STORE) private readonly eventStore: EventStore) {}

  /**
   * Returns the event of the caller's last vote up to a version of the request; null if the vote is in the log but
   * cannot be read now.
   */
  async ofVote(actor: Actor, stream: string, version: number): Promise<SourceEventDto | null> {
    try {
      for await (const stored of newestFirst(this.eventStore, stream, version)) {
        const event = upcast<ActionRequestEvent>(actionRequestSchemas, stored);
        if (event.type === 'vote_cast' && isOwnVote(actor, event.data))
          return sourceEventOf(stored);
      }
    } catch {
      // The vote is recorded already; without its receipt the answer is still right.
    }
    return null;
  }
}
