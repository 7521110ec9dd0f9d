import { fewAtOnce } from '#bounded/few-at-once.js';
import { requireCarriable } from '#domain/sem/fact-limits.js';
import { Inject, Injectable } from '@nestjs/common';
import type {
  ConversationCommand,
  ConversationAnswer,
} from '#domain/conversation/conversation.decider.js';
import { itemCount } from '#domain/conversation/item-runs.js';
import { checkItems, invalid, itemLimit } from '#domain/conversation/limits.js';
import type { ConversationState } from '#domain/conversation/state.js';
import { canonicalJson } from '#domain/determinism/canonical-json.js';
import { hashJson } from '#domain/determinism/hash.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { Json } from '#domain/json.js';
import { onlyAnswer } from '#event-store/aggregate-store.js';
import { RequestClaims } from '../platform/request-claims.js';
import { Answer } from '../platform/http/answer.js';
import type { RequestIdentity } from '../platform/http/identity.js';
import type { ConversationStore } from '../platform/stores.js';
import { CONVERSATION_STORE } from '../platform/tokens.js';
import { PrivacyGate } from '../privacy/privacy-gate.js';
import { SealedValues } from '../privacy/sealed-values.js';
import { APPEND_LIMIT } from '#event-store/draft.js';
import { limitOf, requireSize } from '#domain/size-limit.js';
import { requireComposed } from '#domain/unicode-form.js';
import { ConversationAccess, type OwnConversation } from './conversation-access.js';
import { ConversationItems } from './conversation-items.js';
import type { ConversationChange, ReplaceItems } from './conversation-changes.js';

/** The limit of all items of a request, which are one event. */
const ALL_ITEMS = limitOf('items', APPEND_LIMIT);

/** Changes one conversation of the caller (SPEC N4). */
@Injectable()
export class ChangeConversationHandler {
  constructor(
    @Inject(CONVERSATION_STORE) private readonly store: ConversationStore,
    private readonly access: ConversationAccess,
    private readonly claims: RequestClaims,
    private readonly gate: PrivacyGate,
    private readonly items: ConversationItems,
    private readonly values: SealedValues,
  ) {}

  async execute(change: ConversationChange): Promise<Answer<Json>> {
    const { actor, id, identity, expected_version } = change;
    await this.gate.requireClearIds({
      operation_id: change.type === 'replace' ? change.operation_id : undefined,
    });
    const own = await this.access.own(actor, id);
    const command = await this.commandFor(own, change, identity.received_at);
    const changed = await this.store.execute(
      own.stream,
      async (state, isAgain) => {
        if (!isAgain) requireVersion(state, expected_version);
        if (state.eventCount === 0) requireComposed('id', id);
        return [await command(state, isAgain)];
      },
      await this.identityOf(change, own),
    );
    return Answer.written(await this.answerOf(own, onlyAnswer(changed)), changed.position);
  }

  /** Returns the domain's command, with its personal data sealed, as a function of the conversation. */
  private async commandFor(
    { conversation, subject, stream }: OwnConversation,
    change: ConversationChange,
    at: string,
  ): Promise<
    (
      state: ConversationState,
      isAgain: boolean,
    ) => ConversationCommand | Promise<ConversationCommand>
  > {
    if (change.type === 'pop' || change.type === 'clear')
      return () => ({ type: change.type, conversation, at });
    const { type } = change;
    checkItems(
      change.items.map((value) => ({ value })),
      change.items.length,
    );
    requireSize(change.items, ALL_ITEMS);
    const items = await fewAtOnce(change.items, (item, place) =>
      this.gate.held(subject, item, itemLimit(place)),
    );
    if (type === 'append') return () => ({ type, conversation, items, at });
    const { operation_id } = change;
    requireOneRange(change);
    return async (state, isAgain) => {
      const range = isAgain
        ? rangeOfItems(state, change)
        : await this.rangeOf(stream, state, change);
      return { type, conversation, operation_id, ...range, items, at };
    };
  }

  private async rangeOf(
    stream: string,
    state: ConversationState,
    { from, to, expected_suffix }: Pick<ReplaceItems, 'from' | 'to' | 'expected_suffix'>,
  ) {
    const count = itemCount(state.last);
    if (expected_suffix === undefined) return { from: from ?? 0, to: to ?? count };
    const range = { from: Math.max(0, count - expected_suffix.length), to: count };
    const recorded = await this.items.read(stream, state.last, range);
    const suffix = await Promise.all(recorded.map(({ held }) => this.values.shown(held, true)));
    if (canonicalJson(suffix) !== canonicalJson(expected_suffix))
      throw new Refusal('VERSION_CONFLICT', {
        what: 'the end of the conversation',
        expected: 'expected_suffix',
        actual: 'other items',
      });
    return range;
  }

  /**
   * Returns the identity of the change. A transaction is identified by its `operation_id`, in whichever request it
   * comes. An Idempotency-Key that is sent with it still belongs to one body.
   */
  private async identityOf(
    change: ConversationChange,
    { stream }: OwnConversation,
  ): Promise<RequestIdentity> {
    const { identity } = change;
    if (change.type !== 'replace') return identity;
    await this.claims.streamFor(identity, stream);
    return { ...identity, command_id: hashJson([stream, 'transaction', change.operation_id]) };
  }

  private async answerOf(
    { stream }: OwnConversation,
    { popped, ...changed }: ConversationAnswer,
  ): Promise<Json> {
    if (popped === undefined) return changed;
    if (popped === null) return { ...changed, item: null };
    const item = await this.values.shown(await this.items.at(stream, popped), true);
    return { ...changed, item };
  }
}

function requireVersion({ eventCount }: ConversationState, expected: number | undefined): void {
  if (expected !== undefined && expected !== eventCount)
    throw new Refusal('VERSION_CONFLICT', {
      what: 'the conversation',
      expected,
      actual: eventCount,
    });
}

/** Returns the range of the items of a transaction that are the conversation's already. */
function rangeOfItems(
  { last }: ConversationState,
  { from, items }: Pick<ReplaceItems, 'from' | 'items'>,
) {
  const begin = from ?? itemCount(last) - items.length;
  return { from: begin, to: begin + items.length };
}

function requireOneRange({ from, to, expected_suffix }: Partial<ReplaceItems>): void {
  if ((from === undefined) === (expected_suffix === undefined))
    throw invalid('from, expected_suffix: give one of the two');
  for (const [place, item] of (expected_suffix ?? []).entries())
    requireCarriable(`expected_suffix.${place}`, item);
  if (to !== undefined && from === undefined)
    throw invalid('to: is given with from, and only then');
}
