import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import type { ActionRequest, Dossier } from '#client/index.js';
import { imitatedWords } from '#domain/action-request/imitated-words.js';
import { ValueChange } from '../changes/value-change';
import { KeysButton } from '../keys/keys-help';
import { useMoment } from '../moment/use-moment';
import { Instant } from '../ui/instant';
import { Message } from '../ui/message';
import { PageHeader } from '../ui/page-header';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { ImitatedWords } from '../ui/imitated-words';
import { useTimePassing } from '../ui/use-time-passing';
import { lineOf } from '../ui/value-text';
import { VisibleText } from '../ui/visible-text';
import { DecisionPanel } from './decision-panel';
import { DeceptiveCharacters } from './deceptive-characters';
import { OpenQuestion } from './discussion';
import { Record } from './record';
import { RejectedBefore } from './rejected-before';
import { RequestBody } from './request-body';
import { ReviewLayout } from './review-layout';
import { ReviewWork } from './review-work';
import styles from './review.module.css';
import { RiskReasons } from './risk-reasons';
import { useReading } from './use-reading';
import { Votes } from './votes';
import {
  deadlineWords,
  nameOf,
  quorumWords,
  type Risk,
  RISK_BADGES,
  RISK_WORDS,
  STATUS_WORDS,
} from './words';

interface RequestReviewProps {
  readonly current: ActionRequest;
  /** As the queue shows it; null if it is not known. */
  readonly risk: Risk | null;
  readonly dossier: UseQueryResult<Dossier>;
  readonly onSent: () => void;
  readonly back: ReactNode;
}

/**
 * A request under review. A vote is on the words that the reviewer has seen; when they change, the page shows how,
 * and waits until the reviewer goes on with the new ones (SPEC G2). No notice moves the place where a reviewer decides.
 */
export function RequestReview(props: RequestReviewProps) {
  const { current, risk, dossier, onSent, back } = props;
  const [seen, see] = useState(current);
  const reading = useReading(current.proposal_hash);
  const isChanged = seen.proposal_hash !== current.proposal_hash;
  const imitated = useMemo(() => imitatedWords(current), [current]);
  return (
    <ImitatedWords value={imitated}>
      <ReviewLayout
        side={
          <>
            <Votes request={current} />
            <ReviewWork request={current} />
            <Record request={current} />
          </>
        }
        decision={<DecisionPanel {...{ seen, current, risk, isChanged, reading, onSent }} />}
      >
        <div
          className={current.target_sem_key === null ? styles.top : `${styles.top} ${styles.key}`}
        >
          <PageHeader title={nameOf(current)}>
            {back}
            <KeysButton />
          </PageHeader>
          <State request={current} risk={risk} />
        </div>
        <div className={styles.notices}>
          {isChanged && (
            <ChangeNotice before={seen} after={current} onAccept={() => see(current)} />
          )}
          <DeceptiveCharacters
            texts={[lineOf(current.value), current.justification]}
            isFact={current.kind === 'sem_put'}
          />
          {dossier.data !== undefined && <RecheckNotice recheck={dossier.data.recheck} />}
          {dossier.data !== undefined && <RejectedBefore of={dossier.data.rejected_before} />}
          <OpenQuestion request={current} />
        </div>
        <RequestBody request={current} dossier={dossier} reading={reading} />
      </ReviewLayout>
    </ImitatedWords>
  );
}

interface StateProps {
  readonly request: ActionRequest;
  readonly risk: Risk | null;
}

/** The risk, the status and the votes. At a moment of the past, no time is left. */
export function State({ request, risk }: StateProps) {
  useTimePassing();
  const isPast = useMoment().at !== undefined;
  return (
    <div className={styles.state}>
      {risk !== null && <Badge kind={RISK_BADGES[risk.level]}>{RISK_WORDS[risk.level]}</Badge>}
      {risk !== null && <RiskReasons risk={risk} />}
      <span className={styles.standing}>
        <Badge kind={request.status === 'pending' ? 'plain' : 'good'}>
          {STATUS_WORDS[request.status]}
        </Badge>
        <span>{quorumWords(request)}</span>
        {(request.status !== 'pending' || !isPast) && <span>{deadlineWords(request)}</span>}
      </span>
      {request.refusal_code !== null && <span>Refused with {request.refusal_code}</span>}
      {request.rejected_for === 'tie' && <span>A tie is a rejection</span>}
    </div>
  );
}

interface ChangeNoticeProps {
  readonly before: ActionRequest;
  readonly after: ActionRequest;
  readonly onAccept: () => void;
}

/** More changes are shown below, in the value itself. */
const SHOWN_CHANGES = 5;

/** Says that the words on which the reviewer was about to decide have changed, how, by whom and why (SPEC G8). */
function ChangeNotice({ before, after, onAccept }: ChangeNoticeProps) {
  const { revised } = after;
  return (
    <Message title="This proposal changed while you were looking at it" kind="warning">
      {revised !== null && (
        <p>
          <VisibleText text={revised.editor.sub} /> proposed other words at{' '}
          <Instant at={revised.at} />: <VisibleText text={revised.reason} />
        </p>
      )}
      <div role="region" aria-label="What changed in the value">
        <ValueChange before={before.value} after={after.value} limit={SHOWN_CHANGES} />
      </div>
      <p>Votes on the earlier words no longer count. What you have typed is kept.</p>
      <Button kind="primary" onClick={onAccept}>
        Go on with the new words
      </Button>
    </Message>
  );
}

/** What has changed while the request waits, or would refuse it now. It stands above everything else. */
function RecheckNotice({ recheck }: { readonly recheck: Dossier['recheck'] }) {
  if (recheck.length === 0) return null;
  return (
    <Message title="Before you spend time on this" kind="warning">
      <ul>
        {recheck.map(({ code, text, evidence }) => (
          <li key={code}>
            {text}
            {evidence !== undefined && evidence.length > 0 && (
              <> (evidence {evidence.map((index) => index + 1).join(', ')})</>
            )}
          </li>
        ))}
      </ul>
    </Message>
  );
}
