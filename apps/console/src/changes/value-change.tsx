import { useMemo } from 'react';
import type { Json } from '#client/index.js';
import { DiffText } from '../action-requests/value-diff';
import { VisibleText } from '../ui/visible-text';
import { type AlignedItem, isSame } from './aligned-items';
import { type ChangeRow, changeRows, unchangedParts } from './change-rows';
import { isFields } from './changed-paths';
import styles from './changes.module.css';
import { LeftOut, Scalar, ValueFields } from './value-fields';
import {
  factorWords,
  hasWithheld,
  inlineText,
  isList,
  keyText,
  pathWords,
  scalarText,
  valueAt,
} from './values';

interface ValueChangeProps {
  readonly before: Json;
  readonly after: Json;
  /** About how many lines are shown at most. */
  readonly limit?: number;
}

/** A text from this length on is compared word by word. */
const PROSE = 40;

/** What changes between two values, by path. The order of keys makes no difference. */
export function ValueChange({ before, after, limit = Infinity }: ValueChangeProps) {
  const rows = useMemo(() => changeRows(before, after), [before, after]);
  return (
    <div className={styles.changes}>
      {rows.length === 0 && <p>The values are equal.</p>}
      {rows.length > 0 && (
        <ul className={styles.rows} aria-label="Changes">
          {rows.slice(0, limit).map((row) => (
            <li key={pathWords(row.path)}>
              <Row row={row} limit={shareOf(limit, rows.length)} />
            </li>
          ))}
        </ul>
      )}
      {rows.length > limit && <LeftOut count={rows.length - limit} what="more changes" />}
      {hasWithheld(before) && hasWithheld(after) && (
        <p className={styles.muted}>What is redacted in both cannot be compared here.</p>
      )}
    </div>
  );
}

/** The lines for each of so many parts. */
const shareOf = (limit: number, parts: number): number =>
  Math.ceil(limit / Math.max(1, Math.min(limit, parts)));

interface Limited {
  readonly limit: number;
}

function Row({ row, limit }: Limited & { readonly row: ChangeRow }) {
  switch (row.kind) {
    case 'place':
      return <Place {...row} limit={limit} />;
    case 'items':
      return <Items {...row} limit={limit} />;
    case 'table':
      return <Table {...row} limit={limit} />;
  }
}

const Name = ({ path }: { readonly path: ChangeRow['path'] }) =>
  path.length > 0 && (
    <>
      <code className={styles.name}>
        <VisibleText text={pathWords(path)} />
      </code>{' '}
    </>
  );

function Place({ path, before, after, limit }: ChangeRow & Limited & { readonly kind: 'place' }) {
  if (before === undefined && after !== undefined)
    return (
      <>
        <span className={styles.added}>+</span> <Name path={path} />
        <Part value={after} limit={limit} />
      </>
    );
  if (after === undefined && before !== undefined)
    return (
      <>
        <span className={styles.removed}>−</span> <Name path={path} />
        <Part value={before} limit={limit} />
      </>
    );
  if (before === undefined || after === undefined) return null;
  if (isProse(before) && isProse(after))
    return (
      <>
        <Name path={path} />
        <DiffText before={before} after={after} />
      </>
    );
  const factor = factorWords(before, after);
  return (
    <>
      <Name path={path} />
      <Old value={before} other={after} limit={limit} /> →{' '}
      <New value={after} other={before} limit={limit} />
      {factor !== undefined && <strong className={styles.factor}> {factor}</strong>}
    </>
  );
}

const isProse = (value: Json): value is string =>
  typeof value === 'string' && (value.length >= PROSE || value.includes(' '));

const hasParts = (value: Json): boolean => isFields(value) || isList(value);

const Part = ({ value, limit }: Limited & { readonly value: Json }) =>
  hasParts(value) ? (
    <div className={styles.nested}>
      <ValueFields value={value} limit={limit} />
    </div>
  ) : (
    <Scalar value={value} />
  );

interface SideProps extends Limited {
  readonly value: Json;
  /** What stands on the other side of the arrow. */
  readonly other: Json;
}

const Old = (side: SideProps) => (
  <del>
    <Side {...side} />
  </del>
);

const New = (side: SideProps) => (
  <ins>
    <Side {...side} />
  </ins>
);

