import { readFileSync } from 'node:fs';
import { OwnTables } from '#read-model/own-tables.js';
import type { NamedQuery, Postgres } from '#read-model/postgres.js';
import type { ProjectionTransaction } from '#read-model/projection.js';
import { keysInFile } from './key-file.js';
import type { Wrapped } from './sealing-keys.js';

const TABLES = readFileSync(new URL('./tables.sql', import.meta.url), 'utf8');

const CURRENT: NamedQuery = {
  name: 'subject_key_current',
  text: `select kid, wrapped, wrapped_by from subject_keys.subject_key
    where subject = $1 and destroyed_at is null`,
};

const BY_KID: NamedQuery = {
  name: 'subject_key_by_kid',
  text: 'select kid, wrapped, wrapped_by from subject_keys.subject_key where kid = $1',
};

const NEXT_VERSION: NamedQuery = {
  name: 'subject_key_next_version',
  text: `select coalesce(max(version), 0) + 1 as version from subject_keys.subject_key
    where subject = $1`,
};

// Another process may add the same version at the same time. One of the two keys is stored, and both use it.
const ADD: NamedQuery = {
  name: 'subject_key_add',
  text: `insert into subject_keys.subject_key (kid, subject, version, wrapped, wrapped_by)
    values ($1, $2, $3, $4, $5) on conflict do nothing`,
};

const ANNOUNCE = `insert into subject_keys.announced_erasure (kid, request_id)
  select kid, $2 from unnest($1::text[]) as named (kid) on conflict do nothing`;

const ERASURES: NamedQuery = {
  name: 'subject_key_erasures',
  text: `select kid, destroyed_by as request_id, true as destroyed from subject_keys.subject_key
      where kid = any($1::text[]) and wrapped is null
    union all
    select kid, request_id, false from subject_keys.announced_erasure where kid = any($1::text[])`,
};

const DESTRUCTIONS: NamedQuery = {
  name: 'subject_key_destructions',
  text: 'select count from subject_keys.destruction',
};

const WRAPPED_BY_OTHERS = `select kid, wrapped, wrapped_by from subject_keys.subject_key
  where wrapped is not null and wrapped_by <> $1 and kid > $2 order by kid limit 500`;

const REWRAP = `update subject_keys.subject_key set wrapped = $2, wrapped_by = $3
  where kid = $1 and wrapped is not null`;

const LIVING = `select kid from subject_keys.subject_key
  where subject = $1 and destroyed_at is null order by kid`;

const DESTROYED_BY = `select kid from subject_keys.subject_key
  where destroyed_by = $1 order by kid`;

const COUNT_DESTRUCTION = 'update subject_keys.destruction set count = count + 1';

// The parameter is a JSON array of the columns.
const ADD_RESTORED = `insert into subject_keys.subject_key
  select * from json_populate_recordset(null::subject_keys.subject_key, $1::json)
  on conflict do nothing`;

// A key that the table does not have is added as destroyed, so its values are shown as erased.
const DESTROY = `insert into subject_keys.subject_key
    (kid, subject, version, wrapped_by, destroyed_at, destroyed_by)
  select kid, subject, version, '', now(), destroyed_by
    from json_to_recordset($1::json)
      as erased (kid text, subject text, version int, destroyed_by text)
  on conflict (kid) do update
    set wrapped = null, destroyed_at = now(), destroyed_by = excluded.destroyed_by
    where subject_key.wrapped is not null
  returning kid`;

const VACUUM = 'vacuum subject_keys.subject_key';

const RESTORED_AT_ONCE = 1_000;

/** A key that an erasure has destroyed, as the log names it (SPEC G6). */
export interface ErasedKey {
  readonly kid: string;
  readonly subject: string;
  readonly version: number;
  /** The request of the erasure. */
  readonly destroyed_by: string;
}

/** An erasure that has destroyed a key, or was announced for it. */
export interface KeyErasure {
  readonly kid: string;
  readonly request_id: string;
  readonly destroyed: boolean;
}

/** A key in the table; `wrapped` is null if the key is destroyed. */
export type StoredKey = { readonly kid: string } & (Wrapped | { readonly wrapped: null });

/** The table of the subjects' keys. Every method fails with `PostgresUnavailable`. */
export class KeyTable {
  private readonly tables: OwnTables;

