import { Refusal } from '../errors/refusal.js';
import { storeOfStream } from '../stream-names.js';
import type {
  DiffRequest,
  InteractionRecorded,
  MemoryEvent,
  PromotionRequested,
  RequestData,
} from './events.js';
import { itemNumber, type MemoryItem, type MemoryKind, type Space } from './item.js';
import { storeKey } from './owners.js';
import type { PolicySnapshot } from './policy.js';
import { withWholeSummary } from './short-term/summary-chain.js';
import {
  EMPTY_LEDGER,
  heldItem,
  kindOf,
  type Ledger,
  withItem,
  withoutItem,
} from './store/ledger.js';

/** Makes the refusal of a command that belongs to another store. */
export const invalidStore = ({ stream }: StoreState): Refusal =>
  new Refusal('INVALID_INPUT', { reason: `${stream}: is not the store of this request` });

/** A phase of a store: a period of its ticks (SPEC M14). */
export interface Phase {
  readonly phase_id: string;
  readonly phase_index: number;
  readonly started_at: number;
  readonly reason: string;
  readonly name: string | undefined;
}

export interface ClosedLedger extends Ledger {
  readonly phase_id: string;
}

/** An interaction whose promotion is not finished. */
export type PendingPromotion = {
  /** The number of the event that requested the promotion; this event causes the next steps. */
  readonly number: number;
  readonly requested: PromotionRequested;
  readonly asked: AskedInteraction;
};

/** The part of an interaction's input event that the interaction's last step needs. */
export type AskedInteraction = Omit<RequestData, 'policy'> & {
  readonly phase_diff: DiffRequest | null;
};

/** The state of one store, folded from its stream. Immutable. */
export interface StoreState {
  readonly stream: string;
  readonly space: Space;
  readonly owner: string;
  readonly key: string;
  /** The number of the stream's last event; -1 before the first one. */
  readonly version: number;
  /** The last tick that an item or a phase used (SPEC M1). */
  readonly tick: number;
  readonly counters: Readonly<Record<MemoryKind, number>>;
  /** The phases, oldest first; the last one is current. */
  readonly phases: readonly Phase[];
  /** The token of the last phase request; null before the first one. */
  readonly token: string | null;
  /** The ledger of the current phase, which lists everything that is stored now. */
  readonly ledger: Ledger;
  /** The ledgers of earlier phases, oldest first; max_phases drops the oldest. */
  readonly closed: readonly ClosedLedger[];
  readonly policies: Readonly<Record<string, PolicySnapshot>>;
  readonly promotions: number;
  readonly pending: readonly PendingPromotion[];
  /** The ids of the promotions that this store has received; it receives each one once. */
  readonly settled: readonly string[];
  /** The last interaction. The next `promotion_requested` belongs to it. */
  readonly asked: AskedInteraction | undefined;
}

export function initialStore(stream: string): StoreState {
  const { space, owner } = storeOfStream(stream);
  return {
    stream,
    space,
    owner,
    key: storeKey(space, owner),
    version: -1,
    tick: 0,
    counters: { short_term: 0, semantic: 0, profile: 0 },
    phases: [],
    token: null,
    ledger: EMPTY_LEDGER,
    closed: [],
    policies: {},
    promotions: 0,
    pending: [],
    settled: [],
    asked: undefined,
  };
}

/** The store's current phase; undefined until its first write. */
export const currentPhase = (state: StoreState): Phase | undefined => state.phases.at(-1);

/** Returns the ledger of a phase; undefined for an unknown phase or a dropped ledger (SPEC M14). */
export const ledgerOf = (state: StoreState, phaseId: string): Ledger | undefined =>
  currentPhase(state)?.phase_id === phaseId
    ? state.ledger
    : state.closed.find(({ phase_id }) => phase_id === phaseId);

