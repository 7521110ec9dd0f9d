import type { AnsweredBy } from '../decider.js';
import type { Sealed } from '../held.js';
import type { Json, JsonObject } from '../json.js';
import type { QueryInput } from '../query/events.js';
import type { LogContent } from '../reflective-log/content.js';
import { redactionsOf } from '../privacy/redactions.js';
import type { LogRedaction } from '../reflective-log/fields.js';
import type { endAnswer } from './end-answer.js';
import { type Content, contentOf } from './entry.js';
import type {
  CarriedCwm,
  EpisodeSource,
  JobConstants,
  JobEvent,
  JobOwner,
  JobSnapshots,
  MemoryRead,
} from './events.js';
import type { jobView } from './view.js';

/** The commands of a job. A replay restores each command from its input event (SPEC X1). */
export type JobCommand =
  | StartJob
  | InsertWm
  | OfWm
  | OfCwm
  | ({ readonly op: 'tick' } & AnsweredBy<{ readonly tick: number }>)
  | SetGoal
  | WriteEpisode
  | RecordMemoryRead
  | RecordQueryInput
  | EndJob;

type WmDone = { readonly wm_id: string };
type OfWm = { readonly op: 'wm_reference' | 'wm_forget' } & WmDone & AnsweredBy<WmDone>;

type CwmDone = { readonly item_id: string };
type OfCwm = { readonly op: 'cwm_reference' | 'cwm_forget' } & CwmDone & AnsweredBy<CwmDone>;

export interface StartJob extends AnsweredBy<ReturnType<typeof jobView>> {
  readonly op: 'start';
  readonly job_seed: string;
  readonly owner: JobOwner;
  readonly session_id: string | null;
  /** Sets the base of the seeded time; ISO 8601 UTC (SPEC I3). */
  readonly seeded_epoch: string | null;
  readonly goal: string | null;
  /** From `resolveConstants`. */
  readonly constants: JobConstants;
  /**
   * The snapshots of the read models at the start. The caller leaves out the id of the brainstate
   * snapshot, which the domain adds.
   */
  readonly snapshots: Omit<JobSnapshots, 'brainstate_snapshot_id'>;
  /** The result of `carriedCwm` for the session's last ended job. */
  readonly carried_cwm: CarriedCwm | null;
  /** The redactions of the privacy gate in the goal. */
  readonly redactions?: readonly LogRedaction[];
}

export interface SetGoal extends AnsweredBy<{ readonly goal: string }> {
  readonly op: 'goal';
  readonly goal: string;
  /** The redactions of the privacy gate in the goal. */
  readonly redactions?: readonly LogRedaction[];
}

export type InsertWm = Content &
  AnsweredBy<WmDone> & {
    readonly op: 'wm_insert';
    /** Default: the job's wm_default_ttl_ticks. */
    readonly ttl_ticks?: number;
  };

export interface WriteEpisode extends AnsweredBy<{ readonly episodic_id: string }> {
  readonly op: 'episodic_write';
  readonly source: EpisodeSource;
  readonly summary: string;
  readonly payload: Json | null;
  readonly sealed_payload?: Sealed;
  readonly evidence: readonly JsonObject[];
  /** The redactions of the privacy gate in the other fields. */
  readonly redactions?: readonly LogRedaction[];
  /** The consent under which `sealed_payload` is kept (SPEC P4). */
  readonly consent_id?: string;
}

interface RecordMemoryRead {
  readonly op: 'memory_read';
  readonly kind: MemoryRead['kind'];
  readonly ids: readonly string[];
}

/** The question of a query, or a reply for which the query waited (SPEC A4). */
interface RecordQueryInput {
  readonly op: 'query';
  readonly input: QueryInput;
}

export interface EndJob extends AnsweredBy<ReturnType<typeof endAnswer>> {
  readonly op: 'end';
  /** The runtime's log, validated and with personal data removed (SPEC L7, P3). */
  readonly reflective_log?: LogContent;
}

type GatedParts = Pick<WriteEpisode, 'sealed_payload' | 'redactions' | 'consent_id'>;

/** Returns the fields that the privacy gate added to an episode, if any (SPEC P3, P4). */
export const gatedPartsOf = ({
  sealed_payload,
  redactions,
  consent_id,
}: GatedParts): GatedParts => ({
  ...(sealed_payload === undefined ? {} : { sealed_payload }),
  ...(consent_id === undefined ? {} : { consent_id }),
  ...redactionsOf(redactions),
});

/**
 * Returns the command that an input event recorded. Deciding the command again on the same state gives
 * the same events.
 */
export function jobCommandOf(event: JobEvent): JobCommand {
  switch (event.type) {
    case 'job_started': {
      const { brainstate_snapshot_id: _, ...snapshots } = event.data.snapshots;
      return { op: 'start', ...event.data, snapshots };
    }
    case 'wm_inserted':
      return { op: 'wm_insert', ttl_ticks: event.data.ttl_ticks, ...contentOf(event.data) };
    case 'wm_referenced':
      return { op: 'wm_reference', wm_id: event.data.wm_id };
    case 'cwm_referenced':
      return { op: 'cwm_reference', item_id: event.data.item_id };
    case 'wm_forgotten':
      return { op: 'wm_forget', wm_id: event.data.wm_id };
    case 'cwm_forgotten':
      return { op: 'cwm_forget', item_id: event.data.item_id };
    case 'ticked':
      return { op: 'tick' };
    case 'goal_set':
      return { op: 'goal', goal: event.data.goal, ...redactionsOf(event.data.redactions) };
    case 'episode_written': {
      const { source, summary, payload, evidence } = event.data;
      const gated = gatedPartsOf(event.data);
      return { op: 'episodic_write', source, summary, payload, evidence, ...gated };
    }
    case 'memory_read':
      return { op: 'memory_read', kind: event.data.kind, ids: event.data.ids };
    case 'job_ended': {
      const { reflective_log } = event.data;
      return reflective_log === undefined ? { op: 'end' } : { op: 'end', reflective_log };
    }
    case 'query_asked':
    case 'agent_answered':
    case 'agent_failed':
    case 'council_voted':
    case 'answer_verified':
    case 'confirmation_met':
      return { op: 'query', input: event };
    case 'promotion_event':
    case 'cwm_returned':
    case 'wm_expired':
    case 'cwm_expired':
    case 'cwm_evicted':
    case 'cwm_aged':
    case 'episode_consolidated':
    case 'episodic_summary':
    case 'router_decision':
    case 'router_miss':
    case 'agent_degraded':
    case 'sem_miss':
    case 'pii_redacted':
    case 'answer_judged':
    case 'query_concluded':
      throw new TypeError(`${event.type} is an outcome, not an input`);
  }
}
