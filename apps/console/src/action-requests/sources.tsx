import type { ActionRequest, Dossier } from '#client/index.js';
import { WhyLink } from '../why/why-link';
import type { WhyKind } from '../why/why-search';
import styles from './review.module.css';
import { SourceEvent } from './source-event';

interface Source {
  readonly title: string;
  readonly event: Dossier['source_event'] | null;
  /** What has a page about where it came from. */
  readonly thing: Thing | undefined;
}

interface Thing {
  readonly kind: WhyKind;
  readonly id: string;
}

interface SourcesProps {
  readonly request: ActionRequest;
  readonly dossier: Dossier;
}

/** The events behind the present fact, the episode and the evidence, folded. */
export function Sources({ request, dossier }: SourcesProps) {
  const sources = sourcesOf(request, dossier);
  if (sources.length === 0) return null;
  return (
    <details>
      <summary>Sources in the log ({sources.length})</summary>
      <ul className={styles.entries}>
        {sources.map(({ title, event, thing }) => (
          <li key={title} className={styles.state}>
            <span>{title}</span>
            {event !== null && <SourceEvent at={event} />}
            {thing !== undefined && <WhyLink {...thing} />}
          </li>
        ))}
      </ul>
    </details>
  );
}

function sourcesOf({ target_sem_key }: ActionRequest, dossier: Dossier): Source[] {
  const { present_fact, episode, evidence } = dossier;
  const all: Source[] = [];
  if (present_fact !== null && target_sem_key !== null) {
    const thing = { kind: 'fact', id: target_sem_key } as const;
    all.push({ title: 'The present fact', event: present_fact.source_event, thing });
  }
  if (episode !== null) {
    const thing = { kind: 'episode', id: episode.episodic_id } as const;
    all.push({
      title: 'The episode',
      event: episode.source_event,
      thing: episode.state === 'present' ? thing : undefined,
    });
  }
  evidence.forEach((cited, index) =>
    all.push({
      title: `Evidence ${index + 1}`,
      event: cited.source_event,
      thing: cited.state === 'present' ? thingIn(cited) : undefined,
    }),
  );
  return all.filter(({ event, thing }) => event !== null || thing !== undefined);
}

const FACT = 'sem-';

/** Returns the episode, the note or the fact that an entry of the evidence names; undefined if it names none. */
function thingIn({ entry, source_event }: Dossier['evidence'][number]): Thing | undefined {
  const episode = entry['episodic_id'];
  if (typeof episode === 'string') return { kind: 'episode', id: episode };
  const stream = source_event?.stream ?? '';
  if (stream.startsWith('note-')) return { kind: 'note', id: stream };
  return stream.startsWith(FACT) ? { kind: 'fact', id: stream.slice(FACT.length) } : undefined;
}
