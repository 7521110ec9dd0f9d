import { Injectable } from '@nestjs/common';
import { neighbourhoodOf } from '#domain/canonical-key/canonical-key.js';
import type { Held, Sealed } from '#domain/held.js';
import type { Json, JsonObject } from '#domain/json.js';
import { type NamedQuery, Postgres } from '#read-model/postgres.js';
import { FACT, type FactRow, HISTORY, type OwnerRow } from './tables.js';

// A row and its history are written together, so they differ only if a fault of the service wrote two values.
const GET: NamedQuery = {
  name: 'sem_get',
  text: `select f.*, (
      select (h.n, h.held, h.timestamp, h.type = 'fact_put')
        is distinct from (f.n, f.held, f.timestamp, f.is_current)
      from sem.history as h where h.key = f.key and h.is_decisive order by h.n desc limit 1
    ) as is_disputed
    from sem.fact as f where key = $1`,
};

const GET_ALL: NamedQuery = {
  name: 'sem_get_all',
  text: 'select * from sem.fact where key = $1',
};

const GET_MANY: NamedQuery = {
  name: 'sem_get_many',
  text: 'select * from sem.fact where key = any($1::text[]) and is_current',
};

const GET_LAST_PUT: NamedQuery = {
  name: 'sem_get_last_put',
  text: 'select * from sem.history where key = $1 and is_decisive order by n desc limit 1',
};

const GET_AT_COUNT: NamedQuery = {
  name: 'sem_get_at_count',
  text: `select * from sem.history
    where key = $1 and is_decisive and n <= $2 order by n desc limit 1`,
};

const GET_MANY_AT_COUNT: NamedQuery = {
  name: 'sem_get_many_at_count',
  text: `select distinct on (key) *
    from sem.history where key = any($1::text[]) and is_decisive and n <= $2 order by key, n desc`,
};

const COUNT_AT: NamedQuery = {
  name: 'sem_count_at',
  text: 'select * from sem.history where position <= $1 order by position desc limit 1',
};

const GET_AT_REVISION: NamedQuery = {
  name: 'sem_get_at_revision',
  text: `select * from sem.history
    where key = $1 and is_decisive and revision <= $2 order by n desc limit 1`,
};

// Every key with the prefix sorts before the prefix followed by `~`, because `~` sorts after all characters of a key.
const SEARCH: NamedQuery = {
  name: 'sem_search',
  text: `select * from sem.fact
    where is_current and key >= $1 and key < $1 || '~' and key > $2
      and (scope <> 'user' or $3::text is null or entity_id = $3)
    order by key limit $4`,
};

const SIMILAR: NamedQuery = {
  name: 'sem_similar',
  text: `(select * from sem.fact where is_current and key <> $1 and key >= $2 and key < $2 || '~'
      order by key limit $5)
    union
    (select * from sem.fact where is_current and key <> $1 and key >= $3 and key < $3 || '~'
      and right(key, length($4)) = $4 order by key limit $5)
    order by key`,
};

const FACTS_AT_COUNT: NamedQuery = {
  name: 'sem_facts_at_count',
  text: `select * from (
      select distinct on (key) *
      from sem.history where is_decisive and n <= $1 and key > $2 order by key, n desc
    ) as latest where type = 'fact_put' order by key limit $3`,
};

const SEARCH_AT_COUNT: NamedQuery = {
  name: 'sem_search_at_count',
  text: `select * from (
      select distinct on (key) *
      from sem.history where is_decisive and n <= $5
        and key >= $1 and key < $1 || '~' and key > $2
        and (not starts_with(key, 'user/') or $3::text is null or split_part(key, '/', 3) = $3)
      order by key, n desc
    ) as latest where type = 'fact_put' order by key limit $4`,
};

const OWNER_OF: NamedQuery = {
  name: 'sem_owner',
  text: 'select * from sem.owner where slug = $1',
};

const COUNTS_BY_SCOPE: NamedQuery = {
  name: 'sem_counts_by_scope',
  text: 'select scope, count(*) as count from sem.fact where is_current group by scope order by scope',
};

