import { jobDecider } from '#domain/job/decider.js';
import type { JobEvent } from '#domain/job/events.js';
import { jobStream, seedOfJobStream } from '#domain/stream-names.js';
import type { LoggedEvent } from '#event-store/event-store.js';
import type { EventProjector, Logged, ProjectionTransaction } from '#read-model/projection.js';
import { Projector } from '#read-model/projector.decorator.js';
import { jobAfter, tickAfter } from './job-summary.js';
import { JOB, type JobSummary, PINNED_SNAPSHOT, TIMELINE, type TickSummary } from './tables.js';

/** The list of jobs with a summary of their state, a timeline of their ticks, and the snapshots that they pinned. */
@Projector({
  name: 'jobs',
  version: 5,
  tables: [JOB, TIMELINE, PINNED_SNAPSHOT],
  reads: [jobDecider],
})
export class JobsProjection implements EventProjector<JobEvent> {
  async project(tx: ProjectionTransaction, events: readonly Logged<JobEvent>[]): Promise<void> {
    const jobs = await this.knownJobs(tx, events);
    const ticks = await this.knownTicks(tx, [...jobs.values()]);
    const changedJobs = new Map<string, JobSummary>();
    const changedTicks = new Map<string, TickSummary>();
    for (const event of events) {
      const job = jobAfter(jobs.get(event.stream), event);
      jobs.set(event.stream, job);
      changedJobs.set(event.stream, job);
      const id = tickId(job);
      const tick = tickAfter(changedTicks.get(id) ?? ticks.get(id), job, event);
      changedTicks.set(id, tick);
    }
    await JOB.replace(tx, [...changedJobs.values()]);
    await TIMELINE.replace(tx, [...changedTicks.values()]);
  }

  /** Returns the existing rows of the jobs to which the events belong, keyed by stream. */
  private async knownJobs(
    tx: ProjectionTransaction,
    events: readonly LoggedEvent[],
  ): Promise<Map<string, JobSummary>> {
    const seeds = new Set(events.map(({ stream }) => seedOfJobStream(stream)));
    const rows = await JOB.find(tx, 'job_seed = any($1::text[])', [[...seeds]]);
    return new Map(rows.map((row) => [jobStream(row.job_seed), row]));
  }

  /** Returns the existing rows of the jobs' current ticks. Later ticks have no rows yet. */
  private async knownTicks(
    tx: ProjectionTransaction,
    jobs: readonly JobSummary[],
  ): Promise<ReadonlyMap<string, TickSummary>> {
    if (jobs.length === 0) return new Map();
    const rows = await TIMELINE.find(
      tx,
      '(job_seed, tick) in (select * from unnest($1::text[], $2::int[]))',
      [jobs.map(({ job_seed }) => job_seed), jobs.map(({ tick }) => tick)],
    );
    return new Map(rows.map((row) => [tickId(row), row]));
  }
}

const tickId = ({ job_seed, tick }: { job_seed: string; tick: number }): string =>
  `${tick} ${job_seed}`;
