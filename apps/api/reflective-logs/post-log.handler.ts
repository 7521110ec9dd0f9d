import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { permit } from '#domain/errors/permit.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { JobOwner } from '#domain/job/events.js';
import type { Json } from '#domain/json.js';
import { mayUseJob, personOf } from '#domain/ownership/access.js';
import type { Actor } from '#domain/recorded-event.js';
import { type Keyring, signLog } from '#domain/reflective-log/signature.js';
import { reflectiveStream } from '#domain/stream-names.js';
import type { Executed } from '#event-store/aggregate-store.js';
import { RequestClaims } from '../platform/request-claims.js';
import { JobAccess } from '../ownership/job-access.js';
import type { RequestIdentity } from '../platform/http/identity.decorator.js';
import type { ReflectiveLogStore } from '../platform/stores.js';
import { KEYRING, REFLECTIVE_LOG_STORE } from '../platform/tokens.js';
import { LogIntake } from './log-intake.js';

export class PostLog extends Command<Executed> {
  constructor(
    readonly actor: Actor,
    readonly log: Json,
    readonly identity: RequestIdentity,
  ) {
    super();
  }
}

/**
 * Accepts a log that an agent posts: checks it, removes personal data, signs it and writes it once (SPEC
 * L1, L2, L5).
 */
@CommandHandler(PostLog)
export class PostLogHandler implements ICommandHandler<PostLog> {
  constructor(
    @Inject(REFLECTIVE_LOG_STORE) private readonly logs: ReflectiveLogStore,
    @Inject(KEYRING) private readonly keyring: Keyring,
    private readonly intake: LogIntake,
    private readonly claims: RequestClaims,
    private readonly jobs: JobAccess,
  ) {}

  async execute({ actor, log, identity }: PostLog): Promise<Executed> {
    const fields = await this.intake.posted(log, identity);
    const owner = await this.ownerOf(fields.job_seed, actor);
    const stream = await this.claims.streamFor(identity, reflectiveStream(fields.log_id));
    const signature = signLog(fields, this.keyring);
    const command = { type: 'write', log: fields, signature, owner, origin: 'posted' } as const;
    return this.logs.execute(stream, [command], identity);
  }

  /**
   * Returns the owner of the log. If this service knows the job, the owner of the log is the job's
   * owner, who must be the caller; otherwise the owner of the log is the caller (SPEC I9).
   */
  private async ownerOf(jobSeed: string, actor: Actor): Promise<JobOwner> {
    try {
      const owner = await this.jobs.ownerOf(jobSeed);
      permit(mayUseJob(actor, owner), `write a log of job ${jobSeed}`, 'I9');
      return owner;
    } catch (cause) {
      if (!(cause instanceof Refusal) || cause.code !== 'NOT_FOUND') throw cause;
      return personOf(actor);
    }
  }
}
