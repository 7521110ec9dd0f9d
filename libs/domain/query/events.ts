import { type EventSchema, input, outcome } from '../decider.js';
import type { Json, JsonObject } from '../json.js';
import type { Clear } from '../privacy/finding.js';
import type { CouncilVote, LogRedaction } from '../reflective-log/fields.js';
import type { AgentId, RouteReason } from '../router/rules.js';

/** What a query adds to the events of its job (SPEC A4). Names are the storage format: never renamed. */
export type QueryEvent =
  | QueryInput
  | { readonly type: 'router_decision'; readonly data: QueryRouted }
  /** No rule knew the text (SPEC R2): the hash is of its normalised form. */
  | {
      readonly type: 'router_miss';
      readonly data: { readonly query_hash: string; readonly context_tags: JsonObject };
    }
  /** It is not asked again in this query (SPEC A2). */
  | {
      readonly type: 'agent_degraded';
      readonly data: { readonly agent_id: AgentId; readonly code: AgentFailureCode };
    }
  /** A fact was asked for that is not there (SPEC A1). */
  | {
      readonly type: 'sem_miss';
      readonly data: { readonly key: string; readonly user_id: string | null };
    }
  /** Personal data was taken out of what an agent or a member of the council said (SPEC P3). */
  | {
      readonly type: 'pii_redacted';
      readonly data: { readonly subject: string; readonly redactions: readonly LogRedaction[] };
    }
  | { readonly type: 'answer_judged'; readonly data: AnswerJudged }
  | { readonly type: 'query_concluded'; readonly data: Conclusion };

/** What comes from outside; all else is recomputed in a replay, which calls nobody (SPEC A2, I2). */
export type QueryInput =
  | { readonly type: 'query_asked'; readonly data: QueryAsked }
  | { readonly type: 'agent_answered'; readonly data: AgentAnswered }
  | { readonly type: 'agent_failed'; readonly data: AgentFailed }
  | { readonly type: 'council_voted'; readonly data: CouncilVoted }
  | { readonly type: 'answer_verified'; readonly data: AnswerVerified }
  | { readonly type: 'confirmation_met'; readonly data: ConfirmationMet };

export type QueryAsked = {
  /** Past the privacy gate, as the verdict says. */
  readonly query_text: string;
  /** Keyed hashes of the text, and of its normalised form (SPEC I7, R2). */
  readonly query_hash: string;
  readonly normalized_hash: string;
  readonly context_tags: JsonObject;
  readonly verdict: Clear;
  readonly confirmation: Confirmation | null;
};

/** What an earlier answer left to be confirmed (SPEC A1, §10). */
export type Confirmation = {
  readonly log_id: string;
  /** Of the earlier query. */
  readonly job_seed: string;
  readonly agent_id: AgentId;
  readonly route_reason: RouteReason;
  readonly confirms:
    | { readonly what: 'proposal'; readonly key: string; readonly value: Json }
    | { readonly what: 'review'; readonly code: ReviewableCode };
};

/** Failures after which a person may be asked (002 §Failures 7–9). */
export type ReviewableCode = 'LOW_CONFIDENCE' | 'COUNCIL_DEADLOCK' | 'REPAIR_LIMIT_EXCEEDED';

type QueryRouted = {
  readonly query_hash: string;
  readonly user_id: string | null;
  readonly agent_id: AgentId;
  readonly route_reason: RouteReason;
  /** Seeded (SPEC I3). */
  readonly timestamp: string;
};

/** One call of an agent, from 0 within its query: what comes late for an earlier one is not taken. */
type Call = { readonly call: number; readonly agent_id: AgentId };

export type AgentAnswered = Call & {
  /** Redacted, as all that an agent said (SPEC P3). */
  readonly text: string;
  /** 0..1 */
  readonly confidence: number;
  readonly reasoning_trace: readonly string[];
  readonly tokens: number;
  readonly sem_keys: readonly string[];
  readonly proposal: { readonly key: string; readonly value: Json } | null;
  readonly missing_key: string | null;
  /** Their fields are this event's. */
  readonly redactions: readonly LogRedaction[];
  /** What the gate found in the proposal, which is then left out (SPEC S7). */
  readonly blocked_by: readonly string[];
};

type AgentFailureCode = 'AGENT_TIMEOUT' | 'AGENT_ERROR' | 'LLM_SERVICE_DOWN';

export type AgentFailed = Call & {
  readonly code: AgentFailureCode;
  /** Which providers were asked, in order, and how each failed; empty where none is configured (SPEC A1). */
  readonly attempts: readonly { readonly provider: string; readonly failure: string }[];
};

export type CouncilVoted = {
  /** From 0: how many repairs came before. */
  readonly round: number;
  /** Redacted. A member that failed is left out. */
  readonly votes: readonly CouncilVote[];
  readonly redactions: readonly LogRedaction[];
};

export type AnswerVerified = {
  readonly round: number;
  /** Null where nobody could make the pass (SPEC G5). */
  readonly vote: CouncilVote | null;
  readonly redactions: readonly LogRedaction[];
};

export type ConfirmationMet = {
  readonly outcome:
    | {
        readonly done: 'remembered';
        readonly superseded: boolean;
        readonly sem_event_number: number;
      }
    | { readonly done: 'review_requested' }
    | { readonly done: 'refused'; readonly code: string; readonly facts: JsonObject };
};

export type AnswerJudged = {
  readonly round: number;
  readonly outcome: 'approved' | 'repair' | 'verify' | 'deadlock' | 'repair_limit';
  /** 0..1 */
  readonly score: number;
  /** Of an approved answer, 0..1. */
  readonly confidence: number | null;
  readonly low_confidence: boolean;
  readonly decided_by: string | null;
  readonly suggested_changes: readonly string[];
};

/** A failure that is told beside an answer, or in its place. */
export type Notice = {
  readonly code: string;
  /** What fills its developer_message. */
  readonly facts: JsonObject;
  /** Seeded: of the event that it arose with. */
  readonly timestamp: string;
};

export type Conclusion = {
  /** Null for a query without an answer. */
  readonly answer: string | null;
  readonly agent_id: AgentId | null;
  readonly route_reason: RouteReason | null;
  readonly confidence: number | null;
  readonly degraded: readonly AgentId[];
  readonly notices: readonly Notice[];
  /** Why there is no answer. */
  readonly failure: Notice | null;
  /** What one more request may confirm. */
  readonly proposal: { readonly key: string; readonly value: Json } | null;
};

export const querySchemas: Readonly<Record<QueryEvent['type'], EventSchema>> = {
  query_asked: input,
  router_decision: outcome,
  router_miss: outcome,
  agent_answered: input,
  agent_failed: input,
  agent_degraded: outcome,
  sem_miss: outcome,
  pii_redacted: outcome,
  council_voted: input,
  answer_verified: input,
  answer_judged: outcome,
  confirmation_met: input,
  query_concluded: outcome,
};
