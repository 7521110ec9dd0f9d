import { judge, type Judgement } from '../council/judge.js';
import golden from '../errors/golden_answers.json' with { type: 'json' };
import type { JobConstants } from '../job/events.js';
import type { JsonObject } from '../json.js';
import { findRoute } from '../router/route.js';
import { spokenValue, spokenAttribute } from './confirmed.js';
import { isAboutEarlierTurns } from './earlier-turns.js';
import type {
  AgentAnswered,
  AgentFailed,
  AnswerVerified,
  Conclusion,
  ConfirmationMet,
  CouncilVoted,
  Notice,
  QueryAsked,
  QueryEvent,
  QueryInput,
} from './events.js';
import { FALLBACK_AGENT, nextStep } from './next-step.js';
import { degraded, evolveQuery, repairs, type QueryState } from './state.js';

/** The data of a job that the decisions on its query need. */
interface QueryContext {
  readonly constants: JobConstants;
  readonly user_id: string | null;
  /** The number of the job's last event. */
  readonly version: number;
  /** Returns the seeded timestamp of the event with this number. */
  readonly timestamp: (eventNumber: number) => string;
}

/** Collects the events of an input. Each event is decided on the state after the previous one. */
class Outcomes {
  readonly events: QueryEvent[] = [];

  constructor(
    private state: QueryState | undefined,
    readonly context: QueryContext,
  ) {}

  get query(): QueryState {
    if (this.state === undefined) throw new TypeError('no query was asked');
    return this.state;
  }

  /** The seeded time of the next event. */
  get now(): string {
    return this.context.timestamp(this.context.version + this.events.length + 1);
  }

  add(event: QueryEvent): void {
    const number = this.context.version + this.events.length + 1;
    this.state = evolveQuery(this.state, event, number);
    this.events.push(event);
  }
}

/**
 * Returns the events of an input to a query (SPEC R2, A2–A5, G5). An input for which the query does not
 * wait, such as an agent's answer after its timeout, changes nothing.
 */
export function decideQuery(
  input: QueryInput,
  query: QueryState | undefined,
  context: QueryContext,
): readonly QueryEvent[] {
  if (!isAwaited(input, query)) return [];
  const outcomes = new Outcomes(query, context);
  outcomes.add({ type: input.type, data: input.data } as QueryInput);
  addOutcomesOf(outcomes, input);
  return outcomes.events;
}

function isAwaited(input: QueryInput, query: QueryState | undefined): boolean {
  if (query === undefined || input.type === 'query_asked')
    return query === undefined && input.type === 'query_asked';
  const step = nextStep(query);
  switch (input.type) {
    case 'agent_answered':
    case 'agent_failed':
      return (
        step.step === 'agent' &&
        step.call === input.data.call &&
        step.agent_id === input.data.agent_id
      );
    case 'council_voted':
      return step.step === 'council' && step.round === input.data.round;
    case 'answer_verified':
      return step.step === 'verification' && step.round === input.data.round;
    case 'confirmation_met':
      return step.step === 'confirmation';
  }
}

function addOutcomesOf(outcomes: Outcomes, input: QueryInput): void {
  switch (input.type) {
    case 'query_asked':
      return onQueryAsked(outcomes, input.data);
    case 'agent_answered':
      return onAgentAnswered(outcomes, input.data);
    case 'agent_failed':
      return onAgentFailed(outcomes, input.data);
    case 'council_voted':
      return onCouncilVoted(outcomes, input.data);
    case 'answer_verified':
      return onAnswerVerified(outcomes, input.data);
    case 'confirmation_met':
      return onConfirmationMet(outcomes, input.data);
  }
}

