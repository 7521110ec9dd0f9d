import { Injectable } from '@nestjs/common';
import { type NamedQuery, Postgres } from '#read-model/postgres.js';
import type { MemoryRow } from './memories.projection.js';

// The memories that are there at a position, and not beyond their time to live.
const AT = `kid = $1 and appeared <= $2 and (died is null or died > $2)
    and (expires_at is null or expires_at > $3)`;

const NEWEST: NamedQuery = {
  name: 'memories_newest',
  text: `select * from memories.memory where ${AT}
    and ($4::text[] is null or tags @> $4)
    and ($5::text is null or (updated_at, appeared) < ($5, $6::bigint))
    order by updated_at desc, appeared desc limit $7`,
};

// The array is in a subquery, because Postgres would otherwise plan the statement anew each time. `offset 0` keeps the plan
// on the primary key: another one reads everything that is remembered about the person.
const AMONG_AT: NamedQuery = {
  name: 'memories_among_at',
  text: `select memory.* from unnest((select $4::text[])) as wanted (id) cross join lateral (
      select * from memories.memory where memory_id = wanted.id offset 0
    ) as memory where ${AT}
    union all
    (select * from memories.memory where ${AT} and because = 'instruction'
     order by updated_at desc, appeared desc limit $5)`,
};

const VERSION: NamedQuery = {
  name: 'memories_version',
  text: `select * from memories.memory where memory_id = $1 and owner = $2
    and ($3::int is null or version = $3) order by version desc limit 1`,
};

const VERSION_AT: NamedQuery = {
  name: 'memories_version_at',
  text: `select * from memories.memory where memory_id = $1 and owner = $2
    and appeared <= $3 and (died is null or died > $3)`,
};

const DUE: NamedQuery = {
  name: 'memories_due',
  text: `select stream, memory_id as id from memories.memory
    where died is null and expires_at <= $1 order by expires_at limit $2`,
};

/**
 * Whose memories: those sealed under a key, without those that have expired at a time (ISO 8601 UTC). Before any time, what
 * is there depends on the position alone.
 */
export interface MemoriesOf {
  readonly kid: string;
  readonly at: string;
}

/** The place in a list, newest first, after which a page begins. */
export interface MemoryPlace {
  readonly updated_at: string;
  /** A position in the log. */
  readonly appeared: string;
}

/** A position that no log reaches: what is there now was there at it. */
export const NOW = 2n ** 63n - 1n;

/** A memory whose time to live has passed. */
export interface DueMemory {
  readonly stream: string;
  readonly id: string;
}

/** Reads the memories of people. All methods fail with `PostgresUnavailable` while Postgres cannot answer. */
@Injectable()
export class MemoriesQueries {
  constructor(private readonly postgres: Postgres) {}

  /**
   * Returns the newest memories that were there at a position.
   * @param tags the fingerprints of tags that each has; undefined for all
   * @param after the place after which they begin
   */
  newest(
    { kid, at }: MemoriesOf,
    position: bigint,
    tags: readonly string[] | undefined,
    limit: number,
    after?: MemoryPlace,
  ): Promise<MemoryRow[]> {
    return this.postgres.query<MemoryRow>(NEWEST, [
      ...[kid, position, at, tags ?? null],
      ...[after?.updated_at ?? null, after?.appeared ?? null, limit],
    ]);
  }

  /**
   * Returns those of the memories that were there at a position, and the newest standing instructions, each once.
   * @param instructions how many instructions at most
   */
  async amongAt(
    { kid, at }: MemoriesOf,
    position: bigint,
    ids: readonly string[],
    instructions: number,
  ): Promise<MemoryRow[]> {
    const values = [kid, position, at, ids, instructions];
    const rows = await this.postgres.query<MemoryRow>(AMONG_AT, values);
    return [...new Map(rows.map((row) => [row.memory_id, row])).values()];
  }

  /** Returns a version of an owner's memory, by default the last one, also if it is not there any more. */
  async version(id: string, owner: string, version?: number): Promise<MemoryRow | undefined> {
    const rows = await this.postgres.query<MemoryRow>(VERSION, [id, owner, version ?? null]);
    return rows[0];
  }

  /** Returns an owner's memory as it was at a position; undefined if it was not there. */
  async versionAt(id: string, owner: string, position: bigint): Promise<MemoryRow | undefined> {
    const rows = await this.postgres.query<MemoryRow>(VERSION_AT, [id, owner, position]);
    return rows[0];
  }

  /** Returns the memories whose time to live has passed, the longest ago first. */
  due(at: string, limit: number): Promise<DueMemory[]> {
    return this.postgres.query(DUE, [at, limit]);
  }
}
