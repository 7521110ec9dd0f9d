import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { isEntityOf } from '#domain/canonical-key/canonical-key.js';
import { Refusal } from '#domain/errors/refusal.js';
import { ownUserId } from '#domain/ownership/access.js';
import { privateOwnerOf } from '#domain/ownership/private-owner.js';
import { partsOfSubject, subjectOf, subjectOfJob, subjectOfUser } from '#domain/privacy/subject.js';
import type { RefusedWrite } from '#platform/storage-queue/refused-writes.js';
import { JobAccess } from '../ownership/job-access.js';
import type { GatedRequest } from '../platform/http/gated-request.js';
import { LOGGER } from '../platform/tokens.js';
import { RequestSeal } from './request-seal.js';
import { StorageQueue } from './storage-queue.js';

const PAGE = 100;
const JOB_PATH = /^\/v1\/jobs\/([^/?]+)/;
const USER_KEY = /^(?:\/v1\/sem\/)?user\/[^/]+\/([^/]+)\/[^/?]+/;

/**
 * Finds the refused writes of a subject (SPEC G6). They are sealed with the key of the installation, so an erasure
 * removes them from the queue.
 */
@Injectable()
export class SubjectWrites {
  constructor(
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly queue: StorageQueue,
    private readonly seal: RequestSeal,
    private readonly jobs: JobAccess,
  ) {}

  /** Removes the writes that a subject made, or that belong to it. Fails with `PostgresUnavailable`. */
  async remove(subject: string): Promise<void> {
    await this.queue.drainFile();
    const { table } = this.queue;
    let after = 0n;
    for (;;) {
      const writes = await table.added(after, PAGE);
      for (const write of writes) {
        if (!(await this.isOf(subject, write))) continue;
        const { command_id, trace_id } = write;
        await table.remove(command_id);
        this.logger.info({ type: 'refused_write_erased', command_id, trace_id });
      }
      const last = writes.at(-1);
      if (last === undefined) return;
      after = BigInt(last.seq);
    }
  }

  private async isOf(subject: string, write: RefusedWrite): Promise<boolean> {
    // Nobody can replay what cannot be opened, and its list names it as not verified.
    const request = await this.seal.open(write).catch(() => undefined);
    if (request === undefined) return false;
    if (privateOwnerOf(request.actor) === subject) return true;
    const user = userOf(request);
    if (user !== undefined && subjectOfUser(user) === subject) return true;
    const entity = entityOf(request);
    const parts = partsOfSubject(subject);
    if (entity !== undefined && parts?.kind === 'user' && isEntityOf(parts.id, entity)) return true;
    const seed = seedOf(request);
    return seed !== undefined && (await this.isJobOf(subject, seed));
  }

  private async isJobOf(subject: string, seed: string): Promise<boolean> {
    try {
      return subjectOfJob(seed, await this.jobs.ownerOf(seed)) === subject;
    } catch (cause) {
      // The refused write is the start of the job.
      if (cause instanceof Refusal && cause.code === 'NOT_FOUND')
        return subject === subjectOf('job', seed);
      throw cause;
    }
  }
}

/** Returns the user for whom a request acts: the token's user or the one that the body names. */
const userOf = (request: GatedRequest): string | undefined =>
  ownUserId(request.actor) ?? textIn(request, 'user_id');

/** Returns the user part of the key of a user's fact that a request writes or proposes. */
const entityOf = (request: GatedRequest): string | undefined =>
  [request.url, textIn(request, 'target_sem_key') ?? '']
    .map((text) => USER_KEY.exec(text)?.[1])
    .find((entity) => entity !== undefined);

function seedOf(request: GatedRequest): string | undefined {
  const inPath = JOB_PATH.exec(request.url)?.[1];
  return inPath === undefined ? textIn(request, 'job_seed') : decodeURIComponent(inPath);
}

function textIn({ body }: GatedRequest, field: string): string | undefined {
  const fields = (body ?? {}) as Readonly<Record<string, unknown>>;
  const value = fields[field];
  return typeof value === 'string' ? value : undefined;
}