function onQueryAsked(outcomes: Outcomes, data: QueryAsked): void {
  if (data.confirmation !== null) return;
  const { query_text, query_hash, normalized_hash, context_tags, verdict, urgency } = data;
  const { user_id, constants } = outcomes.context;
  const { agent_id, route_reason } =
    findRoute({
      query_text,
      ...(user_id === null ? {} : { user_id }),
      context_tags,
      toggles: constants.router_toggles,
      verdict,
    }) ?? NO_ROUTE;
  if (agent_id !== null || urgency !== undefined)
    outcomes.add({
      type: 'router_decision',
      data: { query_hash, user_id, agent_id, route_reason, timestamp: outcomes.now },
    });
  if (agent_id === null || route_reason === 'fallback')
    outcomes.add({ type: 'router_miss', data: { query_hash: normalized_hash, context_tags } });
  if (agent_id === null)
    return conclude(outcomes, { failure: noticeNow(outcomes, 'ROUTER_NO_MATCH', {}) });
  if (data.asks_for === 'earlier_turns' || isAboutEarlierTurns(query_text))
    conclude(outcomes, { answer: golden.EARLIER_TURNS, confidence: 1 });
}

const NO_ROUTE = { agent_id: null, route_reason: null };

function onAgentAnswered(outcomes: Outcomes, data: AgentAnswered): void {
  addRedactions(outcomes, data.agent_id, data.redactions);
  const { missing_key: key, also_missing = [], blocked_by } = data;
  if (blocked_by.length > 0) {
    const finding_types = blocked_by.join(', ');
    const failure = noticeNow(outcomes, 'PRIVACY_BLOCKED', { finding_types });
    return conclude(outcomes, { failure });
  }
  for (const one of also_missing) addSemMiss(outcomes, one);
  if (key === null) return;
  addSemMiss(outcomes, key);
  conclude(outcomes, { failure: noticeNow(outcomes, 'SEM_NOT_FOUND', { key }) });
}

const addSemMiss = (outcomes: Outcomes, key: string): void =>
  outcomes.add({ type: 'sem_miss', data: { key, user_id: outcomes.context.user_id } });

/**
 * Decides on the failure of an agent. After LLM_SERVICE_DOWN no fallback follows, because the fallback would ask the
 * same models; nor in a query for facts about the user, which no model may answer (SPEC A1).
 */
function onAgentFailed(outcomes: Outcomes, { agent_id, code }: AgentFailed): void {
  outcomes.add({ type: 'agent_degraded', data: { agent_id, code } });
  const mayAskModel = outcomes.query.asked.asks_for === undefined;
  if (mayAskModel && agent_id !== FALLBACK_AGENT && code !== 'LLM_SERVICE_DOWN') return;
  const [failure = null] = failureNotices(outcomes);
  conclude(outcomes, { failure });
}

function onCouncilVoted(outcomes: Outcomes, { votes, redactions }: CouncilVoted): void {
  addRedactions(outcomes, 'council', redactions);
  decideOn(outcomes, judge({ votes, ...deliberationSoFar(outcomes) }, outcomes.context.constants));
}

function onAnswerVerified(outcomes: Outcomes, { vote, redactions }: AnswerVerified): void {
  addRedactions(outcomes, 'verification', redactions);
  const votes = outcomes.query.votes.at(-1)?.votes ?? [];
  const deliberation = { votes, ...deliberationSoFar(outcomes), verification: vote };
  decideOn(outcomes, judge(deliberation, outcomes.context.constants));
}

const deliberationSoFar = ({ query }: Outcomes) => ({
  answer_confidence: query.answers.at(-1)?.confidence ?? 0,
  repair_loops: repairs(query),
});

function decideOn(outcomes: Outcomes, judgement: Judgement): void {
  const { constants } = outcomes.context;
  const round = repairs(outcomes.query);
  const { outcome, score } = judgement;
  const isApproved = outcome === 'approved';
  outcomes.add({
    type: 'answer_judged',
    data: {
      round,
      outcome,
      score,
      confidence: isApproved ? judgement.confidence : null,
      low_confidence: isApproved && judgement.low_confidence,
      decided_by: isApproved ? judgement.decided_by : null,
      suggested_changes: 'suggested_changes' in judgement ? judgement.suggested_changes : [],
    },
  });
  switch (outcome) {
    case 'approved':
      return approve(outcomes, judgement);
    case 'deadlock': {
      const facts = { score, threshold: constants.council_threshold };
      return conclude(outcomes, { failure: noticeNow(outcomes, 'COUNCIL_DEADLOCK', facts) });
    }
    case 'repair_limit': {
      const { max_repair_loops } = constants;
      const failure = noticeNow(outcomes, 'REPAIR_LIMIT_EXCEEDED', { max_repair_loops });
      return conclude(outcomes, { failure });
    }
    case 'repair':
    case 'verify':
      return;
  }
}

