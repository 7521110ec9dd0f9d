import type { Json, JsonObject } from '#domain/json.js';
import type { AgentId, RouteReason } from '#domain/router/rules.js';

/** What an agent is asked (SPEC A1). The text has passed the privacy gate. */
export interface Question {
  readonly query_text: string;
  /** Whose question it is; null where nobody is named. */
  readonly user_id: string | null;
  readonly context_tags: JsonObject;
  readonly route_reason: RouteReason;
  /** Set in a repair loop: the rejected answer and what the council would change (SPEC A3). */
  readonly repair?: { readonly rejected: string; readonly suggested_changes: readonly string[] };
}

/** What an agent may look at while it answers. */
export interface AgentContext {
  /**
   * Reads a fact at the job's pinned snapshot; undefined where there is none or the caller may not read it.
   * Every read is recorded as evidence by whoever provides this (SPEC J10).
   */
  readonly fact: (key: string) => Promise<FactRead | undefined>;
  /** Aborted when the agent's time is up; an agent stops its outside calls then. */
  readonly signal: AbortSignal;
}

export interface FactRead {
  readonly key: string;
  readonly value: Json;
}

/** What an agent said: recorded as it is, so that a replay never calls out (SPEC A2, I2). */
export type AgentAnswer = {
  readonly text: string;
  /** 0..1 */
  readonly confidence: number;
  readonly reasoning_trace: readonly string[];
  /** What a language model counted; 0 where none was asked. */
  readonly tokens: number;
  /** The facts it rests on, by key. */
  readonly sem_keys: readonly string[];
  /** A fact the user may confirm with one more request (SPEC A1). */
  readonly proposal?: { readonly key: string; readonly value: Json };
  /** The key of a profile question that has no fact: SEM_NOT_FOUND (SPEC A1). */
  readonly missing_key?: string;
};

/**
 * One agent of 002 §Router 2. It answers, or throws: `LanguageModelDown` where it needed a model and none
 * answered; anything else is a crash (SPEC A2).
 */
export interface Agent {
  readonly id: AgentId;
  /** It answers from what this process has. The others may ask outside: what led to that is recorded first. */
  readonly isLocal?: true;
  answer(question: Question, context: AgentContext): Promise<AgentAnswer>;
}
