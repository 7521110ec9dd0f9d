import { CHAIN_START } from '#domain/determinism/hash-chain.js';
import { startOf } from './jobs.js';
import type { Actor } from '#domain/recorded-event.js';
import type { LoggedEvent } from '#event-store/event-store.js';
import { SearchProjection } from '#projections/search/search.projection.js';
import type { Postgres } from '#read-model/postgres.js';
import { projectionOf } from '#read-model/projector.decorator.js';
import { createSchema, migrateManagement } from '#read-model/schema-layout.js';
import { pseudoRandom } from './load.js';
import { perSecond, type Row } from './report.js';
import { textsOf } from './zipf-words.js';

const searchProjection = projectionOf(new SearchProjection());

const EPISODES_OF_A_JOB = 20;
const JOBS_OF_A_SLICE = 50;
const USERS_OF_A_SLICE = 500;
const OTHERS = 20;

export const CALLER: Actor = { sub: 'caller', user_id: 'caller', roles: ['user'] };
/** The owners whose rows the caller may read; the empty name stands for no user. */
export const READABLE_OWNERS = ['caller', ''];

/** The full-text tables, with the columns of each one's GIN index. */
export const FULL_TEXT_TABLES = {
  full_text: 'document',
  full_text_by_owner: 'owner, document',
} as const;

/**
 * Jobs of twenty episodes with Zipf-distributed words, in the search index and in full-text tables. Six of ten
 * jobs are the caller's, two have no user, and two are other users'.
 */
export class SearchedData {
  size = 0;
  private jobs = 0;
  /** The position of the last event that the index shows. */
  position = 0n;
  private readonly textOf = textsOf(pseudoRandom(1));

  constructor(private readonly postgres: Postgres) {}

  async create(): Promise<void> {
    await migrateManagement(this.postgres, ['search']);
    await createSchema(this.postgres, searchProjection, 'search');
    await this.postgres.query('create extension btree_gin');
    for (const [table, columns] of Object.entries(FULL_TEXT_TABLES)) {
      await this.postgres.query(`create table ${table}
        (episodic_id text, owner text, created text, summary text, document tsvector)`);
      await this.postgres.query(`create index on ${table} using gin (${columns})`);
    }
  }

  /** Adds whole jobs until there are `size` episodes, and returns how fast the search index was built. */
  async growTo(size: number): Promise<Row> {
    const before = this.size;
    let events = 0;
    let ms = 0;
    while (this.size < size) {
      const slice: LoggedEvent[] = [];
      for (let job = 0; job < JOBS_OF_A_SLICE && this.size < size; job += 1)
        slice.push(...this.job(userOf(this.jobs), EPISODES_OF_A_JOB));
      const began = performance.now();
      await this.project(slice);
      ms += performance.now() - began;
      events += slice.length;
      await this.fillFullText(slice);
    }
    await this.postgres.query('vacuum analyze');
    const range = [before, this.size].map((count) => count.toLocaleString('en-US')).join(' to ');
    return perSecond(`index building, ${range} entries`, events, ms);
  }

  /** Adds users with one to ten episodes each. */
  async addUsers(count: number): Promise<void> {
    for (let first = 0; first < count; first += USERS_OF_A_SLICE) {
      const users = Array.from({ length: Math.min(USERS_OF_A_SLICE, count - first) });
      await this.project(
        users.flatMap((_, index) => this.job(`user-${first + index}`, 1 + ((first + index) % 10))),
      );
    }
    await this.postgres.query('vacuum analyze');
  }

  /** Adds an episode that the caller may read. */
  async writeOne(): Promise<void> {
    await this.project(this.job(CALLER.sub, 1));
  }

  private job(user: string | null, episodes: number): LoggedEvent[] {
    const seed = `search-${this.jobs}`;
    const owner = { sub: 'bench', user_id: user };
    const start = { ...startOf(seed), owner };
    const events = [this.event(seed, 0, 'job_started', start)];
    for (let number = 1; number <= episodes; number += 1) {
      const ordinal = this.size;
      const episode = {
        ...{
          episodic_id: `ep:${ordinal}`,
          job_seed: seed,
          summary: this.textOf(),
          source: 'agent',
        },
        created_seeded_ts: timeOf(ordinal),
        ...{ owner, evidence: [], payload: null, reflective_log_id: null },
      };
      events.push(this.event(seed, number, 'episode_written', episode));
      this.size += 1;
    }
    this.jobs += 1;
    return events;
  }

  private event(seed: string, number: number, type: string, data: object): LoggedEvent {
    this.position += 1n;
    const metadata = { trace_id: 'bench', hash: CHAIN_START };
    const event = { stream: `job-${seed}`, number, type, position: this.position, metadata, data };
    return event as unknown as LoggedEvent;
  }

  private async project(slice: readonly LoggedEvent[]): Promise<void> {
    await this.postgres.transaction(async (tx) => {
      await tx.query('set local search_path to search');
      await searchProjection.project(tx, slice);
      await tx.query('update checkpoint set position = $1', [String(this.position)]);
    });
  }

  private async fillFullText(slice: readonly LoggedEvent[]): Promise<void> {
    const episodes = slice.flatMap(({ type, data }) => (type === 'episode_written' ? [data] : []));
    const columns = ['episodic_id', 'created_seeded_ts', 'summary'].map((name) =>
      episodes.map((data) => data[name]),
    );
    const owners = episodes.map(
      ({ owner }) => (owner as { readonly user_id: string | null }).user_id ?? '',
    );
    for (const table of Object.keys(FULL_TEXT_TABLES))
      await this.postgres.query(
        `insert into ${table}
          select id, owner, created, summary, to_tsvector('simple', summary)
          from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as row (id, created, summary, owner)`,
        [...columns, owners],
      );
  }
}

function userOf(job: number): string | null {
  if (job % 10 < 6) return CALLER.sub;
  return job % 10 < 8 ? null : `other-${job % OTHERS}`;
}

/** Returns the time of an episode; the times are not in the order of the log. */
const timeOf = (ordinal: number): string =>
  new Date(1.7e12 + ((ordinal * 7919) % 1e10)).toISOString();
