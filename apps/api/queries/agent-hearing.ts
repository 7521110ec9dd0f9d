import { Inject, Injectable } from '@nestjs/common';
import type { AgentAnswer, Question } from '#agents/agent.js';
import { LanguageModelDown } from '#agents/language-model-down.js';
import type { JobCommand } from '#domain/job/commands.js';
import { startedJob, type JobState } from '#domain/job/state.js';
import type { JsonObject } from '#domain/json.js';
import type { AgentFailed, QueryInput } from '#domain/query/events.js';
import { repairAsked, type Step } from '#domain/query/next-step.js';
import type { QueryState } from '#domain/query/state.js';
import { SemQueries } from '#projections/sem/queries.js';
import { AGENTS } from '../platform/tokens.js';
import { hear, type Heard } from './hearing.js';
import type { Minds } from './minds.js';
import { OutputGate } from './output-gate.js';
import { PinnedFacts } from './pinned-facts.js';
import { QueryFailures } from './query-failures.js';

/** What was heard, to be recorded. */
export interface Hearing {
  readonly commands: readonly JobCommand[];
  /** What of it belongs to the run rather than to the query (SPEC X1). */
  readonly evidence: JsonObject;
  /** It cost something, or failed: recorded before anything else is done. */
  readonly atOnce: boolean;
  /** An agent's answer before the gate, which is never recorded: for the council to judge. */
  readonly raw?: AgentAnswer;
}

type AgentStep = Extract<Step, { step: 'agent' }>;

/** What is asked of agents and put before the council (SPEC A1, A3). */
export function questionOf(query: QueryState, job: JobState): Question {
  const repair = repairAsked(query);
  return {
    query_text: query.asked.query_text,
    user_id: startedJob(job).owner.user_id,
    context_tags: query.asked.context_tags,
    route_reason: query.route?.route_reason ?? 'fallback',
    ...(repair === undefined ? {} : { repair }),
  };
}

/** Asks one agent, once, for as long as the job's agent_timeout_ms (SPEC A2). */
@Injectable()
export class AgentHearing {
  constructor(
    @Inject(AGENTS) private readonly minds: Minds,
    private readonly facts: SemQueries,
    private readonly gate: OutputGate,
    private readonly failures: QueryFailures,
  ) {}

  /** Fails with what kept the facts from being read, which is no agent's fault. */
  async hear(
    job: JobState,
    query: QueryState,
    step: AgentStep,
    trace_id: string,
  ): Promise<Hearing> {
    const started = startedJob(job);
    const { call, agent_id } = step;
    const facts = new PinnedFacts(this.facts, started);
    const question = questionOf(query, job);
    const heard = await hear(started.constants.agent_timeout_ms, (signal) =>
      this.minds.agents[agent_id].answer(question, { fact: facts.read, signal }),
    );
    if (facts.failure !== undefined) throw facts.failure;
    const input = this.inputOf(heard, { call, agent_id });
    if (input.type === 'agent_failed')
      this.failures.agentFailed(input.data, job, { ...heard, trace_id });
    const atOnce = heard.outcome !== 'said' || heard.said.tokens > 0;
    const evidence = { agent_time_ms: heard.time_ms };
    return {
      commands: [...facts.evidence(), { op: 'query', input }],
      evidence,
      atOnce,
      ...(heard.outcome === 'said' ? { raw: heard.said } : {}),
    };
  }

  private inputOf(
    heard: Heard<AgentAnswer>,
    call: Pick<AgentFailed, 'call' | 'agent_id'>,
  ): QueryInput {
    const failed = (
      code: AgentFailed['code'],
      attempts: AgentFailed['attempts'] = [],
    ): QueryInput => ({ type: 'agent_failed', data: { ...call, code, attempts } });
    switch (heard.outcome) {
      case 'said':
        return { type: 'agent_answered', data: { ...call, ...this.gate.answer(heard.said) } };
      case 'timeout':
        return failed('AGENT_TIMEOUT');
      case 'failed': {
        const { cause } = heard;
        if (!(cause instanceof LanguageModelDown)) return failed('AGENT_ERROR');
        return failed('LLM_SERVICE_DOWN', cause.attempts);
      }
    }
  }
}
