import { Inject, Injectable } from '@nestjs/common';
import type { AgentAnswer } from '#agents/agent.js';
import { LanguageModelDown } from '#agents/language-model-down.js';
import { startedJob } from '#domain/job/state.js';
import type { AgentFailed, QueryInput } from '#domain/query/events.js';
import type { Step } from '#domain/query/next-step.js';
import type { AgentId } from '#domain/router/rules.js';
import { AGENTS } from '../platform/tokens.js';
import { callWithTimeout, type CallOutcome } from './call-with-timeout.js';
import type { Participants } from './participants.js';
import { OutputGate } from './output-gate.js';
import { QueryFailures } from './query-failures.js';
import { questionOf, type StepContext, type StepResult } from './step-context.js';

/** Calls one agent once, with the job's agent_timeout_ms as the timeout (SPEC A2). */
@Injectable()
export class AgentCall {
  constructor(
    @Inject(AGENTS) private readonly participants: Participants,
    private readonly gate: OutputGate,
    private readonly failures: QueryFailures,
  ) {}

  /** True if the agent calls no other process. */
  isLocal(id: AgentId): boolean {
    return this.participants.agents[id].isLocal === true;
  }

  /**
   * Returns the agent's answer or failure. Rejects if the facts cannot be read, because that is not the
   * agent's failure.
   */
  async run(context: StepContext, step: Extract<Step, { step: 'agent' }>): Promise<StepResult> {
    const { job, facts, ids } = context;
    const { call, agent_id } = step;
    const outcome = await callWithTimeout(startedJob(job).constants.agent_timeout_ms, (signal) =>
      this.participants.agents[agent_id].answer(questionOf(context), {
        fact: facts.read,
        profile: facts.readProfile,
        signal,
      }),
    );
    if (facts.failure !== undefined) throw facts.failure;
    const input = await this.inputOf(outcome, { call, agent_id });
    if (input.type === 'agent_failed')
      this.failures.reportAgentFailure(input.data, job, { ...outcome, ...ids });
    return {
      commands: [...facts.evidence(), { op: 'query', input }],
      time_ms: outcome.time_ms,
      mustRecordNow: outcome.kind !== 'answered' || outcome.answer.tokens > 0,
      ...(outcome.kind === 'answered' ? { raw: outcome.answer } : {}),
    };
  }

  private async inputOf(
    outcome: CallOutcome<AgentAnswer>,
    call: Pick<AgentFailed, 'call' | 'agent_id'>,
  ): Promise<QueryInput> {
    const failed = (
      code: AgentFailed['code'],
      attempts: AgentFailed['attempts'] = [],
    ): QueryInput => ({ type: 'agent_failed', data: { ...call, code, attempts } });
    switch (outcome.kind) {
      case 'answered':
        return {
          type: 'agent_answered',
          data: { ...call, ...(await this.gate.answer(outcome.answer)) },
        };
      case 'timeout':
        return failed('AGENT_TIMEOUT');
      case 'failed': {
        const { cause } = outcome;
        if (!(cause instanceof LanguageModelDown)) return failed('AGENT_ERROR');
        return failed('LLM_SERVICE_DOWN', cause.attempts);
      }
    }
  }
}
