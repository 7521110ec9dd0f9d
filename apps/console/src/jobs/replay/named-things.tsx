import type { Json } from '#client/index.js';
import { VisibleText } from '../../ui/visible-text';
import { WhyLink } from '../../why/why-link';
import type { WhyKind } from '../../why/why-search';
import type { RecordEvent } from '../record/job-record';
import styles from './replay.module.css';

/** A thing in memory that has a page about where it came from. */
interface Thing {
  readonly kind: WhyKind;
  readonly id: string;
}

/** The most things of one event that are listed; a search may have found many. */
const SHOWN = 20;
const KEY = /^[a-z0-9_]+\/[a-z0-9_]+\/[a-z0-9_-]+\/[a-z0-9_]+$/;

const texts = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

/** Returns the thing that an id belongs to; undefined for entries of a job, whose origin is the job itself. */
function thingOf(id: string): Thing | undefined {
  if (id.startsWith('ep:')) return { kind: 'episode', id };
  if (/^note-[0-9a-f]{64}$/.test(id)) return { kind: 'note', id };
  if (/^(session|user|project|system):.+:(short_term|semantic|profile):\d+$/s.test(id))
    return { kind: 'memory_item', id };
  return KEY.test(id) ? { kind: 'fact', id } : undefined;
}

/** Returns the facts, episodes, items and notes that an event wrote, read or proposes. */
export function thingsIn({ data }: Pick<RecordEvent, 'data'>): readonly Thing[] {
  const proposed = (data['proposal'] as { readonly key?: Json } | null | undefined)?.key;
  const ids = [
    ...texts([data['episodic_id'] ?? null, data['key'] ?? null, proposed ?? null]),
    ...texts(data['ids']),
    ...texts(data['sem_keys']),
  ];
  return [...new Set(ids)].flatMap((id) => thingOf(id) ?? []);
}

/** The things that an event names, each with the way to where it came from. */
export function NamedThings({ event }: { readonly event: RecordEvent }) {
  const things = thingsIn(event);
  if (things.length === 0) return null;
  return (
    <>
      <p className={styles.term}>Named in this event</p>
      <ul className={styles.entries} aria-label="Named in this event">
        {things.slice(0, SHOWN).map(({ kind, id }) => (
          <li key={id}>
            <WhyLink kind={kind} id={id}>
              <VisibleText text={id} />
            </WhyLink>
          </li>
        ))}
      </ul>
      {things.length > SHOWN && (
        <p className={styles.muted}>
          And {(things.length - SHOWN).toLocaleString('en')} more, in the event below.
        </p>
      )}
    </>
  );
}
