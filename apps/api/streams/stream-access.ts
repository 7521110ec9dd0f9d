import { Inject, Injectable } from '@nestjs/common';
import { isOfRequest, seesWholeRecord } from '#domain/action-request/vote-sight.js';
import { permit } from '#domain/errors/permit.js';
import { Refusal } from '#domain/errors/refusal.js';
import { reachInCategory } from '#domain/ownership/stream-access.js';
import type { Actor } from '#domain/recorded-event.js';
import { rulesFor } from '#domain/replay/stream-rules.js';
import { categoryOf } from '#domain/stream-names.js';
import { readRecorded } from '#event-store/aggregate-store.js';
import type { EventStore, LoggedEvent } from '#event-store/event-store.js';
import type { ActionRequestStore } from '../platform/stores.js';
import { ACTION_REQUEST_STORE, EVENT_STORE } from '../platform/tokens.js';

/**
 * Decides who reads the record of a stream by its name: those who read every stream of its category, and of a request
 * only those from whom none of its votes and comments is hidden (SPEC I9, G2).
 */
@Injectable()
export class StreamAccess {
  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    @Inject(ACTION_REQUEST_STORE) private readonly requests: ActionRequestStore,
  ) {}

  /** Returns the stream. @throws Refusal PERMISSION_DENIED, NOT_FOUND */
  async existing(actor: Actor, { stream }: { readonly stream: string }): Promise<string> {
    const category = categoryOf(stream);
    const isKnown = rulesFor(stream) !== undefined;
    const what = `read the record of every ${category} stream`;
    if (isKnown) permit(reachInCategory(actor, category) === 'all', what, 'I9');
    // A name may be a person's id (SPEC P6).
    if (!isKnown || (await this.eventStore.lastOf(stream)) === undefined)
      throw new Refusal('NOT_FOUND', { what: 'stream', id: 'of this name' });
    if (isOfRequest(stream))
      permit(await this.seesAll(actor, stream), 'read the votes and comments of others', 'G2');
    return stream;
  }

  private async seesAll(actor: Actor, stream: string): Promise<boolean> {
    const events: LoggedEvent[] = [];
    for await (const event of readRecorded(this.eventStore, stream)) events.push(event);
    const { state } = await this.requests.load(stream);
    return seesWholeRecord(actor, state, events);
  }
}
