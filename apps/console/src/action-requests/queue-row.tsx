import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ActionRequestListing } from '#client/index.js';
import { ChangeLine } from '../changes/change-line';
import { useMoment } from '../moment/use-moment';
import { Badge } from '../ui/badge';
import { inWords } from '../ui/instant';
import { VisibleText } from '../ui/visible-text';
import type { QueueGroup } from './queue-rows';
import type { QueueSearch } from './queue-search';
import styles from './queue.module.css';
import { RecheckMarks } from './recheck-marks';
import { changesOf, shortNameOf } from './target';
import { WorkMarks } from './work-marks';
import {
  deadlineWords,
  isUrgent,
  nameOf,
  quorumWords,
  shownReasons,
  RISK_BADGES,
  RISK_REASON_WORDS,
  RISK_WORDS,
  type Risk,
  STATUS_WORDS,
} from './words';

/** A row shows this much of a justification. */
const SHOWN = 200;

/** Where a line of the list is drawn. */
interface DrawnLine {
  readonly place: number;
  /** The distance in px from the beginning of the list. */
  readonly start: number;
  readonly measure: (element: HTMLElement | null) => void;
}

interface QueueRowProps extends DrawnLine {
  readonly row: ActionRequestListing;
  readonly index: number;
  readonly total: number | undefined;
  readonly search: QueueSearch;
  readonly mayDecide: boolean;
  /** True below a request that waits for the same fact. */
  readonly isRival: boolean;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly onToggle: () => void;
  readonly onFocus: () => void;
  readonly linkRef: (element: HTMLElement | null) => void;
}

/** A request in two lines: what it changes, and why, at which risk, by whom and since when. */
export function QueueRow(props: QueueRowProps) {
  const { row, index, total, search, mayDecide, isActive, isSelected, onToggle } = props;
  const { request_id, justification, risk, proposer, requested_at } = row;
  const changes = useMemo(() => changesOf(row), [row]);
  const isPast = useMoment().at !== undefined;
  return (
    <li
      ref={props.measure}
      data-index={props.place}
      aria-posinset={index + 1}
      aria-setsize={total ?? -1}
      className={`${styles.row} ${isActive ? styles.active : ''}`}
      style={{ transform: `translateY(${props.start}px)` }}
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
      <div className={styles.what}>
        <Link
          ref={props.linkRef}
          to="/requests/$id"
          params={{ id: request_id }}
          search={search}
          className={styles.target}
          title={nameOf(row)}
          data-row
          tabIndex={isActive ? 0 : -1}
          onFocus={props.onFocus}
        >
          <VisibleText text={shortNameOf(row)} />
          <span className="visually-hidden"> {nameOf(row)}</span>
        </Link>
        <span className={styles.change}>
          <ChangeLine changes={changes} />
        </span>
        <Marks row={row} isRival={props.isRival} />
      </div>
      <div className={styles.about}>
        <p className={styles.why}>
          <VisibleText text={justification.slice(0, SHOWN)} />
        </p>
        {risk !== null && !isPast && <DecisiveRisk risk={risk} />}
        <span className={styles.by}>
          <VisibleText text={proposer.sub} />
        </span>
        <span className={styles.age}>{inWords(requested_at)}</span>
      </div>
    </li>
  );
}

/** The level of the risk, and its reasons; the first one decides. */
function DecisiveRisk({ risk }: { readonly risk: Risk }) {
  const { level, reasons } = risk;
  const { shown, left } = shownReasons(risk);
  return (
    <span
      className={styles.risk}
      title={reasons.map((reason) => RISK_REASON_WORDS[reason]).join('\n')}
    >
      <Badge kind={RISK_BADGES[level]}>{RISK_WORDS[level]}</Badge>
      {shown !== '' && <span>{shown}</span>}
      {left > 0 && <span>+{left}</span>}
    </span>
  );
}

/** What sets a request apart from most others; nothing for a plain one. */
function Marks({ row, isRival }: Pick<QueueRowProps, 'row' | 'isRival'>) {
  const isPast = useMoment().at !== undefined;
  const { status, own_vote, revisions, quorum } = row;
  return (
    <span className={styles.marks}>
      <RecheckMarks row={row} />
      {status !== 'pending' && <Badge>{STATUS_WORDS[status]}</Badge>}
      {isRival && <Badge kind="warning">Same fact as above</Badge>}
      {own_vote !== null && <Badge>You voted</Badge>}
      {revisions > 0 && <Badge>Other words</Badge>}
      <QuestionState row={row} />
      <WorkMarks row={row} />
      {quorum > 1 && <span>{quorumWords(row)}</span>}
      {isUrgent(row) && !isPast && <strong className={styles.urgent}>{deadlineWords(row)}</strong>}
      {status !== 'pending' && <span>{deadlineWords(row)}</span>}
    </span>
  );
}

/** A badge for a question that waits for an answer, or that was answered. */
function QuestionState({ row }: { readonly row: ActionRequestListing }) {
  const { awaits_answer, answers_caller, answered_at } = row;
  if (answers_caller) return <Badge kind="good">Answered you</Badge>;
  if (awaits_answer) return <Badge>Waits for an answer</Badge>;
  return answered_at === null ? null : <Badge>Answered</Badge>;
}

/** The heading above the requests of one proposer or job. */
export const GroupRow = ({
  group: { name, rows },
  place,
  start,
  measure,
}: DrawnLine & { readonly group: QueueGroup }) => (
  <li
    ref={measure}
    data-index={place}
    className={styles.group}
    style={{ transform: `translateY(${start}px)` }}
  >
    <h2>
      <VisibleText text={name} />
    </h2>
    <span>
      {rows.length} request{rows.length === 1 ? '' : 's'}
    </span>
  </li>
);