  /**
   * @param postgres connections with the role of the keys
   * @param dataDir the data directory; the keys that a restore has left there are added when the table is used
   * first, before any new key can take the name of one of them
   */
  constructor(
    private readonly postgres: Postgres,
    dataDir: string,
  ) {
    this.tables = new OwnTables(postgres, 'subject_keys', TABLES, (tx) => addRestored(tx, dataDir));
  }

  async current(subject: string): Promise<StoredKey | undefined> {
    return (await this.read<StoredKey>(CURRENT, [subject]))[0];
  }

  async byKid(kid: string): Promise<StoredKey | undefined> {
    return (await this.read<StoredKey>(BY_KID, [kid]))[0];
  }

  async nextVersion(subject: string): Promise<number> {
    const [row] = await this.read<{ version: number }>(NEXT_VERSION, [subject]);
    return row?.version ?? 1;
  }

  /** Stores a key, on disk before it resolves. Does nothing if the subject already has this version. */
  async add(kid: string, subject: string, version: number, key: Wrapped): Promise<void> {
    await this.read(ADD, [kid, subject, version, key.wrapped, key.wrapped_by]);
  }

  /** The number of destructions so far, by all processes. */
  async destructions(): Promise<bigint> {
    const [row] = await this.read<{ count: string }>(DESTRUCTIONS, []);
    return BigInt(row?.count ?? 0);
  }

  /** Returns the ids of the subject's keys that are not destroyed, sorted. */
  async living(subject: string): Promise<readonly string[]> {
    return (await this.read<{ kid: string }>(LIVING, [subject])).map(({ kid }) => kid);
  }

  /** Notes that an erasure is about to order the destruction of these keys. */
  async announce(kids: readonly string[], requestId: string): Promise<void> {
    await this.read(ANNOUNCE, [kids, requestId]);
  }

  /** Returns the erasures that have destroyed one of the keys, or were announced for it. */
  erasuresOf(kids: readonly string[]): Promise<KeyErasure[]> {
    return this.read<KeyErasure>(ERASURES, [kids]);
  }

  /** Returns the ids of the keys that an erasure has destroyed, sorted. */
  async destroyedBy(requestId: string): Promise<readonly string[]> {
    return (await this.read<{ kid: string }>(DESTROYED_BY, [requestId])).map(({ kid }) => kid);
  }

  /**
   * Destroys these keys and no others, also those that the table does not have. Returns the ids of those that were not
   * destroyed before. The old versions of the rows stay in the files of Postgres until `vacuum`.
   */
  async destroy(keys: readonly ErasedKey[]): Promise<readonly string[]> {
    await this.tables.make();
    return this.postgres.transaction(async (tx) => {
      const rows = await tx.query<{ kid: string }>(DESTROY, [JSON.stringify(keys)]);
      if (rows.length > 0) await tx.query(COUNT_DESTRUCTION);
      return rows.map(({ kid }) => kid);
    });
  }

  async vacuum(): Promise<void> {
    await this.postgres.query(VACUUM);
  }

  /** Yields the keys that were not wrapped with this sealing key. */
  async *wrappedByOthers(sealingKeyId: string): AsyncGenerator<{ readonly kid: string } & Wrapped> {
    let after = '';
    for (;;) {
      const rows = await this.read<{ kid: string } & Wrapped>(WRAPPED_BY_OTHERS, [
        sealingKeyId,
        after,
      ]);
      yield* rows;
      const last = rows.at(-1);
      if (last === undefined) return;
      after = last.kid;
    }
  }

  async rewrap(kid: string, key: Wrapped): Promise<void> {
    await this.read(REWRAP, [kid, key.wrapped, key.wrapped_by]);
  }

  private async read<Row extends object>(
    query: string | NamedQuery,
    values: readonly unknown[],
  ): Promise<Row[]> {
    await this.tables.make();
    return this.postgres.query<Row>(query, values);
  }
}

async function addRestored(tx: ProjectionTransaction, dataDir: string): Promise<void> {
  const keys = (await keysInFile(dataDir)) ?? [];
  for (let from = 0; from < keys.length; from += RESTORED_AT_ONCE)
    await tx.query(ADD_RESTORED, [JSON.stringify(keys.slice(from, from + RESTORED_AT_ONCE))]);
}
