import { Inject, Injectable } from '@nestjs/common';
import type { AgentAnswer } from '#agents/agent.js';
import { LanguageModelDown } from '#agents/language-model-down.js';
import { startedJob } from '#domain/job/state.js';
import type { AgentFailed, QueryInput } from '#domain/query/events.js';
import type { Step } from '#domain/query/next-step.js';
import type { AgentId } from '#domain/router/rules.js';
import { AGENTS } from '../platform/tokens.js';
import { hear, type Heard } from './hearing.js';
import type { Minds } from './minds.js';
import { OutputGate } from './output-gate.js';
import { QueryFailures } from './query-failures.js';
import { questionOf, type Hearer, type Hearing } from './query-hearing.js';

/** Calls one agent once, with the job's agent_timeout_ms as the timeout (SPEC A2). */
@Injectable()
export class AgentHearing {
  constructor(
    @Inject(AGENTS) private readonly minds: Minds,
    private readonly gate: OutputGate,
    private readonly failures: QueryFailures,
  ) {}

  /** Whether the agent answers without calls to other processes. */
  isLocal(id: AgentId): boolean {
    return this.minds.agents[id].isLocal === true;
  }

  /** Rejects if the facts cannot be read, which is not the agent's failure. */
  async hear(hearer: Hearer, step: Extract<Step, { step: 'agent' }>): Promise<Hearing> {
    const { job, facts, trace_id } = hearer;
    const { call, agent_id } = step;
    const heard = await hear(startedJob(job).constants.agent_timeout_ms, (signal) =>
      this.minds.agents[agent_id].answer(questionOf(hearer), { fact: facts.read, signal }),
    );
    if (facts.failure !== undefined) throw facts.failure;
    const input = this.inputOf(heard, { call, agent_id });
    if (input.type === 'agent_failed')
      this.failures.agentFailed(input.data, job, { ...heard, trace_id });
    return {
      commands: [...facts.evidence(), { op: 'query', input }],
      time_ms: heard.time_ms,
      atOnce: heard.outcome !== 'said' || heard.said.tokens > 0,
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
