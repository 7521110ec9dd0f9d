import type { Dossier } from '#client/index.js';
import { Badge } from '../ui/badge';
import { JsonView } from '../ui/json-view';
import { VisibleText } from '../ui/visible-text';
import styles from './requests.module.css';
import { SourceEvent } from './source-event';

type CitedState = Dossier['evidence'][number]['state'];

/** What the proposal rests on: the episode, and each entry of the evidence, with the event behind it. */
export const Evidence = ({ dossier: { episode, evidence } }: { readonly dossier: Dossier }) => (
  <section className={styles.section}>
    <h2>Episode and evidence</h2>
    {episode !== null && <Cited title="The episode" {...episode} />}
    {evidence.length === 0 && <p>The proposer cites no evidence.</p>}
    {evidence.map((cited, index) => (
      <div key={index} className={styles.section}>
        <Cited title={`Evidence ${index + 1}`} {...cited} />
        <JsonView value={cited.entry} label={`Evidence ${index + 1}, verbatim`} />
      </div>
    ))}
  </section>
);

interface CitedProps {
  readonly title: string;
  readonly state: CitedState;
  readonly summary: string | null;
  readonly source_event: Dossier['source_event'] | null;
}

const Cited = ({ title, state, summary, source_event }: CitedProps) => (
  <div>
    <p className={styles.state}>
      <strong>{title}</strong>
      {state === 'missing' && <Badge kind="bad">Cannot be found</Badge>}
      {state === 'erased' && <Badge kind="bad">Erased</Badge>}
      {source_event !== null && <SourceEvent at={source_event} />}
    </p>
    {summary !== null && (
      <p className={styles.words}>
        <VisibleText text={summary} />
      </p>
    )}
  </div>
);
