import type { JobCommand } from '#domain/job/commands.js';
import type { Json, JsonObject } from '#domain/json.js';
import { asksFor, type AsksFor } from '#domain/personal-fact/asks-for.js';
import type {
  AgentAnswered,
  AgentFailed,
  Confirmation,
  ConfirmationMet,
  QueryInput,
} from '#domain/query/events.js';
import type { CouncilVote } from '#domain/reflective-log/fields.js';
import type { AgentId } from '#domain/router/rules.js';
import { start } from './job-cases.js';

const query = (input: QueryInput): JobCommand => ({ op: 'query', input });

/** Starts a query's job, for the given user, or for no user if it is null. */
export const asked = (
  query_text: string,
  {
    user_id = 'tuff',
    constants = {},
    confirmation = null,
    asks_for = asksFor(query_text),
  }: {
    user_id?: string | null;
    constants?: JsonObject;
    confirmation?: Confirmation | null;
    asks_for?: AsksFor | null;
  } = {},
): JobCommand[] => [
  start(constants, { owner: { sub: 'u-1', user_id } }),
  query({
    type: 'query_asked',
    data: {
      ...(asks_for === null ? {} : { asks_for }),
      query_text,
      query_hash: 'hash of the text',
      normalized_hash: 'hash of its normal form',
      context_tags: {},
      verdict: { outcome: 'clear', rule_set_version: 'privacy-1' },
      confirmation,
    },
  }),
];

export const answered = (
  agent_id: AgentId,
  call: number,
  text: string,
  more: Partial<AgentAnswered> = {},
): JobCommand =>
  query({
    type: 'agent_answered',
    data: {
      agent_id,
      call,
      text,
      confidence: 1,
      reasoning_trace: [],
      tokens: 0,
      sem_keys: [],
      proposal: null,
      missing_key: null,
      redactions: [],
      blocked_by: [],
      ...more,
    },
  });

export const failed = (
  agent_id: AgentId,
  call: number,
  code: AgentFailed['code'],
  attempts: AgentFailed['attempts'] = [],
): JobCommand => query({ type: 'agent_failed', data: { agent_id, call, code, attempts } });

export const vote = (
  council_agent_id: string,
  approve: boolean,
  score: number,
  suggested_changes = '',
): CouncilVote => ({
  council_agent_id,
  scores: { factuality: score, coherence: score, safety: score },
  approve,
  suggested_changes,
  note: '',
});

export const voted = (round: number, ...votes: readonly CouncilVote[]): JobCommand =>
  query({ type: 'council_voted', data: { round, votes, redactions: [] } });

export const verified = (round: number, by: CouncilVote | null): JobCommand =>
  query({ type: 'answer_verified', data: { round, vote: by, redactions: [] } });

export const met = (outcome: ConfirmationMet['outcome']): JobCommand =>
  query({ type: 'confirmation_met', data: { outcome } });

/** Makes a confirmation of a proposed fact. */
export const proposalOf = (key: string, value: Json): Confirmation => ({
  log_id: 'log-1',
  job_seed: 'earlier',
  agent_id: 'operational_agent',
  route_reason: 'command',
  confirms: { what: 'proposal', key, value },
});
