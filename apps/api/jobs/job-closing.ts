import { Inject, Injectable } from '@nestjs/common';
import { identityOfStep } from '#domain/determinism/command-identity.js';
import { eventId } from '#domain/determinism/ids.js';
import { type JobState, jobStream, seedOfJobStream } from '#domain/job/state.js';
import { sessionStream } from '#domain/session/session.decider.js';
import type { Loaded } from '#event-store/aggregate-store.js';
import type { JobStore, SessionStore } from '../platform/stores.js';
import { JOB_STORE, SESSION_STORE } from '../platform/tokens.js';
import { JobLog } from './job-log.js';

/**
 * Completes a job's end before it is acknowledged (SPEC J1, J7, L7): writes the job's episodes and summary,
 * the entry in its session's stream, and its ReflectiveLog. A repeated call adds nothing, so retries and the
 * obligation worker can call it.
 */
@Injectable()
export class JobClosing {
  constructor(
    @Inject(JOB_STORE) private readonly jobs: JobStore,
    @Inject(SESSION_STORE) private readonly sessions: SessionStore,
    private readonly log: JobLog,
  ) {}

  /** Completes the end of the job with this seed, including outcomes that are not yet appended. */
  async close(seed: string, traceId: string): Promise<void> {
    await this.finish(await this.jobs.settle(jobStream(seed)), traceId);
  }

  /** @param job the ended job, after all outcomes of its end are appended. */
  async finish(job: Loaded<JobState>, traceId: string): Promise<void> {
    await Promise.all([this.recordInSession(job.state, traceId), this.log.write(job, traceId)]);
  }

  private async recordInSession(state: JobState, traceId: string): Promise<void> {
    const session = state.started?.session_id ?? null;
    if (state.ended_at === undefined || session === null) return;
    const job_seed = seedOfJobStream(state.stream);
    const caused_by = eventId(state.stream, state.ended_at, 'job_ended');
    await this.sessions.execute(
      sessionStream(session),
      [{ type: 'job_ended', job_seed }],
      identityOfStep(caused_by, { job_seed }, traceId),
    );
  }
}
