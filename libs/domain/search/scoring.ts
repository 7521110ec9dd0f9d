import type { Ranking } from './rankings.js';
import type { SearchQuery } from './search-query.js';

/**
 * The visible entries of one part of the index. Each entry has a slot. The entries of a group have consecutive slots,
 * in their order in the log, and come before the entries without a group.
 */
export interface Slots {
  readonly count: number;
  /** The length of each entry's text, in terms. */
  readonly lengths: Uint32Array;
  readonly totalLength: number;
  /** The group of each grouped entry, from 0. */
  readonly groups: Uint32Array;
  /** The first slot of each group, and then the first slot without a group. */
  readonly groupStarts: Uint32Array;
  readonly groupCount: number;
  /** The code of each entry's label; 0 without a label. */
  readonly labels: Uint32Array;
  /** A set of the flags below for each entry. */
  readonly flags: Uint8Array;
  /** Milliseconds since 1970. */
  readonly times: Float64Array;
}

export const IS_QUESTION = 1;
export const HAS_NUMBER = 2;

/** The entries with one term: their slots, and how often the term occurs in each. */
export interface TermEntries {
  readonly count: number;
  readonly slots: Uint32Array;
  readonly frequencies: Uint8Array;
}

/** One part of the index, with what a query needs of it. */
export interface Part {
  readonly slots: Slots;
  /** For each term of the query, in order. */
  readonly terms: readonly TermEntries[];
  /** For each excluded term. */
  readonly excluded: readonly TermEntries[];
  /** The code of the only label that the query names; 0 without one. */
  readonly label: number;
}

/** The weights of a query, from the statistics of all its parts (SPEC Q3). */
export interface Weights {
  readonly ranking: Ranking;
  readonly query: SearchQuery;
  /** The mean length of all entries. */
  readonly average: number;
  /** For each term, its inverse document frequency among the entries and among the groups. */
  readonly terms: readonly { readonly entries: number; readonly groups: number }[];
}

/** BM25's inverse document frequency. */
export const rarity = (total: number, having: number): number =>
  Math.log(1 + (total - having + 0.5) / (having + 0.5));

export function weightsOf(
  parts: readonly Part[],
  query: SearchQuery,
  ranking: Ranking,
  scratch: Scratch,
): Weights {
  const sum = (valueOf: (part: Part) => number): number =>
    parts.reduce((total, part) => total + valueOf(part), 0);
  const entries = sum(({ slots }) => slots.count);
  const groups = sum(({ slots }) => slots.groupCount);
  const termCount = parts[0]?.terms.length ?? 0;
  return {
    ...{ ranking, query },
    average: sum(({ slots }) => slots.totalLength) / entries,
    terms: Array.from({ length: termCount }, (_, term) => ({
      entries: rarity(
        entries,
        sum(({ terms }) => terms[term]!.count),
      ),
      groups: rarity(
        groups,
        sum((part) => groupsWith(part, term, scratch)),
      ),
    })),
  };
}

/** Returns the number of groups that have a term. */
function groupsWith({ slots, terms }: Part, term: number, { inGroup }: Scratch): number {
  const { count, slots: found } = terms[term]!;
  const grouped = slots.groupStarts[slots.groupCount]!;
  let groups = 0;
  for (let at = 0; at < count; at += 1) {
    const slot = found[at]!;
    if (slot >= grouped) continue;
    const group = slots.groups[slot]!;
    if (inGroup[group] === 0) groups += 1;
    inGroup[group] = 1;
  }
  for (let at = 0; at < count; at += 1)
    if (found[at]! < grouped) inGroup[slots.groups[found[at]!]!] = 0;
  return groups;
}

/**
 * Memory that scoring uses again for each query. All numbers are 0 between two uses, so a query with few hits costs
 * little, however large the index is.
 */
export interface Scratch {
  readonly own: Float64Array;
  readonly around: Float64Array;
  readonly whole: Float64Array;
  readonly inWindow: Float64Array;
  readonly inGroup: Float64Array;
  readonly isCandidate: Uint8Array;
  readonly candidates: Uint32Array;
  readonly touched: Uint32Array;
}

export const newScratch = (size: number): Scratch => ({
  own: new Float64Array(size),
  around: new Float64Array(size),
  whole: new Float64Array(size),
  inWindow: new Float64Array(size),
  inGroup: new Float64Array(size),
  isCandidate: new Uint8Array(size),
  candidates: new Uint32Array(size),
  touched: new Uint32Array(size),
});

/** The slots around an entry, both bounds included. */
interface Window {
  from: number;
  to: number;
}

function setWindow(window: Window, slots: Slots, slot: number, radius: number): void {
  const { groupStarts, groupCount, groups } = slots;
  window.from = window.to = slot;
  if (slot >= groupStarts[groupCount]!) return;
  const group = groups[slot]!;
  window.from = Math.max(groupStarts[group]!, slot - radius);
  window.to = Math.min(groupStarts[group + 1]! - 1, slot + radius);
}

