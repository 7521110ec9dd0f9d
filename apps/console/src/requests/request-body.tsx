import { useQuery } from '@tanstack/react-query';
import type { ActionRequest } from '#client/index.js';
import { useMace } from '../session/session-provider';
import { ErrorNotice } from '../ui/error-notice';
import { Instant } from '../ui/instant';
import { JsonView } from '../ui/json-view';
import { Loading } from '../ui/loading';
import { VisibleText } from '../ui/visible-text';
import { HiddenCharacters } from './hidden-characters';
import styles from './requests.module.css';
import { factOptions } from './requests-data';
import { ValueDiff } from './value-diff';

/** What is proposed, verbatim and first; then what it would change, and what it rests on. */
export function RequestBody({ request }: { readonly request: ActionRequest }) {
  const { value, justification, evidence, target_sem_key } = request;
  return (
    <>
      <section className={styles.section}>
        <h2>Proposed value</h2>
        <HiddenCharacters texts={[textOf(value), justification]} />
        <JsonView value={value} label="Proposed value, verbatim" />
      </section>
      {target_sem_key !== null && <PresentFact request={request} factKey={target_sem_key} />}
      <section className={styles.section}>
        <h2>Why</h2>
        <p className={styles.words}>
          <VisibleText text={justification} />
        </p>
      </section>
      <section className={styles.section}>
        <h2>Evidence</h2>
        {evidence.length === 0 ? (
          <p>The proposer cites no evidence.</p>
        ) : (
          <JsonView value={evidence} label="Evidence, verbatim" />
        )}
      </section>
    </>
  );
}

const textOf = (value: ActionRequest['value']): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

interface PresentFactProps {
  readonly request: ActionRequest;
  readonly factKey: string;
}

function PresentFact({ request, factKey }: PresentFactProps) {
  const fact = useQuery(factOptions(useMace(), factKey));
  return (
    <section className={styles.section}>
      <h2>Against the present fact</h2>
      {fact.isPending && <Loading what="the present fact" />}
      {fact.error !== null && <ErrorNotice error={fact.error} retry={() => void fact.refetch()} />}
      {fact.data === null && <p>The fact does not exist yet. Approving creates it.</p>}
      {fact.data && (
        <>
          <p className={styles.muted}>
            Written by <VisibleText text={fact.data.source} /> at{' '}
            <Instant at={fact.data.last_updated} />
          </p>
          <ValueDiff
            before={fact.data.value}
            after={request.value}
            label="The present fact against the proposed value"
          />
        </>
      )}
    </section>
  );
}
