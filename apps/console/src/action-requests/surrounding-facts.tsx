import { Link } from '@tanstack/react-router';
import type { Dossier } from '#client/index.js';
import { Inline } from '../changes/value-change';
import { inlineText } from '../changes/values';
import { Badge } from '../ui/badge';
import { FactLink } from '../sem/fact-link';
import { JsonView } from '../ui/json-view';
import { LongText } from '../ui/long-text';
import { VisibleText } from '../ui/visible-text';
import { WhyLink } from '../why/why-link';
import styles from './review.module.css';
import { deadlineWords } from './words';

type Rival = Dossier['rival_requests'][number];

/** What else waits for the same fact. Nothing if nothing does. */
export function Rivals({ rivals }: { readonly rivals: readonly Rival[] }) {
  if (rivals.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="rivals">
      <h2 id="rivals">Other proposals for the same fact</h2>
      <ul className={styles.rivals}>
        {rivals.map((rival) => (
          <li key={rival.request_id}>
            <RivalValue rival={rival} />{' '}
            <Link to="/requests/$id" params={{ id: rival.request_id }}>
              By <VisibleText text={rival.proposer.sub} />, {deadlineWords(rival)}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

const RivalValue = ({ rival: { value } }: { readonly rival: Rival }) =>
  typeof value === 'object' && value !== null ? (
    <LongText text={inlineText(value)} />
  ) : typeof value === 'string' ? (
    <LongText text={value} />
  ) : (
    <Inline value={value} />
  );

const RELATIONS = {
  same_entity: 'About the same thing',
  same_attribute: 'The same attribute elsewhere',
} as const;

/** The facts near the target, folded. */
export function SimilarFacts({ facts }: { readonly facts: Dossier['similar_facts'] }) {
  if (facts.length === 0) return null;
  const same = facts.filter(({ is_same_value }) => is_same_value).length;
  return (
    <details>
      <summary>
        Similar facts ({facts.length}){same > 0 && ` · ${same} with the proposed value`}
      </summary>
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
    </details>
  );
}
