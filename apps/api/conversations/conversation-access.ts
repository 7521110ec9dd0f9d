import { Inject, Injectable } from '@nestjs/common';
import type { ConversationName } from '#domain/conversation/events.js';
import { Refusal } from '#domain/errors/refusal.js';
import { permit } from '#domain/errors/permit.js';
import { personOf, readsEveryOwner } from '#domain/ownership/access.js';
import { namedPrivateOwner, privateOwnerOf } from '#domain/ownership/private-owner.js';
import type { Actor } from '#domain/recorded-event.js';
import type { EventStore } from '#event-store/event-store.js';
import { StreamNames } from '../platform/stream-names.js';
import { EVENT_STORE } from '../platform/tokens.js';
import { PrivacyGate } from '../privacy/privacy-gate.js';

/** A conversation of the caller. */
export interface OwnConversation {
  readonly stream: string;
  readonly conversation: ConversationName;
  /** The subject under whose key its personal data is sealed. */
  readonly subject: string;
}

/** A conversation that the caller may read. */
export interface ReadableConversation {
  readonly stream: string;
  /** True if it is the caller's own, so its personal data is shown. */
  readonly isOwn: boolean;
}

/** The conversation that a reader names. */
interface NamedConversation {
  readonly id: string;
  /** By default the caller itself. */
  readonly owner?: string;
}

/** Finds the streams of conversations, and whose they are (SPEC N4, I9). */
@Injectable()
export class ConversationAccess {
  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    private readonly names: StreamNames,
    private readonly gate: PrivacyGate,
  ) {}

  /**
   * Returns the caller's conversation with an id. Fails as `StreamNames` does. @throws Refusal PRIVACY_BLOCKED if the
   * id contains personal data
   */
  async own(actor: Actor, conversation_id: string): Promise<OwnConversation> {
    await this.gate.requireClearIds({ id: conversation_id });
    const subject = privateOwnerOf(actor);
    const stream = await this.names.conversationStream(subject, conversation_id);
    return { stream, conversation: { conversation_id, owner: personOf(actor) }, subject };
  }

  /**
   * Returns a conversation that the caller may read. Fails as `own` does. @throws Refusal PERMISSION_DENIED for another owner, unless the caller may read every
   * owner's
   */
  async readable(actor: Actor, { id, owner }: NamedConversation): Promise<ReadableConversation> {
    await this.gate.requireClearIds({ id });
    const own = privateOwnerOf(actor);
    const named = owner === undefined ? own : namedPrivateOwner(owner);
    permit(named === own || readsEveryOwner(actor), 'read the conversation of another owner', 'I9');
    const stream = await this.names.conversationStream(named, id, 'read');
    return { stream, isOwn: named === own };
  }

  /**
   * Returns the stream of a conversation that exists. Fails as `readable` does. @throws Refusal NOT_FOUND, which does
   * not repeat the id, because that may be a person's name (SPEC P6)
   */
  async existing(actor: Actor, named: NamedConversation): Promise<string> {
    const { stream } = await this.readable(actor, named);
    if ((await this.eventStore.lastOf(stream)) === undefined)
      throw new Refusal('NOT_FOUND', { what: 'conversation', id: stream });
    return stream;
  }
}
