import type { ReactNode } from 'react';
import { Answered, type AnsweredProps } from './answered';
import { MoreButton, type MoreButtonProps } from './more-button';
import styles from './data-table.module.css';
import { useTimePassing } from './use-time-passing';

export interface Column<Row> {
  readonly name: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers stand at the end of their cell. */
  readonly isNumber?: boolean;
}

interface DataTableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** What stands in place of the rows, if there are none. */
  readonly empty: ReactNode;
}

/** A table whose first column names the row. On a narrow screen, it scrolls by itself, and not the page. */
export function DataTable<Row>({ label, columns, rows, keyOf, empty }: DataTableProps<Row>) {
  useTimePassing();
  if (rows.length === 0) return empty;
  return (
    <div className={styles.scroll} role="region" aria-label={label} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            {columns.map(({ name, isNumber = false }) => (
              <th key={name} scope="col" className={isNumber ? styles.number : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column, index) => (
                <Cell key={column.name} column={column} row={row} isFirst={index === 0} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface CellProps<Row> {
  readonly column: Column<Row>;
  readonly row: Row;
  readonly isFirst: boolean;
}

function Cell<Row>({ column: { cell, isNumber = false }, row, isFirst }: CellProps<Row>) {
  const className = isNumber ? styles.number : undefined;
  return isFirst ? (
    <th scope="row" className={className}>
      {cell(row)}
    </th>
  ) : (
    <td className={className}>{cell(row)}</td>
  );
}

type PagedTableProps<Page, Row> = Omit<DataTableProps<Row>, 'rows'> &
  MoreButtonProps &
  Pick<AnsweredProps<unknown>, 'what'> & {
    readonly list: AnsweredProps<{ readonly pages: readonly Page[] }>['query'];
    readonly rowsIn: (page: Page) => readonly Row[];
  };

/** A table of a list that is read page by page. */
export const PagedTable = <Page, Row>(props: PagedTableProps<Page, Row>) => {
  const { list, what, rowsIn, words, ...table } = props;
  return (
    <>
      <Answered query={list} what={what}>
        {({ pages }) => <DataTable {...table} rows={pages.flatMap(rowsIn)} />}
      </Answered>
      <MoreButton list={list} words={words} />
    </>
  );
};
