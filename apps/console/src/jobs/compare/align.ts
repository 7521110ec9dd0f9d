import type { JobKnew, JsonObject } from '#client/index.js';
import type { RecordEvent } from '../record/job-record';

/** An event of a job that is compared with another job. */
export interface Compared {
  readonly event: RecordEvent;
  readonly tick: number;
  /** What the event says, without what follows from the job's seed. */
  readonly content: string;
  /** What a read found, in words: two jobs may read another value of the same fact. */
  readonly found?: string;
}

/** `bytes`: the words are the same, and something else of the event is not. */
export type Verdict = 'same' | 'differs' | 'bytes' | 'left' | 'right';

/** Two events that belong together, or one that the other job does not have. */
export interface Pair {
  readonly verdict: Verdict;
  readonly tick: number;
  readonly left?: Compared;
  readonly right?: Compared;
  /** The parts that differ, if both are one event of the same job. */
  readonly changed?: readonly string[];
}

/** What every job has of its own, whatever its agent does. */
const OWN = new Set([
  ...['job_seed', 'owner', 'session_id', 'seeded_epoch', 'snapshots', 'sem_snapshot_hash'],
  ...['episodic_id', 'reflective_log_id', 'created_seeded_ts'],
]);

/** The most pairs of events of one tick among which the longest common history is sought. */
const MAX_PAIRS = 250_000;

/**
 * The entries of a job by their ids, each with what it says: its id has a number, which counts the entries before it. And
 * the facts that it read by their keys, each with the value that it saw.
 */
export type Entries = Map<string, string>;

/** Returns the facts that a job read as entries. */
export const entriesOf = (read: JobKnew['read']): Entries =>
  new Map(
    read.flatMap(({ id, fact }) =>
      fact === null ? [] : [[id, `${id} = ${JSON.stringify(fact.value)}`] as const],
    ),
  );

/** Returns what a read found, if it is one of facts. */
function foundBy({ type, data }: RecordEvent, entries: Entries): { readonly found?: string } {
  const { ids } = data;
  if (type !== 'memory_read' || !Array.isArray(ids)) return {};
  const found = ids.filter((id) => typeof id === 'string').map((id) => entries.get(id) ?? id);
  return found.length === 0 ? {} : { found: `read ${found.join(', ')}` };
}

const ITEM = 'cwmi:';
const NEW_ENTRY = new Set(['wm_inserted', 'cwm_returned']);

/**
 * Returns the content of an event; the constants of a job's start are compared by themselves. Only an event's own fields
 * follow from the seed: what an agent wrote counts under every name.
 */
function contentOf({ type, data }: Pick<RecordEvent, 'type' | 'data'>, entries: Entries): string {
  const kept: JsonObject = type === 'job_started' ? { goal: data['goal'] ?? null } : data;
  const isOwn = (name: string): boolean =>
    OWN.has(name) || (name === 'wm_id' && NEW_ENTRY.has(type));
  const content = Object.entries(kept).filter(([name]) => !isOwn(name));
  return JSON.stringify(content, (_name, value: unknown) => {
    if (typeof value !== 'string') return value;
    return entries.get(value.startsWith(ITEM) ? value.slice(ITEM.length) : value) ?? value;
  });
}

/** Adds the events of the next page, each with its tick and content. @param entries those of the pages before */
export function withPage(
  before: readonly Compared[],
  events: readonly RecordEvent[],
  entries: Entries,
): readonly Compared[] {
  let tick = before.at(-1)?.tick ?? 0;
  return [
    ...before,
    ...events.map((event) => {
      if (event.type === 'ticked') tick += 1;
      const { wm_id } = event.data;
      const content = contentOf(event, entries);
      if (NEW_ENTRY.has(event.type) && typeof wm_id === 'string') entries.set(wm_id, content);
      return { event, tick, content, ...foundBy(event, entries) };
    }),
  ];
}

const isSame = (left: Compared | undefined, right: Compared | undefined): boolean =>
  left !== undefined &&
  left.event.type === right?.event.type &&
  left.tick === right.tick &&
  left.content === right.content;

