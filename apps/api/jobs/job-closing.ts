import { Inject, Injectable } from '@nestjs/common';
import { identityOfStep } from '#domain/determinism/command-identity.js';
import { eventId } from '#domain/determinism/ids.js';
import { type JobState } from '#domain/job/state.js';
import { jobStream, seedOfJobStream, sessionStream } from '#domain/stream-names.js';
import type { Loaded } from '#event-store/aggregate-store.js';
import { laterOf } from '#read-model/later-of.js';
import type { JobStore, SessionStore } from '../platform/stores.js';
import { JOB_STORE, SESSION_STORE } from '../platform/tokens.js';
import { JobLog } from './job-log.js';

/**
 * Completes a job's end before it is acknowledged (SPEC J1, J7, L7): writes the job's episodes and
 * summary, the entry in its session's stream, and its ReflectiveLog. A repeated call adds nothing, so a
 * retry and the obligation worker may call it again.
 */
@Injectable()
export class JobClosing {
  constructor(
    @Inject(JOB_STORE) private readonly jobs: JobStore,
    @Inject(SESSION_STORE) private readonly sessions: SessionStore,
    private readonly log: JobLog,
  ) {}

  /** Completes the end of the job with this seed, including outcomes that are not appended yet. */
  async close(seed: string, traceId: string): Promise<void> {
    await this.finish(await this.jobs.settle(jobStream(seed)), traceId);
  }

  /**
   * Writes to other streams the events that follow the job's end. Returns the position of the last of them.
   * @param job the ended job, after all outcomes of its end are appended.
   */
  async finish(job: Loaded<JobState>, traceId: string): Promise<bigint | undefined> {
    const [session, log] = await Promise.all([
      this.recordInSession(job.state, traceId),
      this.log.write(job, traceId),
    ]);
    return laterOf(job.position, laterOf(session, log));
  }

  private async recordInSession(state: JobState, traceId: string): Promise<bigint | undefined> {
    const session = state.started?.session_id ?? null;
    if (state.ended_at === undefined || session === null) return undefined;
    const job_seed = seedOfJobStream(state.stream);
    const caused_by = eventId(state.stream, state.ended_at, 'job_ended');
    const { position } = await this.sessions.execute(
      sessionStream(session),
      [{ type: 'job_ended', job_seed }],
      identityOfStep(caused_by, { job_seed }, traceId),
    );
    return position;
  }
}
