import { Inject, Injectable } from '@nestjs/common';
import { actionRequestDecider } from '#domain/action-request/action-request.decider.js';
import { isOwnVote } from '#domain/action-request/vote-sight.js';
import type { Actor } from '#domain/recorded-event.js';
import { eventOf } from '#domain/upcast.js';
import type { EventStore } from '#event-store/event-store.js';
import { newestFirst } from '#event-store/newest-first.js';
import { EVENT_STORE } from '../../platform/tokens.js';
import type { SourceEventDto } from '../action-request-view.js';
import { sourceEventOf } from '../evidence/source-events.js';

/** Finds the event of a vote, which is its receipt. */
@Injectable()
export class VoteReceipts {
  constructor(@Inject(EVENT_STORE) private readonly eventStore: EventStore) {}

  /**
   * Returns the event of the caller's last vote up to a version of the request; null without one. If the log cannot be
   * read now, the request fails, and its retry gets the answer with the receipt (SPEC I7).
   */
  async ofVote(actor: Actor, stream: string, version: number): Promise<SourceEventDto | null> {
    for await (const stored of newestFirst(this.eventStore, stream, version)) {
      const event = eventOf(actionRequestDecider, stored);
      if (event.type === 'vote_cast' && isOwnVote(actor, event.data)) return sourceEventOf(stored);
    }
    return null;
  }
}
