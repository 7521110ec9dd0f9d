import { finished, type Slices } from '#domain/slices.js';
import { termsIn } from '#domain/search/analysis.js';
import type { Language } from '#domain/search/languages/language.js';
import { termsWithout } from '#domain/search/rank-entries.js';
import type { Ranking } from '#domain/search/rankings.js';
import {
  type Explanation,
  explainScores,
  isDense,
  type Part,
  type Scratch,
  scorePart,
  type TermEntries,
  type Weights,
  weightsOf,
} from '#domain/search/scoring.js';
import { haveEveryPhrase, isOfNames, type SearchQuery } from '#domain/search/search-query.js';
import { type Candidate, TopScores } from '../top-scores.js';
import type { FoundPartition } from './index-read.js';
import type { PartitionView } from './partition-entries.js';
import { RankedCandidates } from './ranked-candidates.js';
import { containersOf, type SearchRequest } from './search-request.js';
import type { EntryRow } from './tables.js';

/** The terms of a query, by their places among the wanted terms of the index. */
interface QueryTerms {
  readonly names: readonly string[];
  readonly scored: readonly number[];
  readonly excluded: readonly number[];
  /** The terms of the phrases. */
  readonly inPhrases: readonly number[];
}

/** A partition, or one of the two parts of it, as one query sees it. */
class Searched {
  readonly count: number;
  /** The arranged entries; undefined if they are few, which are arranged for each use. */
  private readonly kept: PartitionView | undefined;

  private constructor(
    readonly partition: FoundPartition,
    private readonly position: number,
    view: PartitionView,
  ) {
    this.count = view.slots.count;
    this.kept = partition.entries.isSmall ? undefined : view;
  }

  /** Returns the entries that were there at a position, in one part or two. */
  static *at(partition: FoundPartition, position: number): Slices<readonly Searched[]> {
    const views = yield* partition.entries.viewsAt(position);
    return views.map((view) => new Searched(partition, position, view));
  }

  get view(): PartitionView {
    return this.kept ?? this.partition.entries.smallViewAt(this.position);
  }

  /** Returns what the ranking needs of the partition. */
  part(view: PartitionView, { names, scored, excluded }: QueryTerms, label: number): Part {
    const entriesWith = (term: number): TermEntries => this.entriesWith(view, names, term);
    return {
      slots: view.slots,
      terms: scored.map(entriesWith),
      excluded: excluded.map(entriesWith),
      label,
    };
  }

  entriesWith(view: PartitionView, names: readonly string[], term: number): TermEntries {
    return view.entriesWith(names[term]!, this.partition.postings[term]!);
  }

  hasLabel(label: string): boolean {
    const code = this.partition.labels.get(label);
    return code !== undefined && this.view.hasLabel(code);
  }

  /** Returns a test that holds for every entry which has the terms of all phrases. */
  phraseFilter(view: PartitionView, { names, inPhrases }: QueryTerms): (slot: number) => boolean {
    if (inPhrases.length === 0) return () => true;
    const had = new Uint16Array(view.slots.count);
    for (const term of inPhrases) {
      const { count, slots: found } = this.entriesWith(view, names, term);
      for (let at = 0; at < count; at += 1) had[found[at]!]! += 1;
    }
    return (slot) => had[slot] === inPhrases.length;
  }
}

/** The candidates that are hits, and those with equal scores and times, of which the ids decide. */
export interface Ranked {
  readonly sure: readonly Candidate[];
  readonly tied: readonly Candidate[];
  /** All candidates, of which the phrases must be checked; undefined without phrases. */
  readonly unchecked?: RankedCandidates;
}

/** The index, and what a search wants of it. */
interface SearchPlan {
  readonly partitions: readonly FoundPartition[];
  readonly asOf: bigint;
  readonly request: SearchRequest;
  readonly query: SearchQuery;
  readonly ranking: Ranking;
  readonly language: Language;
  /** The terms whose postings each partition has, in their order. */
  readonly wantedTerms: readonly string[];
}

/** One search over what was read of the index. */
export class RankedSearch {
  private weights: Weights | undefined;

