import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { ActionRequest, Dossier } from '#client/index.js';
import { PageHeader } from '../ui/page-header';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { useTimePassing } from '../ui/use-time-passing';
import { ChangeNotice } from './change-notice';
import { DecisionPanel } from './decision-panel';
import { Discussion } from './discussion';
import { Record } from './record';
import { RecheckNotice } from './recheck-notice';
import { RequestBody } from './request-body';
import styles from './requests.module.css';
import { Votes } from './votes';
import {
  deadlineWords,
  nameOf,
  quorumWords,
  type Risk,
  RISK_BADGES,
  RISK_REASON_WORDS,
  RISK_WORDS,
  STATUS_WORDS,
} from './words';

interface RequestReviewProps {
  /** The request as it is now. */
  readonly current: ActionRequest;
  /** As the queue shows it; null if it is not known. */
  readonly risk: Risk | null;
  readonly dossier: UseQueryResult<Dossier>;
  readonly onSent: () => void;
  readonly back: ReactNode;
  readonly onHelp: () => void;
}

/**
 * A request under review. A vote is on the words that the reviewer has seen; when they change, the page shows how,
 * and waits until the reviewer goes on with the new ones (SPEC G2).
 */
export function RequestReview(props: RequestReviewProps) {
  const { current, risk, dossier, onSent, back, onHelp } = props;
  const [seen, see] = useState(current);
  const isChanged = seen.proposal_hash !== current.proposal_hash;
  return (
    <>
      <PageHeader title={nameOf(current)} about={<State request={current} risk={risk} />}>
        {back}
        <Button onClick={onHelp}>
          Keys <kbd>?</kbd>
        </Button>
      </PageHeader>
      {dossier.data !== undefined && <RecheckNotice recheck={dossier.data.recheck} />}
      {isChanged && <ChangeNotice before={seen} after={current} onAccept={() => see(current)} />}
      <div className={styles.columns}>
        <div className={styles.column}>
          <RequestBody request={current} dossier={dossier} />
        </div>
        <div className={styles.column}>
          <DecisionPanel {...{ seen, current, risk, isChanged, onSent }} />
          <Votes request={current} />
          <Discussion request={current} />
          <Record request={current} />
        </div>
      </div>
    </>
  );
}

interface StateProps {
  readonly request: ActionRequest;
  readonly risk: Risk | null;
}

function State({ request, risk }: StateProps) {
  useTimePassing();
  return (
    <span className={styles.state}>
      {risk !== null && <Badge kind={RISK_BADGES[risk.level]}>{RISK_WORDS[risk.level]}</Badge>}
      {risk !== null && risk.reasons.length > 0 && (
        <span>{risk.reasons.map((reason) => RISK_REASON_WORDS[reason]).join(' · ')}</span>
      )}
      <Badge kind={request.status === 'pending' ? 'plain' : 'good'}>
        {STATUS_WORDS[request.status]}
      </Badge>
      <span>{quorumWords(request)}</span>
      <span>{deadlineWords(request)}</span>
      {request.refusal_code !== null && <span>Refused with {request.refusal_code}</span>}
      {request.rejected_for === 'tie' && <span>A tie is a rejection</span>}
    </span>
  );
}
