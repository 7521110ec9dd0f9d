import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { AnswerTo } from '#domain/decider.js';
import { reflectiveLogId } from '#domain/determinism/ids.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { JobCommand } from '#domain/job/commands.js';
import { type JobState, jobStream } from '#domain/job/state.js';
import type { Actor } from '#domain/recorded-event.js';
import type { LogContent } from '#domain/reflective-log/content.js';
import { laterOf } from '#read-model/later-of.js';
import type { Executed } from '#event-store/aggregate-store.js';
import type { RequestIdentity } from '../platform/http/identity.decorator.js';
import type { JobStore } from '../platform/stores.js';
import { JOB_STORE } from '../platform/tokens.js';
import { LogIntake } from '../reflective-logs/log-intake.js';
import type { JobOperation } from './dto/job-operations.dto.js';
import { JobAccess } from '../ownership/job-access.js';
import { JobClosing } from './job-closing.js';
import { JobGate } from './job-gate.js';
import { ConsentedEpisodes } from './consented-episodes.js';

/** Runs one or more operations on a job in order, as one transaction (SPEC J9). */
export class RunJobOperations extends Command<Executed<JobState, AnswerTo<JobCommand>>> {
  constructor(
    readonly actor: Actor,
    readonly seed: string,
    readonly operations: readonly JobOperation[],
    readonly identity: RequestIdentity,
    readonly expectedVersion?: number,
  ) {
    super();
  }
}

@CommandHandler(RunJobOperations)
export class RunJobOperationsHandler implements ICommandHandler<RunJobOperations> {
  constructor(
    @Inject(JOB_STORE) private readonly jobs: JobStore,
    private readonly access: JobAccess,
    private readonly closing: JobClosing,
    private readonly intake: LogIntake,
    private readonly gate: JobGate,
    private readonly episodes: ConsentedEpisodes,
  ) {}

  async execute({
    actor,
    seed,
    operations,
    identity,
    expectedVersion,
  }: RunJobOperations): Promise<Executed<JobState, AnswerTo<JobCommand>>> {
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
