import { type EventSchema, input, outcome } from '../decider.js';
import type { BorderAction, BorderReason } from './trace/borders.js';
import type { ConflictRule } from './store/conflict.js';
import type {
  Authority,
  DeletionReason,
  EventType,
  MemoryItem,
  MemoryKind,
  Space,
} from './item.js';
import type { StoreOwners } from './owners.js';
import type { PhaseDiff } from './phases/phase-diff.js';
import type { MemorySettings, PolicySnapshot, RetentionRule } from './policy.js';
import type { PromotionReason } from './promotion/promotion.js';
import type { ForgetReason } from './retention/retention.js';
import type { RecordableText } from './utterance/utterance.js';
import type { DenialReason } from './interaction/write-check.js';

/** The fields that every request has (SPEC M20). */
export type RequestData = {
  /** The name of the assistant, which answers show as `ai_profile`. */
  readonly assistant: string;
  readonly owners: StoreOwners;
  readonly settings: MemorySettings;
  readonly policy_hash: string;
  /** The whole policy. A stream records it only with the first request that uses it. */
  readonly policy?: PolicySnapshot;
};

export type PhaseRequest = {
  readonly token: string;
  readonly name?: string;
  readonly reason?: string;
};

export type DiffRequest = {
  readonly from: string;
  readonly to: string;
  readonly space: Space;
  /** The phase diff of another store, computed by that store. */
  readonly elsewhere?: PhaseDiff;
};

/** The trace events of retention in another store during a request (SPEC M10). */
export type ForeignTraces = {
  readonly space: Space;
  readonly told: readonly MemoryTrace[];
};

/** The items that a recall reads from another store, and the trace events of that store's retention (SPEC M16). */
export type ForeignRecall = ForeignTraces & {
  readonly recalled: RecalledItems;
};

export type RecalledItems = {
  readonly short_term: readonly MemoryItem[];
  readonly semantic: readonly MemoryItem[];
  readonly profile: readonly MemoryItem[];
  /** For each phase id, the number of short_term and semantic items; null if the space has no phase (SPEC M16). */
  readonly phase_counts: Readonly<Record<string, number>> | null;
};

/**
 * A query in the form that an event may record. For a hidden query, the event contains only the matches
 * in this store, not the text of the query.
 */
export type AskedQuery =
  | { readonly text: string }
  /** For each matching item id its points, 2 or 1 (SPEC M17), or its score by relevance (SPEC Q6). */
  | { readonly matches: Readonly<Record<string, number>> };

/** What the caller has changed in the texts of a turn so that they could be stored. No item is made of it. */
export type TurnAltered = {
  readonly user_text?: TextAltered;
  readonly ai_text?: TextAltered;
  readonly tool_events?: TextAltered & { readonly left_out: number };
};

/** The numbers of characters that were replaced and cut. */
export type TextAltered = { readonly replaced: number; readonly cut: number };

export type InteractionRecorded = RequestData & {
  readonly user: RecordableText;
  readonly ai: RecordableText;
  readonly tool: RecordableText | null;
  readonly turn_altered?: TurnAltered;
  readonly phase: PhaseRequest | null;
  readonly phase_diff: DiffRequest | null;
  readonly elsewhere: readonly ForeignTraces[];
};

export type InteractionFinished = {
  readonly promotion_id: string;
  readonly received: readonly ReceivedItem[];
  readonly elsewhere: readonly ForeignTraces[];
  readonly phase_diff: DiffRequest | null;
};

/** The target store's result for one promoted item. */
export type ReceivedItem = {
  readonly source_id: string;
  /** The item that the target stored; null if the item lost a conflict there or changed nothing. */
  readonly copy: MemoryItem | null;
  /** The target's trace events: border check, phase start, conflict and deletion. */
  readonly told: readonly MemoryTrace[];
};

export type RecallAsked = RequestData & {
  readonly query: AskedQuery;
  readonly phase: PhaseRequest | null;
  /** If false, the recall is recorded only if it changes something. */
  readonly trace: boolean;
  readonly elsewhere: readonly ForeignRecall[];
};

export type PromotionReceived = {
  readonly promotion_id: string;
  readonly assistant: string;
  readonly session: string;
  readonly policy_hash: string;
  readonly policy?: PolicySnapshot;
  readonly reason: string;
  readonly items: readonly MemoryItem[];
};

export type RetentionApplied = {
  readonly assistant: string;
  readonly session: string;
  readonly policy_hash: string;
  readonly policy?: PolicySnapshot;
};

/** The fields of every trace event: the assistant, the session's owner and the policy's hash. */
export type TraceBase = {
  readonly ai_profile: string;
  readonly session: string;
  readonly policy_hash: string;
};

type Trace<Type extends string, Data> = { readonly type: Type; readonly data: TraceBase & Data };

