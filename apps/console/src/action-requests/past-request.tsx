import type { ReactNode } from 'react';
import type { ActionRequest } from '#client/index.js';
import { KeysButton } from '../keys/keys-help';
import { PageHeader } from '../ui/page-header';
import { lineOf } from '../ui/value-text';
import { DeceptiveCharacters } from './deceptive-characters';
import { Discussion, OpenQuestion } from './discussion';
import { EarlierWords } from './earlier-words';
import { ProposedValue } from './proposed-value';
import { Record } from './record';
import { Justification, Written } from './request-body';
import { State } from './request-review';
import { ReviewLayout } from './review-layout';
import { ReviewWork } from './review-work';
import styles from './review.module.css';
import { useReading } from './use-reading';
import { Votes } from './votes';
import { nameOf } from './words';

interface PastRequestProps {
  readonly request: ActionRequest;
  readonly back: ReactNode;
}

/** A request as it was at a moment: what it held itself. What stands around it, and the decision, belong to the present. */
export function PastRequest({ request, back }: PastRequestProps) {
  const reading = useReading(request.proposal_hash);
  const { kind, value, justification } = request;
  return (
    <ReviewLayout
      side={
        <>
          <Votes request={request} />
          <ReviewWork request={request} />
          <Record request={request} />
        </>
      }
    >
      <div className={request.target_sem_key === null ? styles.top : `${styles.top} ${styles.key}`}>
        <PageHeader title={nameOf(request)}>
          {back}
          <KeysButton />
        </PageHeader>
        <State request={request} risk={null} />
      </div>
      <div className={styles.notices}>
        <DeceptiveCharacters texts={[lineOf(value), justification]} isFact={kind === 'sem_put'} />
        <OpenQuestion request={request} />
      </div>
      {value !== null && (
        <section className={styles.section}>
          <h2>Proposed value</h2>
          <ProposedValue request={request} dossier={undefined} reading={reading} />
        </section>
      )}
      <EarlierWords request={request} />
      <Justification request={request} />
      <Written request={request} />
      <Discussion request={request} />
    </ReviewLayout>
  );
}
