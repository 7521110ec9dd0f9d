import { type EventSchema, input, outcome } from '../decider.js';
import type { Held } from '../held.js';
import type { EpisodeData } from '../job/events.js';
import type { JsonObject } from '../json.js';
import type { SemSource } from '../sem/events.js';

/** Every event of `request-<request_id>` (SPEC G1–G3). */
export type ActionRequestEvent =
  | { readonly type: 'action_requested'; readonly data: ActionRequested }
  /** The episode of the request (SPEC E1). Its id is derived from the name of the request's stream. */
  | { readonly type: 'episode_written'; readonly data: EpisodeData }
  | { readonly type: 'vote_cast'; readonly data: VoteCast }
  /** `at` is the time of the deciding vote and becomes the fact's timestamp (SPEC G3). */
  | { readonly type: 'request_approved'; readonly data: { readonly at: string } }
  | {
      readonly type: 'request_rejected';
      readonly data: { readonly at: string; readonly reason: 'votes' | 'tie' };
    }
  | { readonly type: 'request_expired'; readonly data: { readonly at: string } }
  /** The sem_put is in the log; the request and the fact each refer to the other (SPEC G3). */
  | { readonly type: 'request_executed'; readonly data: ExecutionLink }
  | { readonly type: 'execution_refused'; readonly data: ExecutionRefused };

export type ActionRequestKind = 'sem_put';
export type ActionRequestStatus =
  'pending' | 'approved' | 'executed' | 'execution_refused' | 'rejected' | 'expired';

export type ActionRequested = Held & {
  readonly request_id: string;
  readonly kind: ActionRequestKind;
  readonly episodic_id: string;
  /**
   * The job whose episode this is; its ReflectiveLog lists the request (SPEC G3). Missing if the episode
   * belongs to no job, and in requests of earlier releases.
   */
  readonly job_seed?: string;
  readonly target_sem_key: string;
  readonly justification: string;
  readonly evidence: readonly JsonObject[];
  readonly proposer: { readonly sub: string; readonly user_id: string | null };
  /**
   * The user whom the request concerns, who must not vote (SPEC G2): the raw id if it is known,
   * otherwise the entity id.
   */
  readonly made_for: string | null;
  /** The `source` that the fact gets if the request is approved. */
  readonly source: SemSource;
  /** The wall-clock time of the request, recorded as input. */
  readonly requested_at: string;
  readonly expires_at: string;
  readonly quorum: number;
  /**
   * sha256 of what the council votes on: kind, episodic_id, target, value, justification, evidence (SPEC
   * G2).
   */
  readonly proposal_hash: string;
};

export type Vote = 'approve' | 'reject' | 'abstain';

export type VoteCast = {
  readonly voter: { readonly sub: string; readonly user_id: string | null };
  readonly vote: Vote;
  readonly reason: string;
  readonly proposal_hash: string;
  readonly at: string;
};

/** The SEM event that the approval caused. */
export type ExecutionLink = {
  readonly sem_stream: string;
  readonly sem_event_number: number;
};

/**
 * Why an approved request changed no fact: an error code, or `SUPERSEDED` together with the write that
 * lost (SPEC S3, G3).
 */
type ExecutionRefused = {
  readonly code: string;
  readonly link: ExecutionLink | null;
};

export const actionRequestSchemas: Readonly<Record<ActionRequestEvent['type'], EventSchema>> = {
  action_requested: input,
  episode_written: outcome,
  vote_cast: input,
  request_approved: outcome,
  request_rejected: outcome,
  request_expired: input,
  request_executed: input,
  execution_refused: input,
};
