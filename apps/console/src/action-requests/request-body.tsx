import type { UseQueryResult } from '@tanstack/react-query';
import type { ActionRequest, Dossier } from '#client/index.js';
import { FactLink } from '../sem/fact-link';
import { UnredactedRead } from '../privacy/unredacted-read';
import { useMace } from '../session/session-provider';
import { ErrorNotice } from '../ui/error-notice';
import { JsonView } from '../ui/json-view';
import { Loading } from '../ui/loading';
import { VisibleText } from '../ui/visible-text';
import { WhyLink } from '../why/why-link';
import { Evidence } from './evidence';
import { HiddenCharacters } from './hidden-characters';
import { ProposerHistory } from './proposer-history';
import { Redactions } from './redactions';
import styles from './requests.module.css';
import { SurroundingFacts } from './surrounding-facts';

interface RequestBodyProps {
  readonly request: ActionRequest;
  readonly dossier: UseQueryResult<Dossier>;
}

/** What is proposed, verbatim and first; then what it would change, and what it rests on. */
export function RequestBody({ request, dossier }: RequestBodyProps) {
  const { request_id: id, value, justification } = request;
  const mace = useMace();
  return (
    <>
      <section className={styles.section}>
        <h2>Proposed value</h2>
        <HiddenCharacters texts={[textOf(value), justification]} />
        <JsonView value={value} label="Proposed value, verbatim" />
        <UnredactedRead
          key={request.proposal_hash}
          what={`request ${id}`}
          redacted={value}
          stream={`request-${id}`}
          read={async (options) =>
            (await mace.actionRequests.get(id, { ...options, unredacted: 'true' })).value
          }
        />
      </section>
      {dossier.data !== undefined && <SurroundingFacts request={request} dossier={dossier.data} />}
      <section className={styles.section}>
        <h2>Why</h2>
        <p className={styles.words}>
          <VisibleText text={justification} />
        </p>
      </section>
      <Written request={request} />
      {dossier.isPending && <Loading what="the facts and the evidence around it" />}
      {dossier.error !== null && (
        <ErrorNotice error={dossier.error} retry={() => void dossier.refetch()} />
      )}
      {dossier.data !== undefined && (
        <>
          <Evidence dossier={dossier.data} />
          <Redactions redactions={dossier.data.redactions} />
          <ProposerHistory request={request} history={dossier.data.proposer_history} />
        </>
      )}
    </>
  );
}

/** The fact that the approval wrote, at the version that it wrote. */
function Written({ request }: { readonly request: ActionRequest }) {
  const { execution, target_sem_key: key } = request;
  if (execution === null || key === null) return null;
  return (
    <section className={styles.section}>
      <h2>What it wrote</h2>
      <p className={styles.state}>
        <FactLink of={key} at={{ version: execution.sem_event_number }}>
          Version {execution.sem_event_number} of the fact
        </FactLink>
        <WhyLink kind="fact" id={key} />
      </p>
    </section>
  );
}

const textOf = (value: ActionRequest['value']): string =>
  typeof value === 'string' ? value : JSON.stringify(value);