  private constructor(
    private readonly plan: SearchPlan,
    private readonly parts: readonly Searched[],
    /** The first number of the candidates of each part. */
    private readonly offsets: Float64Array,
    private readonly terms: QueryTerms,
    /** The only label that the query names. */
    private readonly label: string | undefined,
  ) {}

  static *over(plan: SearchPlan): Slices<RankedSearch> {
    const { partitions, asOf, query, ranking, language, wantedTerms } = plan;
    const parts: Searched[] = [];
    for (const partition of partitions) {
      for (const searched of yield* Searched.at(partition, Number(asOf)))
        if (searched.count > 0) parts.push(searched);
      yield;
    }
    const offsets = new Float64Array(parts.length);
    for (let at = 1; at < parts.length; at += 1)
      offsets[at] = offsets[at - 1]! + parts[at - 1]!.count;
    const named = ranking.label === 1 ? [] : yield* labelsIn(parts, query.possibleLabels);
    const terms = termsWithout(query.terms, named, language);
    const inPhrases = new Set(query.phrases.flatMap((tokens) => termsIn(tokens, language)));
    const places = new Map(wantedTerms.map((term, place) => [term, place]));
    const placesOf = (some: Iterable<string>): number[] =>
      [...some].map((term) => places.get(term)!);
    return new RankedSearch(
      plan,
      parts,
      offsets,
      {
        names: wantedTerms,
        scored: placesOf(terms),
        excluded: placesOf(query.excluded),
        inPhrases: placesOf(inPhrases),
      },
      named.length === 1 ? named[0] : undefined,
    );
  }

  get asOf(): bigint {
    return this.plan.asOf;
  }

  get request(): SearchRequest {
    return this.plan.request;
  }

  /** True if only the text of a candidate says if it has the phrases and names of the query, and no excluded phrase. */
  get hasPhrases(): boolean {
    const { phrases, excludedPhrases } = this.plan.query;
    return phrases.length + excludedPhrases.length > 0 || this.isOfNames;
  }

  get isOfNames(): boolean {
    return isOfNames(this.plan.query);
  }

  /** The largest number of entries in a partition. */
  get size(): number {
    return this.parts.reduce((size, { count }) => Math.max(size, count), 0);
  }

  /**
   * Ranks the entries. If phrases must be checked, every entry that may have them is returned.
   * @param mayPause false if other searches use the scratch too: then no part is left half scored
   */
  *rank(scratch: Scratch, mayPause: boolean): Slices<Ranked> {
    const weights = (this.weights = yield* this.weigh());
    if (!this.hasPhrases) {
      const top = new TopScores(this.request.limit);
      const offer: Offer = (place, score, time) => top.offer(place, score, time);
      yield* this.score(weights, scratch, mayPause, offer);
      return top.result();
    }
    const all: Candidate[] = [];
    yield* this.score(weights, scratch, mayPause, (ordinal, score, created) => {
      all.push({ ordinal, score, created });
      return 0;
    });
    return { sure: [], tied: [], unchecked: yield* RankedCandidates.of(all) };
  }

  private weigh(): Slices<Weights> {
    return weightsOf(this.eachPart(), this.plan.query, this.plan.ranking);
  }

  private *eachPart(): Generator<Part> {
    for (const searched of this.parts) yield this.partOf(searched, searched.view);
  }

  private partOf(searched: Searched, view: PartitionView): Part {
    const label = this.label === undefined ? 0 : (searched.partition.labels.get(this.label) ?? 0);
    return searched.part(view, this.terms, label);
  }

  private *score(
    weights: Weights,
    scratch: Scratch,
    mayPause: boolean,
    offer: Offer,
  ): Slices<void> {
    for (const [at, searched] of this.parts.entries()) {
      const { view } = searched;
      const passes = this.passes(searched, view);
      if (passes === undefined) continue;
      const scored = this.scoreOne(searched, view, weights, scratch, {
        passes,
        offset: this.offsets[at]!,
        offer,
      });
      if (mayPause) yield* scored;
      else finished(scored);
      yield;
    }
  }

