import { Inject, Injectable } from '@nestjs/common';
import { reflectiveLogId } from '#domain/determinism/ids.js';
import { startedJob, type JobState } from '#domain/job/state.js';
import type { Conclusion, Notice } from '#domain/query/events.js';
import type { EventStore } from '#event-store/event-store.js';
import { recordedRun } from '../jobs/query-run.js';
import { EVENT_STORE } from '../platform/tokens.js';
import { loggedFields, QueryFailures, refusalOfNotice } from './query-failures.js';

/**
 * Builds the answer to a query from its recorded events, so that every request gets the same one (SPEC §13).
 */
@Injectable()
export class QueryAnswer {
  constructor(
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
    private readonly failures: QueryFailures,
  ) {}

  /**
   * Returns the answer. @param isFirst whether this is the first answer to the query. @throws Refusal if
   * the query has no answer: its failure, with log_id, job_seed and degraded agents (SPEC A2).
   */
  async of(job: JobState, isFirst: boolean) {
    const { job_seed } = startedJob(job);
    const conclusion = job.query?.conclusion ?? null;
    if (conclusion === null) throw new Error(`${job.stream} has no conclusion`);
    const { failure, answer, agent_id, route_reason, confidence, degraded, proposal } = conclusion;
    const log_id = reflectiveLogId(job_seed);
    if (failure !== null) throw refusal(job, failure, { log_id, job_seed, degraded });
    return {
      answer,
      agent_id,
      route_reason,
      confidence,
      degraded,
      notices: await this.notices(job, conclusion, isFirst),
      log_id,
      job_seed,
      ...(proposal === null ? {} : { proposal }),
    };
  }

  private async notices(job: JobState, { notices }: Conclusion, isFirst: boolean) {
    if (notices.length === 0) return [];
    const run = await recordedRun(this.eventStore, job.stream);
    const timeMs = [...run.agent_time_ms.values()].reduce((sum, time) => sum + time, 0);
    return notices.map((notice) => {
      const envelope = this.failures.envelopeOf(notice, run);
      if (isFirst) this.failures.reportNotice(envelope, notice, job, timeMs);
      return envelope;
    });
  }
}

const refusal = (job: JobState, failure: Notice, extra: Readonly<Record<string, unknown>>) =>
  refusalOfNotice(
    failure,
    failure.code === 'SEM_NOT_FOUND' ? { ...extra, result: { exists: false, value: null } } : extra,
    loggedFields(job, failure),
  );
