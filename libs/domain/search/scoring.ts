import type { Ranking } from './rankings.js';
import { isOfNames, type SearchQuery } from './search-query.js';
import type { Slices } from '../slices.js';

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
  /** Whole groups, and entries without a group, that count for nothing here, because they are in another part now. */
  readonly hidden: Hidden | undefined;
}

interface Hidden {
  readonly slots: readonly number[];
  /** 1 for each slot that is hidden. */
  readonly isHidden: Uint8Array;
  readonly groups: number;
  readonly totalLength: number;
}

export const IS_QUESTION = 1;
export const HAS_NUMBER = 2;

/** The entries with one term: their slots, and how often the term occurs in each. */
export interface TermEntries {
  readonly count: number;
  readonly slots: Uint32Array;
  readonly frequencies: Uint8Array;
  /** The number of groups with the term. */
  readonly groups: number;
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

/** A computation over many entries pauses after each of so many: when these bits of its counter are 0. */
export const PAUSE_BITS = 1_023;

export function* weightsOf(
  parts: Iterable<Part>,
  query: SearchQuery,
  ranking: Ranking,
): Slices<Weights> {
  let entries = 0;
  let groups = 0;
  let totalLength = 0;
  const having: { entries: number; groups: number }[] = [];
  for (const { slots, terms } of parts) {
    const { hidden } = slots;
    entries += slots.count - (hidden?.slots.length ?? 0);
    groups += slots.groupCount - (hidden?.groups ?? 0);
    totalLength += slots.totalLength - (hidden?.totalLength ?? 0);
    for (const [term, found] of terms.entries()) {
      const sums = (having[term] ??= { entries: 0, groups: 0 });
      sums.entries += found.count;
      sums.groups += found.groups;
    }
    yield;
  }
  return {
    ...{ ranking, query },
    average: totalLength / entries,
    terms: having.map((sums) => ({
      entries: rarity(entries, sums.entries),
      groups: rarity(groups, sums.groups),
    })),
  };
}

/** Returns the number of groups of the first `count` of these slots. */
export function groupsOf(slots: Slots, found: Uint32Array, count: number): number {
  const grouped = slots.groupStarts[slots.groupCount]!;
  const isKnown = new Uint8Array(slots.groupCount);
  let groups = 0;
  for (let at = 0; at < count; at += 1) {
    const slot = found[at]!;
    if (slot >= grouped) continue;
    const group = slots.groups[slot]!;
    groups += 1 - isKnown[group]!;
    isKnown[group] = 1;
  }
  return groups;
}

/**
 * Arrays that scoring reuses for each part of an index. All numbers are 0 before and after, so a query with few hits
 * costs little, however large the index is. Two computations that pause must not share them.
 */
export interface Scratch {
  readonly own: Float64Array;
  readonly around: Float64Array;
  readonly whole: Float64Array;
  readonly inEntry: Uint32Array;
  readonly inGroup: Uint32Array;
  readonly isCandidate: Uint8Array;
  readonly candidates: Uint32Array;
  readonly touched: Uint32Array;
}

export const newScratch = (size: number): Scratch => ({
  own: new Float64Array(size),
  around: new Float64Array(size),
  whole: new Float64Array(size),
  inEntry: new Uint32Array(size),
  inGroup: new Uint32Array(size),
  isCandidate: new Uint8Array(size),
  candidates: new Uint32Array(size),
  touched: new Uint32Array(size),
});

/** What the lengths of the entries, and of the windows around them, add to the divisor of BM25. */
export interface Norms {
  readonly average: number;
  readonly ranking: Ranking;
  readonly entries: Float64Array;
  readonly windows: Float64Array;
}

export function* normsOf(slots: Slots, ranking: Ranking, average: number): Slices<Norms> {
  const { count, lengths } = slots;
  const entries = new Float64Array(count);
  const windows = new Float64Array(count);
  const window: Window = { from: 0, to: 0 };
  for (let slot = 0; slot < count; slot += 1) {
    if ((slot & PAUSE_BITS) === 0) yield;
    entries[slot] = norm(ranking, lengths[slot]! / average);
    setWindow(window, slots, slot, ranking.radius);
    windows[slot] = norm(ranking, meanLength(lengths, window) / average);
  }
  return { average, ranking, entries, windows };
}

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

/** True if so many entries have a term of the query that a pass over all entries is faster. */
export function isDense({ slots, terms }: Part): boolean {
  const postings = terms.reduce((sum, { count }) => sum + count, 0);
  return postings * 8 > slots.count * terms.length;
}

/** Takes an entry with its score, and returns the least score that is still of interest. */
export type Offer = (slot: number, score: number) => number;

/**
 * Scores the entries of one part by the rules of SPEC Q2, and offers each one with a score to `offer`, except those
 * with an excluded term. Phrases are not checked. The sums have the order of the terms, so that equal entries always
 * get equal bits.
 * @param norms those of the part, if many entries have a term of the query (`isDense`)
 */
export function* scorePart(
  part: Part,
  weights: Weights,
  scratch: Scratch,
  norms: Norms | undefined,
  offer: Offer,
): Slices<void> {
  if (isOfNames(weights.query)) yield* scoreEach(part, weights, scratch, offer);
  else if (norms === undefined) yield* scoreFew(part, weights, scratch, offer);
  else yield* scoreMany(part, weights, scratch, norms, offer);
}

/** Gives every entry the score 1, times its multipliers: whether it has the names, its text says. */
function* scoreEach(part: Part, weights: Weights, scratch: Scratch, offer: Offer): Slices<void> {
  const { count } = part.slots;
  const { isCandidate } = scratch;
  isCandidate.fill(1, 0, count);
  excludeFrom(part, isCandidate);
  const { factorOf } = multipliersOf(part, weights);
  let least = 0;
  for (let slot = 0; slot < count; slot += 1) {
    if ((slot & PAUSE_BITS) === PAUSE_BITS) yield;
    if (isCandidate[slot] !== 0) least = offerScore(factorOf(slot), least, slot, offer);
  }
  isCandidate.fill(0, 0, count);
}

/** Visits only the entries with a term of the query, and those around them. */
function* scoreFew(part: Part, weights: Weights, scratch: Scratch, offer: Offer): Slices<void> {
  const { slots, terms } = part;
  const { ranking, average } = weights;
  const { own, around, whole, inEntry, inGroup, isCandidate, candidates, touched } = scratch;
  const { lengths, groups, groupStarts, groupCount } = slots;
  const { k1 } = ranking;
  const grouped = groupStarts[groupCount]!;
  const window: Window = { from: 0, to: 0 };
  let candidateCount = 0;

  for (const [index, { count, slots: found, frequencies }] of terms.entries()) {
    const weight = weights.terms[index]!;
    let touchedCount = 0;
    for (let at = 0; at < count; at += 1) {
      if ((at & PAUSE_BITS) === PAUSE_BITS) yield;
      const slot = found[at]!;
      const frequency = frequencies[at]!;
      const entryNorm = norm(ranking, lengths[slot]! / average);
      own[slot]! += weight.entries * saturated(ranking, frequency, entryNorm);
      setWindow(window, slots, slot, ranking.radius);
      for (let near = window.from; near <= window.to; near += 1) {
        if (inEntry[near] === 0) {
          touched[touchedCount] = near;
          touchedCount += 1;
        }
        inEntry[near]! += frequency;
      }
      if (slot < grouped) inGroup[groups[slot]!]! += frequency;
    }
    for (let at = 0; at < touchedCount; at += 1) {
      if ((at & PAUSE_BITS) === PAUSE_BITS) yield;
      const slot = touched[at]!;
      setWindow(window, slots, slot, ranking.radius);
      const windowNorm = norm(ranking, meanLength(lengths, window) / average);
      around[slot]! += weight.entries * saturated(ranking, inEntry[slot]!, windowNorm);
      inEntry[slot] = 0;
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

  excludeFrom(part, isCandidate);
  const sums = sumsOf(part, weights, scratch);
  let least = 0;
  for (let at = 0; at < candidateCount; at += 1) {
    if ((at & PAUSE_BITS) === PAUSE_BITS) yield;
    const slot = candidates[at]!;
    if (isCandidate[slot] !== 0) least = offerScore(sums(slot, least), least, slot, offer);
  }

  for (let at = 0; at < candidateCount; at += 1) {
    const slot = candidates[at]!;
    own[slot] = around[slot] = 0;
    isCandidate[slot] = 0;
    if (slot < grouped) whole[groups[slot]!] = 0;
  }
}

/** Passes over all entries for each term. */
function* scoreMany(
  part: Part,
  weights: Weights,
  scratch: Scratch,
  norms: Norms,
  offer: Offer,
): Slices<void> {
  const { slots, terms } = part;
  const { ranking } = weights;
  const { k1, radius } = ranking;
  const { own, around, whole, inEntry, isCandidate } = scratch;
  const { count, groupStarts, groupCount } = slots;
  const { entries: entryNorms, windows: windowNorms } = norms;
  const grouped = groupStarts[groupCount]!;

  for (const [index, { count: having, slots: found, frequencies }] of terms.entries()) {
    const weight = weights.terms[index]!;
    for (let at = 0; at < having; at += 1) {
      if ((at & PAUSE_BITS) === PAUSE_BITS) yield;
      const slot = found[at]!;
      const frequency = frequencies[at]!;
      inEntry[slot] = frequency;
      own[slot]! += weight.entries * ((frequency * (k1 + 1)) / (frequency + entryNorms[slot]!));
    }
    for (let group = 0; group < groupCount; group += 1) {
      const from = groupStarts[group]!;
      const end = groupStarts[group + 1]!;
      let inWindow = 0;
      for (let slot = from; slot < Math.min(end, from + radius); slot += 1)
        inWindow += inEntry[slot]!;
      let inGroup = 0;
      if ((group & PAUSE_BITS) === PAUSE_BITS) yield;
      for (let slot = from; slot < end; slot += 1) {
        if ((slot & PAUSE_BITS) === PAUSE_BITS) yield;
        if (slot + radius < end) inWindow += inEntry[slot + radius]!;
        if (slot - radius > from) inWindow -= inEntry[slot - radius - 1]!;
        inGroup += inEntry[slot]!;
        if (inWindow === 0) continue;
        around[slot]! += weight.entries * ((inWindow * (k1 + 1)) / (inWindow + windowNorms[slot]!));
        isCandidate[slot] = 1;
      }
      if (inGroup > 0) whole[group]! += (weight.groups * inGroup * (k1 + 1)) / (inGroup + k1);
    }
    for (let at = 0; at < having; at += 1) {
      if ((at & PAUSE_BITS) === PAUSE_BITS) yield;
      const slot = found[at]!;
      const frequency = inEntry[slot]!;
      inEntry[slot] = 0;
      if (slot < grouped) continue;
      around[slot]! += weight.entries * ((frequency * (k1 + 1)) / (frequency + windowNorms[slot]!));
      isCandidate[slot] = 1;
    }
  }

  excludeFrom(part, isCandidate);
  const sums = sumsOf(part, weights, scratch);
  let least = 0;
  for (let slot = 0; slot < count; slot += 1) {
    if ((slot & PAUSE_BITS) === PAUSE_BITS) yield;
    if (isCandidate[slot] !== 0) least = offerScore(sums(slot, least), least, slot, offer);
  }
  for (const numbers of [own, around, isCandidate]) numbers.fill(0, 0, count);
  whole.fill(0, 0, groupCount);
}

function excludeFrom({ excluded, slots: { hidden } }: Part, isCandidate: Uint8Array): void {
  for (const slot of hidden?.slots ?? []) isCandidate[slot] = 0;
  for (const { count, slots } of excluded)
    for (let at = 0; at < count; at += 1) isCandidate[slots[at]!] = 0;
}

/** A margin that is greater than what rounding changes in a score. */
const ROUNDING = 1e-6;

function offerScore(score: number, least: number, slot: number, offer: Offer): number {
  if (score < least - ROUNDING) return least;
  const shown = rounded(score);
  return shown > 0 ? offer(slot, shown) : least;
}

/**
 * Returns the function from an entry to its score, once the scratch has its parts; for a score that is certainly less
 * than `least`, the function returns 0.
 */
function sumsOf(part: Part, weights: Weights, { own, around, whole }: Scratch) {
  const { slots } = part;
  const { ranking } = weights;
  const { groups, groupStarts, groupCount } = slots;
  const grouped = groupStarts[groupCount]!;
  const { largest, factorOf } = multipliersOf(part, weights);
  return (slot: number, least: number): number => {
    const isGrouped = slot < grouped;
    const group = isGrouped ? groups[slot]! : 0;
    const hasPrevious = isGrouped && slot > groupStarts[group]!;
    const hasNext = isGrouped && slot + 1 < groupStarts[group + 1]!;
    const sum =
      own[slot]! +
      ranking.previous * (hasPrevious ? own[slot - 1]! : 0) +
      ranking.next * (hasNext ? own[slot + 1]! : 0) +
      ranking.window * around[slot]! +
      ranking.group * (isGrouped ? whole[group]! : 0);
    if (sum * largest < least - ROUNDING) return 0;
    return sum * factorOf(slot);
  };
}

/** Returns the function from an entry to the product of its multipliers, and the largest that this can be. */
function multipliersOf(part: Part, weights: Weights) {
  const { ranking } = weights;
  const multipliers = MULTIPLIERS.filter(
    (name) => ranking[name] !== 1 && mayApply[name](part, weights),
  );
  const largest = multipliers.reduce((product, name) => product * Math.max(1, ranking[name]), 1);
  const factorOf = (slot: number): number => {
    let factor = 1;
    for (const name of multipliers)
      if (appliesTo[name](part, slot, weights)) factor *= ranking[name];
    return factor;
  };
  return { largest, factorOf };
}

/** Scores are rounded, so that the last bits of a sum never decide an order (SPEC Q4). */
const rounded = (score: number): number => Math.round(score * 1e6) / 1e6;

/** What a text's length, as a multiple of the mean, adds to the divisor of BM25. */
const norm = ({ k1, b }: Ranking, length: number): number => k1 * (1 - b + b * length);

/** The part of a term with this frequency, before its weight. */
const saturated = ({ k1 }: Ranking, frequency: number, lengthNorm: number): number =>
  (frequency * (k1 + 1)) / (frequency + lengthNorm);

function meanLength(lengths: Uint32Array, { from, to }: Window): number {
  let sum = 0;
  for (let near = from; near <= to; near += 1) sum += lengths[near]!;
  return sum / (to - from + 1);
}

/** What multiplies an entry's score. */
export type Multiplier = 'label' | 'question' | 'period' | 'number';

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

/** False if a multiplier applies to no entry of a part. */
const mayApply: Readonly<Record<Multiplier, (part: Part, weights: Weights) => boolean>> = {
  label: ({ label }) => label !== 0,
  question: () => true,
  period: (_, { query }) => query.isInPeriod !== null,
  number: (_, { query }) => query.asksForNumber,
};

/** What an entry's score is made of (SPEC Q5): the sum of the first five parts, times all multipliers. */
export interface Explanation {
  /** The part of each term of the query in the entry's own text. */
  readonly terms: readonly { readonly term: string; readonly score: number }[];
  /** The part of the entries before and after it in its group. */
  readonly previous: number;
  readonly next: number;
  /** The part of the window around it, and that of its group as a whole. */
  readonly window: number;
  readonly group: number;
  readonly multipliers: Readonly<Partial<Record<Multiplier, number>>>;
}

/** Explains the scores of entries, which `scorePart` gave for the same part and weights. */
export function* explainScores(
  part: Part,
  weights: Weights,
  termNames: readonly string[],
): Slices<(slot: number) => Explanation> {
  const { slots } = part;
  const { ranking, average } = weights;
  const frequencies: ReadonlyMap<number, number>[] = [];
  for (const entries of part.terms) frequencies.push(yield* frequenciesOf(entries));
  const own = (slot: number, term: number): number => {
    const frequency = frequencies[term]!.get(slot) ?? 0;
    const lengthNorm = norm(ranking, slots.lengths[slot]! / average);
    return weights.terms[term]!.entries * saturated(ranking, frequency, lengthNorm);
  };
  const sumOf = (valueOf: (term: number) => number): number =>
    termNames.reduce((sum, _, term) => sum + valueOf(term), 0);
  const frequencyIn = (term: number, { from, to }: Window): number => {
    let sum = 0;
    for (let near = from; near <= to; near += 1) sum += frequencies[term]!.get(near) ?? 0;
    return sum;
  };

  return (slot) => {
    const group = groupOf(slots, slot);
    const window: Window = { from: slot, to: slot };
    setWindow(window, slots, slot, ranking.radius);
    const windowNorm = norm(ranking, meanLength(slots.lengths, window) / average);
    const neighbour = (at: number): number =>
      group !== undefined && at >= group.from && at <= group.to
        ? sumOf((term) => own(at, term))
        : 0;
    return {
      terms: termNames.map((term, index) => ({ term, score: rounded(own(slot, index)) })),
      previous: rounded(ranking.previous * neighbour(slot - 1)),
      next: rounded(ranking.next * neighbour(slot + 1)),
      window: rounded(
        ranking.window *
          sumOf(
            (term) =>
              weights.terms[term]!.entries *
              saturated(ranking, frequencyIn(term, window), windowNorm),
          ),
      ),
      group: rounded(
        group === undefined
          ? 0
          : ranking.group *
              sumOf(
                (term) =>
                  weights.terms[term]!.groups *
                  saturated(ranking, frequencyIn(term, group), ranking.k1),
              ),
      ),
      multipliers: Object.fromEntries(
        MULTIPLIERS.filter(
          (name) => ranking[name] !== 1 && appliesTo[name](part, slot, weights),
        ).map((name) => [name, ranking[name]]),
      ),
    };
  };
}

function* frequenciesOf({
  count,
  slots,
  frequencies,
}: TermEntries): Slices<ReadonlyMap<number, number>> {
  const map = new Map<number, number>();
  for (let at = 0; at < count; at += 1) {
    if ((at & PAUSE_BITS) === PAUSE_BITS) yield;
    map.set(slots[at]!, frequencies[at]!);
  }
  return map;
}

/** Returns the slots of an entry's group; undefined for an entry without a group. */
function groupOf({ groupStarts, groupCount, groups }: Slots, slot: number): Window | undefined {
  if (slot >= groupStarts[groupCount]!) return undefined;
  const group = groups[slot]!;
  return { from: groupStarts[group]!, to: groupStarts[group + 1]! - 1 };
}
