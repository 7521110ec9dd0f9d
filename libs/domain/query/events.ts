import { type EventSchema, input, outcome } from '../decider.js';
import type { Json, JsonObject } from '../json.js';
import type { AsksFor } from '../personal-fact/asks-for.js';
import type { Clear } from '../privacy/finding.js';
import type { CouncilVote, LogRedaction } from '../reflective-log/fields.js';
import type { AgentId, RouteReason } from '../router/rules.js';

/** The events that a query adds to its job (SPEC A4). Names are the storage format and never change. */
export type QueryEvent =
  | QueryInput
  | { readonly type: 'router_decision'; readonly data: QueryRouted }
  /** No rule or only the fallback matched the text (SPEC R2). The hash is that of the normalised text. */
  | {
      readonly type: 'router_miss';
      readonly data: { readonly query_hash: string; readonly context_tags: JsonObject };
    }
  /** An agent failed and is not asked again in this query (SPEC A2). */
  | {
      readonly type: 'agent_degraded';
      readonly data: { readonly agent_id: AgentId; readonly code: AgentFailureCode };
    }
  /** The query asked for a fact that does not exist (SPEC A1). */
  | {
      readonly type: 'sem_miss';
      readonly data: { readonly key: string; readonly user_id: string | null };
    }
  /** Personal data was removed from the output of an agent or of a council member (SPEC P3). */
  | {
      readonly type: 'pii_redacted';
      readonly data: { readonly subject: string; readonly redactions: readonly LogRedaction[] };
    }
  | { readonly type: 'answer_judged'; readonly data: AnswerJudged }
  | { readonly type: 'query_concluded'; readonly data: Conclusion };

/** The inputs from outside. A replay calls no agent, and recomputes all other events (SPEC A2, I2). */
export type QueryInput =
  | { readonly type: 'query_asked'; readonly data: QueryAsked }
  | { readonly type: 'agent_answered'; readonly data: AgentAnswered }
  | { readonly type: 'agent_failed'; readonly data: AgentFailed }
  | { readonly type: 'council_voted'; readonly data: CouncilVoted }
  | { readonly type: 'answer_verified'; readonly data: AnswerVerified }
  | { readonly type: 'confirmation_met'; readonly data: ConfirmationMet };

export type QueryAsked = {
  /** The text of the query, in which the privacy gate found nothing, as `verdict` shows. */
  readonly query_text: string;
  /** Keyed hashes of the text and of its normalised form (SPEC I7, R2). */
  readonly query_hash: string;
  readonly normalized_hash: string;
  readonly context_tags: JsonObject;
  readonly verdict: Clear;
  readonly confirmation: Confirmation | null;
  /**
   * What the text asks for that no model may answer (SPEC A1, A5). It is an input, so a later change of
   * the rule changes no recorded query.
   */
  readonly asks_for?: AsksFor;
  /** Missing in version 1, whose queries had no `router_decision` if no rule matched. */
  readonly urgency?: 'normal';
};

/** The proposal or review of an earlier answer that this request confirms (SPEC A1, §10). */
export type Confirmation = {
  readonly log_id: string;
  readonly job_seed: string;
  readonly agent_id: AgentId;
  readonly route_reason: RouteReason;
  readonly confirms:
    | { readonly what: 'proposal'; readonly key: string; readonly value: Json }
    | { readonly what: 'review'; readonly code: ReviewableCode };
};

/** Failures after which the user may request a human review (002 §Failures 7–9). */
export type ReviewableCode = 'LOW_CONFIDENCE' | 'COUNCIL_DEADLOCK' | 'REPAIR_LIMIT_EXCEEDED';

type QueryRouted = {
  readonly query_hash: string;
  readonly user_id: string | null;
  /** Null, like the reason, if no rule matched. */
  readonly agent_id: AgentId | null;
  readonly route_reason: RouteReason | null;
  /** The seeded time (SPEC I3). */
  readonly timestamp: string;
};

/** A call of an agent, numbered from 0 within its query. A late reply to an earlier call is ignored. */
type Call = { readonly call: number; readonly agent_id: AgentId };

export type AgentAnswered = Call & {
  /** The text, redacted like every text of an agent (SPEC P3). */
  readonly text: string;
  /** 0..1 */
  readonly confidence: number;
  readonly reasoning_trace: readonly string[];
  readonly tokens: number;
  readonly sem_keys: readonly string[];
  readonly proposal: { readonly key: string; readonly value: Json } | null;
  readonly missing_key: string | null;
  /** The keys of missing facts in an answer that names other facts. */
  readonly also_missing?: readonly string[];
  /** The redactions in this event; `field` names the event's field. */
  readonly redactions: readonly LogRedaction[];
  /** The types of the findings in the proposal. A proposal with findings is left out (SPEC S7). */
  readonly blocked_by: readonly string[];
};

type AgentFailureCode = 'AGENT_TIMEOUT' | 'AGENT_ERROR' | 'LLM_SERVICE_DOWN';

export type AgentFailed = Call & {
  readonly code: AgentFailureCode;
  /**
   * The providers that were asked, in order, with the failure of each; empty if no provider is
   * configured (SPEC A1).
   */
  readonly attempts: readonly { readonly provider: string; readonly failure: string }[];
};

export type CouncilVoted = {
  /** The number of repairs before this round, starting with 0. */
  readonly round: number;
  /** The redacted votes. Members that failed are left out. */
  readonly votes: readonly CouncilVote[];
  readonly redactions: readonly LogRedaction[];
};

export type AnswerVerified = {
  readonly round: number;
  /** The verification vote; null if the verification failed (SPEC G5). */
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
  /** The confidence of an approved answer, 0 to 1; otherwise null. */
  readonly confidence: number | null;
  readonly low_confidence: boolean;
  readonly decided_by: string | null;
  readonly suggested_changes: readonly string[];
};

/** A failure that accompanies or replaces an answer. */
export type Notice = {
  readonly code: string;
  /** The values for the notice's developer_message. */
  readonly facts: JsonObject;
  /** The seeded time of the event that caused the notice. */
  readonly timestamp: string;
};

export type Conclusion = {
  readonly answer: string | null;
  readonly agent_id: AgentId | null;
  readonly route_reason: RouteReason | null;
  readonly confidence: number | null;
  readonly degraded: readonly AgentId[];
  readonly notices: readonly Notice[];
  /** The failure in place of an answer; null if the query has an answer. */
  readonly failure: Notice | null;
  /** The proposal that a later request may confirm; null without one. */
  readonly proposal: { readonly key: string; readonly value: Json } | null;
};

export const querySchemas: Readonly<Record<QueryEvent['type'], EventSchema>> = {
  query_asked: { version: 2, kind: 'input', upcast: { 1: (data) => data } },
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
