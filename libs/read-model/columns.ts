declare const VALUE: unique symbol;

/** A column of a read model's table, and the type of its value in a row. */
export interface Column<Value> {
  /** The SQL type; texts sort by their UTF-8 bytes. */
  readonly sql: string;
  readonly isNullable: boolean;
  /** True if the MAC of a row covers only the digest of the value, so that a query may leave the value out. */
  readonly isLarge?: boolean;
  readonly [VALUE]?: Value;
}

export type Columns = Readonly<Record<string, Column<unknown>>>;

export type RowOf<Table extends { readonly columns: Columns }> = RowWith<Table['columns']>;
export type RowWith<Of extends Columns> = {
  readonly [Name in keyof Of]: Of[Name] extends Column<infer Value> ? Value : never;
};

const column = <Value>(sql: string): Column<Value> => ({ sql, isNullable: false });

export const text = <Value extends string = string>(): Column<Value> => column('text collate "C"');
/** A text that a query may leave out (`ReadTable.columnsWithout`). */
export const largeText = (): Column<string> => ({ ...text(), isLarge: true });
export const texts = <Value extends string = string>(): Column<readonly Value[]> =>
  column('text[] collate "C"');
export const int = (): Column<number> => column('int');
/** A 64-bit integer, which pg returns as a text. */
export const bigint = (): Column<string> => column('bigint');
export const real = (): Column<number> => column('double precision');
export const bool = (): Column<boolean> => column('boolean');
/** A time as an ISO text, or `infinity`. */
export const instant = (): Column<string> => column('timestamptz');
/** Bytes, which are written as `\\x` and hex digits. */
export const bytes = (): Column<Buffer | string> => column('bytea');
export const json = <Value>(): Column<Value> => column('jsonb');
export const orNull = <Value>(of: Column<Value>): Column<Value | null> => ({
  ...of,
  isNullable: true,
});

/** Returns the SQL type of a list of the column's values. */
export const listOf = ({ sql }: Column<unknown>): string => `${sql.split(' ', 1)[0]}[]`;
