import { inSlices } from '#bounded/slices.js';
import { canonicalJson } from '#domain/determinism/canonical-json.js';
import { sha256Hex } from '#domain/determinism/hash.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { LoggedEvent } from '#event-store/event-store.js';
import { hashOf } from './checkpoint.js';
import { bytes, type Column, type Columns, int, listOf, type RowWith, text } from './columns.js';
import type { NamedQuery } from './postgres.js';
import type { ProjectionTransaction } from './projection.js';
import type { RowMacs } from './row-macs.js';

/** A row with the last event that it shows. */
export interface EventRow<Row> {
  readonly row: Row;
  readonly event: Pick<LoggedEvent, 'stream' | 'number' | 'metadata' | 'id'>;
}

/** The further columns of a table with MACs: the last event that a row shows, and the row's MAC. */
const MAC_COLUMNS = { stream: text(), number: int(), event_hash: text(), mac: bytes() };
type MacColumns = RowWith<typeof MAC_COLUMNS>;

/** The column with the SHA-256 of a large value, which a table with MACs has beside it. */
const digestColumn = (name: string): string => `${name}_sha256`;
const digestOf = (value: unknown): string => sha256Hex(String(value));

export interface Declaration<
  Of extends Columns,
  Key extends keyof Of & string,
  Mac extends boolean = boolean,
> {
  readonly key: readonly Key[];
  readonly columns: Of;
  /** The columns of each further unique key. */
  readonly unique?: readonly (readonly (keyof Of & string)[])[];
  /** The columns and the condition of each index, by the index's name. */
  readonly indexes?: Readonly<Record<string, string>>;
  /**
   * True if an agent or a vote decides by the rows. Each row then carries a MAC, which is checked whenever the row is
   * read, so a row that was changed, moved to another key or inserted by hand is never answered.
   */
  readonly mac?: Mac;
}

/** A row as a projection writes it: with its event if it carries a MAC. */
export type Written<Of extends Columns, Mac extends boolean> = Mac extends true
  ? EventRow<RowWith<Of>>
  : RowWith<Of>;

/** The source of rows: the connections of the queries, or a transaction. */
interface Source {
  readonly macs?: RowMacs | undefined;
  query<Row extends object>(
    query: string | NamedQuery,
    values?: readonly unknown[],
  ): Promise<Row[]>;
}

/**
 * Declares a table of a read model. @param name the schema and table, such as `sem.fact`; the schema is the read
 * model's name
 */
export const readTable = <
  const Of extends Columns,
  const Key extends keyof Of & string,
  const Mac extends boolean = false,
>(
  name: `${string}.${string}`,
  declaration: Declaration<Of, Key, Mac>,
): ReadTable<Of, Key, Mac> => new ReadTable(name, declaration);

/** A table of a read model, with the statements of its projection. */
export class ReadTable<
  Of extends Columns,
  Key extends keyof Of & string,
  Mac extends boolean = boolean,
