/** How a live row differs from the row that the log gives. */
export type Difference = 'changed' | 'missing' | 'extra';

/** Live rows that are not as the log gives them, or that should be there. */
export interface DifferentRows {
  /** The schema and table, such as `sem.fact`. */
  readonly table: string;
  readonly difference: Difference;
  /** The key of the row, shortened; null for rows that are only counted. */
  readonly key: string | null;
  readonly count: number;
}