/** A fact as it is now, or as it was earlier. */
export interface Fact {
  readonly key: string;
  readonly held: Held;
  readonly timestamp: string;
  readonly source: string;
  readonly notes: string | null;
  readonly meta: JsonObject | null;
  /** The ordinal, among all SEM events, of the event that put the fact. */
  readonly n: number;
  /**
   * In a read of the current fact, the number of the stream's last event; in a read of the past, the
   * number of the put event.
   */
  readonly revision: number;
}

/** The state of one SEM stream in the read model. */
export interface SemStreamState {
  /** The number of the last projected event of the key's stream; -1 without events (SPEC S6). */
  readonly revision: number;
  /** The current fact; undefined if the key was never put, was deleted, or is only claimed. */
  readonly fact: Fact | undefined;
  /**
   * Set if the read model has more than one value for the key. `fact` is then the value with the latest
   * timestamp (004 F2).
   */
  readonly disputed?: { readonly values: number };
}

/**
 * Reads the sem read model. All methods fail with `PostgresUnavailable` while Postgres cannot answer, and
 * refuse a changed row of a fact with INTEGRITY_FAILURE.
 */
@Injectable()
export class SemQueries {
  constructor(private readonly postgres: Postgres) {}

  async get(key: string): Promise<SemStreamState> {
    const found = await FACT.read<Disputable>(this.postgres, GET, [key]);
    const [row] = found;
    if (found.length > 1 || row?.is_disputed === true) return this.latestOf(key);
    return { revision: row?.revision ?? -1, fact: row && factOf(row) };
  }

  /** Returns the current facts of several keys, keyed by key. Keys without a fact are left out. */
  async getMany(keys: readonly string[]): Promise<ReadonlyMap<string, Fact>> {
    return byKey(await FACT.read(this.postgres, GET_MANY, [keys]));
  }

  /** Returns the value with the latest timestamp, which would also win among writes (004 F2, SPEC S3). */
  private async latestOf(key: string): Promise<SemStreamState> {
    const [facts, put] = await Promise.all([
      FACT.read(this.postgres, GET_ALL, [key]),
      this.history(GET_LAST_PUT, [key]),
    ]);
    const rows = [...facts, ...put];
    const [latest] = rows.toSorted((left, right) => byWriteOrder(right, left));
    const revision = Math.max(-1, ...rows.map((row) => row.revision));
    const disputed = { values: rows.length };
    return { revision, fact: latest && factOf(latest), disputed };
  }

  /** Returns the fact as it is after the first `eventCount` SEM events. The result never changes (SPEC S8). */
  async getAtCount(key: string, eventCount: number): Promise<Fact | undefined> {
    const [row] = await this.history(GET_AT_COUNT, [key, eventCount]);
    return row && factOf(row);
  }

  /** Returns the fact as it was at a position of the log. */
  async getAtPosition(key: string, position: bigint): Promise<Fact | undefined> {
    return this.getAtCount(key, await this.countAt(position));
  }

  /** Returns how many SEM events the log had at a position. */
  async countAt(position: bigint): Promise<number> {
    const [row] = await this.history(COUNT_AT, [position.toString()]);
    return Number(row?.n ?? 0);
  }

  /** Returns the facts of several keys as `getAtCount` does, keyed by key. Keys without a fact are left out. */
  async getManyAtCount(
    keys: readonly string[],
    eventCount: number,
  ): Promise<ReadonlyMap<string, Fact>> {
    return byKey(await this.history(GET_MANY_AT_COUNT, [keys, eventCount]));
  }

  /** Returns the fact as it is after the event with number `revision` in its stream (SPEC X3). */
  async getAtRevision(key: string, revision: number): Promise<Fact | undefined> {
    const [row] = await this.history(GET_AT_REVISION, [key, revision]);
    return row && factOf(row);
  }

