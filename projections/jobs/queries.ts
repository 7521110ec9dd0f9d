import { Injectable } from '@nestjs/common';
import { SAMPLE_SEEDS } from '#domain/job/sample-seeds.js';
import type { OwnedBy } from '#domain/ownership/access.js';
import { type NamedQuery, Postgres } from '#read-model/postgres.js';
import type { JobSummary } from './job-summary.js';
import type { PinnedRow } from './tables.js';

const GET: NamedQuery = { name: 'jobs_get', text: 'select * from jobs.job where job_seed = $1' };

// Each combination of filters is a statement of its own, because the query plans differ.
const LIST_CONDITIONS = {
  sessionId: 'session_id = ',
  ownerSub: 'owner_sub = ',
  userId: 'owner_user_id = ',
  seedFrom: 'job_seed >= ',
  seedBefore: 'job_seed < ',
  before: 'position < ',
  startedBy: 'position <= ',
} as const;

const NOT_OF_SAMPLE = `not starts_with(job_seed, '${SAMPLE_SEEDS}')`;

const PINNED: NamedQuery = {
  name: 'jobs_pinned',
  text: 'select * from jobs.pinned_snapshot where hash = $1',
};

/** A row of the list of jobs. Its `position` is the list's cursor. */
export type JobRow = Readonly<JobSummary>;

export interface JobFilter {
  /** With `startedBy`, the list also has the jobs that have changed since, because they may have had the status then. */
  readonly status?: JobRow['status'];
  readonly sessionId?: string;
  /** Only jobs of this owner, among those that `owner` allows. */
  readonly ownerSub?: string;
  /** Only jobs that ran for this user, in the folded form. */
  readonly userId?: string;
  /** Only jobs whose seeds begin with this. */
  readonly seedPrefix?: string;
  readonly owner?: OwnedBy;
  /** If false, without the jobs of `mace sample`. */
  readonly sample?: boolean;
  /** The `position` of the last row of the previous page. */
  readonly before?: string;
  /** Only jobs that had started at this position. */
  readonly startedBy?: string;
  readonly limit: number;
}

/** A snapshot of the facts, pinned by a job. */
export interface PinnedSnapshot {
  readonly hash: string;
  /** The number of SEM events that the snapshot covers, in log order. */
  readonly eventCount: number;
  readonly firstJobSeed: string;
}

/** Reads the jobs read model. All methods fail with `PostgresUnavailable` while Postgres cannot answer. */
@Injectable()
export class JobQueries {
  constructor(private readonly postgres: Postgres) {}

  async get(jobSeed: string): Promise<JobRow | undefined> {
    return (await this.postgres.query<JobRow>(GET, [jobSeed]))[0];
  }

  /** Returns a page of jobs, the newest first. */
  async list({
    limit,
    owner,
    sample = true,
    seedPrefix,
    status,
    ...others
  }: JobFilter): Promise<JobRow[]> {
    // Each seed with the prefix sorts before the prefix followed by `~`, which no seed has.
    const filter: Readonly<Partial<Record<keyof typeof LIST_CONDITIONS, string>>> =
      seedPrefix === undefined
        ? others
        : { ...others, seedFrom: seedPrefix, seedBefore: `${seedPrefix}~` };
    const values: (string | number)[] = owner === undefined ? [] : [owner.sub];
    const given = owner === undefined ? [] : ['owner_sub = $1'];
    if (!sample) given.push(NOT_OF_SAMPLE);
    if (owner?.user === null) given.push('owner_user_id is null');
    if (typeof owner?.user === 'string') given.push(`owner_user_id = $${values.push(owner.user)}`);
    if (status !== undefined) {
      const has = `status = $${values.push(status)}`;
      const { startedBy } = others;
      given.push(
        startedBy === undefined ? has : `(${has} or last_position > $${values.push(startedBy)})`,
      );
    }
    for (const name of Object.keys(LIST_CONDITIONS) as (keyof typeof LIST_CONDITIONS)[]) {
      const value = filter[name];
      if (value === undefined) continue;
      values.push(value);
      given.push(`${LIST_CONDITIONS[name]}$${values.length}`);
    }
    values.push(limit);
    const where = given.length === 0 ? '' : `where ${given.join(' and ')}`;
    return this.postgres.query<JobRow>(
      `select * from jobs.job ${where} order by position desc limit $${values.length}`,
      values,
    );
  }

  /** Returns a pinned snapshot of the facts by its hash (`sem_snapshot_id` without `sem:`). */
  async pinnedSnapshot(hash: string): Promise<PinnedSnapshot | undefined> {
    const [row] = await this.postgres.query<PinnedRow>(PINNED, [hash]);
    return (
      row && {
        hash: row.hash,
        eventCount: Number(row.event_count),
        firstJobSeed: row.first_job_seed,
      }
    );
  }
}
