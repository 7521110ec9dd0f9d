import { Inject, Injectable } from '@nestjs/common';
import type { AnswerTo } from '#domain/decider.js';
import { reflectiveLogId } from '#domain/determinism/ids.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { JobCommand } from '#domain/job/commands.js';
import { type JobState } from '#domain/job/state.js';
import type { LogContent } from '#domain/reflective-log/content.js';
import { jobStream } from '#domain/stream-names.js';
import { laterOf } from '#read-model/later-of.js';
import { type Executed, onlyAnswer } from '#event-store/aggregate-store.js';
import { Answer } from '../platform/http/answer.js';
import type { RequestIdentity } from '../platform/http/identity.js';
import type { JobStore } from '../platform/stores.js';
import { JOB_STORE } from '../platform/tokens.js';
import { LogIntake } from '../reflective-logs/log-intake.js';
import type { JobOperation, JobRequest } from './job-commands.js';
import { JobAccess } from '../ownership/job-access.js';
import { JobClosing } from './job-closing.js';
import { JobGate } from './job-gate.js';
import { ConsentedEpisodes } from './consented-episodes.js';

/** Runs one or more commands of a job in order, as one transaction (SPEC J9). */
@Injectable()
export class JobRequestHandler {
  constructor(
    @Inject(JOB_STORE) private readonly jobs: JobStore,
    private readonly access: JobAccess,
    private readonly closing: JobClosing,
    private readonly intake: LogIntake,
    private readonly gate: JobGate,
    private readonly episodes: ConsentedEpisodes,
  ) {}

  async execute(request: JobRequest): Promise<Answer<object>> {
    if ('commands' in request) {
      const { results, version, position } = await this.run(request, request.commands);
      return Answer.written({ results, version }, position);
    }
    const executed = await this.run(request, [request]);
    const { version, position } = executed;
    return Answer.written({ ...onlyAnswer(executed), version }, position);
  }

  private async run(
    request: JobRequest,
    operations: readonly JobOperation[],
  ): Promise<Executed<JobState, AnswerTo<JobCommand>>> {
    const { actor, seed, identity } = request;
    const expectedVersion = 'expected_version' in request ? request.expected_version : undefined;
    const owner = await this.access.requireUse(actor, seed);
    const account = await this.accountIn(operations, seed, identity);
    const { commands, indexes } = await this.gate.commands(operations, { seed, owner, account });
    const stream = jobStream(seed);
    const executed = await this.jobs.execute(stream, commands, identity, {
      indexes,
      ...(expectedVersion === undefined ? {} : { expectedVersion }),
    });
    const upTo = await this.episodes.withholdRevoked(stream, commands, executed, identity);
    const ends = operations.some(({ op }) => op === 'end');
    if (!ends) return { ...executed, position: upTo };
    const position = await this.closing.finish(executed.after, identity.trace_id);
    return { ...executed, position: laterOf(position, upTo) ?? upTo };
  }

  /**
   * Returns the runtime's own log of the job, checked and without personal data; undefined if the
   * runtime sent no log (SPEC L7, P3).
   */
  private async accountIn(
    operations: readonly JobOperation[],
    seed: string,
    identity: RequestIdentity,
  ): Promise<LogContent | undefined> {
    const place = operations.findIndex(({ op }) => op === 'end');
    const operation = operations[place];
    const log = operation?.op === 'end' ? operation.reflective_log : undefined;
    if (log === undefined || log === null) return undefined;
    try {
      return await this.intake.handed(log, reflectiveLogId(seed), identity);
    } catch (cause) {
      throw Refusal.ofCommand(cause, operations.length > 1 ? place : undefined);
    }
  }
}