/** The trace events of the contract; `traceOf` gives them the contract's form. */
export type MemoryTrace =
  | Trace<
      'memory_recall',
      {
        readonly query: string;
        readonly recalled: readonly MemoryItem[];
        readonly settings: MemorySettings;
        readonly deterministic_hash: string;
        readonly spaces_consulted: readonly Space[];
        readonly recall_counts: Readonly<Record<string, number>>;
        readonly phase_counts: Readonly<Record<string, Readonly<Record<string, number>>>>;
        readonly current_phase: CurrentPhase | null;
      }
    >
  | Trace<'memory_write', { readonly written: readonly MemoryItem[] }>
  | Trace<
      'memory_denied',
      {
        readonly attempted: MemoryItem;
        readonly reason: DenialReason;
        readonly tags: readonly string[];
      }
    >
  | Trace<
      'memory_conflict',
      {
        readonly winner_id: string;
        readonly loser_id: string;
        readonly rule: ConflictRule;
        readonly dedup_key: string;
        readonly explanation: ConflictExplanation;
      }
    >
  | Trace<
      'memory_forget',
      {
        readonly memory_id: string;
        readonly reason: ForgetReason;
        readonly kind: MemoryKind;
        readonly event_type: EventType;
        readonly authority: Authority;
      }
    >
  | Trace<
      'memory_border_check',
      {
        readonly action: BorderAction;
        readonly from_space: Space;
        readonly to_space?: Space;
        readonly allowed: boolean;
        readonly reason: BorderReason;
        readonly subject_id?: string;
        /** The tick that the new item got, even if it was not stored (SPEC M1). Only a write has this field. */
        readonly created_at?: number;
      }
    >
  | Trace<
      'memory_promoted',
      {
        readonly from_space: Space;
        readonly to_space: Space;
        readonly from_id: string;
        readonly to_id: string;
        readonly authority_used: Authority;
        readonly reason: string;
      }
    >
  | Trace<
      'memory_promotion_denied',
      {
        readonly from_space: Space;
        readonly to_space: Space;
        readonly memory_id: string;
        readonly allowed: false;
        readonly reason: PromotionReason;
      }
    >
  | Trace<
      'memory_phase_started',
      {
        readonly space: Space;
        readonly owner: string;
        readonly phase_id: string;
        readonly phase_name?: string;
        readonly reason: string;
        /** The store needs this field and the next three; the trace does not show them (SPEC M14). */
        readonly phase_index: number;
        readonly started_at: number;
        readonly token: string | null;
        readonly max_phases: number | null;
      }
    >
  | Trace<
      'memory_deleted',
      {
        readonly space: Space;
        readonly owner: string;
        readonly phase_id: string;
        readonly memory_id: string;
        readonly reason: DeletionReason;
        readonly replaced_by?: string;
      }
    >
  | Trace<
      'memory_phase_diff',
      PhaseDiff & {
        readonly space: Space;
        readonly owner: string;
        readonly from_phase_id: string;
        readonly to_phase_id: string;
      }
    >;

export type ConflictExplanation = {
  readonly rule: ConflictRule;
  readonly authority: Sides<Authority>;
  readonly event_type: Sides<EventType>;
  readonly recency: { readonly winner_created_at: number; readonly loser_created_at: number };
  readonly importance: Sides<number>;
};
type Sides<Value> = { readonly winner: Value; readonly loser: Value };

/** A store's current phase as a recall shows it (SPEC M16). */
export type CurrentPhase = {
  readonly phase_id: string;
  readonly phase_index: number;
  readonly phase_started_at: number;
  readonly phase_reason: string;
  readonly phase_name?: string;
};

/** An item was stored, together with its retention rule (SPEC M10). */
export type ItemStored = {
  readonly item: MemoryItem;
  readonly retention: RetentionRule;
};

/** A promotion was granted. The target's store takes the next step, and this store the last one (SPEC M12). */
export type PromotionRequested = {
  readonly promotion_id: string;
  readonly to_space: Space;
  readonly to_owner: string;
  readonly reason: string;
  /** The items to promote, as this store wrote them. */
  readonly items: readonly MemoryItem[];
  /** The items that the interaction has written so far. */
  readonly written: readonly MemoryItem[];
};

/**
 * The target's store has decided on a promoted item. The item's id and tick are used up and cannot be
 * assigned again, even if the item lost a conflict.
 */
export type PromotionSettled = {
  readonly promotion_id: string;
  readonly source_id: string;
  readonly to_id: string;
  readonly created_at: number;
  readonly stored: boolean;
};

/** Every event of `memory-<space>:<owner>` (SPEC §11). */
export type MemoryEvent =
  | { readonly type: 'interaction_recorded'; readonly data: InteractionRecorded }
  | { readonly type: 'interaction_finished'; readonly data: InteractionFinished }
  | { readonly type: 'recall_asked'; readonly data: RecallAsked }
  | { readonly type: 'promotion_received'; readonly data: PromotionReceived }
  | { readonly type: 'retention_applied'; readonly data: RetentionApplied }
  | { readonly type: 'item_stored'; readonly data: ItemStored }
  | { readonly type: 'promotion_requested'; readonly data: PromotionRequested }
  | { readonly type: 'promotion_settled'; readonly data: PromotionSettled }
  | MemoryTrace;

export const memorySchemas: Readonly<Record<MemoryEvent['type'], EventSchema>> = {
  interaction_recorded: input,
  interaction_finished: input,
  recall_asked: input,
  promotion_received: input,
  retention_applied: input,
  item_stored: outcome,
  promotion_requested: outcome,
  promotion_settled: outcome,
  memory_recall: outcome,
  memory_write: outcome,
  memory_denied: outcome,
  memory_conflict: outcome,
  memory_forget: outcome,
  memory_border_check: outcome,
  memory_promoted: outcome,
  memory_promotion_denied: outcome,
  memory_phase_started: outcome,
  memory_deleted: outcome,
  memory_phase_diff: outcome,
};
