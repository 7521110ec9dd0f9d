import {
  type ConversationHandle,
  type ConversationTransaction,
  isMaceError,
  type Json,
  type MaceClient,
  requestsOf,
  requireArguments,
  writtenWithin,
} from '@mace-memory/client';
import {
  type AgentInputItem,
  applySessionHistoryMutations,
  type Session,
  type SessionHistoryRewriteArgs,
  type SessionHistoryRewriteAwareSession,
  type SessionHistoryTransactionArgs,
  type SessionHistoryTransactionAwareSession,
  UserError,
} from '@openai/agents-core';
import { createHash, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { fromJson, toJson, toKnownJson } from './item-json.js';
import { transactionOf } from './transaction.js';

/**
 * The history of an agent as a conversation in MACE Memory. Every change is an event: the history can be
 * read at each earlier version, replayed and exported.
 */
export class MaceSession
  implements Session, SessionHistoryRewriteAwareSession, SessionHistoryTransactionAwareSession
{
  /** The conversation that holds the items, for reads of earlier versions, replays and exports. */
  readonly conversation: ConversationHandle;

  /**
   * @param client a client of the service; its token decides whose conversation this is
   * @param sessionId the conversation's id, without personal data; by default a new one
   */
  constructor(
    client: MaceClient,
    private readonly sessionId: string = randomUUID(),
  ) {
    requireArguments({ client, sessionId }, { client: 'object', sessionId: 'id' });
    this.conversation = client.conversation(sessionId);
  }

  async getSessionId(): Promise<string> {
    return this.sessionId;
  }

  /** Returns all items, or the last `limit`, oldest first. `[ERASED]` stands for an item whose data was erased. */
  async getItems(limit?: number): Promise<AgentInputItem[]> {
    requireArguments({ limit }, { limit: 'number?' });
    if (limit !== undefined && limit <= 0) return [];
    const { items } = await this.conversation.items(limit === undefined ? {} : { last: limit });
    return items.map(({ item }) => fromJson(item));
  }

  /** Appends items, up to 500 at once in one step. */
  async addItems(items: AgentInputItem[]): Promise<void> {
    requireArguments({ items }, { items: 'list' });
    let start = 0;
    for (const { length } of requestsOf(toJson(items))) {
      const request = items.slice(start, start + length);
      if (length > 0)
        await writtenWithin((maxBytes) => this.conversation.append(toJson(request, maxBytes)));
      start += length;
    }
  }

  /** Removes the last item and returns it. */
  async popItem(): Promise<AgentInputItem | undefined> {
    const { item } = await this.conversation.pop();
    return item === null ? undefined : fromJson(item);
  }

  /** Removes all items. Earlier versions of the conversation keep them. */
  async clearSession(): Promise<void> {
    await this.conversation.clear();
  }

  /** Replaces the whole history in one step by a compaction and the items that it kept. */
  async replaceHistoryWithCompaction(items: AgentInputItem[]): Promise<void> {
    requireArguments({ items }, { items: 'list' });
    const operation_id = randomUUID();
    const known = (await this.conversation.items()).items.map(({ item }) => item);
    await this.conversation.transact({ operation_id, from: 0, items: toKnownJson(items, known) });
  }

  /** Rewrites stored items in one step, from the first to the last one that a mutation changes. */
  async applyHistoryMutations(args: SessionHistoryRewriteArgs): Promise<void> {
    requireArguments(args, { mutations: 'objects' });
    const { mutations } = args;
    toJson(mutations.map(({ replacement }) => replacement));
    while (mutations.length > 0) {
      const { items, version } = await this.conversation.items();
      const before = items.map(({ item }) => item);
      const changed = applySessionHistoryMutations(before.map(fromJson), mutations);
      const after = toKnownJson(changed, before);
      const change = differenceOf(before, after);
      if (change === undefined) return;
      try {
        await this.conversation.transact(
          { operation_id: randomUUID(), ...change },
          { expectedVersion: version },
        );
        return;
      } catch (error) {
        if (!isMaceError(error, 'VERSION_CONFLICT')) throw error;
      }
    }
  }

  /**
   * Appends items or replaces the end of the history, atomically and once for each `operationId`, also after
   * a restart; a clear makes the ids free again. @throws UserError if the history does not end as expected, if
   * the `operationId` belongs to another transaction, or for items that cannot be stored
   */
  async applyHistoryTransaction(args: SessionHistoryTransactionArgs): Promise<void> {
    const { operationId, expected, items } = transactionOf(args);
    const last = Math.max(1, expected.length);
    const { clears, items: end } = await this.conversation.items({ last });
    const known = end.map(({ item }) => item);
    try {
      await this.conversation.transact({
        operation_id: operationIdOf(clears, operationId),
        expected_suffix: toKnownJson(expected, known),
        items: toKnownJson(items, known),
      });
    } catch (error) {
      if (isMaceError(error, 'VERSION_CONFLICT'))
        throw new UserError('The session history suffix no longer matches the expected items.');
      if (isMaceError(error, 'IDEMPOTENCY_MISMATCH'))
        throw new UserError('The operationId was already applied with a different transaction.');
      throw error;
    }
  }
}

/** Returns the id of an operation on the service, which knows no empty and no long ids. */
const operationIdOf = (clears: number, operationId: string): string =>
  `${clears}:${createHash('sha256').update(operationId).digest('hex')}`;

/** Returns the range that differs between two lists; undefined if they are equal. */
function differenceOf(
  before: readonly Json[],
  after: readonly Json[],
): Omit<ConversationTransaction, 'operation_id'> | undefined {
  const same = (left: Json | undefined, right: Json | undefined) => isDeepStrictEqual(left, right);
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && same(before[from], after[from])) from += 1;
  let kept = 0;
  while (kept < shorter - from && same(before.at(-1 - kept), after.at(-1 - kept))) kept += 1;
  const to = before.length - kept;
  if (from === to && before.length === after.length) return undefined;
  return { from, to, items: after.slice(from, after.length - kept) };
}
