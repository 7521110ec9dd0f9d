import { canonicalJson } from '#domain/determinism/canonical-json.js';
import { wordsOf } from '../replay/event-words';
import type { RecordEvent } from '../record/job-record';
import type { Compared, Pair } from './align';
import type { ComparedSide } from './compared-side';

/** One of two records of the same job. */
type Recorded = Pick<ComparedSide, 'isFile' | 'isIntact'> & {
  readonly events: readonly Compared[];
};

type Fields = Readonly<Record<string, unknown>>;

/** Returns the parts in which two events differ: `type`, `data.value`, `hash`. The position in a whole log does not count. */
export function changedParts(left: RecordEvent, right: RecordEvent): readonly string[] {
  return [
    ...(left.type === right.type ? [] : ['type']),
    ...changedFields(left.data, right.data).map((name) => `data.${name}`),
    ...changedFields(left.metadata, right.metadata),
  ];
}

function changedFields(left: Fields, right: Fields): readonly string[] {
  const names = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...names].filter((name) => !isEqual(left[name], right[name]));
}

const isEqual = (left: unknown, right: unknown): boolean =>
  left === right ||
  (left !== undefined && right !== undefined && canonicalJson(left) === canonicalJson(right));

/**
 * Returns the number of the first event that both have and that differs in anything; undefined if none does so far. A
 * record that ends earlier does not differ by that.
 * @param from the events before this one are the same
 */
export function firstChange(
  left: readonly Compared[],
  right: readonly Compared[],
  from = 0,
): number | undefined {
  const both = Math.min(left.length, right.length);
  for (let number = from; number < both; number += 1)
    if (pairAt(left, right, number).verdict !== 'same') return number;
  return undefined;
}

/** Pairs two records of one job by the numbers of their events: one pair at a time, so that long work can pause. */
export function* byNumber(
  left: readonly Compared[],
  right: readonly Compared[],
): Generator<readonly Pair[], void> {
  const count = Math.max(left.length, right.length);
  for (let number = 0; number < count; number += 1) yield [pairAt(left, right, number)];
}

function pairAt(left: readonly Compared[], right: readonly Compared[], number: number): Pair {
  const [one, other] = [left[number], right[number]];
  const tick = one?.tick ?? other?.tick ?? 0;
  if (one === undefined || other === undefined)
    return one === undefined
      ? { verdict: 'right', tick, ...(other && { right: other }) }
      : { verdict: 'left', tick, left: one };
  const changed = changedParts(one.event, other.event);
  if (changed.length === 0) return { verdict: 'same', tick, left: one, right: other };
  const saysTheSame =
    one.event.type === other.event.type && wordsOf(one.event) === wordsOf(other.event);
  return { verdict: saysTheSame ? 'bytes' : 'differs', tick, left: one, right: other, changed };
}

/** Says which record of the job ends first, and by how much; undefined if both end with the same number. */
export function lengthWords(left: Recorded, right: Recorded): string | undefined {
  const more = right.events.length - left.events.length;
  if (more === 0) return undefined;
  const kind = ({ isFile }: Recorded): string => (isFile ? 'file' : 'service');
  const isOneKind = left.isFile === right.isFile;
  const name = (of: Recorded): string =>
    isOneKind ? `${of === left ? 'left' : 'right'} ${kind(of)}` : kind(of);
  const [shorter, longer] = more > 0 ? [left, right] : [right, left];
  const ends = shorter.isIntact ? 'ends at event' : 'can be read only up to event';
  const rest = Math.abs(more).toLocaleString('en');
  return `The ${name(shorter)} ${ends} ${shorter.events.length - 1}; the ${name(longer)} has ${rest} more.`;
}
