import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { reflectiveStream } from '#domain/stream-names.js';
import { onlyAnswer } from '#event-store/aggregate-store.js';
import { permit } from '#domain/errors/permit.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { JobOwner } from '#domain/job/events.js';
import type { Json } from '#domain/json.js';
import { mayUseJob, personOf } from '#domain/ownership/access.js';
import type { Actor } from '#domain/recorded-event.js';
import type { WriteLog } from '#domain/reflective-log/decide.js';
import { type Keyring, signLog } from '#domain/reflective-log/signature.js';
import { RequestClaims } from '../platform/request-claims.js';
import { JobAccess } from '../ownership/job-access.js';
import { Answer } from '../platform/http/answer.js';
import { Describes, FromRequest, WriteRequest } from '../platform/http/request.js';
import type { ReflectiveLogStore } from '../platform/stores.js';
import { KEYRING, REFLECTIVE_LOG_STORE } from '../platform/tokens.js';
import { bodyOf } from './log-fields.js';
import { LogIntake } from './log-intake.js';
import { LogPostedDto, PostLogDto } from './log-view.js';

@Describes({
  summary: 'Write a log with all immutable fields; it is signed',
  roles: { own: ['agent'], of: 'job', all: ['admin'] },
  answers: [201, LogPostedDto],
  fails: ['LOG_INVALID', 'LOG_EXISTS', 'PRIVACY_BLOCKED'],
  body: { type: PostLogDto },
})
export class PostLog extends WriteRequest<LogPostedDto> {
  @FromRequest(bodyOf) readonly log!: Json;
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

  async execute({ actor, log, identity }: PostLog): Promise<Answer<LogPostedDto>> {
    const fields = await this.intake.posted(log, identity);
    const owner = await this.ownerOf(fields.job_seed, actor);
    const stream = await this.claims.streamFor(identity, reflectiveStream(fields.log_id));
    const signature = signLog(fields, this.keyring);
    const write: WriteLog = { type: 'write', log: fields, signature, owner, origin: 'posted' };
    const executed = await this.logs.execute(stream, [write], identity);
    return Answer.written(onlyAnswer(executed), executed.position);
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
