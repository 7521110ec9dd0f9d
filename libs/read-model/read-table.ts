import { inSlices } from '#bounded/slices.js';
import { canonicalJson } from '#domain/determinism/canonical-json.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { LoggedEvent } from '#event-store/event-store.js';
import { hashOf } from './checkpoint.js';
import { bytes, type Column, type Columns, int, listOf, type RowWith, text } from './columns.js';
import type { ProjectionTransaction } from './projection.js';
import type { RowSeals } from './row-seals.js';

/** A row with the last event that it shows. */
export interface Shown<Row> {
  readonly row: Row;
  readonly event: Pick<LoggedEvent, 'stream' | 'number' | 'metadata' | 'id'>;
}

/** The columns that every table has beside its own: the last event that a row shows, and the row's seal. */
const SEAL_COLUMNS = { stream: text(), number: int(), event_hash: text(), seal: bytes() };
type SealColumns = RowWith<typeof SEAL_COLUMNS>;

type Stored = Readonly<Record<string, unknown>> & SealColumns;

/** The key, the columns and the indexes of a table. */
export interface Declaration<Of extends Columns, Key extends keyof Of & string> {
  /** The columns of the primary key. */
  readonly key: readonly Key[];
  /** The columns of a row, except those that every table has. Their order is that of the seals. */
  readonly columns: Of;
  /** The columns of each further unique key. */
  readonly unique?: readonly (readonly (keyof Of & string)[])[];
  /** The columns and the condition of each index, by the index's name. */
  readonly indexes?: Readonly<Record<string, string>>;
}

/**
 * Declares a table of a read model. @param name the schema and table, such as `sem.fact`; the schema is the read
 * model's name
 */
export const readTable = <const Of extends Columns, const Key extends keyof Of & string>(
  name: `${string}.${string}`,
  declaration: Declaration<Of, Key>,
): ReadTable<Of, Key> => new ReadTable(name, declaration);

/**
 * A table whose rows routes answer from. A row is sealed when the projection writes it, and the seal is
 * checked whenever a row is read, by a query or by the projection, so a row that was changed, moved to another
 * key or inserted by hand is never answered.
 */
export class ReadTable<Of extends Columns, Key extends keyof Of & string> {
  readonly columns: Of;
  /** The SQL that creates the table and its indexes. */
  readonly ddl: string;
  private readonly table: string;
  private readonly entries: readonly (readonly [name: string, column: Column<unknown>])[];
  private readonly key: readonly Key[];
  private readonly insertSql: string;
  private readonly replaceSql: string;
  private readonly keepSql: string;

