import { type EventSchema, input, outcome } from '../decider.js';
import type { Sealed } from '../held.js';
import type { Json, JsonObject } from '../json.js';
import { querySchemas, type QueryEvent } from '../query/events.js';
import type { LogContent } from '../reflective-log/content.js';
import type { LogRedaction } from '../reflective-log/fields.js';
import type { Content } from './entry.js';

/** Every event of `job-<job_seed>`. Names are the storage format: they are versioned, never renamed. */
export type JobEvent =
  | QueryEvent
  | { readonly type: 'job_started'; readonly data: JobStarted }
  | { readonly type: 'wm_inserted'; readonly data: WmInserted }
  | {
      readonly type: 'wm_referenced';
      readonly data: { readonly wm_id: string; readonly tick: number };
    }
  | {
      readonly type: 'cwm_referenced';
      readonly data: { readonly item_id: string; readonly tick: number };
    }
  /** An entry that left WM because the agent asked for it. */
  | {
      readonly type: 'wm_forgotten';
      readonly data: { readonly wm_id: string; readonly tick: number };
    }
  /** An item that left the CWM because the agent asked for it. */
  | {
      readonly type: 'cwm_forgotten';
      readonly data: { readonly item_id: string; readonly tick: number };
    }
  | { readonly type: 'ticked'; readonly data: { readonly tick: number } }
  /** A WM entry moved into the CWM (SPEC J4). */
  | {
      readonly type: 'promotion_event';
      readonly data: { readonly wm_id: string; readonly item_id: string; readonly tick: number };
    }
  /** A frequently used CWM item moved back to WM as a new entry (SPEC J5). */
  | {
      readonly type: 'cwm_returned';
      readonly data: {
        readonly item_id: string;
        readonly wm_id: string;
        readonly ttl_ticks: number;
        readonly tick: number;
      };
    }
  | {
      readonly type: 'wm_expired';
      readonly data: { readonly wm_id: string; readonly tick: number };
    }
  | {
      readonly type: 'cwm_expired';
      readonly data: { readonly item_id: string; readonly tick: number };
    }
  /** A CWM item left because the token budget was exceeded (SPEC J5). */
  | {
      readonly type: 'cwm_evicted';
      readonly data: {
        readonly item_id: string;
        readonly tick: number;
        /** The token estimate of this item alone. */
        readonly token_estimate: number;
      };
    }
  | { readonly type: 'goal_set'; readonly data: GoalSet }
  /** A CWM item aged by one tick at once, because it shares no token with the new goal (SPEC J6). */
  | {
      readonly type: 'cwm_aged';
      readonly data: { readonly item_id: string; readonly tick: number };
    }
  /** An episode that a client sent (SPEC E1). */
  | { readonly type: 'episode_written'; readonly data: EpisodeData }
  /** An episode that the job's end creates from a referenced WM fact (SPEC J7). */
  | { readonly type: 'episode_consolidated'; readonly data: EpisodeData }
  /** The CWM at the job's end; always the stream's last episode (SPEC J7). */
  | { readonly type: 'episodic_summary'; readonly data: EpisodeData }
  /** A read of memory on which the job based a decision (SPEC J10). */
  | { readonly type: 'memory_read'; readonly data: MemoryRead }
  | {
      readonly type: 'job_ended';
      readonly data: {
        readonly tick: number;
        readonly reflective_log_id: string;
        /** The runtime's own log of the job, if it sent one (SPEC L7). */
        readonly reflective_log?: LogContent;
      };
    };

export type JobStarted = {
  readonly job_seed: string;
  readonly owner: JobOwner;
  readonly session_id: string | null;
  /** ISO 8601 UTC; replaces the base of the seeded time (SPEC I3). */
  readonly seeded_epoch: string | null;
  readonly goal: string | null;
  readonly constants: JobConstants;
  readonly snapshots: JobSnapshots;
  readonly carried_cwm: CarriedCwm | null;
  /** The redactions of the privacy gate in the goal; missing without any (SPEC P3). */
  readonly redactions?: readonly LogRedaction[];
};

type GoalSet = {
  readonly goal: string;
  readonly tick: number;
  /** The redactions of the privacy gate in the goal; missing without any (SPEC P3). */
  readonly redactions?: readonly LogRedaction[];
};

