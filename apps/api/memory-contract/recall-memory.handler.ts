import { Inject } from '@nestjs/common';
import { CommandHandler } from '@nestjs/cqrs';
import { recordedCommand } from '#domain/memory-contract/commands.js';
import type { ForeignRecall } from '#domain/memory-contract/events.js';
import { askedQuery, recallFromStore } from '#domain/memory-contract/recall/recall-from-store.js';
import { recall, type RecallOutcome } from '#domain/memory-contract/recall/recall.js';
import { SearchLanguage } from '#read-model/search-language.js';
import { RequestClaims } from '../platform/request-claims.js';
import { Answer } from '../platform/http/answer.js';
import type { MemoryStore } from '../platform/stores.js';
import { MEMORY_STORE } from '../platform/tokens.js';
import { PrivacyGate } from '../privacy/privacy-gate.js';
import { AnswerBytes } from './answer-bytes.js';
import { decisionOf } from './decision-of.js';
import { RecallMemory } from './memory-commands.js';
import { type Forgotten, ForeignStores } from './foreign-stores.js';
import { MemoryAccess } from './memory-access.js';
import { isFlagged, memoryRequest, type MemoryRequest } from './memory-request.js';

/**
 * Recalls memory. A recall is a read that decides: it removes expired items, may start a phase, and is
 * recorded (SPEC M16).
 */
@CommandHandler(RecallMemory)
export class RecallMemoryHandler {
  constructor(
    @Inject(MEMORY_STORE) private readonly stores: MemoryStore,
    private readonly foreign: ForeignStores,
    private readonly access: MemoryAccess,
    private readonly claims: RequestClaims,
    private readonly language: SearchLanguage,
    private readonly gate: PrivacyGate,
    private readonly bytes: AnswerBytes,
  ) {}

  async execute(asked: RecallMemory): Promise<Answer<Buffer>> {
    const { identity } = asked;
    const request = await memoryRequest(this.gate, asked, this.language.name);
    const isSettled = await this.access.requireUse(request);
    await this.claims.streamFor(identity, request.stream);
    const { trace: isTraced = true, query } = asked;
    const { data, phase, stream } = request;
    // A recall that is recorded claims the session (SPEC I9).
    if (isTraced || phase !== null) await this.access.claim(request, identity);
    const answered = ({ events, items, trace }: RecallOutcome) => ({
      events,
      body: this.bytes.of({ items, trace }, data.policy),
    });
    const isQueryFlagged = await isFlagged(this.gate, query);
    const forgotten = await this.foreign.forget(data, identity);
    const elsewhere = recalledFrom(forgotten, request, query);
    const { answer, position } = await this.stores.transact(
      stream,
      identity,
      async (state) => {
        const read = [state, ...forgotten.map((other) => other.state)];
        if (!isSettled) await this.access.requireStillOwned(request, read);
        return decisionOf(
          answered(
            recall(state, {
              op: 'recall',
              ...data,
              query: askedQuery(state, query, isQueryFlagged, data.policy),
              phase,
              trace: isTraced,
              elsewhere,
            }),
          ),
        );
      },
      (before, input) => answered(recall(before, recordedCommand('recall', input))),
    );
    return Answer.written(await answer.body, position);
  }
}

/** Returns the items that the request recalls from the other spaces, after retention. */
const recalledFrom = (
  forgotten: readonly Forgotten[],
  { data: { policy, settings } }: MemoryRequest,
  query: string,
): readonly ForeignRecall[] =>
  forgotten
    .filter(({ state }) => state.version >= 0)
    .map(({ space, told, state }) => ({
      space,
      told,
      recalled: recallFromStore(state, { text: query }, settings, policy),
    }));