/** Advances the kind's counter and the tick for an id that was used, even if its item was not stored (SPEC M1). */
function advance(state: StoreState, id: string, created_at: number): StoreState {
  const kind = kindOf(id);
  const counters = { ...state.counters, [kind]: itemNumber(id) };
  return { ...state, counters, tick: Math.max(state.tick, created_at) };
}

type PhaseStarted = Extract<MemoryEvent, { type: 'memory_phase_started' }>['data'];

function startPhase(state: StoreState, data: PhaseStarted): StoreState {
  const { phase_id, phase_index, started_at, reason, phase_name, token, max_phases } = data;
  const ended = currentPhase(state);
  const closed =
    ended === undefined ? [] : [...state.closed, { phase_id: ended.phase_id, ...state.ledger }];
  return {
    ...state,
    tick: started_at,
    phases: [...state.phases, { phase_id, phase_index, started_at, reason, name: phase_name }],
    token: token ?? state.token,
    closed:
      max_phases === null ? closed : closed.slice(Math.max(0, closed.length + 1 - max_phases)),
  };
}

const withPolicy = (
  state: StoreState,
  { policy_hash, policy }: { readonly policy_hash: string; readonly policy?: PolicySnapshot },
): StoreState =>
  policy === undefined
    ? state
    : { ...state, policies: { ...state.policies, [policy_hash]: policy } };

const askedOf = (data: InteractionRecorded): AskedInteraction => ({
  assistant: data.assistant,
  owners: data.owners,
  settings: data.settings,
  policy_hash: data.policy_hash,
  phase_diff: data.phase_diff,
});

/** Returns the item of an event, with the whole list of turns if it is a summary. */
const fullItem = ({ ledger }: StoreState, item: MemoryItem): MemoryItem =>
  withWholeSummary(item, (id) => heldItem(ledger, id)?.meta.summary_of ?? []);

function addPending(state: StoreState, data: PromotionRequested): StoreState {
  const requested = { ...data, written: data.written.map((item) => fullItem(state, item)) };
  const { asked, pending, promotions, version: number } = state;
  if (asked === undefined) return state;
  return {
    ...state,
    promotions: promotions + 1,
    pending: [...pending, { number, requested, asked }],
  };
}

/** Folds one event of the store's stream. No other stream is needed. */
export function evolveStore(before: StoreState, event: MemoryEvent): StoreState {
  const state = { ...before, version: before.version + 1 };
  switch (event.type) {
    case 'interaction_recorded':
      return { ...withPolicy(state, event.data), asked: askedOf(event.data) };
    case 'recall_asked':
    case 'retention_applied':
      return withPolicy(state, event.data);
    case 'promotion_received':
      return {
        ...withPolicy(state, event.data),
        settled: [...state.settled, event.data.promotion_id],
      };
    case 'interaction_finished': {
      const { promotion_id } = event.data;
      const pending = state.pending.filter(
        ({ requested }) => requested.promotion_id !== promotion_id,
      );
      return { ...state, pending };
    }
    case 'item_stored': {
      const { retention } = event.data;
      const item = fullItem(state, event.data.item);
      return {
        ...advance(state, item.id, item.created_at),
        ledger: withItem(state.ledger, { item, retention }),
      };
    }
    case 'promotion_requested':
      return addPending(state, event.data);
    case 'promotion_settled':
      return advance(state, event.data.to_id, event.data.created_at);
    case 'memory_border_check': {
      const { subject_id, created_at } = event.data;
      if (subject_id === undefined || created_at === undefined) return state;
      return advance(state, subject_id, created_at);
    }
    case 'memory_phase_started':
      return startPhase(state, event.data);
    case 'memory_deleted':
      return { ...state, ledger: withoutItem(state.ledger, event.data.memory_id) };
    case 'memory_recall':
    case 'memory_write':
    case 'memory_denied':
    case 'memory_conflict':
    case 'memory_forget':
    case 'memory_promoted':
    case 'memory_promotion_denied':
    case 'memory_phase_diff':
      return state;
  }
}
