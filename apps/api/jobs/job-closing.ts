import { Inject, Injectable } from '@nestjs/common';
import { eventId } from '#domain/determinism/ids.js';
import { hashJson } from '#domain/determinism/hash.js';
import { sessionStream } from '#domain/session/session.decider.js';
import type { JobStore, SessionStore } from '../platform/stores.js';
import { JOB_STORE, SESSION_STORE } from '../platform/tokens.js';
import { jobStream } from './job-access.js';

/**
 * What must follow a job's end before it is acknowledged (SPEC J1, J7): its episodes and summary, and the
 * entry in its session's stream. Doing it again changes nothing, so a retry and a process manager may.
 */
@Injectable()
export class JobClosing {
  constructor(
    @Inject(JOB_STORE) private readonly jobs: JobStore,
    @Inject(SESSION_STORE) private readonly sessions: SessionStore,
  ) {}

  async close(seed: string, traceId: string): Promise<void> {
    const stream = jobStream(seed);
    const { state } = await this.jobs.settle(stream);
    const session = state.started?.session_id ?? null;
    if (state.ended_at === undefined || session === null) return;
    const caused_by = eventId(stream, state.ended_at, 'job_ended');
    await this.sessions.execute(sessionStream(session), [{ type: 'job_ended', job_seed: seed }], {
      command_id: caused_by,
      body_hash: hashJson({ job_seed: seed }),
      actor: 'system',
      trace_id: traceId,
      evidence: { caused_by },
    });
  }
}
