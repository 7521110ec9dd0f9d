import { Inject, Injectable } from '@nestjs/common';
import { hashJson } from '#domain/determinism/hash.js';
import { applyRetention } from '#domain/memory-contract/retention/apply-retention.js';
import { recordedCommand, type ApplyRetention } from '#domain/memory-contract/commands.js';
import type { DiffRequest, RequestData, ForeignTraces } from '#domain/memory-contract/events.js';
import { hasExpired } from '#domain/memory-contract/retention/forget.js';
import { UNKNOWN_PROJECT } from '#domain/memory-contract/owners.js';
import type { PolicySnapshot } from '#domain/memory-contract/policy.js';
import type { StoreState } from '#domain/memory-contract/state.js';
import { diffOfPhases } from '#domain/memory-contract/phases/trace-diff.js';
import type { CommandIdentity } from '#domain/recorded-event.js';
import { memoryStream } from '#domain/stream-names.js';
import type { MemoryStore } from '../platform/stores.js';
import { MEMORY_STORE } from '../platform/tokens.js';
import { decisionOf } from './decision-of.js';
import { foreignStores } from './memory-request.js';

/** The parts of a request that the stores of other spaces need. */
export type ForRequest = Pick<RequestData, 'assistant' | 'owners' | 'policy_hash'> & {
  readonly policy: PolicySnapshot;
};

/** The trace events that record what retention removed from another store, and the store's state afterwards. */
export type Forgotten = ForeignTraces & { readonly state: StoreState };

/**
 * The stores of spaces other than the session. A request applies retention to them and reads them (SPEC M10,
 * M15).
 */
@Injectable()
export class ForeignStores {
  constructor(@Inject(MEMORY_STORE) private readonly stores: MemoryStore) {}

  /** Removes expired items from each store; a store without expired items gets no event (SPEC M10). */
  forget(request: ForRequest, identity: CommandIdentity): Promise<readonly Forgotten[]> {
    const { policy, owners } = request;
    const step = retentionStep(identity);
    return Promise.all(
      foreignStores(policy, owners).map(({ space, stream }) =>
        this.forgetIn(space, stream, retentionCommand(request), step),
      ),
    );
  }

  /** Returns the phase diff that an interaction requests, computed by the store that it names (SPEC M15). */
  async diff(
    asked: Pick<DiffRequest, 'from' | 'to' | 'space'> | null,
    { owners }: Pick<ForRequest, 'owners'>,
  ): Promise<DiffRequest | null> {
    if (asked === null) return null;
    const { from, to, space } = asked;
    const owner = owners[space];
    if (space === 'session' || (space === 'project' && owner === UNKNOWN_PROJECT))
      return { from, to, space };
    const { state } = await this.stores.load(memoryStream(space, owner));
    return { from, to, space, elsewhere: diffOfPhases(state, from, to) };
  }

  private async forgetIn(
    space: Forgotten['space'],
    stream: string,
    command: ApplyRetention & { readonly policy: PolicySnapshot },
    step: CommandIdentity,
  ): Promise<Forgotten> {
    const { state, hasTaken } = await this.stores.load(stream);
    if (!hasExpired(state, command.policy) && !hasTaken(step.command_id))
      return { space, told: [], state };
    const { answer, after } = await this.stores.transact(
      stream,
      step,
      (current) => decisionOf(applyRetention(current, command)),
      (before, input) => applyRetention(before, recordedCommand('apply_retention', input)),
    );
    return { space, told: answer.told, state: after.state };
  }
}

const retentionCommand = ({ assistant, owners, policy_hash, policy }: ForRequest) =>
  ({ op: 'apply_retention', assistant, session: owners.session, policy_hash, policy }) as const;

/**
 * The command identity under which a request applies retention: the same in every store and for every retry
 * (SPEC I7).
 */
function retentionStep({ command_id, actor, trace_id }: CommandIdentity): CommandIdentity {
  const hash = hashJson([command_id, 'retention']);
  const evidence = { caused_by: command_id };
  return { command_id: hash, body_hash: hash, actor, trace_id, evidence };
}

/**
 * Returns the trace events in the form of the session's command; stores without trace events are left out.
 */
export const tracesOf = (forgotten: readonly Forgotten[]): readonly ForeignTraces[] =>
  forgotten.flatMap(({ space, told }) => (told.length === 0 ? [] : [{ space, told }]));
