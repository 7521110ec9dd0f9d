import type { ActionRequestListing } from '#client/index.js';
import { ChangeList } from '../changes/change-line';
import { VisibleText } from '../ui/visible-text';
import styles from './requests.module.css';
import { changesOf, shortNameOf } from './target';
import { nameOf } from './words';

/** What a vote on several requests would write, a request after the other. */
export const BulkChanges = ({ rows }: { readonly rows: readonly ActionRequestListing[] }) => (
  <ul className={styles.changes} aria-label="What they change" tabIndex={0}>
    {rows.map((row) => (
      <li key={row.request_id}>
        <code title={nameOf(row)}>
          <VisibleText text={shortNameOf(row)} />
        </code>
        <span className="visually-hidden"> {nameOf(row)} </span>
        <ChangeList changes={changesOf(row)} />
      </li>
    ))}
  </ul>
);

/** Says how many of the selected requests are left out, and why: ` 2 of high risk are left out: open each of them.` */
export const leftOutWords = (count: number, which: string): string =>
  count === 0
    ? ''
    : ` ${count} ${which} ${count === 1 ? 'is left out: open it.' : 'are left out: open each of them.'}`;
