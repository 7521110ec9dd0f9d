import { canonicalJson } from '#domain/determinism/canonical-json.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { LoggedEvent } from '#event-store/event-store.js';
import { hashOf } from './checkpoint.js';
import { PostgresUnavailable } from './postgres-unavailable.js';
import type { ProjectionTransaction } from './projection.js';
import type { RowSeals } from './row-seals.js';

/**
 * How a column's value is sealed: `plain` as it is; `bigint` as a text, because pg returns a bigint as a
 * text; `json` (a jsonb column) as canonical JSON, because jsonb keeps no order of keys.
 */
export type Column = 'plain' | 'bigint' | 'json';

/** A row with the last event that it shows. */
export interface Shown<Row> {
  readonly row: Row;
  readonly event: Pick<LoggedEvent, 'stream' | 'number' | 'metadata' | 'id'>;
}

/** The columns that every sealed table has beside its own. */
interface SealColumns {
  /** The last event that the row shows: its stream, its number and its hash. */
  readonly stream: string;
  readonly number: number;
  readonly event_hash: string;
  /** The HMAC of the table's name, the row's own columns, and the three columns above. */
  readonly seal: Buffer | string;
}

type Stored = Readonly<Record<string, unknown>> & SealColumns;

/**
 * A table whose rows routes answer from. A row is sealed when the projection writes it, and the seal is
 * checked whenever a row is read, by a query or by the projection, so a row that was changed, moved to another
 * key or inserted by hand is never answered.
 */
export class SealedTable<Row extends object> {
  private readonly columns: readonly (readonly [name: keyof Row & string, kind: Column])[];
  private readonly table: string;
  private readonly insertSql: string;
  private readonly replaceSql: string;
  private readonly keepSql: string;

  /**
   * @param name the schema and table, such as `sem.fact`; a seal covers this name in each schema that a
   * rebuild fills
   * @param key the columns of the primary key
   * @param columns the columns of a row, except those that every sealed table has
   */
  constructor(
    private readonly name: string,
    key: readonly (keyof Row & string)[],
    columns: Readonly<Record<keyof Row & string, Column>>,
  ) {
    this.columns = Object.entries(columns) as [keyof Row & string, Column][];
    this.table = name.slice(name.indexOf('.') + 1);
    this.insertSql = `insert into ${this.table}
      select * from json_populate_recordset(null::${this.table}, $1::json)`;
    this.keepSql = `${this.insertSql} on conflict do nothing`;
    const replaced = [
      ...new Set([...Object.keys(columns), 'stream', 'number', 'event_hash', 'seal']),
    ]
      .filter((column) => !(key as readonly string[]).includes(column))
      .map((column) => `${column} = excluded.${column}`);
    this.replaceSql = `${this.insertSql}
      on conflict (${key.join(', ')}) do update set ${replaced.join(', ')}`;
  }

  /** Inserts rows. Fails if the table has one of their keys. */
  insert(tx: ProjectionTransaction, seals: RowSeals, rows: readonly Shown<Row>[]): Promise<void> {
    return this.write(tx, this.insertSql, seals, rows);
  }

  /** Inserts rows, and replaces the rows with the same keys. */
  replace(tx: ProjectionTransaction, seals: RowSeals, rows: readonly Shown<Row>[]): Promise<void> {
    return this.write(tx, this.replaceSql, seals, rows);
  }

  /** Inserts the rows whose keys the table does not have. */
  keepFirst(
    tx: ProjectionTransaction,
    seals: RowSeals,
    rows: readonly Shown<Row>[],
  ): Promise<void> {
    return this.write(tx, this.keepSql, seals, rows);
  }

  /** Returns the rows that fulfil an SQL condition. @throws Refusal as `open` does. */
  async find(
    tx: ProjectionTransaction,
    seals: RowSeals,
    condition: string,
    values: readonly unknown[],
  ): Promise<Row[]> {
    return this.open(
      seals,
      await tx.query(`select * from ${this.table} where ${condition}`, values),
    );
  }

  /**
   * Returns rows as they were sealed, without the columns that every sealed table has. @throws Refusal
   * INTEGRITY_FAILURE if one of them was changed, and PostgresUnavailable while the tables are those of an
   * earlier release, which sealed no rows.
   */
  open(seals: RowSeals, stored: readonly object[]): Row[] {
    return (stored as readonly Stored[]).map((row) => {
      if (!this.isSealed(seals, row)) throw this.changed(seals, row);
      return this.ownColumns(row);
    });
  }

  /** Returns rows without a check of their seals, for a caller that has other means to check them. */
  unchecked(stored: readonly object[]): Row[] {
    return (stored as readonly Stored[]).map((row) => this.ownColumns(row));
  }

  /** True if a stored row is as the projection sealed it. Fails as `open` does for an earlier release. */
  isSealed(seals: RowSeals, stored: object): boolean {
    const row = stored as Stored;
    if (row.seal === undefined) throw new PostgresUnavailable('a read model is being built');
    return Buffer.isBuffer(row.seal) && seals.isSealed(this.textOf(row, row), row.seal);
  }

  /** Reports a changed row, and returns the refusal of its read, which contains nothing of the row. */
  changed(seals: RowSeals, { stream, number }: { stream: string; number: number }): Refusal {
    seals.report({ table: this.name, stream, number });
    const reason = 'a row was changed outside the service';
    return new Refusal('INTEGRITY_FAILURE', { stream: this.name, number, reason });
  }

  /** Returns a row with its seal, as the table stores it. */
  stored(seals: RowSeals, { row, event }: Shown<Row>): object {
    const { stream, number } = event;
    const event_hash = hashOf(event);
    const seal = seals.sealOf(this.textOf(row, { stream, number, event_hash }));
    return { ...row, stream, number, event_hash, seal: `\\x${seal.toString('hex')}` };
  }

  private async write(
    tx: ProjectionTransaction,
    sql: string,
    seals: RowSeals,
    rows: readonly Shown<Row>[],
  ): Promise<void> {
    if (rows.length === 0) return;
    await tx.query(sql, [JSON.stringify(rows.map((one) => this.stored(seals, one)))]);
  }

  private ownColumns(stored: Stored): Row {
    const row: Record<string, unknown> = {};
    for (const [name] of this.columns) row[name] = stored[name];
    return row as Row;
  }

  private textOf(row: object, { stream, number, event_hash }: Omit<SealColumns, 'seal'>): string {
    const values: unknown[] = [this.name, stream, number, event_hash];
    for (const [name, kind] of this.columns)
      values.push(sealedValue((row as Record<string, unknown>)[name] ?? null, kind));
    return JSON.stringify(values);
  }
}

function sealedValue(value: unknown, kind: Column): unknown {
  if (value === null || kind === 'plain') return value;
  if (kind === 'json') return canonicalJson(value);
  return typeof value === 'number' ? value.toString() : value;
}
