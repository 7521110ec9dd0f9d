import type { MaceClient } from '#client/index.js';
import { KINDS } from './queue-search';
import styles from './requests.module.css';
import { KIND_WORDS } from './words';

export type Figures = Awaited<ReturnType<MaceClient['actionRequests']['figures']>>;
type Group = Figures['by_kind']['sem_put'];

const COUNTS = [
  ['decided', 'Decided by votes'],
  ['approved', 'Approved'],
  ['rejected', 'Rejected'],
  ['expired', 'Expired without a decision'],
] as const;
const SHARES = [
  ['rejection_share', 'Rejected, of those decided'],
  ['revision_share', 'Decided in other words'],
  ['disagreement_share', 'Reviewers disagreed'],
  ['override_share', 'Votes against the outcome'],
  ['expiry_share', 'Expired, of those closed'],
] as const;

/** All figures, over all requests and by kind. The bars only repeat the numbers. */
export function FiguresTable({ figures }: { readonly figures: Figures }) {
  const groups: readonly Group[] = [figures, ...KINDS.map((kind) => figures.by_kind[kind])];
  return (
    <div className={styles.wide} tabIndex={0} role="region" aria-label="Figures of the council">
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Figure</th>
            <th scope="col">All</th>
            {KINDS.map((kind) => (
              <th key={kind} scope="col">
                {KIND_WORDS[kind]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {COUNTS.map(([field, words]) => (
            <tr key={field}>
              <th scope="row">{words}</th>
              {groups.map((group, index) => (
                <td key={index}>{group[field].toLocaleString('en')}</td>
              ))}
            </tr>
          ))}
          <tr>
            <th scope="row">Median time to decide</th>
            {groups.map(({ median_seconds_to_decide }, index) => (
              <td key={index}>{durationWords(median_seconds_to_decide)}</td>
            ))}
          </tr>
          {SHARES.map(([field, words]) => (
            <tr key={field}>
              <th scope="row">{words}</th>
              {groups.map((group, index) => (
                <td key={index}>
                  <Share share={group[field]} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const Share = ({ share }: { readonly share: number | null }) =>
  share === null ? (
    '–'
  ) : (
    <span className={styles.share}>
      {Math.round(share * 100)} %
      <meter value={share} aria-hidden="true" />
    </span>
  );

/** A duration in its two largest units: `3 h 20 min`. */
export function durationWords(seconds: number | null): string {
  if (seconds === null) return '–';
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48
    ? `${hours} h ${minutes % 60} min`
    : `${Math.floor(hours / 24)} days ${hours % 24} h`;
}