export type JobOwner = {
  readonly sub: string;
  readonly user_id: string | null;
};

/** The constants that are pinned at the start; integers from 1 to 10,000 unless noted (SPEC J1). */
export type JobConstants = {
  readonly promotion_references: number;
  readonly promotion_window: number;
  readonly wm_default_ttl_ticks: number;
  readonly cwm_ttl_ticks: number;
  readonly cwm_token_budget: number;
  readonly agent_timeout_ms: number;
  readonly max_repair_loops: number;
  /** 0..1 */
  readonly min_confidence: number;
  /** 0..1 */
  readonly council_threshold: number;
  readonly auto_tie_break: boolean;
  /** For each council member its weight, a number ≥ 0. */
  readonly council_weights: Readonly<Record<string, number>>;
  /** For each route_reason, true if its rule is on. */
  readonly router_toggles: Readonly<Record<string, boolean>>;
  /** The version of the privacy rules; it is pinned and cannot be overridden. */
  readonly privacy_rule_set_version: string;
};

export type JobSnapshots = {
  readonly sem_snapshot_id: string;
  readonly sem_snapshot_hash: string;
  /** How many SEM events, in log order, the snapshot covers (SPEC S8). */
  readonly sem_event_count: number;
  readonly episodic_snapshot_id: string;
  /** How many episodes, in log order, the snapshot covers. */
  readonly episodic_count: number;
  readonly brainstate_snapshot_id: string;
};

export type CarriedCwm = {
  readonly from_job_seed: string;
  readonly topic: string;
  readonly items: readonly CarriedItem[];
};

export type CarriedItem = Content & {
  readonly item_id: string;
  readonly ttl_ticks: number;
  readonly references: number;
};

type WmInserted = Content & {
  readonly wm_id: string;
  readonly created_at_tick: number;
  readonly ttl_ticks: number;
};

export type EpisodeSource = 'agent' | 'executor' | 'brainstate';
export const EPISODE_SOURCES: readonly EpisodeSource[] = ['agent', 'executor', 'brainstate'];

export type EpisodeData = {
  readonly episodic_id: string;
  /** The seed of the episode's id: the job's seed, or the name of a request's stream. */
  readonly job_seed: string;
  readonly owner: JobOwner;
  readonly source: EpisodeSource;
  /** The summary, at most 2,000 code points. */
  readonly summary: string;
  readonly evidence: readonly JsonObject[];
  /** The payload, at most 256 KB of canonical JSON. */
  readonly payload: Json | null;
  /**
   * Takes the place of a `payload` that contains personal data and that the service may keep because of
   * a consent (SPEC P4).
   */
  readonly sealed_payload?: Sealed;
  readonly created_seeded_ts: string;
  readonly reflective_log_id: string | null;
  /** The redactions of the privacy gate in the episode; missing without any (SPEC P3). */
  readonly redactions?: readonly LogRedaction[];
  /** The consent under which `sealed_payload` is kept (SPEC P4). */
  readonly consent_id?: string;
};

export const READ_KINDS = ['sem_get', 'episodes_query', 'wm_find', 'cwm_find', 'search'] as const;
export type ReadKind = (typeof READ_KINDS)[number];

export type MemoryRead = {
  readonly kind: ReadKind;
  readonly tick: number;
  /**
   * The ids that were read, in the order of the answer: SEM keys, episodic ids, wm_ids or CWM item ids,
   * depending on `kind`; for a search, the ids of its hits.
   */
  readonly ids: readonly string[];
  readonly sem_snapshot_hash: string;
};

export const jobSchemas: Readonly<Record<JobEvent['type'], EventSchema>> = {
  job_started: input,
  wm_inserted: input,
  wm_referenced: input,
  cwm_referenced: input,
  wm_forgotten: input,
  cwm_forgotten: input,
  ticked: input,
  promotion_event: outcome,
  cwm_returned: outcome,
  wm_expired: outcome,
  cwm_expired: outcome,
  cwm_evicted: outcome,
  goal_set: input,
  cwm_aged: outcome,
  episode_written: input,
  episode_consolidated: outcome,
  episodic_summary: outcome,
  memory_read: input,
  job_ended: input,
  ...querySchemas,
};
