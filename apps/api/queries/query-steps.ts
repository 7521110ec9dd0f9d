import { Injectable } from '@nestjs/common';
import type { AgentAnswer, FactRead } from '#agents/agent.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { JobCommand } from '#domain/job/commands.js';
import { jobDecider } from '#domain/job/decider.js';
import type { JobEvent } from '#domain/job/events.js';
import { type JobState, startedJob } from '#domain/job/state.js';
import type { JsonObject } from '#domain/json.js';
import { nextStep, type Step } from '#domain/query/next-step.js';
import type { QueryState } from '#domain/query/state.js';
import { seedOfJobStream } from '#domain/stream-names.js';
import type { Decision } from '#event-store/aggregate-store.js';
import { SemQueries } from '#projections/sem/queries.js';
import type { RequestIds } from '../platform/http/request-context.js';
import { AgentCall } from './agent-call.js';
import { ConfirmationStep } from './confirmation-step.js';
import { CouncilCall } from './council-call.js';
import { PinnedFacts } from './pinned-facts.js';
import type { StepContext, StepResult } from './step-context.js';

/** Data of a running query that no event holds. */
export interface Unrecorded {
  /** The facts that the query has read; each read is recorded once. */
  readonly reads: ReadonlyMap<string, Promise<FactRead | undefined>>;
  /** The last answer of an agent, before the gate. */
  readonly raw: AgentAnswer | undefined;
}

export const NOTHING_UNRECORDED: Unrecorded = { reads: new Map(), raw: undefined };

/** Commands for the job of a query, with metadata for their events. */
export interface Recording {
  readonly commands: readonly JobCommand[];
  readonly evidence: JsonObject;
  /**
   * True if the result must be recorded before the next step, because it was expensive, was a failure,
   * or had an effect.
   */
  readonly mustRecordNow: boolean;
  readonly unrecorded: Unrecorded;
}

type OpenStep = Exclude<Step, { step: 'end' }>;

/** Takes the steps of a query: calls agents and the council, and carries out confirmations (SPEC A4). */
@Injectable()
export class QuerySteps {
  constructor(
    private readonly facts: SemQueries,
    private readonly agents: AgentCall,
    private readonly council: CouncilCall,
    private readonly confirmations: ConfirmationStep,
  ) {}

  /** True if the next step calls no other process. */
  isLocal(job: JobState): boolean {
    const query = queryOf(job);
    const step = nextStep(query);
    switch (step.step) {
      case 'agent':
        return this.agents.isLocal(step.agent_id);
      case 'council':
        return this.council.isLocal(query);
      case 'end':
        return true;
      case 'verification':
      case 'confirmation':
        return false;
    }
  }

  /** Takes the next step of a running query, and returns the commands that record its result. */
  async take(job: JobState, before: Unrecorded, ids: RequestIds): Promise<Recording> {
    const query = queryOf(job);
    const step = nextStep(query);
    if (step.step === 'end')
      return { commands: [{ op: 'end' }], evidence: {}, mustRecordNow: true, unrecorded: before };
    const facts = new PinnedFacts(this.facts, startedJob(job), before.reads);
    const result = await this.run(step, { job, query, facts, ids, raw: before.raw });
    return {
      commands: result.commands,
      evidence: { [`${step.step}_time_ms`]: result.time_ms },
      mustRecordNow: result.mustRecordNow,
      unrecorded: { reads: facts.reads, raw: step.step === 'agent' ? result.raw : before.raw },
    };
  }

  /**
   * Decides the commands of `recording`. Then it takes further steps and decides their commands, until a
   * result must be recorded at once or a step needs another process. If neither happens, the whole query
   * is one append.
   */
  async decide(
    job: JobState,
    recording: Recording,
    ids: RequestIds,
  ): Promise<Decision<JobEvent, Unrecorded>> {
    const events: JobEvent[] = [];
    const indexes: number[] = [];
    let commandCount = 0;
    let state = job;
    let next = recording;
    let evidence: JsonObject = {};
    for (;;) {
      for (const command of next.commands) {
        for (const event of jobDecider.decide(command, state)) {
          state = jobDecider.evolve(state, event);
          events.push(event);
          indexes.push(commandCount);
        }
        commandCount += 1;
      }
      evidence = { ...evidence, ...next.evidence };
      if (next.mustRecordNow || state.status !== 'running' || !this.isLocal(state)) break;
      next = await this.take(state, next.unrecorded, ids);
    }
    return { events, indexes, evidence, answer: next.unrecorded };
  }

  private run(step: OpenStep, context: StepContext): Promise<StepResult> {
    switch (step.step) {
      case 'agent':
        return this.agents.run(context, step);
      case 'council':
      case 'verification':
        return this.council.run(context, step);
      case 'confirmation':
        return this.confirmations.run(context, step.confirmation);
    }
  }
}

function queryOf({ query, stream }: JobState): QueryState {
  if (query !== undefined) return query;
  throw new Refusal('NOT_FOUND', { what: 'query', id: seedOfJobStream(stream) });
}
