import type { ReactNode } from 'react';
import styles from './data-table.module.css';

interface DataTableProps {
  /** What the table shows, for screen readers. */
  readonly label: string;
  readonly columns: readonly string[];
  /** The rows, as `tr`. */
  readonly children: ReactNode;
}

/** A table that scrolls sideways where it does not fit. A block that scrolls can be reached by keyboard. */
export const DataTable = ({ label, columns, children }: DataTableProps) => (
  <div className={styles.scroller} role="region" aria-label={label} tabIndex={0}>
    <table className={styles.table}>
      <thead>
        <tr>
          {columns.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
);