function approve(
  outcomes: Outcomes,
  { confidence, low_confidence }: Extract<Judgement, { outcome: 'approved' }>,
): void {
  const answer = outcomes.query.answers.at(-1);
  const { min_confidence } = outcomes.context.constants;
  conclude(outcomes, {
    answer: answer?.text ?? null,
    confidence,
    proposal: answer?.proposal ?? null,
    notices: low_confidence
      ? [noticeNow(outcomes, 'LOW_CONFIDENCE', { confidence, min_confidence })]
      : [],
  });
}

function onConfirmationMet(outcomes: Outcomes, { outcome }: ConfirmationMet): void {
  const { confirmation } = outcomes.query.asked;
  if (outcome.done === 'refused')
    return conclude(outcomes, { failure: noticeNow(outcomes, outcome.code, outcome.facts) });
  if (outcome.done === 'review_requested' || confirmation?.confirms.what !== 'proposal')
    return conclude(outcomes, { answer: golden.REVIEW_REQUESTED, confidence: 1 });
  const { key, value } = confirmation.confirms;
  const sentence = outcome.superseded ? golden.SUPERSEDED : golden.REMEMBERED;
  const answer = sentence
    .replace('{attribute}', () => spokenAttribute(key))
    .replace('{value}', () => spokenValue(value));
  conclude(outcomes, { answer, confidence: 1 });
}

function addRedactions(
  outcomes: Outcomes,
  subject: string,
  redactions: AgentAnswered['redactions'],
): void {
  if (redactions.length > 0) outcomes.add({ type: 'pii_redacted', data: { subject, redactions } });
}

const noticeNow = ({ now }: Outcomes, code: string, facts: JsonObject): Notice => ({
  code,
  facts,
  timestamp: now,
});

/** Returns the notices about failed agents, in order of their events. */
const failureNotices = ({ query, context }: Outcomes): Notice[] =>
  query.failures.map((failure) => ({
    code: failure.code,
    facts: factsOf(failure, context.constants),
    timestamp: context.timestamp(failure.event_number),
  }));

function factsOf(
  { agent_id, code, attempts }: AgentFailed,
  { agent_timeout_ms }: JobConstants,
): JsonObject {
  switch (code) {
    case 'AGENT_TIMEOUT':
      return { agent_id, timeout_ms: agent_timeout_ms };
    case 'AGENT_ERROR':
      return { agent_id };
    case 'LLM_SERVICE_DOWN': {
      const tried = attempts.map(({ provider, failure }) => `${provider}: ${failure}`);
      return { reason: tried.length === 0 ? 'no provider is configured' : tried.join(', ') };
    }
  }
}

/** Concludes the query, either with an answer and the failures as notices, or with one failure. */
function conclude(
  outcomes: Outcomes,
  result: Partial<Pick<Conclusion, 'answer' | 'confidence' | 'notices' | 'failure' | 'proposal'>>,
): void {
  const { query } = outcomes;
  const by = query.answers.at(-1)?.agent_id;
  const confirmed = query.asked.confirmation;
  outcomes.add({
    type: 'query_concluded',
    data: {
      answer: result.answer ?? null,
      agent_id: by ?? confirmed?.agent_id ?? query.route?.agent_id ?? null,
      route_reason: confirmed?.route_reason ?? query.route?.route_reason ?? null,
      confidence: result.confidence ?? null,
      degraded: degraded(query),
      notices: result.failure ? [] : [...failureNotices(outcomes), ...(result.notices ?? [])],
      failure: result.failure ?? null,
      proposal: result.proposal ?? null,
    },
  });
}
