import type { ReactNode } from 'react';
import type { Json } from '#client/index.js';
import { VisibleText } from '../ui/visible-text';
import { isSame } from './aligned-items';
import { placesOfChange } from './change-rows';
import styles from './changes.module.css';
import { Inline } from './value-change';
import { LeftOut } from './value-fields';
import { pathWords, valueAt } from './values';

interface ThreeValuesProps {
  /** The values, oldest first; undefined for one that does not exist. */
  readonly values: readonly [Json | undefined, Json | undefined, Json];
  /** Who wrote each, and when. */
  readonly about: readonly [ReactNode, ReactNode, ReactNode];
  readonly limit?: number;
}

const NAMES = ['Then', 'Now', 'Proposed'] as const;

/** The places at which a fact changed under a request, or at which the request would change it. */
export function ThreeValues({ values, about, limit = Infinity }: ThreeValuesProps) {
  const places = placesOfChange(values);
  return (
    <>
      <table className={styles.table}>
        <caption className="visually-hidden">Then, now and proposed</caption>
        <thead>
          <tr>
            <th scope="col">Where</th>
            {NAMES.map((name, index) => (
              <th key={name} scope="col">
                {name}
                <div className={styles.muted}>{about[index]}</div>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {places.slice(0, limit).map((path) => (
            <tr key={pathWords(path)}>
              <th scope="row">
                {path.length === 0 ? (
                  'The value'
                ) : (
                  <code>
                    <VisibleText text={pathWords(path)} />
                  </code>
                )}
              </th>
              {values.map((value, index) => (
                <Cell
                  key={index}
                  value={valueAt(value, path)}
                  before={index === 0 ? undefined : { value: valueAt(values[index - 1], path) }}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {places.length > limit && <LeftOut count={places.length - limit} what="more changes" />}
    </>
  );
}

interface CellProps {
  readonly value: Json | undefined;
  /** What the column to the left has; undefined for the first one. */
  readonly before: { readonly value: Json | undefined } | undefined;
}

const Cell = ({ value, before }: CellProps) => (
  <td className={before !== undefined && !isSame(before.value, value) ? styles.changed : ''}>
    {value === undefined ? <span className={styles.muted}>nothing</span> : <Inline value={value} />}
  </td>
);
