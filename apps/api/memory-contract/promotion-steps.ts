import { Injectable } from '@nestjs/common';
import { identityOfStep } from '#domain/determinism/command-identity.js';
import { eventId } from '#domain/determinism/ids.js';
import type { FinishInteraction, ReceivePromotion } from '#domain/memory-contract/commands.js';
import {
  finishInteraction,
  pendingPromotion,
  type FinishedInteraction,
} from '#domain/memory-contract/finish-interaction.js';
import { memoryStream, storeStream } from '#domain/memory-contract/owners.js';
import type { PolicySnapshot } from '#domain/memory-contract/policy.js';
import { receivePromotion } from '#domain/memory-contract/receive-promotion.js';
import type { PendingPromotion, StoreState } from '#domain/memory-contract/state.js';
import type { CommandIdentity } from '#domain/recorded-event.js';
import { ForeignRetention, heardFrom } from './foreign-retention.js';
import { type Done, MemoryStores, outcomeItself } from './memory-stores.js';

/** A promotion, by the event of its session's store that requested it. */
export interface RequestedPromotion {
  readonly stream: string;
  readonly number: number;
  readonly promotion_id: string;
}

/** `session:<owner>:promotion:<n>` begins with the key of its store. */
const streamOf = (promotionId: string): string =>
  storeStream(promotionId.slice(0, promotionId.lastIndexOf(':promotion:')));

/**
 * What follows a session's `promotion_requested` (SPEC M12): the target's append, then the session's last.
 * The identity of each is that of the requesting event, so doing it again, at once or after a crash, adds
 * nothing and answers the same.
 */
@Injectable()
export class PromotionSteps {
  constructor(
    private readonly stores: MemoryStores,
    private readonly foreign: ForeignRetention,
  ) {}

  /** Finishes one that a crash left pending; of one that is finished, or never was, nothing. */
  async resume(promotionId: string): Promise<void> {
    const stream = streamOf(promotionId);
    const { state } = await this.stores.load(stream);
    const pending = pendingPromotion(state, promotionId);
    if (pending === undefined) return;
    const { number } = pending;
    await this.finish({ stream, number, promotion_id: promotionId }, 'obligation');
  }

  /** Takes both steps, or answers what they came to if they were taken before. */
  finish(requested: RequestedPromotion, trace_id: string): Promise<Done<FinishedInteraction>> {
    const { stream, number, promotion_id } = requested;
    const caused_by = eventId(stream, number, 'promotion_requested');
    const identity = identityOfStep(caused_by, [stream, caused_by], trace_id);
    let end: Promise<FinishInteraction> | undefined;
    const commandFor = (state: StoreState): Promise<FinishInteraction> => {
      const pending = pendingPromotion(state, promotion_id);
      if (pending === undefined) throw new Error(`${promotion_id} was never requested`);
      return (end ??= this.end(pending, policyOf(state, pending), identity));
    };
    return this.stores.execute(stream, identity, {
      unfold: finishInteraction,
      commandFor,
      answerOf: outcomeItself,
    });
  }

  /** The target's step, retention elsewhere, and what the session needs to know of both. */
  private async end(
    { requested, asked }: PendingPromotion,
    policy: PolicySnapshot,
    identity: CommandIdentity,
  ): Promise<FinishInteraction> {
    const { promotion_id, to_space, to_owner, reason, items } = requested;
    const { assistant, owners, policy_hash } = asked;
    const target = memoryStream(to_space, to_owner);
    const commandFor = (): ReceivePromotion => ({
      op: 'receive_promotion',
      promotion_id,
      assistant,
      session: owners.session,
      policy_hash,
      policy,
      reason,
      items,
    });
    const { answer } = await this.stores.execute(target, identity, {
      unfold: receivePromotion,
      commandFor,
      answerOf: outcomeItself,
    });
    const request = { assistant, owners, policy_hash, policy };
    const elsewhere = heardFrom(await this.foreign.forget(request, identity));
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
