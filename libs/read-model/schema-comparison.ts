import type { Postgres, PostgresTransaction } from './postgres.js';
import { liveSchema, nextSchema } from './schema-layout.js';

/** How a live row differs from the row that the log gives. */
export type Difference = 'changed' | 'missing' | 'extra';

/** A live row that is not as the log gives it, or that should be there. */
export interface DifferentRow {
  /** The schema and table, such as `sem.fact`. */
  readonly table: string;
  readonly difference: Difference;
  /** The last event that the row shows; empty and 0 in tables whose rows name no event. */
  readonly stream: string;
  readonly number: number;
}

export interface Comparison {
  /** The number of all rows that differ. */
  readonly count: number;
  /** The first of them, in each table. */
  readonly rows: readonly DifferentRow[];
}

/** The most rows of one table that are named. */
const NAMED = 100;

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  readonly key: readonly string[];
}

// A seal says nothing that the other columns do not say, and changes with the key of the installation.
const TABLES = `
  select table_name as name,
    array_agg(column_name::text order by ordinal_position) filter (where column_name <> 'seal') as columns,
    (select array_agg(attname::text) from pg_index join pg_attribute
       on attrelid = indrelid and attnum = any(indkey)
     where indisprimary and indrelid = format('%I.%I', table_schema, table_name)::regclass) as key
  from information_schema.columns
  where table_schema = $1 and table_name <> 'checkpoint'
  group by table_schema, table_name order by table_name`;

/**
 * Compares every row of a live read model with the tables that a rebuild has filled up to the same position. So it
 * names each row that was changed, deleted or added outside the service, also in tables whose rows have no seal.
 */
export function compareWithRebuilt(postgres: Postgres, name: string): Promise<Comparison> {
  return postgres.transaction(async (tx) => {
    const tables = await tx.query<Table>(TABLES, [nextSchema(name)]);
    const rows: DifferentRow[] = [];
    let count = 0;
    for (const table of tables) {
      const found = await differencesIn(tx, name, table);
      count += Number(found[0]?.count ?? 0);
      rows.push(
        ...found.map(({ difference, stream, number }) => ({
          ...{ table: `${name}.${table.name}`, difference },
          ...{ stream: stream ?? '', number: Number(number ?? 0) },
        })),
      );
    }
    return { count, rows };
  });
}

interface Found {
  readonly difference: Difference;
  readonly stream: string | null;
  readonly number: number | null;
  readonly count: string;
}

function differencesIn(
  tx: PostgresTransaction,
  name: string,
  { name: table, columns, key }: Table,
): Promise<Found[]> {
  const [one = ''] = key;
  const of = (side: string): string => columns.map((column) => `${side}.${column}`).join(', ');
  const shown = (column: string): string =>
    columns.includes(column) ? `coalesce(live.${column}, next.${column})` : 'null';
  return tx.query<Found>(
    `select case when live.${one} is null then 'missing' when next.${one} is null then 'extra'
       else 'changed' end as difference,
       ${shown('stream')} as stream, ${shown('number')} as number, count(*) over () as count
     from ${liveSchema(name)}.${table} as live
     full join ${nextSchema(name)}.${table} as next using (${key.join(', ')})
     where row(${of('live')}) is distinct from row(${of('next')})
     limit ${NAMED}`,
  );
}
