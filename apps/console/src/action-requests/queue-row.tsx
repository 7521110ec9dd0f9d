import { Link } from '@tanstack/react-router';
import type { ActionRequestListing } from '#client/index.js';
import { Badge } from '../ui/badge';
import { VisibleText } from '../ui/visible-text';
import type { QueueSearch } from './queue-search';
import styles from './queue.module.css';
import { RecheckMarks } from './recheck-marks';
import { WorkMarks } from './work-marks';
import {
  deadlineWords,
  isUrgent,
  nameOf,
  quorumWords,
  RISK_BADGES,
  RISK_REASON_WORDS,
  RISK_WORDS,
  STATUS_WORDS,
} from './words';

/** A row shows this much of a value and of a justification. */
const SHOWN = 160;

interface QueueRowProps {
  readonly row: ActionRequestListing;
  readonly index: number;
  readonly total: number | undefined;
  /** Who looks at the request now. */
  readonly search: QueueSearch;
  readonly start: number;
  readonly mayDecide: boolean;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly onToggle: () => void;
  readonly onFocus: () => void;
  readonly measure: (element: HTMLElement | null) => void;
  readonly linkRef: (element: HTMLElement | null) => void;
}

export function QueueRow(props: QueueRowProps) {
  const { row, index, total, search, start, mayDecide, isActive, isSelected, onToggle } = props;
  const { request_id, value, justification } = row;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return (
    <li
      ref={props.measure}
      data-index={index}
      aria-posinset={index + 1}
      aria-setsize={total ?? -1}
      className={`${styles.row} ${isActive ? styles.active : ''}`}
      style={{ transform: `translateY(${start}px)` }}
    >
      {mayDecide && row.status === 'pending' && (
        <input
          type="checkbox"
          className={styles.select}
          aria-label={`Select ${nameOf(row)}`}
          checked={isSelected}
          onChange={onToggle}
          tabIndex={isActive ? 0 : -1}
        />
      )}
      <Link
        ref={props.linkRef}
        to="/requests/$id"
        params={{ id: request_id }}
        search={search}
        className={styles.target}
        data-row
        tabIndex={isActive ? 0 : -1}
        onFocus={props.onFocus}
      >
        {nameOf(row)}
      </Link>
      <p className={styles.value}>
        <VisibleText text={text.slice(0, SHOWN)} />
        {text.length > SHOWN && ' …'}
      </p>
      <p className={styles.why}>
        <VisibleText text={justification.slice(0, SHOWN)} />
      </p>
      <RowState row={row} />
    </li>
  );
}

/** A badge for a question that waits for an answer, or that was answered. */
function QuestionState({ row }: { readonly row: ActionRequestListing }) {
  const { awaits_answer, answers_caller, answered_at } = row;
  if (answers_caller) return <Badge kind="good">Answered you</Badge>;
  if (awaits_answer) return <Badge>Waits for an answer</Badge>;
  return answered_at === null ? null : <Badge>Answered</Badge>;
}

/** Risk, votes and time: what a reviewer chooses by. */
function RowState({ row }: { readonly row: ActionRequestListing }) {
  const { status, risk, own_vote, revisions, proposer } = row;
  return (
    <div className={styles.state}>
      {status !== 'pending' && <Badge>{STATUS_WORDS[status]}</Badge>}
      {risk !== null && <Badge kind={RISK_BADGES[risk.level]}>{RISK_WORDS[risk.level]}</Badge>}
      {risk !== null && risk.reasons.length > 0 && (
        <span>{risk.reasons.map((reason) => RISK_REASON_WORDS[reason]).join(' · ')}</span>
      )}
      <RecheckMarks row={row} />
      {own_vote !== null && <Badge>You voted</Badge>}
      {revisions > 0 && <Badge>Other words</Badge>}
      <QuestionState row={row} />
      <WorkMarks row={row} />
      <span className={styles.facts}>
        <span>{quorumWords(row)}</span>
        <span className={isUrgent(row) ? styles.urgent : undefined}>{deadlineWords(row)}</span>
        <span>
          by <VisibleText text={proposer.sub} />
        </span>
      </span>
    </div>
  );
}
