import { Refusal } from '../errors/refusal.js';
import type { BorderAction, BorderReason } from './trace/borders.js';
import type { MemoryEvent, MemoryTrace, TraceBase } from './events.js';
import { itemId, type MemoryItem, type MemoryKind, type Space } from './item.js';
import { policyHash, type PolicySnapshot } from './policy.js';
import { currentPhase, evolveStore, type StoreState } from './state.js';
import { traceNamed } from './short-term/summary-chain.js';

interface PolicyReference {
  readonly policy_hash: string;
  readonly policy?: PolicySnapshot;
}

/**
 * Returns the policy of a request and `kept`, the reference to the policy that the request's input event
 * records. `kept` contains the whole policy only when the stream records that policy for the first time.
 * @throws Refusal INVALID_INPUT if neither the stream nor the request contains the policy.
 */
export function resolvePolicy(
  state: StoreState,
  { policy_hash, policy }: PolicyReference,
): { readonly policy: PolicySnapshot; readonly kept: PolicyReference } {
  const known = state.policies[policy_hash];
  if (known !== undefined) return { policy: known, kept: { policy_hash } };
  if (policy === undefined || policyHash(policy) !== policy_hash)
    throw new Refusal('INVALID_INPUT', { reason: 'policy_hash: names a policy nobody has given' });
  return { policy, kept: { policy_hash, policy } };
}

/** The data of a trace event without the fields that all trace events share. */
type TraceData<Type extends MemoryTrace['type']> = Omit<
  Extract<MemoryTrace, { type: Type }>['data'],
  keyof TraceBase
>;

/**
 * Builds up the decision of one command on a store, event by event; each event is decided on the state after the
 * previous one. The trace has the decisions in the contract's order, including those of other stores.
 */
export class StoreDecision {
  readonly #events: MemoryEvent[] = [];
  readonly #trace: MemoryTrace[] = [];
  #state: StoreState;

  constructor(
    state: StoreState,
    private readonly input: MemoryEvent,
    private readonly base: TraceBase,
    readonly policy: PolicySnapshot,
  ) {
    this.#state = evolveStore(state, input);
  }

  get state(): StoreState {
    return this.#state;
  }

  /** Adds a decision of this store to the trace and to the stream. */
  trace<Type extends MemoryTrace['type']>(type: Type, data: TraceData<Type>): void {
    const trace = this.summary(type, data);
    this.#trace.push(trace);
    this.record(trace);
  }

  /** Adds an event of this store to the stream alone. */
  record(event: MemoryEvent): void {
    this.#events.push(event);
    this.#state = evolveStore(this.#state, event);
  }

  /** Adds decisions of another store to the trace alone. */
  include(traces: readonly MemoryTrace[]): void {
    this.#trace.push(...traces);
  }

  /**
   * Traces a border check. Returns true if the border allows the action. Only a session's stream records
   * the check (SPEC §11).
   */
  checkBorder(
    action: BorderAction,
    reason: BorderReason,
    more: {
      readonly from_space: Space;
      readonly to_space?: Space;
      readonly subject_id?: string;
      readonly created_at?: number;
    },
  ): boolean {
    const allowed = reason === 'allowed';
    const data = { ...this.base, action, ...more, allowed, reason };
    if (this.#state.space === 'session') this.trace('memory_border_check', data);
    else this.include([{ type: 'memory_border_check', data }]);
    return allowed;
  }

  /** Deletes an item from this store (SPEC M9–M12). */
  delete(id: string, reason: TraceData<'memory_deleted'>['reason'], replacedBy?: string): void {
    const { space, owner } = this.#state;
    const phase_id = currentPhase(this.#state)?.phase_id ?? '';
    const replaced = replacedBy === undefined ? {} : { replaced_by: replacedBy };
    this.trace('memory_deleted', { space, owner, phase_id, memory_id: id, reason, ...replaced });
  }

  /** Returns the id and tick of the next item of a kind (SPEC M1). */
  next(kind: MemoryKind): Pick<MemoryItem, 'id' | 'kind' | 'created_at'> {
    const { key, counters, tick } = this.#state;
    return { id: itemId(key, kind, counters[kind] + 1), kind, created_at: tick + 1 };
  }

  /** Returns the command's events: first its input, then the given summaries, then the decisions. */
  eventsWith(...first: readonly MemoryTrace[]): readonly MemoryEvent[] {
    return [this.input, ...first.map(traceNamed), ...this.#events];
  }

  traceWith(...first: readonly MemoryTrace[]): readonly MemoryTrace[] {
    return [...first, ...this.#trace];
  }

  /** Makes a trace event that sums up the decisions and comes before them. */
  summary<Type extends MemoryTrace['type']>(type: Type, data: TraceData<Type>): MemoryTrace {
    // eslint-disable-next-line no-restricted-syntax -- base and data are all of the event's data
    return { type, data: { ...this.base, ...data } } as unknown as MemoryTrace;
  }
}
