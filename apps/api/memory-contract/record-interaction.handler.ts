import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { RecordInteraction } from '#domain/memory-contract/commands.js';
import type { MemoryTrace } from '#domain/memory-contract/events.js';
import type { MemoryItem } from '#domain/memory-contract/item.js';
import { promotionHint } from '#domain/memory-contract/promotion.js';
import {
  recordInteraction,
  type UnfoldedInteraction,
} from '#domain/memory-contract/record-interaction.js';
import type { StoreState } from '#domain/memory-contract/state.js';
import { traceOf } from '#domain/memory-contract/trace.js';
import type { Actor } from '#domain/recorded-event.js';
import { RequestClaims } from '../claims/request-claims.js';
import { WrittenJson } from '../platform/http/answer.js';
import type { RequestIdentity } from '../platform/http/identity.decorator.js';
import { answerJson } from './answer-json.js';
import type { InteractionDto } from './dto/memory-request.dto.js';
import { begun, ForeignRetention, heardFrom, type Looked } from './foreign-retention.js';
import { MemoryAccess } from './memory-access.js';
import { heardIn, memoryRequest, type MemoryRequest } from './memory-request.js';
import { type Ahead, MemoryStores } from './memory-stores.js';
import { PromotionSteps } from './promotion-steps.js';

export interface Recorded {
  /** `written` and `trace`. */
  readonly answer: WrittenJson;
  readonly position: bigint | undefined;
}

export class RecordMemory extends Command<Recorded> {
  constructor(
    readonly actor: Actor,
    readonly body: InteractionDto,
    readonly identity: RequestIdentity,
  ) {
    super();
  }
}

/** Records what was said; where it asks for another space, that one's step and the last one follow (SPEC M12, M18). */
@CommandHandler(RecordMemory)
export class RecordInteractionHandler implements ICommandHandler<RecordMemory> {
  constructor(
    private readonly stores: MemoryStores,
    private readonly foreign: ForeignRetention,
    private readonly promotions: PromotionSteps,
    private readonly access: MemoryAccess,
    private readonly claims: RequestClaims,
  ) {}

  async execute({ actor, body, identity }: RecordMemory): Promise<Recorded> {
    const request = memoryRequest(actor, body);
    const said = heardIn(body, request.data.policy);
    const mayPromote = promotionHint(body.user_text) !== null;
    const looked = mayPromote ? undefined : this.foreign.look(request.data);
    await this.access.toUse(request);
    await this.claims.streamFor(identity, request.stream);
    await this.access.claim(request, identity);
    const { data, phase, stream } = request;
    const { space = 'session', ...phases } = body.phase_diff ?? {};
    const alone = {
      op: 'record_interaction',
      ...data,
      ...said,
      phase,
      phase_diff: body.phase_diff === undefined ? null : { ...phases, space },
      elsewhere: [],
    } as RecordInteraction;
    const show = (written: readonly MemoryItem[], trace: readonly MemoryTrace[]) =>
      answerJson({ written, trace: trace.map((event) => traceOf(event, data.policy)) });
    const { answer, version, position } = await this.stores.execute(stream, identity, {
      unfold: recordInteraction,
      ...this.prepared(request, alone, identity, looked),
      answerOf: (outcome: UnfoldedInteraction) =>
        outcome.promotion === null ? show(outcome.written, outcome.trace) : outcome,
    });
    if (answer instanceof WrittenJson) return { answer, position };
    const promotion_id = answer.promotion!.promotion_id;
    const requested = { stream, number: version, promotion_id };
    const last = await this.promotions.finish(requested, identity.trace_id);
    const [write, ...rest] = last.answer.trace;
    const trace = [...(write === undefined ? [] : [write]), ...answer.trace, ...rest];
    return { answer: show(last.answer.written, trace), position: last.position };
  }

  /**
   * Where nothing is promoted, the other spaces have their say before the one append of the session; without
   * words that ask for it, nothing will be, and they are `looked` at by now.
   */
  private prepared(
    request: MemoryRequest,
    alone: RecordInteraction,
    identity: RequestIdentity,
    looked: Looked | undefined,
  ) {
    const { data } = request;
    const hear = async (): Promise<RecordInteraction> => ({
      ...alone,
      elsewhere: heardFrom(await this.foreign.forget(data, identity, looked)),
      phase_diff: await this.foreign.diff(alone.phase_diff, data),
    });
    if (looked === undefined) {
      let whole: Promise<RecordInteraction> | undefined;
      const commandFor = async (state: StoreState): Promise<RecordInteraction> => {
        const { promotion } = recordInteraction(state, alone);
        if (promotion === null) return (whole ??= hear());
        if (promotion.to_space === 'user') await this.access.claimForStandIn(request, identity);
        return alone;
      };
      return { commandFor };
    }
    const whole = begun(hear());
    const aheadFor = (): Ahead<RecordInteraction> | undefined => {
      if (alone.phase_diff !== null) return undefined;
      const foreseen = this.foreign.foresee(data, identity, looked);
      if (foreseen === undefined) return undefined;
      const { forgotten, holds } = foreseen;
      return { command: { ...alone, elsewhere: heardFrom(forgotten) }, holds };
    };
    return { commandFor: () => whole, aheadFor };
  }
}
