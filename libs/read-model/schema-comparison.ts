import type { DifferentRows } from './different-rows.js';
import type { Postgres, PostgresTransaction } from './postgres.js';
import { type Filling, liveSchema, nextSchema, OwnershipLost } from './schema-layout.js';

export interface ComparisonOptions {
  /** Called once both schemas can change without an effect on the comparison. */
  readonly begun: () => void;
  /** Returns a key without personal data. Another program may have written anything into it. */
  readonly clear: (key: string) => string;
  readonly signal: AbortSignal;
}

/** The most rows of one table and difference that are named. The others are counted. */
const NAMED = 100;
const MAX_KEY_LENGTH = 200;

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  readonly key: readonly string[];
}

// A MAC says nothing that the other columns do not say, and changes with the key of the installation.
const TABLES = `
  select table_name as name,
    array_agg(column_name::text order by ordinal_position) filter (where column_name <> 'mac') as columns,
    (select array_agg(attname::text order by array_position(indkey::int2[], attnum))
       from pg_index join pg_attribute on attrelid = indrelid and attnum = any(indkey)
     where indisprimary and indrelid = format('%I.%I', table_schema, table_name)::regclass) as key
  from information_schema.columns
  where table_schema = $1 and table_name <> 'checkpoint'
  group by table_schema, table_name order by table_name`;

/**
 * Compares every row of a live read model with the tables that a rebuild has filled up to the same position. So it
 * finds each row that was changed, deleted or added outside the service, in every table. Both are compared as they are
 * when it begins, and can go on meanwhile. Fails with `OwnershipLost` if one of them is not at this position.
 */
export function compareWithRebuilt(
  postgres: Postgres,
  { projection: { name, namedTables = [] }, position }: Pick<Filling, 'projection' | 'position'>,
  { begun, clear, signal }: ComparisonOptions,
): Promise<readonly DifferentRows[]> {
  return postgres.transaction(async (tx) => {
    await tx.query('set transaction isolation level repeatable read, read only');
    const [at] = await tx.query<{ same: boolean }>(
      `select live.position is not distinct from $1 and next.position is not distinct from $1 as same
       from ${liveSchema(name)}.checkpoint as live, ${nextSchema(name)}.checkpoint as next`,
      [position ?? null],
    );
    begun();
    if (at?.same !== true) throw new OwnershipLost('a checkpoint has moved before a comparison');
    const found: DifferentRows[] = [];
    for (const table of await tx.query<Table>(TABLES, [nextSchema(name)])) {
      signal.throwIfAborted();
      const isNamed = namedTables.includes(`${name}.${table.name}`);
      for (const { key, ...rows } of await differencesIn(tx, name, table, isNamed))
        found.push({
          ...{ table: `${name}.${table.name}`, difference: rows.difference },
          ...{ key: key === null ? null : clear(key), count: Number(rows.count) },
        });
    }
    return found;
  });
}

type Found = Omit<DifferentRows, 'table' | 'count'> & { readonly count: string };

function differencesIn(
  tx: PostgresTransaction,
  name: string,
  { name: table, columns, key }: Table,
  isNamed: boolean,
): Promise<Found[]> {
  const [one = ''] = key;
  const of = (side: string): string => columns.map((column) => `${side}.${column}`).join(', ');
  const rank = `row_number() over (partition by difference order by ${key.join(', ')})`;
  return tx.query<Found>(
    `with different as (
       select case when live.${one} is null then 'missing' when next.${one} is null then 'extra'
         else 'changed' end as difference, ${key.join(', ')}
       from ${liveSchema(name)}.${table} as live
       full join ${nextSchema(name)}.${table} as next using (${key.join(', ')})
       where row(${of('live')}) is distinct from row(${of('next')})
     ), ranked as (select *, ${rank} as rank from different)
     select difference, left(concat_ws(' ', ${key.join(', ')}), ${MAX_KEY_LENGTH}) as key, 1 as count
     from ranked where $1 and rank <= ${NAMED}
     union all
     select difference, null, count(*) from ranked where not $1 or rank > ${NAMED} group by difference`,
    [isNamed],
  );
}