> {
  readonly columns: Of;
  /** The SQL that creates the table and its indexes. */
  readonly ddl: string;
  private readonly table: string;
  private readonly key: readonly Key[];
  private readonly hasMacs: boolean;
  /** The columns that a row does not show, because only tables with MACs have them. */
  private readonly hidden: readonly string[];
  private readonly large: readonly string[];
  /** All columns of the table. */
  private readonly stored: readonly string[];
  private readonly insertSql: string;
  private readonly replaceSql: string;
  private readonly keepSql: string;

  constructor(
    readonly name: string,
    { key, columns, unique = [], indexes = {}, mac = false as Mac }: Declaration<Of, Key, Mac>,
  ) {
    this.columns = columns;
    this.key = key;
    this.hasMacs = mac;
    this.large = mac ? Object.keys(columns).filter((column) => columns[column]?.isLarge) : [];
    const digests = this.large.map(digestColumn);
    const added = [...Object.keys(MAC_COLUMNS), ...digests];
    this.hidden = added.filter((name) => !(name in columns));
    this.table = name.slice(name.indexOf('.') + 1);
    const ofDigests = Object.fromEntries(digests.map((digest) => [digest, text()]));
    const all: Columns = mac ? { ...columns, ...ofDigests, ...MAC_COLUMNS } : columns;
    this.stored = Object.keys(all);
    this.ddl = [
      `create table ${this.table} (`,
      [
        ...Object.entries(all).map(
          ([column, { sql, isNullable }]) => `  ${column} ${sql}${isNullable ? '' : ' not null'}`,
        ),
        `  primary key (${key.join(', ')})`,
        ...unique.map((columns) => `  unique (${columns.join(', ')})`),
      ].join(',\n'),
      ');',
      ...Object.entries(indexes).map(
        ([index, on]) => `create index ${index} on ${this.table} ${on};`,
      ),
    ].join('\n');
    this.insertSql = `insert into ${this.table}
      select * from json_populate_recordset(null::${this.table}, $1::json)`;
    this.keepSql = `${this.insertSql} on conflict do nothing`;
    const replaced = Object.keys(all)
      .filter((column) => !(key as readonly string[]).includes(column))
      .map((column) => `${column} = excluded.${column}`);
    this.replaceSql = `${this.insertSql}
      on conflict (${key.join(', ')}) do update set ${replaced.join(', ')}`;
  }

  /** Inserts rows. Fails if the table has one of their keys. */
  insert(tx: ProjectionTransaction, rows: readonly Written<Of, Mac>[]): Promise<void> {
    return this.write(tx, this.insertSql, rows);
  }

  /** Inserts rows, and replaces the rows with the same keys. */
  replace(tx: ProjectionTransaction, rows: readonly Written<Of, Mac>[]): Promise<void> {
    return this.write(tx, this.replaceSql, rows);
  }

  /** Inserts the rows whose keys the table does not have. */
  keepFirst(tx: ProjectionTransaction, rows: readonly Written<Of, Mac>[]): Promise<void> {
    return this.write(tx, this.keepSql, rows);
  }

  /** Returns the rows that fulfil an SQL condition. @throws Refusal as `read` does. */
  async find(
    tx: ProjectionTransaction,
    condition: string,
    values: readonly unknown[],
  ): Promise<RowWith<Of>[]> {
    const text = `select * from ${this.table} where ${condition}`;
    const rows = await tx.query<RowWith<Of>>(text, values);
    // A transaction does not wait for the slices of requests.
    return this.hasMacs ? rows.map((row) => this.checked(tx.macs, row)) : rows;
  }

  /** Returns the rows that have one of these keys. @throws Refusal as `read` does. */
  withKeys(
    tx: ProjectionTransaction,
    keys: readonly Pick<RowWith<Of>, Key>[],
  ): Promise<RowWith<Of>[]> {
    return this.having(tx, this.key, keys);
  }

  /**
   * Returns the rows whose columns have one of these lists of values and which fulfil an SQL condition. Postgres looks
   * each list up in the index of the columns; without `offset 0`, it may try every list on every row.
   * @throws Refusal as `read` does.
   */
  async having<const Column extends keyof Of & string>(
    tx: ProjectionTransaction,
    columns: readonly Column[],
    wanted: readonly Pick<RowWith<Of>, Column>[],
    condition = 'true',
  ): Promise<RowWith<Of>[]> {
    if (wanted.length === 0) return [];
    const lists = columns.map((column, at) => `$${at + 1}::${listOf(this.columns[column]!)}`);
    const same = columns.map((column) => `${this.table}.${column} = wanted.${column}`);
    return this.find(
      tx,
      `ctid = any(array(
        select found.ctid from unnest(${lists.join(', ')}) as wanted (${columns.join(', ')})
        cross join lateral (
          select ctid from ${this.table} where ${same.join(' and ')} and ${condition} offset 0) as found))`,
      columns.map((column) => wanted.map((each) => each[column])),
    );
  }

  /** Returns a text that only rows with the same key have. */
  idOf(row: Pick<RowWith<Of>, Key>): string {
    return JSON.stringify(this.key.map((column) => row[column]));
  }

  /** Returns the columns of a query on the table, under an alias, without a large one; `read` checks its other columns. */
  columnsWithout(omitted: keyof Of & string, alias: string): string {
    if (!this.large.includes(omitted))
      throw new TypeError(`the MACs of ${this.name} need ${omitted}`);
    return this.stored
      .filter((column) => column !== omitted)
      .map((column) => `${alias}.${column}`)
      .join(', ');
  }

  /**
   * Returns the rows of a query that selects all columns of a table with MACs, or those of `columnsWithout`, and perhaps
   * others. Many large rows are
   * checked in slices. @throws Refusal INTEGRITY_FAILURE if one of them was changed.
   */
  async read<Others extends object = object>(
    source: Source,
    query: string | NamedQuery,
    values?: readonly unknown[],
  ): Promise<(RowWith<Of> & Others)[]> {
    const rows = await source.query<RowWith<Of> & Others>(query, values);
    return inSlices(this.allChecked(source.macs, rows));
  }

  /** Returns what a projection writes of a row that an event made or changed. */
  written(row: RowWith<Of>, event: EventRow<unknown>['event']): Written<Of, Mac> {
    return (this.hasMacs ? { row, event } : row) as Written<Of, Mac>;
  }

  private *allChecked<Row extends object>(macs: RowMacs | undefined, stored: readonly Row[]) {
    const rows: Row[] = [];
    for (const row of stored) {
      rows.push(this.checked(macs, row));
      yield;
    }
    return rows;
  }

  /** Returns a row with the columns that it shows. */
  private checked<Row extends object>(macs: RowMacs | undefined, stored: Row): Row {
    const { mac, ...row } = stored as MacColumns;
    const isMac =
      Buffer.isBuffer(mac) && keyFor(this.name, macs).isMacOf(this.textOf(row, row), mac);
    if (!isMac || !this.hasDigests(row)) throw this.changed(macs, row);
    for (const name of this.hidden) delete (row as Record<string, unknown>)[name];
    return row as Row;
  }

  /** True if each large value that the row has is the one whose digest its MAC covers. */
  private hasDigests(row: object): boolean {
    const values = row as Readonly<Record<string, unknown>>;
    return this.large.every(
      (name) => !(name in values) || digestOf(values[name]) === values[digestColumn(name)],
    );
  }

  private changed(macs: RowMacs | undefined, { stream, number }: Omit<MacColumns, 'mac'>): Refusal {
    macs?.report({ table: this.name, stream, number });
    const reason = 'a row was changed outside the service';
    return new Refusal('INTEGRITY_FAILURE', { stream: this.name, number, reason });
  }

  private async write(
    tx: ProjectionTransaction,
    sql: string,
    rows: readonly Written<Of, Mac>[],
  ): Promise<void> {
    if (rows.length === 0) return;
    const stored = this.hasMacs
      ? (rows as readonly EventRow<RowWith<Of>>[]).map((one) => this.withMac(tx.macs, one))
      : rows;
    await tx.query(sql, [JSON.stringify(stored)]);
  }

  private withMac(macs: RowMacs | undefined, { row, event }: EventRow<RowWith<Of>>): object {
    const { stream, number } = event;
    const event_hash = hashOf(event);
    const values = row as Readonly<Record<string, unknown>>;
    const digests = Object.fromEntries(
      this.large.map((name) => [digestColumn(name), digestOf(values[name])]),
    );
    const whole = { ...row, ...digests };
    const covered = this.textOf(whole, { stream, number, event_hash });
    const mac = keyFor(this.name, macs).macOf(covered).toString('hex');
    return { ...whole, stream, number, event_hash, mac: `\\x${mac}` };
  }

  private textOf(row: object, { stream, number, event_hash }: Omit<MacColumns, 'mac'>): string {
    const values: unknown[] = [this.name, stream, number, event_hash];
    for (const [name, column] of Object.entries(this.columns)) {
      const covered = this.large.includes(name) ? digestColumn(name) : name;
      values.push(coveredValue((row as Record<string, unknown>)[covered] ?? null, column));
    }
    return JSON.stringify(values);
  }
}

function keyFor(table: string, macs: RowMacs | undefined): RowMacs {
  if (macs === undefined) throw new Error(`the rows of ${table} need the key of their MACs`);
  return macs;
}

/** Returns a value as a MAC covers it: jsonb keeps no order of keys, and pg returns a bigint as a text. */
function coveredValue(value: unknown, { sql }: Column<unknown>): unknown {
  if (value === null) return value;
  if (sql === 'jsonb') return canonicalJson(value);
  return sql === 'bigint' && typeof value === 'number' ? value.toString() : value;
}
