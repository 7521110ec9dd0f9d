import type { Json, JsonObject } from '#domain/json.js';
import type { AsksFor } from '#domain/personal-fact/asks-for.js';
import type { AgentId, RouteReason } from '#domain/router/rules.js';

/** A question for an agent (SPEC A1). Its text has passed the privacy gate. */
export interface Question {
  readonly query_text: string;
  /** The user who asks; null if the request names no user. */
  readonly user_id: string | null;
  readonly context_tags: JsonObject;
  readonly route_reason: RouteReason;
  /** The facts about the user for which the question asks; only facts answer it (SPEC A1). */
  readonly asks_for?: AsksFor;
  /** In a repair, the rejected answer and the changes that the council suggested (SPEC A3). */
  readonly repair?: { readonly rejected: string; readonly suggested_changes: readonly string[] };
}

/** The services that an agent may use while it answers a question. */
export interface AgentContext {
  /**
   * Reads a fact at the job's pinned snapshot; undefined if the fact does not exist or the caller may
   * not read it. The implementation must record every read as evidence (SPEC J10).
   */
  readonly fact: (key: string) => Promise<FactRead | undefined>;
  /** Reads the facts of the user's profile at the same snapshot, in the order of their keys. */
  readonly profile: () => Promise<readonly FactRead[]>;
  /** Aborts when the agent's time is up. The agent must then stop its calls to models. */
  readonly signal: AbortSignal;
}

export interface FactRead {
  readonly key: string;
  readonly value: Json;
}

/** An agent's answer, recorded unchanged so that a replay calls no agent (SPEC A2, I2). */
export type AgentAnswer = {
  readonly text: string;
  /** 0..1 */
  readonly confidence: number;
  readonly reasoning_trace: readonly string[];
  /** The tokens that the language model counted; 0 if the agent called no model. */
  readonly tokens: number;
  /** The keys of the facts on which the answer is based. */
  readonly sem_keys: readonly string[];
  /** A fact that the user may confirm with a second request (SPEC A1). */
  readonly proposal?: { readonly key: string; readonly value: Json };
  /** The key of the fact that a profile question asks for and that does not exist: SEM_NOT_FOUND (SPEC A1). */
  readonly missing_key?: string;
  /** The keys of missing facts in an answer that names other facts. */
  readonly also_missing?: readonly string[];
};

/**
 * An agent of 002 §Router 2. It answers or throws: `LanguageModelDown` if it needs a model and none answers;
 * any other error is a crash (SPEC A2).
 */
export interface Agent {
  readonly id: AgentId;
  /**
   * Set for an agent that answers within this process. Before the service calls an agent without this
   * flag, it records the events that led to the call.
   */
  readonly isLocal?: true;
  answer(question: Question, context: AgentContext): Promise<AgentAnswer>;
}
