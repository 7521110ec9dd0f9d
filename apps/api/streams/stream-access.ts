import { Inject, Injectable } from '@nestjs/common';
import { hidesFrom } from '#domain/action-request/vote-sight.js';
import { permit } from '#domain/errors/permit.js';
import { Refusal } from '#domain/errors/refusal.js';
import { ownerIn, reachInCategory } from '#domain/ownership/stream-access.js';
import type { Actor } from '#domain/recorded-event.js';
import { rulesFor } from '#domain/replay/stream-rules.js';
import { categoryOf } from '#domain/stream-names.js';
import type { EventStore, LoggedEvent } from '#event-store/event-store.js';
import { EVENT_STORE } from '../platform/tokens.js';

/** Decides who reads the record of a stream by its name: those who read every stream of its category (SPEC I9). */
@Injectable()
export class StreamAccess {
  constructor(@Inject(EVENT_STORE) private readonly eventStore: EventStore) {}

  /** Returns the stream. @throws Refusal PERMISSION_DENIED, NOT_FOUND */
  async existing(actor: Actor, { stream }: { readonly stream: string }): Promise<string> {
    const what = `read the record of ${categoryOf(stream)} streams`;
    const isKnown = rulesFor(stream) !== undefined;
    if (isKnown) permit(reachInCategory(actor, categoryOf(stream)) === 'all', what, 'I9');
    const first = isKnown ? await this.firstOf(stream) : undefined;
    // A name may be a person's id (SPEC P6).
    if (first === undefined) throw new Refusal('NOT_FOUND', { what: 'stream', id: 'of this name' });
    // A record has every event, also the votes and comments that are hidden from those whom a request concerns.
    permit(!hidesFrom(actor, stream, ownerIn(first).proposal), 'read the votes of others', 'G2');
    return stream;
  }

  private async firstOf(stream: string): Promise<LoggedEvent | undefined> {
    for await (const event of this.eventStore.readStream(stream, { limit: 1 })) return event;
    return undefined;
  }
}
