import type { RecordedCwmItem, ShownState, RecordedWmEntry } from '../record/job-record';
import { valueText } from './event-words';

export type Verb = 'came' | 'changed' | 'left';

/** One difference between two states, in words. */
export interface Change {
  readonly verb: Verb;
  readonly what: string;
  /** The value that came or left, as text; undefined if the change has none. */
  readonly value?: string;
}

/** The fields that WM entries and CWM items share. */
interface Entry {
  readonly id: string;
  readonly type: string;
  readonly ttl: number;
  readonly references: number;
  /** Made only when it is shown: a working memory can hold 16 MB. */
  readonly value: () => string;
}

const wmEntry = (entry: RecordedWmEntry): Entry => ({
  ...{ id: entry.wm_id, type: entry.type, ttl: entry.ttl_ticks, references: entry.references },
  value: () => valueText(entry),
});

const cwmEntry = (item: RecordedCwmItem): Entry => ({
  ...{ id: item.cwm_id_item, type: item.type, ttl: item.ttl_ticks, references: item.references },
  value: () => valueText(item),
});

/** Returns what came, changed and left from one state to the next; `before` is undefined at the first event. */
export function difference(before: ShownState | undefined, after: ShownState): Change[] {
  const changes: Change[] = [];
  if (before?.status !== after.status)
    changes.push({
      verb: before === undefined ? 'came' : 'changed',
      what: after.status === 'running' ? 'The job is running' : 'The job has ended',
    });
  if (before !== undefined && before.tick !== after.tick)
    changes.push({ verb: 'changed', what: `The tick went from ${before.tick} to ${after.tick}` });
  const topic = before?.cwm.topic ?? '';
  if (topic !== after.cwm.topic)
    changes.push({
      verb: topic === '' ? 'came' : 'changed',
      what: 'The goal',
      value: after.cwm.topic,
    });
  changes.push(
    ...changesOf('working memory', (before?.wm ?? []).map(wmEntry), after.wm.map(wmEntry)),
    ...changesOf(
      'consolidated memory',
      (before?.cwm.items ?? []).map(cwmEntry),
      after.cwm.items.map(cwmEntry),
    ),
  );
  if ((before?.episodes ?? 0) !== after.episodes)
    changes.push({ verb: 'came', what: `Episode ${after.episodes} of this job` });
  if (JSON.stringify(before?.query ?? null) !== JSON.stringify(after.query))
    changes.push({ verb: before?.query ? 'changed' : 'came', what: 'The query of this job' });
  return changes;
}

function changesOf(
  memory: string,
  before: readonly Entry[],
  after: readonly Entry[],
): readonly Change[] {
  const known = new Map(before.map((entry) => [entry.id, entry]));
  const changes: Change[] = [];
  const aged: number[] = [];
  for (const entry of after) {
    const earlier = known.get(entry.id);
    known.delete(entry.id);
    if (earlier === undefined) {
      changes.push({
        verb: 'came',
        what: `${entry.id}, a ${entry.type}, came into ${memory}`,
        value: entry.value(),
      });
      continue;
    }
    if (earlier.references !== entry.references)
      changes.push({
        verb: 'changed',
        what: `${entry.id} in ${memory} was used: ${earlier.references} references before, ${entry.references} now`,
      });
    if (earlier.ttl !== entry.ttl) aged.push(entry.ttl - earlier.ttl);
  }
  for (const entry of known.values())
    changes.push({ verb: 'left', what: `${entry.id} left ${memory}`, value: entry.value() });
  if (aged.length > 0) changes.push(agedIn(memory, aged));
  return changes;
}

function agedIn(memory: string, by: readonly number[]): Change {
  const entries = by.length === 1 ? 'One entry' : `${by.length.toLocaleString('en')} entries`;
  const isOlder = by.every((ticks) => ticks === -1);
  const how = isOlder ? 'one tick less to live' : 'another time to live';
  return {
    verb: 'changed',
    what: `${entries} of ${memory} ${by.length === 1 ? 'has' : 'have'} ${how}`,
  };
}
