import { Link } from '@tanstack/react-router';
import type { ActionRequest, Dossier } from '#client/index.js';
import { Badge } from '../ui/badge';
import { FactLink } from '../sem/fact-link';
import { Instant } from '../ui/instant';
import { JsonView } from '../ui/json-view';
import { VisibleText } from '../ui/visible-text';
import { WhyLink } from '../why/why-link';
import styles from './requests.module.css';
import { SourceEvent } from './source-event';
import { ValueDiff } from './value-diff';
import { deadlineWords } from './words';

interface SurroundingFactsProps {
  readonly request: ActionRequest;
  readonly dossier: Dossier;
}

/** The fact that would be written over, and the facts and proposals beside it. */
export function SurroundingFacts({ request, dossier }: SurroundingFactsProps) {
  if (request.target_sem_key === null) return null;
  const { present_fact, similar_facts, rival_requests } = dossier;
  return (
    <>
      <section className={styles.section}>
        <h2>Against the present fact</h2>
        {present_fact === null ? (
          <p>The fact does not exist yet. Approving creates it.</p>
        ) : (
          <>
            <p className={styles.muted}>
              Written by <VisibleText text={present_fact.source} /> at{' '}
              <Instant at={present_fact.last_updated} />,{' '}
              <SourceEvent at={present_fact.source_event} />{' '}
              <WhyLink kind="fact" id={request.target_sem_key} />
            </p>
            <ValueDiff
              before={present_fact.value}
              after={request.value}
              label="The present fact against the proposed value"
            />
          </>
        )}
      </section>
      {rival_requests.length > 0 && <Rivals rivals={rival_requests} />}
      {similar_facts.length > 0 && <Similar facts={similar_facts} />}
    </>
  );
}

const Rivals = ({ rivals }: { readonly rivals: Dossier['rival_requests'] }) => (
  <section className={styles.section}>
    <h2>Other proposals for the same fact</h2>
    <ul className={styles.entries}>
      {rivals.map((rival) => (
        <li key={rival.request_id}>
          <Link to="/requests/$id" params={{ id: rival.request_id }}>
            By <VisibleText text={rival.proposer.sub} />, {deadlineWords(rival)}
          </Link>
          <JsonView value={rival.value} label="Its value" />
        </li>
      ))}
    </ul>
  </section>
);

const RELATIONS = {
  same_entity: 'About the same thing',
  same_attribute: 'The same attribute elsewhere',
} as const;

const Similar = ({ facts }: { readonly facts: Dossier['similar_facts'] }) => (
  <section className={styles.section}>
    <h2>Similar facts</h2>
    <ul className={styles.entries}>
      {facts.map((fact) => (
        <li key={fact.key}>
          <p className={styles.state}>
            <FactLink of={fact.key} />
            <WhyLink kind="fact" id={fact.key} />
            <Badge>{RELATIONS[fact.relation]}</Badge>
            {fact.is_same_value && <Badge kind="warning">Has the proposed value</Badge>}
          </p>
          <JsonView value={fact.value} label={`The value of ${fact.key}`} />
        </li>
      ))}
    </ul>
  </section>
);
