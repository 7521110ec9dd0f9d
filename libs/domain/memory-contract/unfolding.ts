import { Refusal } from '../errors/refusal.js';
import type { BorderAction, BorderReason } from './borders.js';
import type { MemoryEvent, MemoryTrace, TraceBase } from './events.js';
import { itemId, type MemoryItem, type MemoryKind, type Space } from './item.js';
import { policyHash, type PolicySnapshot } from './policy.js';
import { currentPhase, evolveStore, type StoreState } from './state.js';
import { traceNamed } from './summary-chain.js';

interface PolicyReference {
  readonly policy_hash: string;
  readonly policy?: PolicySnapshot;
}

/**
 * The policy that a request names, and what its input event keeps of it: the whole only the first time.
 * @throws Refusal INVALID_INPUT if the stream does not know it and the request does not bring it.
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

/** The data of a trace event beside what every one of them names. */
type Told<Type extends MemoryTrace['type']> = Omit<
  Extract<MemoryTrace, { type: Type }>['data'],
  keyof TraceBase
>;

/**
 * What one command makes of a store, decision by decision, each on the state that the one before it left.
 * `trace` has the decisions in the order in which they are told, with what other stores told in between.
 */
export class Unfolding {
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

  /** A decision of this store, which its stream keeps. */
  tell<Type extends MemoryTrace['type']>(type: Type, data: Told<Type>): void {
    const trace = { type, data: { ...this.base, ...data } } as unknown as MemoryTrace;
    this.#trace.push(trace);
    this.record(trace);
  }

  /** A change of this store that no trace shows by itself. */
  record(event: MemoryEvent): void {
    this.#events.push(event);
    this.#state = evolveStore(this.#state, event);
  }

  /** What another store told. */
  hear(traces: readonly MemoryTrace[]): void {
    this.#trace.push(...traces);
  }

  /** A border is decided for a session, and the session's stream alone keeps it (SPEC §11). */
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
    if (this.#state.space === 'session') this.tell('memory_border_check', data);
    else this.hear([{ type: 'memory_border_check', data }]);
    return allowed;
  }

  /** Takes an item out of this store (SPEC M9–M12). */
  delete(id: string, reason: Told<'memory_deleted'>['reason'], replacedBy?: string): void {
    const { space, owner } = this.#state;
    const phase_id = currentPhase(this.#state)?.phase_id ?? '';
    const replaced = replacedBy === undefined ? {} : { replaced_by: replacedBy };
    this.tell('memory_deleted', { space, owner, phase_id, memory_id: id, reason, ...replaced });
  }

  /** The id and tick of the next item of a kind (SPEC M1). */
  next(kind: MemoryKind): Pick<MemoryItem, 'id' | 'kind' | 'created_at'> {
    const { key, counters, tick } = this.#state;
    return { id: itemId(key, kind, counters[kind] + 1), kind, created_at: tick + 1 };
  }

  /** The command's events: its input, then the summary of the whole, if any, then what was decided. */
  eventsWith(...first: readonly MemoryTrace[]): readonly MemoryEvent[] {
    return [this.input, ...first.map(traceNamed), ...this.#events];
  }

  traceWith(...first: readonly MemoryTrace[]): readonly MemoryTrace[] {
    return [...first, ...this.#trace];
  }

  /** An event of the trace that stands before the decisions that it sums up. */
  summary<Type extends MemoryTrace['type']>(type: Type, data: Told<Type>): MemoryTrace {
    return { type, data: { ...this.base, ...data } } as unknown as MemoryTrace;
  }
}