  /**
   * Returns current facts whose key begins with `prefix`, in byte order, after the key `after`. With
   * `userEntityId`, the keys of scope `user` are only those of that entity (SPEC S1).
   */
  async search(query: {
    readonly prefix: string;
    readonly after?: string;
    readonly limit: number;
    readonly userEntityId?: string;
    /** The position of the log at which to search, or the number of SEM events up to there; by default its end. */
    readonly position?: bigint | undefined;
    readonly eventCount?: number;
  }): Promise<Fact[]> {
    const { prefix, after = '', limit, userEntityId = null, position } = query;
    const count =
      query.eventCount ?? (position === undefined ? undefined : await this.countAt(position));
    const values = [prefix, after, userEntityId, limit];
    const rows =
      count === undefined
        ? await FACT.read(this.postgres, SEARCH, values)
        : await this.history(SEARCH_AT_COUNT, [...values, count]);
    return rows.map(factOf).filter((fact) => fact !== undefined);
  }

  /**
   * Returns current facts of the same entity, and facts of the same scope and entity type with the same attribute,
   * up to `limit` of each, in byte order of their keys.
   */
  async similarTo(key: string, limit: number): Promise<Fact[]> {
    const { entity, type, attribute } = neighbourhoodOf(key);
    const rows = await FACT.read(this.postgres, SIMILAR, [key, entity, type, attribute, limit]);
    return rows.map(factOf).filter((fact) => fact !== undefined);
  }

  /**
   * Returns a page of the facts as they are after the first `eventCount` SEM events, in order of their
   * keys; the page begins after the key `after`.
   */
  async factsAtCount(eventCount: number, after: string, limit: number): Promise<Fact[]> {
    const rows = await this.history(FACTS_AT_COUNT, [eventCount, after, limit]);
    return rows.map(factOf).filter((fact) => fact !== undefined);
  }

  /** Returns the raw user id that owns a slug, according to the projected events (SPEC I9). */
  async ownerOf(slug: string): Promise<string | null> {
    const [row] = await this.postgres.query<OwnerRow>(OWNER_OF, [slug]);
    return row?.raw_id ?? null;
  }

  private async history(query: NamedQuery, values: readonly unknown[]): Promise<ValueRow[]> {
    const rows = await HISTORY.read(this.postgres, query, values);
    return rows.map((row) => ({ ...row, is_current: row.type === 'fact_put' }));
  }

  /** Returns the number of current keys in each scope (SPEC S10). */
  async countsByScope(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.postgres.query<{ scope: string; count: string }>(COUNTS_BY_SCOPE);
    return new Map(rows.map(({ scope, count }) => [scope, Number(count)]));
  }
}

/** The columns of a value, which both tables have. */
type ValueRow = Omit<FactRow, 'scope' | 'entity_id'>;

interface Disputable {
  /** True if the read model has more than one value; null if the key was never put. */
  readonly is_disputed: boolean | null;
}

const order = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

/** Compares values as SPEC S3 compares writes. Timestamps and sources are ASCII. */
const byWriteOrder = (left: ValueRow, right: ValueRow): number =>
  order(left.timestamp ?? '', right.timestamp ?? '') ||
  order(left.source ?? '', right.source ?? '') ||
  Number(left.n) - Number(right.n);

function byKey(rows: readonly ValueRow[]): ReadonlyMap<string, Fact> {
  const facts = rows.map(factOf).filter((fact) => fact !== undefined);
  return new Map(facts.map((fact) => [fact.key, fact]));
}

function factOf(row: ValueRow): Fact | undefined {
  if (!row.is_current || row.held === null || row.timestamp === null || row.source === null)
    return undefined;
  const held = JSON.parse(row.held) as Json;
  return {
    key: row.key,
    held: row.is_sealed ? { sealed: held as unknown as Sealed } : { value: held },
    timestamp: row.timestamp,
    source: row.source,
    notes: row.notes,
    meta: row.meta === null ? null : (JSON.parse(row.meta) as JsonObject),
    n: Number(row.n),
    revision: row.revision,
  };
}
