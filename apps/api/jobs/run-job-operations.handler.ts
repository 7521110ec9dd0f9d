import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Actor } from '#domain/recorded-event.js';
import type { Executed } from '#event-store/aggregate-store.js';
import type { RequestIdentity } from '../platform/http/identity.decorator.js';
import type { JobStore } from '../platform/stores.js';
import { JOB_STORE } from '../platform/tokens.js';
import type { JobOperation } from './dto/job-operations.dto.js';
import { JobAccess, jobStream } from './job-access.js';
import { JobClosing } from './job-closing.js';
import { jobCommands } from './job-operations.js';

/** One or more operations on a running job: atomic and ordered (SPEC J9). */
export class RunJobOperations extends Command<Executed> {
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
  ) {}

  async execute({
    actor,
    seed,
    operations,
    identity,
    expectedVersion,
  }: RunJobOperations): Promise<Executed> {
    await this.access.toUse(actor, seed);
    const { commands, indexes } = jobCommands(operations);
    const executed = await this.jobs.execute(jobStream(seed), commands, identity, {
      indexes,
      ...(expectedVersion === undefined ? {} : { expectedVersion }),
    });
    const ends = operations.some(({ op }) => op === 'end');
    if (ends) await this.closing.close(seed, identity.trace_id);
    return executed;
  }
}