/**
 * Scores the entries of one part by the rules of SPEC Q2, and offers each one with a score to `offer`, except those
 * with an excluded term. Phrases are not checked. The sums have the order of the terms, so that equal entries always
 * get equal bits.
 */
export function scorePart(
  part: Part,
  weights: Weights,
  scratch: Scratch,
  offer: (slot: number, score: number) => void,
): void {
  const { slots, terms } = part;
  const { ranking, average } = weights;
  const { own, around, whole, inWindow, inGroup, isCandidate, candidates, touched } = scratch;
  const { k1, radius } = ranking;
  const { lengths, groups, groupStarts, groupCount } = slots;
  const grouped = groupStarts[groupCount]!;
  const window: Window = { from: 0, to: 0 };
  let candidateCount = 0;

  for (const [index, { count, slots: found, frequencies }] of terms.entries()) {
    const weight = weights.terms[index]!;
    let touchedCount = 0;
    for (let at = 0; at < count; at += 1) {
      const slot = found[at]!;
      const frequency = frequencies[at]!;
      own[slot]! += weight.entries * saturated(ranking, frequency, lengths[slot]! / average);
      setWindow(window, slots, slot, radius);
      for (let near = window.from; near <= window.to; near += 1) {
        if (inWindow[near] === 0) {
          touched[touchedCount] = near;
          touchedCount += 1;
        }
        inWindow[near]! += frequency;
      }
      if (slot < grouped) inGroup[groups[slot]!]! += frequency;
    }
    for (let at = 0; at < touchedCount; at += 1) {
      const slot = touched[at]!;
      setWindow(window, slots, slot, radius);
      const length = meanLength(lengths, window) / average;
      around[slot]! += weight.entries * saturated(ranking, inWindow[slot]!, length);
      inWindow[slot] = 0;
      if (isCandidate[slot] === 0) {
        isCandidate[slot] = 1;
        candidates[candidateCount] = slot;
        candidateCount += 1;
      }
    }
    for (let at = 0; at < count; at += 1) {
      const slot = found[at]!;
      if (slot >= grouped) continue;
      const group = groups[slot]!;
      const frequency = inGroup[group]!;
      if (frequency === 0) continue;
      whole[group]! += (weight.groups * frequency * (k1 + 1)) / (frequency + k1);
      inGroup[group] = 0;
    }
  }

  for (const { count, slots: found } of part.excluded)
    for (let at = 0; at < count; at += 1) isCandidate[found[at]!] = 0;
  for (let at = 0; at < candidateCount; at += 1) {
    const slot = candidates[at]!;
    if (isCandidate[slot] === 0) continue;
    const isGrouped = slot < grouped;
    const group = isGrouped ? groups[slot]! : -1;
    const hasPrevious = isGrouped && slot > groupStarts[group]!;
    const hasNext = isGrouped && slot + 1 < groupStarts[group + 1]!;
    const sum =
      own[slot]! +
      ranking.previous * (hasPrevious ? own[slot - 1]! : 0) +
      ranking.next * (hasNext ? own[slot + 1]! : 0) +
      ranking.window * around[slot]! +
      ranking.group * (isGrouped ? whole[group]! : 0);
    const score = Math.round(sum * multiplierOf(part, slot, weights) * 1e6) / 1e6;
    if (score > 0) offer(slot, score);
  }

  for (let at = 0; at < candidateCount; at += 1) {
    const slot = candidates[at]!;
    own[slot] = around[slot] = 0;
    isCandidate[slot] = 0;
    if (slot < grouped) whole[groups[slot]!] = 0;
  }
}

const saturated = ({ k1, b }: Ranking, frequency: number, length: number): number =>
  (frequency * (k1 + 1)) / (frequency + k1 * (1 - b + b * length));

function meanLength(lengths: Uint32Array, { from, to }: Window): number {
  let sum = 0;
  for (let near = from; near <= to; near += 1) sum += lengths[near]!;
  return sum / (to - from + 1);
}

/** What multiplies an entry's score. */
type Multiplier = 'label' | 'question' | 'period' | 'number';

function multiplierOf(part: Part, slot: number, weights: Weights): number {
  let factor = 1;
  for (const name of MULTIPLIERS)
    if (appliesTo[name](part, slot, weights)) factor *= weights.ranking[name];
  return factor;
}

const MULTIPLIERS: readonly Multiplier[] = ['label', 'question', 'period', 'number'];

const appliesTo: Readonly<
  Record<Multiplier, (part: Part, slot: number, weights: Weights) => boolean>
> = {
  label: ({ slots, label }, slot) => label !== 0 && slots.labels[slot] === label,
  question: ({ slots }, slot) => (slots.flags[slot]! & IS_QUESTION) !== 0,
  period: ({ slots }, slot, { query }) => query.isInPeriod?.(slots.times[slot]!) === true,
  number: ({ slots }, slot, { query }) =>
    query.asksForNumber && (slots.flags[slot]! & HAS_NUMBER) !== 0,
};