  private *scoreOne(
    searched: Searched,
    view: PartitionView,
    weights: Weights,
    scratch: Scratch,
    { passes, offset, offer }: Offers,
  ): Slices<void> {
    const { slots } = view;
    const part = this.partOf(searched, view);
    const mayHavePhrases = searched.phraseFilter(view, this.terms);
    let least = 0;
    const norms = isDense(part)
      ? yield* view.normsFor(weights.ranking, weights.average)
      : undefined;
    yield* scorePart(part, weights, scratch, norms, (slot, score) => {
      if (passes(slot) && mayHavePhrases(slot))
        least = offer(offset + slot, score, slots.times[slot]!);
      return least;
    });
  }

  /** Returns the test for the filters of the request; undefined if no entry of the part passes. */
  private passes(
    { partition }: Searched,
    { slots, ordinals }: PartitionView,
  ): ((slot: number) => boolean) | undefined {
    const { space, from = -Infinity, to = Infinity } = this.request.filter;
    const { recordedFrom = -Infinity, recordedTo = Infinity } = this.request.filter;
    if (space !== undefined && partition.space !== space) return undefined;
    const { containers, entries } = partition;
    const isContained = containersOf(this.request.filter) !== undefined;
    if (isContained && containers.size === 0) return undefined;
    const isTimed = from !== -Infinity || to !== Infinity;
    const isClocked = recordedFrom !== -Infinity || recordedTo !== Infinity;
    return (slot) =>
      (!isTimed || isBetween(slots.times[slot]!, from, to)) &&
      (!isClocked || isBetween(entries.recordedAt(ordinals[slot]!), recordedFrom, recordedTo)) &&
      (!isContained || containers.has(entries.containerOf(ordinals[slot]!)));
  }

  *explanations(candidates: readonly Candidate[]): Slices<readonly Explanation[]> {
    const weights = this.weights ?? (yield* this.weigh());
    const names = this.terms.scored.map((term) => this.terms.names[term]!);
    const explainers = new Map<Searched, (slot: number) => Explanation>();
    const explained: Explanation[] = [];
    for (const candidate of candidates) {
      const { part, slot } = this.slotOf(candidate);
      const explain =
        explainers.get(part) ??
        (yield* explainScores(this.partOf(part, part.view), weights, names));
      explainers.set(part, explain);
      const parts = explain(slot);
      explained.push(this.isOfNames ? { ...parts, terms: this.namesOfQuery() } : parts);
    }
    return explained;
  }

  /** Returns the names of the query as its only term: a hit has them all, and they score 1. */
  private namesOfQuery(): Explanation['terms'] {
    const { phrases, names } = this.plan.query;
    return [{ term: [...phrases, ...names].map((words) => words.join(' ')).join(', '), score: 1 }];
  }

  placeOf(candidate: Candidate): { readonly partition: number; readonly ordinal: number } {
    const { part, slot } = this.slotOf(candidate);
    return { partition: part.partition.id, ordinal: part.view.ordinals[slot]! };
  }

  /** Returns the part and the slot of a candidate, whose number counts the slots of all parts. */
  private slotOf({ ordinal }: Candidate): { readonly part: Searched; readonly slot: number } {
    let low = 0;
    let high = this.parts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.offsets[middle]! <= ordinal) low = middle;
      else high = middle - 1;
    }
    return { part: this.parts[low]!, slot: ordinal - this.offsets[low]! };
  }

  hasEveryPhrase(row: EntryRow): boolean {
    return haveEveryPhrase([row.title, row.body], this.plan.query);
  }
}

const isBetween = (time: number, from: number, to: number): boolean => time >= from && time <= to;

/** Takes a candidate with its score and its time, and returns the least score that is still of interest. */
type Offer = (place: number, score: number, time: number) => number;

/** Which entries of a part are offered, and under which numbers. */
interface Offers {
  readonly passes: (slot: number) => boolean;
  readonly offset: number;
  readonly offer: Offer;
}

/** Returns those of the labels that a visible entry has. */
function* labelsIn(parts: readonly Searched[], labels: readonly string[]): Slices<string[]> {
  const found = new Set<string>();
  for (const part of parts) {
    if (part.partition.labels.size === 0) continue;
    for (const label of labels) if (!found.has(label) && part.hasLabel(label)) found.add(label);
    yield;
  }
  return labels.filter((label) => found.has(label));
}
