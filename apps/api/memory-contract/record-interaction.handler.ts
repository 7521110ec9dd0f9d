import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { JsonObject } from '#domain/json.js';
import type { RecordInteraction } from '#domain/memory-contract/commands.js';
import type { MemoryTrace } from '#domain/memory-contract/events.js';
import type { MemoryItem } from '#domain/memory-contract/item.js';
import { promotionHint } from '#domain/memory-contract/promotion.js';
import { recordInteraction } from '#domain/memory-contract/record-interaction.js';
import type { StoreState } from '#domain/memory-contract/state.js';
import { traceOf } from '#domain/memory-contract/trace.js';
import type { Actor } from '#domain/recorded-event.js';
import { RequestClaims } from '../claims/request-claims.js';
import type { RequestIdentity } from '../platform/http/identity.decorator.js';
import type { InteractionDto } from './dto/memory-request.dto.js';
import { begun, ForeignRetention, heardFrom, type Looked } from './foreign-retention.js';
import { MemoryAccess } from './memory-access.js';
import { heardIn, memoryRequest, type MemoryRequest } from './memory-request.js';
import { MemoryStores } from './memory-stores.js';
import { PromotionSteps } from './promotion-steps.js';

export interface Recorded {
  readonly written: readonly MemoryItem[];
  readonly trace: readonly JsonObject[];
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
    const first = await this.stores.execute(
      stream,
      identity,
      recordInteraction,
      this.prepared(request, alone, identity, { mayPromote, looked }),
    );
    const { outcome, version: number, position } = first;
    const show = (trace: readonly MemoryTrace[]) =>
      trace.map((event) => traceOf(event, data.policy));
    if (outcome.promotion === null)
      return { written: outcome.written, trace: show(outcome.trace), position };
    const { promotion_id } = outcome.promotion;
    const last = await this.promotions.finish({ stream, number, promotion_id }, identity.trace_id);
    const [write, ...rest] = last.outcome.trace;
    return {
      written: last.outcome.written,
      trace: show([...(write === undefined ? [] : [write]), ...outcome.trace, ...rest]),
      position: last.position,
    };
  }

  /**
   * Where nothing is promoted, the other spaces have their say before the one append of the session; without
   * words that ask for it, nothing will be.
   */
  private prepared(
    request: MemoryRequest,
    alone: RecordInteraction,
    identity: RequestIdentity,
    { mayPromote, looked }: { readonly mayPromote: boolean; readonly looked: Looked | undefined },
  ) {
    const { data } = request;
    const hear = async (): Promise<RecordInteraction> => ({
      ...alone,
      elsewhere: heardFrom(await this.foreign.forget(data, identity, looked)),
      phase_diff: await this.foreign.diff(alone.phase_diff, data),
    });
    let whole = mayPromote ? undefined : begun(hear());
    return async (state: StoreState): Promise<RecordInteraction> => {
      const promotion = mayPromote ? recordInteraction(state, alone).promotion : null;
      if (promotion === null) return (whole ??= hear());
      if (promotion.to_space === 'user') await this.access.claimForStandIn(request, identity);
      return alone;
    };
  }
}
