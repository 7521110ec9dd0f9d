import { Inject, Injectable } from '@nestjs/common';
import { identityOfStep } from '#domain/determinism/command-identity.js';
import { eventId } from '#domain/determinism/ids.js';
import { Refusal } from '#domain/errors/refusal.js';
import {
  type FinishInteraction,
  recordedCommand,
  type ReceivePromotion,
} from '#domain/memory-contract/commands.js';
import {
  finishInteraction,
  type FinishedInteraction,
  pendingPromotion,
} from '#domain/memory-contract/interaction/finish-interaction.js';
import { storeStream } from '#domain/stream-names.js';
import type { PolicySnapshot } from '#domain/memory-contract/policy.js';
import { receivePromotion } from '#domain/memory-contract/promotion/receive-promotion.js';
import type { PendingPromotion, StoreState } from '#domain/memory-contract/state.js';
import type { CommandIdentity } from '#domain/recorded-event.js';
import { memoryStream } from '#domain/stream-names.js';
import type { Transacted } from '#event-store/aggregate-store.js';
import type { MemoryStore } from '../platform/stores.js';
import { MEMORY_STORE } from '../platform/tokens.js';
import { decisionOf } from './decision-of.js';
import { ForeignStores, tracesOf } from './foreign-stores.js';

/** A promotion, identified by the requesting event in the session's store. */
export interface RequestedPromotion {
  readonly stream: string;
  readonly number: number;
  readonly promotion_id: string;
}

/**
 * Returns the session's stream. The promotion id has the form `session:<owner>:promotion:<n>`, so it
 * begins with the key of the session's store.
 */
const streamOf = (promotionId: string): string =>
  storeStream(promotionId.slice(0, promotionId.lastIndexOf(':promotion:')));

/**
 * The steps after a session's `promotion_requested` (SPEC M12): the append to the target store, then the
 * last append to the session. The identity of each step is the id of the requesting event, so repeating
 * a step, at once or after a crash, adds nothing and gets the same answer.
 */
@Injectable()
export class PromotionSteps {
  constructor(
    @Inject(MEMORY_STORE) private readonly stores: MemoryStore,
    private readonly foreign: ForeignStores,
  ) {}

  /** Finishes a promotion that a crash interrupted. If it is already finished, nothing happens. */
  async resume(promotionId: string): Promise<void> {
    const stream = streamOf(promotionId);
    const { state } = await this.stores.load(stream);
    const pending = pendingPromotion(state, promotionId);
    if (pending === undefined) return;
    const { number } = pending;
    await this.finish({ stream, number, promotion_id: promotionId }, 'obligation');
  }

  /** Takes both steps. If they were taken before, returns the first answer. */
  finish(
    requested: RequestedPromotion,
    trace_id: string,
  ): Promise<Transacted<StoreState, FinishedInteraction>> {
    const { stream, number, promotion_id } = requested;
    const caused_by = eventId(stream, number, 'promotion_requested');
    const identity = identityOfStep(caused_by, [stream, caused_by], trace_id);
    let command: FinishInteraction | undefined;
    return this.stores.transact(
      stream,
      identity,
      async (state) => {
        const pending = pendingPromotion(state, promotion_id);
        if (pending === undefined)
          throw new Refusal('NOT_FOUND', { what: 'promotion', id: promotion_id });
        command ??= await this.lastStep(pending, policyOf(state, pending), identity);
        return decisionOf(finishInteraction(state, command));
      },
      (before, input) => finishInteraction(before, recordedCommand('finish_interaction', input)),
    );
  }

  /**
   * Writes the promoted items to the target store, applies retention to the other stores, and returns the last
   * command for the session.
   */
  private async lastStep(
    { requested, asked }: PendingPromotion,
    policy: PolicySnapshot,
    identity: CommandIdentity,
  ): Promise<FinishInteraction> {
    const { promotion_id, to_space, to_owner, reason, items } = requested;
    const { assistant, owners, policy_hash } = asked;
    const receive: ReceivePromotion = {
      op: 'receive_promotion',
      promotion_id,
      assistant,
      session: owners.session,
      policy_hash,
      policy,
      reason,
      items,
    };
    const { answer } = await this.stores.transact(
      memoryStream(to_space, to_owner),
      identity,
      (state) => decisionOf(receivePromotion(state, receive)),
      (before, input) => receivePromotion(before, recordedCommand('receive_promotion', input)),
    );
    const request = { assistant, owners, policy_hash, policy };
    const elsewhere = tracesOf(await this.foreign.forget(request, identity));
    const phase_diff = await this.foreign.diff(asked.phase_diff, request);
    return {
      op: 'finish_interaction',
      promotion_id,
      received: answer.received,
      elsewhere,
      phase_diff,
    };
  }
}

function policyOf({ policies }: StoreState, { asked }: PendingPromotion): PolicySnapshot {
  const policy = policies[asked.policy_hash];
  if (policy === undefined) throw new Error(`The policy ${asked.policy_hash} is not in its stream`);
  return policy;
}
