import { RISK_REASONS } from '#domain/action-request/risk-reasons.js';
import styles from './review.module.css';
import { RISK_REASON_WORDS, type Risk } from './words';

type Reason = Risk['reasons'][number];

/** These speak of the proposer, and come after those that speak of the request. */
const OF_PROPOSER: ReadonlySet<Reason> = new Set(['first_time_proposer', 'unusual_target']);

/** More reasons are folded. */
const SHOWN = 3;

/** The reasons of a risk, the one that needs the eyes of the reviewer first. */
export function RiskReasons({ risk: { reasons } }: { readonly risk: Risk }) {
  const ofProposer = reasons.filter((reason) => OF_PROPOSER.has(reason));
  const [first, ...others] = [
    ...reasons.filter((reason) => !OF_PROPOSER.has(reason)),
    ...ofProposer,
  ];
  if (first === undefined) return null;
  const isShort = reasons.length <= SHOWN;
  const words = `${RISK_REASON_WORDS[first]}${isShort && others.length > 0 ? ' ·' : ''}`;
  const more = others.map((reason, index) => (
    <span key={reason}>
      {RISK_REASON_WORDS[reason]}
      {index < others.length - 1 && ' · '}
    </span>
  ));
  return (
    <>
      {RISK_REASONS[first].points > 0 ? <strong>{words}</strong> : <span>{words}</span>}
      {isShort ? (
        more
      ) : (
        <details className={styles.reasons}>
          <summary>
            +{others.length}
            <span className="visually-hidden"> more reasons</span>
          </summary>
          {more}
        </details>
      )}
    </>
  );
}