/** One side of an arrow. `5 → "5"` has quotes, because the bare texts would be equal. */
const Side = ({ value, other, limit }: SideProps) =>
  !hasParts(value) && !hasParts(other) && scalarText(value) === scalarText(other) ? (
    <code>{JSON.stringify(value)}</code>
  ) : (
    <Part value={value} limit={limit} />
  );

const isUnchanged = ({ before, after }: AlignedItem): boolean => isSame(before, after);

function Items({ path, items, limit }: ChangeRow & Limited & { readonly kind: 'items' }) {
  const changed = items.filter((item) => !isUnchanged(item));
  const same = items.length - changed.length;
  const share = shareOf(limit, changed.length);
  return (
    <>
      <Name path={path} />
      {changed.slice(0, limit).map(({ before, after }, index) => (
        <div key={index} className={styles.item}>
          {before !== undefined && (
            <>
              <span className={styles.removed}>−</span>{' '}
              <del>
                <Part value={before} limit={share} />
              </del>{' '}
            </>
          )}
          {after !== undefined && (
            <>
              <span className={styles.added}>+</span>{' '}
              <ins>
                <Part value={after} limit={share} />
              </ins>{' '}
            </>
          )}
        </div>
      ))}
      {changed.length > limit && (
        <LeftOut count={changed.length - limit} what="more changed items" />
      )}
      {same > 0 && <span className={styles.muted}>{same} unchanged</span>}
    </>
  );
}

function Table({ path, columns, items, limit }: ChangeRow & Limited & { readonly kind: 'table' }) {
  const changed = items.filter((item) => !isUnchanged(item));
  const same = items.length - changed.length;
  const name = path.length === 0 ? 'The list' : pathWords(path);
  return (
    <>
      <div className={styles.wide} role="region" tabIndex={0} aria-label={name}>
        <table className={styles.table}>
          <caption>
            <code>{name}</code>
          </caption>
          <thead>
            <tr>
              <th>
                <span className="visually-hidden">Change</span>
              </th>
              {columns.map((column) => (
                <th key={column} scope="col">
                  <code>
                    <VisibleText text={keyText(column)} />
                  </code>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {changed.slice(0, limit).map((item, index) => (
              <tr key={index}>
                <td>{signOf(item)}</td>
                {columns.map((column) => (
                  <Cell key={column} column={column} item={item} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {changed.length > limit && (
        <LeftOut count={changed.length - limit} what="more changed items" />
      )}
      {same > 0 && <span className={styles.muted}>{same} unchanged</span>}
    </>
  );
}

const signOf = ({ before, after }: AlignedItem) => {
  if (before === undefined) return <span className={styles.added}>+</span>;
  return after === undefined ? <span className={styles.removed}>−</span> : null;
};

interface CellProps {
  readonly column: string;
  readonly item: AlignedItem;
}

function Cell({ column, item }: CellProps) {
  const [before, after] = [valueAt(item.before, [column]), valueAt(item.after, [column])];
  const factor = factorWords(before, after);
  if (isSame(before, after) && before !== undefined)
    return (
      <td>
        <Inline value={before} />
      </td>
    );
  return (
    <td className={item.before !== undefined && item.after !== undefined ? styles.changed : ''}>
      {before !== undefined && (
        <del>
          <Inline value={before} />
        </del>
      )}
      {before !== undefined && after !== undefined && ' → '}
      {after !== undefined && (
        <ins>
          <Inline value={after} />
        </ins>
      )}
      {factor !== undefined && <strong className={styles.factor}> {factor}</strong>}
    </td>
  );
}

/** A value in one line. */
export const Inline = ({ value }: { readonly value: Json }) =>
  hasParts(value) ? <VisibleText text={inlineText(value)} /> : <Scalar value={value} />;

/** More parts are counted, and stand in the JSON text. */
const UNCHANGED_SHOWN = 100;

/** What two values have in common, folded. */
export function Unchanged({ before, after }: Omit<ValueChangeProps, 'limit'>) {
  const parts = unchangedParts(before, after);
  if (parts.length === 0 || isSame(before, after)) return null;
  return (
    <details>
      <summary>{parts.length.toLocaleString('en')} unchanged</summary>
      <ul className={styles.rows}>
        {parts.slice(0, UNCHANGED_SHOWN).map(({ path, value }) => (
          <li key={pathWords(path)}>
            <Name path={path} />
            <Inline value={value} />
          </li>
        ))}
        {parts.length > UNCHANGED_SHOWN && <li>…</li>}
      </ul>
    </details>
  );
}
