import { type AnalysedText, termsIn } from '#domain/search/analysis.js';
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
import { mayReadScope } from '#domain/search/scopes.js';
import { haveEveryPhrase, type SearchQuery } from '#domain/search/search-query.js';
import { type Candidate, TopScores } from '../top-scores.js';
import type { FoundPartition } from './index-read.js';
import type { PartitionView } from './partition-entries.js';
import { containersOf, type SearchRequest } from './search-request.js';
import type { EntryRow } from './tables.js';
import { frequencyOf } from './term-postings.js';

/** A partition as one query sees it. */
interface Searched extends Part {
  readonly partition: FoundPartition;
  readonly view: PartitionView;
  /** The entries with each term of the phrases. */
  readonly phraseTerms: readonly TermEntries[];
}

/** The candidates that are hits, and those with equal scores and times, of which the ids decide. */
export interface Ranked {
  readonly sure: readonly Candidate[];
  readonly tied: readonly Candidate[];
}

export const byScoreAndTime = (left: Candidate, right: Candidate): number =>
  right.score - left.score || right.created - left.created;

/** One search over what was read of the index. */
export class RankedSearch {
  readonly hasPhrases: boolean;
  private readonly parts: readonly Searched[];
  private readonly terms: readonly string[];

  constructor(
    partitions: readonly FoundPartition[],
    readonly asOf: bigint,
    readonly request: SearchRequest,
    private readonly query: SearchQuery,
    private readonly ranking: Ranking,
    language: Language,
  ) {
    const views = partitions
      .map((partition) => ({ partition, view: partition.entries.viewAt(Number(asOf)) }))
      .filter(({ view }) => view.slots.count > 0);
    const named =
      ranking.label === 1
        ? []
        : query.possibleLabels.filter((label) => views.some((one) => hasLabel(one, label)));
    this.terms = termsWithout(query.terms, named, language);
    this.hasPhrases = query.phrases.length > 0;
    const phraseTerms = new Set(query.phrases.flatMap((tokens) => termsIn(tokens, language)));
    this.parts = views.map(({ partition, view }) => {
      const entriesOf = (term: string) => view.entriesWith(term, partition.postings.get(term)!);
      return {
        ...{ partition, view, slots: view.slots },
        terms: this.terms.map(entriesOf),
        excluded: query.excluded.map(entriesOf),
        phraseTerms: [...phraseTerms].map(entriesOf),
        label: named.length === 1 ? (partition.labels.get(named[0]!) ?? 0) : 0,
      };
    });
  }

  /** The largest number of entries in a partition. */
  get size(): number {
    return this.parts.reduce((size, { slots }) => Math.max(size, slots.count), 0);
  }

  /** Ranks the entries. If phrases must be checked, every entry that may have them is returned, in order. */
  rank(scratch: Scratch): Ranked {
    const weights = weightsOf(this.parts, this.query, this.ranking);
    if (this.hasPhrases) return this.rankAll(weights, scratch);
    const top = new TopScores(this.request.limit);
    this.score(weights, scratch, (place, score, time) => top.offer(place, score, time));
    return top.result();
  }

  private rankAll(weights: Weights, scratch: Scratch): Ranked {
    const sure: Candidate[] = [];
    this.score(weights, scratch, (ordinal, score, created) => {
      sure.push({ ordinal, score, created });
      return 0;
    });
    return { sure: sure.sort(byScoreAndTime), tied: [] };
  }

  private score(
    weights: Weights,
    scratch: Scratch,
    offer: (place: number, score: number, time: number) => number,
  ): void {
    let offset = 0;
    for (const part of this.parts) {
      const { slots } = part;
      const passes = this.passes(part);
      if (passes !== undefined) {
        const mayHavePhrases = phraseFilter(part);
        let least = 0;
        const norms = isDense(part) ? part.view.normsFor(this.ranking, weights.average) : undefined;
        scorePart(part, weights, scratch, norms, (slot, score) => {
          if (passes(slot) && mayHavePhrases(slot))
            least = offer(offset + slot, score, slots.times[slot]!);
          return least;
        });
      }
      offset += slots.count;
    }
  }

  /** Returns the test for the filters of the request; undefined if no entry of the part passes. */
  private passes({ partition, view, slots }: Searched): ((slot: number) => boolean) | undefined {
    const { space, from = -Infinity, to = Infinity } = this.request.filter;
    if (space !== undefined && partition.space !== space) return undefined;
    const { containers, entries } = partition;
    const isContained = containersOf(this.request.filter) !== undefined;
    if (isContained && containers.size === 0) return undefined;
    const isTimed = from !== -Infinity || to !== Infinity;
    return (slot) =>
      (!isTimed || (slots.times[slot]! >= from && slots.times[slot]! <= to)) &&
      (!isContained || containers.has(entries.containerOf(view.ordinals[slot]!)));
  }

  /** Returns the explanation of a candidate's score. */
  explanations(): (candidate: Candidate) => Explanation {
    const weights = weightsOf(this.parts, this.query, this.ranking);
    const explainers = new Map<Searched, (slot: number) => Explanation>();
    return (candidate) => {
      const { part, slot } = this.slotOf(candidate);
      const explain = explainers.get(part) ?? explainScores(part, weights, this.terms);
      explainers.set(part, explain);
      return explain(slot);
    };
  }

  placeOf(candidate: Candidate): { readonly partition: number; readonly ordinal: number } {
    const { part, slot } = this.slotOf(candidate);
    return { partition: part.partition.id, ordinal: part.view.ordinals[slot]! };
  }

  /** Returns the part and the slot of a candidate, whose number counts the slots of all parts. */
  private slotOf({ ordinal }: Candidate): { readonly part: Searched; readonly slot: number } {
    let offset = 0;
    for (const part of this.parts) {
      if (ordinal < offset + part.slots.count) return { part, slot: ordinal - offset };
      offset += part.slots.count;
    }
    throw new RangeError('no such slot');
  }

  hasEveryPhrase(row: EntryRow): boolean {
    return haveEveryPhrase([row.title, row.body], this.query.phrases);
  }

  /**
   * True if the index described the entry as it is, and the caller may read it.
   * @param text the analysed text of the entry
   */
  matches(row: EntryRow, { frequencies, length }: AnalysedText, candidate: Candidate): boolean {
    const { part, slot } = this.slotOf(candidate);
    const { partition, slots } = part;
    const { kinds, scopes } = this.request;
    if (row.kind !== partition.kind || !kinds.includes(row.kind)) return false;
    if (!mayReadScope(scopes, row.scope)) return false;
    if (BigInt(row.appeared) > this.asOf) return false;
    if (row.died !== null && BigInt(row.died) <= this.asOf) return false;
    if (Date.parse(row.time) !== slots.times[slot]) return false;
    return (
      length === slots.lengths[slot] &&
      this.terms.every(
        (term) =>
          frequencyOf(partition.postings.get(term)!, row.ordinal) === (frequencies.get(term) ?? 0),
      )
    );
  }
}

function hasLabel(
  { partition, view }: Pick<Searched, 'partition' | 'view'>,
  label: string,
): boolean {
  const code = partition.labels.get(label);
  return code !== undefined && view.slots.labels.includes(code);
}

/** Returns a test that holds for every entry which has the terms of all phrases. */
function phraseFilter({ slots, phraseTerms }: Searched): (slot: number) => boolean {
  if (phraseTerms.length === 0) return () => true;
  const had = new Uint16Array(slots.count);
  for (const { count, slots: found } of phraseTerms)
    for (let at = 0; at < count; at += 1) had[found[at]!]! += 1;
  return (slot) => had[slot] === phraseTerms.length;
}