/**
 * Returns how many events at the beginning are the same, so the number of the first difference; undefined if the
 * events that are there show none.
 * @param areWhole true if no more events come
 * @param from the events before this one are the same
 */
export function firstDifference(
  left: readonly Compared[],
  right: readonly Compared[],
  areWhole: boolean,
  from = 0,
): number | undefined {
  const both = Math.min(left.length, right.length);
  for (let number = from; number < both; number += 1)
    if (!isSame(left[number], right[number])) return number;
  return areWhole && left.length !== right.length ? both : undefined;
}

/** Aligns two histories by tick, type and content: the pairs of one tick at a time, so that long work can pause. */
export function* align(
  left: readonly Compared[],
  right: readonly Compared[],
): Generator<readonly Pair[], void> {
  let [l, r] = [0, 0];
  while (l < left.length || r < right.length) {
    const tick = Math.min(left[l]?.tick ?? Infinity, right[r]?.tick ?? Infinity);
    const [l0, r0] = [l, r];
    while (left[l]?.tick === tick) l += 1;
    while (right[r]?.tick === tick) r += 1;
    yield pairsOfTick(left.slice(l0, l), right.slice(r0, r), tick);
  }
}

function pairsOfTick(
  left: readonly Compared[],
  right: readonly Compared[],
  tick: number,
): readonly Pair[] {
  const pairs: Pair[] = [];
  let [l, r] = [0, 0];
  for (const [nextLeft, nextRight] of [
    ...common(left, right),
    [left.length, right.length] as const,
  ]) {
    pairs.push(...gap(left.slice(l, nextLeft), right.slice(r, nextRight), tick));
    const [one, other] = [left[nextLeft], right[nextRight]];
    if (one !== undefined && other !== undefined)
      pairs.push({ verdict: 'same', tick, left: one, right: other });
    [l, r] = [nextLeft + 1, nextRight + 1];
  }
  return pairs;
}

/** Returns the places of the same events in both lists: of as many as possible, in their order. */
function common(
  left: readonly Compared[],
  right: readonly Compared[],
): readonly (readonly [number, number])[] {
  const found: [number, number][] = [];
  let start = 0;
  while (start < left.length && isSame(left[start], right[start])) {
    found.push([start, start]);
    start += 1;
  }
  const [rows, columns] = [left.length - start, right.length - start];
  if (rows * columns === 0 || rows * columns > MAX_PAIRS) return found;
  const width = columns + 1;
  /** For each pair of places, how many events after them are common. */
  const lengths = new Uint32Array((rows + 1) * width);
  for (let l = rows - 1; l >= 0; l -= 1)
    for (let r = columns - 1; r >= 0; r -= 1)
      lengths[l * width + r] = isSame(left[start + l], right[start + r])
        ? lengths[(l + 1) * width + r + 1]! + 1
        : Math.max(lengths[(l + 1) * width + r]!, lengths[l * width + r + 1]!);
  for (let [l, r] = [0, 0]; l < rows && r < columns;) {
    if (isSame(left[start + l], right[start + r])) {
      found.push([start + l, start + r]);
      l += 1;
      r += 1;
    } else if (lengths[(l + 1) * width + r]! >= lengths[l * width + r + 1]!) l += 1;
    else r += 1;
  }
  return found;
}

/** Pairs the events between two common ones: those of the same type say something else, the others stand alone. */
function gap(left: readonly Compared[], right: readonly Compared[], tick: number): readonly Pair[] {
  const ofType = new Map<string, Compared[]>();
  for (const other of right.toReversed()) {
    const { type } = other.event;
    const same = ofType.get(type) ?? [];
    ofType.set(type, same);
    same.push(other);
  }
  const pairs = left.map((one): Pair => {
    const other = ofType.get(one.event.type)?.pop();
    if (other === undefined) return { verdict: 'left', tick, left: one };
    return { verdict: isSame(one, other) ? 'same' : 'differs', tick, left: one, right: other };
  });
  const paired = new Set(pairs.map((pair) => pair.right));
  const rest = right.filter((other) => !paired.has(other));
  return [...pairs, ...rest.map((other): Pair => ({ verdict: 'right', tick, right: other }))];
}
