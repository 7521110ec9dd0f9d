import { VisibleText } from '../ui/visible-text';
import styles from './change-line.module.css';
import { MOST_LISTED, type ShownChange } from './shown-changes';

interface ChangesProps {
  readonly changes: readonly ShownChange[];
}

/** The first difference in one line, and the number of the others: `read_ms 3000 → 30000 +2`. */
export function ChangeLine({ changes }: ChangesProps) {
  const [first, ...others] = changes;
  if (first === undefined) return <span className={styles.same}>no change</span>;
  return (
    <span className={styles.line}>
      <Change change={first} />
      {others.length > 0 && (
        <span
          className={styles.more}
          title={`Also changes ${others.map(({ path }) => path).join(', ')}`}
        >
          {' '}
          +{others.length}
        </span>
      )}
    </span>
  );
}

/** The differences, each on a line of its own. */
export const ChangeList = ({ changes }: ChangesProps) =>
  changes.length === 0 ? (
    <ChangeLine changes={changes} />
  ) : (
    <span className={styles.list}>
      {changes.slice(0, MOST_LISTED).map((change) => (
        <Change key={change.path} change={change} />
      ))}
      {changes.length > MOST_LISTED && (
        <span className={styles.more}>… and {changes.length - MOST_LISTED} more changes</span>
      )}
    </span>
  );

const Change = ({ change }: { readonly change: ShownChange }) => {
  const { path, before, after, isNew = false } = change;
  return (
    <span>
      {isNew && <span className={styles.path}>new: </span>}
      {path !== '' && (
        <span className={styles.path}>
          <VisibleText text={path} />{' '}
        </span>
      )}
      {before !== undefined && (
        <del className={styles.before}>
          <VisibleText text={before} />
        </del>
      )}
      {before !== undefined && <span className={styles.arrow}> → </span>}
      {after === undefined ? (
        <span className={styles.same}>nothing</span>
      ) : (
        <ins className={styles.after}>
          <VisibleText text={after} />
        </ins>
      )}
    </span>
  );
};
