import type { Dossier } from '#client/index.js';
import { Badge } from '../ui/badge';
import { JsonView } from '../ui/json-view';
import { VisibleText } from '../ui/visible-text';
import { WhyLink } from '../why/why-link';
import type { WhyKind } from '../why/why-search';
import styles from './requests.module.css';
import { SourceEvent } from './source-event';

type CitedState = Dossier['evidence'][number]['state'];

/** What the proposal rests on: the episode, and each entry of the evidence, with the event behind it. */
export const Evidence = ({ dossier: { episode, evidence } }: { readonly dossier: Dossier }) => (
  <section className={styles.section}>
    <h2>Episode and evidence</h2>
    {episode !== null && (
      <Cited
        title="The episode"
        {...episode}
        thing={{ kind: 'episode', id: episode.episodic_id }}
      />
    )}
    {evidence.length === 0 && <p>The proposer cites no evidence.</p>}
    {evidence.map((cited, index) => (
      <div key={index} className={styles.section}>
        <Cited title={`Evidence ${index + 1}`} {...cited} thing={thingIn(cited)} />
        <JsonView value={cited.entry} label={`Evidence ${index + 1}, verbatim`} />
      </div>
    ))}
  </section>
);

const FACT = 'sem-';

interface Thing {
  readonly kind: WhyKind;
  readonly id: string;
}

/** Returns the episode, the note or the fact that an entry of the evidence names; undefined if it names none. */
function thingIn({ entry, source_event }: Dossier['evidence'][number]): Thing | undefined {
  const episode = entry['episodic_id'];
  if (typeof episode === 'string') return { kind: 'episode', id: episode };
  const stream = source_event?.stream ?? '';
  if (stream.startsWith('note-')) return { kind: 'note', id: stream };
  return stream.startsWith(FACT) ? { kind: 'fact', id: stream.slice(FACT.length) } : undefined;
}

interface CitedProps {
  readonly title: string;
  /** What has a page about where it came from. */
  readonly thing: Thing | undefined;
  readonly state: CitedState;
  readonly summary: string | null;
  readonly source_event: Dossier['source_event'] | null;
}

const Cited = ({ title, thing, state, summary, source_event }: CitedProps) => (
  <div>
    <p className={styles.state}>
      <strong>{title}</strong>
      {state === 'missing' && <Badge kind="bad">Cannot be found</Badge>}
      {state === 'erased' && <Badge kind="bad">Erased</Badge>}
      {source_event !== null && <SourceEvent at={source_event} />}
      {thing !== undefined && state === 'present' && <WhyLink {...thing} />}
    </p>
    {summary !== null && (
      <p className={styles.words}>
        <VisibleText text={summary} />
      </p>
    )}
  </div>
);
