import { Inject } from '@nestjs/common';
import { CommandHandler } from '@nestjs/cqrs';
import { recordedCommand, type RecordInteraction } from '#domain/memory-contract/commands.js';
import { promotionHint } from '#domain/memory-contract/promotion/promotion.js';
import {
  type InteractionOutcome,
  recordInteraction,
} from '#domain/memory-contract/interaction/record-interaction.js';
import { SearchLanguage } from '#read-model/search-language.js';
import { RequestClaims } from '../platform/request-claims.js';
import { Answer } from '../platform/http/answer.js';
import type { MemoryStore } from '../platform/stores.js';
import { MEMORY_STORE } from '../platform/tokens.js';
import { PrivacyGate } from '../privacy/privacy-gate.js';
import { AnswerBytes } from './answer-bytes.js';
import { decisionOf } from './decision-of.js';
import { RecordMemory } from './memory-commands.js';
import { ForeignStores, tracesOf } from './foreign-stores.js';
import { MemoryAccess } from './memory-access.js';
import { gatedTexts, memoryRequest, plainJson } from './memory-request.js';
import { PromotionSteps } from './promotion-steps.js';

/**
 * Records a turn. If the user asks for a promotion, it then takes the steps of the promotion in the target store and in the session
 * (SPEC M12, M18).
 */
@CommandHandler(RecordMemory)
export class RecordInteractionHandler {
  constructor(
    @Inject(MEMORY_STORE) private readonly stores: MemoryStore,
    private readonly foreign: ForeignStores,
    private readonly promotions: PromotionSteps,
    private readonly access: MemoryAccess,
    private readonly claims: RequestClaims,
    private readonly language: SearchLanguage,
    private readonly gate: PrivacyGate,
    private readonly bytes: AnswerBytes,
  ) {}

  async execute(turn: RecordMemory): Promise<Answer<Buffer>> {
    const { identity } = turn;
    const request = await memoryRequest(this.gate, turn, this.language.name);
    const { data, phase, stream } = request;
    const said = await gatedTexts(this.gate, turn, data.policy);
    const isSettled = await this.access.requireUse(request);
    await this.claims.streamFor(identity, stream);
    await this.access.claim(request, identity);

    const { turn_altered, phase_diff: diff } = turn;
    const { space = 'session', ...phases } = diff ?? {};
    const phase_diff = diff === undefined ? null : { ...phases, space };
    const command = {
      ...{ op: 'record_interaction', ...data, ...said, phase, phase_diff },
      ...(turn_altered && { turn_altered: plainJson(turn_altered) }),
      elsewhere: [],
    } as RecordInteraction;
    // If a promotion is granted, its last step applies retention in the other spaces, so retention is
    // not applied before it.
    const mayPromote = promotionHint(turn.user_text) !== null;
    const withElsewhere = async (): Promise<RecordInteraction> => {
      const forgotten = await this.foreign.forget(data, identity);
      const phase_diff = await this.foreign.diff(command.phase_diff, data);
      const read = forgotten.map(({ state }) => state);
      if (!isSettled) await this.access.requireStillOwned(request, read);
      return { ...command, elsewhere: tracesOf(forgotten), phase_diff };
    };
    let whole = mayPromote ? undefined : await withElsewhere();
    // The answer to a promotion is made after its last step.
    const answered = ({ events, written, trace, promotion }: InteractionOutcome) =>
      promotion === null
        ? { events, promotion, body: this.bytes.of({ written, trace }, data.policy) }
        : { events, promotion, trace };
    const recorded = await this.stores.transact(
      stream,
      identity,
      async (state) => {
        if (mayPromote) {
          const outcome = recordInteraction(state, command);
          if (outcome.promotion?.to_space === 'user')
            await this.access.claimForStandIn(request, identity);
          if (outcome.promotion !== null) return decisionOf(answered(outcome));
        }
        whole ??= await withElsewhere();
        return decisionOf(answered(recordInteraction(state, whole)));
      },
      (before, input) =>
        answered(recordInteraction(before, recordedCommand('record_interaction', input))),
    );
    const { answer, position } = recorded;
    if (answer.promotion === null) return Answer.written(await answer.body, position);

    const { promotion_id } = answer.promotion;
    const requested = { stream, number: recorded.version, promotion_id };
    const last = await this.promotions.finish(requested, identity.trace_id);
    const [write, ...rest] = last.answer.trace;
    const allTraces = [...(write === undefined ? [] : [write]), ...answer.trace, ...rest];
    const finished = { written: last.answer.written, trace: allTraces };
    return Answer.written(await this.bytes.of(finished, data.policy), last.position);
  }
}
