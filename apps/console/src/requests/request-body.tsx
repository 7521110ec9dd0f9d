import type { UseQueryResult } from '@tanstack/react-query';
import type { ActionRequest, Dossier } from '#client/index.js';
import { ErrorNotice } from '../ui/error-notice';
import { JsonView } from '../ui/json-view';
import { Loading } from '../ui/loading';
import { VisibleText } from '../ui/visible-text';
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
  const { value, justification } = request;
  return (
    <>
      <section className={styles.section}>
        <h2>Proposed value</h2>
        <HiddenCharacters texts={[textOf(value), justification]} />
        <JsonView value={value} label="Proposed value, verbatim" />
      </section>
      {dossier.data !== undefined && <SurroundingFacts request={request} dossier={dossier.data} />}
      <section className={styles.section}>
        <h2>Why</h2>
        <p className={styles.words}>
          <VisibleText text={justification} />
        </p>
      </section>
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

const textOf = (value: ActionRequest['value']): string =>
  typeof value === 'string' ? value : JSON.stringify(value);