  constructor(
    private readonly name: string,
    { key, columns, unique = [], indexes = {} }: Declaration<Of, Key>,
  ) {
    this.columns = columns;
    this.entries = Object.entries(columns);
    this.key = key;
    this.table = name.slice(name.indexOf('.') + 1);
    const all: Columns = { ...columns, ...SEAL_COLUMNS };
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
  insert(
    tx: ProjectionTransaction,
    seals: RowSeals,
    rows: readonly Shown<RowWith<Of>>[],
  ): Promise<void> {
    return this.write(tx, this.insertSql, seals, rows);
  }

  /** Inserts rows, and replaces the rows with the same keys. */
  replace(
    tx: ProjectionTransaction,
    seals: RowSeals,
    rows: readonly Shown<RowWith<Of>>[],
  ): Promise<void> {
    return this.write(tx, this.replaceSql, seals, rows);
  }

  /** Inserts the rows whose keys the table does not have. */
  keepFirst(
    tx: ProjectionTransaction,
    seals: RowSeals,
    rows: readonly Shown<RowWith<Of>>[],
  ): Promise<void> {
    return this.write(tx, this.keepSql, seals, rows);
  }

  /** Returns the rows that fulfil an SQL condition. @throws Refusal as `open` does. */
  async find(
    tx: ProjectionTransaction,
    seals: RowSeals,
    condition: string,
    values: readonly unknown[],
  ): Promise<RowWith<Of>[]> {
    const stored = await tx.query<Stored>(`select * from ${this.table} where ${condition}`, values);
    // A transaction does not wait for the slices of requests.
    return stored.map((row) => this.openOne(seals, row));
  }

  /** Returns the rows that have one of these keys. @throws Refusal as `open` does. */
  async withKeys(
    tx: ProjectionTransaction,
    seals: RowSeals,
    keys: readonly Pick<RowWith<Of>, Key>[],
  ): Promise<RowWith<Of>[]> {
    if (keys.length === 0) return [];
    const lists = this.key.map((column, at) => `$${at + 1}::${listOf(this.columns[column]!)}`);
    return this.find(
      tx,
      seals,
      `(${this.key.join(', ')}) in (select * from unnest(${lists.join(', ')}))`,
      this.key.map((column) => keys.map((key) => key[column])),
    );
  }

  /** Returns a text that only rows with the same key have. */
  idOf(row: Pick<RowWith<Of>, Key>): string {
    return JSON.stringify(this.key.map((column) => row[column]));
  }

  /**
   * Returns rows as they were sealed, without the columns that every table has. Many large rows are checked in slices.
   * @throws Refusal INTEGRITY_FAILURE if one of them was changed.
   */
  open(seals: RowSeals, stored: readonly object[]): Promise<RowWith<Of>[]> {
    return inSlices(this.opened(seals, stored as readonly Stored[]));
  }

  /** Returns rows without a check of their seals, for a caller that has other means to check them. */
  unchecked(stored: readonly object[]): RowWith<Of>[] {
    return (stored as readonly Stored[]).map((row) => this.ownColumns(row));
  }

  /** True if a stored row is as the projection sealed it. */
  isSealed(seals: RowSeals, stored: object): boolean {
    const row = stored as Stored;
    return Buffer.isBuffer(row.seal) && seals.isSealed(this.textOf(row, row), row.seal);
  }

  /** Reports a changed row, and returns the refusal of its read, which contains nothing of the row. */
  changed(seals: RowSeals, { stream, number }: { stream: string; number: number }): Refusal {
    seals.report({ table: this.name, stream, number });
    const reason = 'a row was changed outside the service';
    return new Refusal('INTEGRITY_FAILURE', { stream: this.name, number, reason });
  }

  /** Returns a row with its seal, as the table stores it. */
  stored(seals: RowSeals, { row, event }: Shown<RowWith<Of>>): object {
    const { stream, number } = event;
    const event_hash = hashOf(event);
    const seal = seals.sealOf(this.textOf(row, { stream, number, event_hash }));
    return { ...row, stream, number, event_hash, seal: `\\x${seal.toString('hex')}` };
  }

  private *opened(seals: RowSeals, stored: readonly Stored[]) {
    const rows: RowWith<Of>[] = [];
    for (const row of stored) {
      rows.push(this.openOne(seals, row));
      yield;
    }
    return rows;
  }

  private openOne(seals: RowSeals, row: Stored): RowWith<Of> {
    if (!this.isSealed(seals, row)) throw this.changed(seals, row);
    return this.ownColumns(row);
  }

  private async write(
    tx: ProjectionTransaction,
    sql: string,
    seals: RowSeals,
    rows: readonly Shown<RowWith<Of>>[],
  ): Promise<void> {
    if (rows.length === 0) return;
    await tx.query(sql, [JSON.stringify(rows.map((one) => this.stored(seals, one)))]);
  }

  private ownColumns(stored: Stored): RowWith<Of> {
    const row: Record<string, unknown> = {};
    for (const [name] of this.entries) row[name] = stored[name];
    return row as RowWith<Of>;
  }

  private textOf(row: object, { stream, number, event_hash }: Omit<SealColumns, 'seal'>): string {
    const values: unknown[] = [this.name, stream, number, event_hash];
    for (const [name, column] of this.entries)
      values.push(sealedValue((row as Record<string, unknown>)[name] ?? null, column));
    return JSON.stringify(values);
  }
}

/** Returns a value as a seal covers it: jsonb keeps no order of keys, and pg returns a bigint as a text. */
function sealedValue(value: unknown, { sql }: Column<unknown>): unknown {
  if (value === null) return value;
  if (sql === 'jsonb') return canonicalJson(value);
  return sql === 'bigint' && typeof value === 'number' ? value.toString() : value;
}
