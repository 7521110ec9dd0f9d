import { Injectable, Optional } from '@nestjs/common';
import { byteOrder } from '#domain/determinism/ids.js';
import { analyse, termsOf } from '#domain/search/analysis.js';
import type { Language } from '#domain/search/languages/language.js';
import type { SearchKind } from '#domain/search/kinds.js';
import { termsWithout } from '#domain/search/rank-entries.js';
import { type Ranking, RANKINGS, type RankingVersion } from '#domain/search/rankings.js';
import {
  type Explanation,
  explainScores,
  newScratch,
  type Part,
  isDense,
  scorePart,
  type Scratch,
  type TermEntries,
  type Weights,
  weightsOf,
} from '#domain/search/scoring.js';
import { mayReadScope, type ReadableScopes } from '#domain/search/scopes.js';
import { containsPhrase, parseQuery, type SearchQuery } from '#domain/search/search-query.js';
import { laterOf } from '#read-model/later-of.js';
import { type NamedQuery, Postgres } from '#read-model/postgres.js';
import { tableVersion } from '#read-model/projector.decorator.js';
import { RowSeals } from '#read-model/row-seals.js';
import { SearchLanguage } from '#read-model/search-language.js';
import { type Candidate, TopScores } from '../top-scores.js';
import { formOf, SEARCH_VERSION } from './index-version.js';
import { type FoundPartition, IndexRead, type WantedContainers } from './index-read.js';
import type { PartitionView } from './partition-entries.js';
import { frequencyOf } from './term-postings.js';
import { ENTRY, type EntryRow, type NoteName } from './tables.js';

const ENTRIES: NamedQuery = {
  name: 'search_entries',
  text: `select entry.* from unnest($1::int[], $2::int[]) as found (partition, ordinal)
    join search.entry using (partition, ordinal)`,
};

const EPISODE: NamedQuery = {
  name: 'search_episode',
  text: `select * from search.entry where id = $1 and kind = 'episode'`,
};

const FIRST_BY_ID: NamedQuery = {
  name: 'search_first_by_id',
  text: `select entry.* from unnest($1::int[], $2::int[]) as found (partition, ordinal)
    join search.entry using (partition, ordinal) order by entry.id limit $3`,
};

/** The number of entries whose phrases are checked at once. */
const PHRASE_CHUNK = 200;

export interface SearchRequest {
  readonly query: string;
  readonly ranking: RankingVersion;
  /** False if quotes and minus signs in the query have no meaning; by default true. */
  readonly operators?: boolean | undefined;
  /** The entries that count: those of these kinds in the scopes that the caller may read (SPEC Q3). */
  readonly kinds: readonly SearchKind[];
  readonly scopes: ReadableScopes;
  /** The position of the log at which the entries are searched; by default the one that the index shows. */
  readonly asOf: bigint | undefined;
  /** A position that the index is known to show; undefined if none is known. */
  readonly shown?: bigint | undefined;
  readonly limit: number;
  /** True if each hit says what its score is made of. */
  readonly explain?: boolean | undefined;
  /** The filters decide only which entries are hits. */
  readonly filter: SearchFilter;
}

export interface SearchFilter {
  readonly container?: string | undefined;
  /** The namespace of notes, or one above it (SPEC N1). */
  readonly namespace?: readonly string[] | undefined;
  readonly session?: string | undefined;
  readonly space?: string | undefined;
  /** Milliseconds since 1970, both included. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export interface SearchHit {
  readonly kind: SearchKind;
  readonly id: string;
  readonly text: string;
  readonly score: number;
  readonly time: string;
  readonly source: {
    readonly stream: string;
    readonly number: number;
    readonly position: string;
    readonly hash: string;
  };
  readonly note?: NoteName;
  readonly explanation?: Explanation;
}

export interface SearchResult {
  readonly asOf: bigint;
  readonly hits: readonly SearchHit[];
}

/** A partition as one query sees it. */
interface Searched extends Part {
  readonly partition: FoundPartition;
  readonly view: PartitionView;
  /** The entries with each term of the phrases. */
  readonly phraseTerms: readonly TermEntries[];
}

/**
 * Reads the search index. All methods fail with `PostgresUnavailable` while Postgres cannot answer, and refuse a
 * changed row with INTEGRITY_FAILURE. The index has no seals; instead, a search compares each hit with its sealed entry.
 */
@Injectable()
export class SearchQueries {
  private readonly index: IndexRead;
  private scratch: Scratch = newScratch(0);

  constructor(
    private readonly postgres: Postgres,
    private readonly seals: RowSeals,
    @Optional() private readonly language: SearchLanguage = new SearchLanguage(),
  ) {
    this.index = new IndexRead(postgres, tableVersion(SEARCH_VERSION, formOf(language)));
  }

  /**
   * Ranks entries exactly as SPEC Q2 requires: the result equals `rankEntries` over the entries that were there at
   * `asOf` and that the caller may read.
   */
  async search(request: SearchRequest): Promise<SearchResult> {
    const ranking = RANKINGS[request.ranking];
    const { operators = true } = request;
    const query = parseQuery(request.query, { operators, language: this.language });
    const read = await this.index.find({
      ...{ kinds: request.kinds, scopes: request.scopes },
      terms: [...new Set([...query.terms, ...query.excluded])],
      labels: ranking.label === 1 ? [] : query.possibleLabels,
      containers: containersOf(request.filter),
    });
    const asOf = request.asOf ?? laterOf(read.position, request.shown) ?? 0n;
    const searched = new Search(read.partitions, asOf, request, query, ranking, this.language);
    this.grow(searched.size);
    const ranked = searched.rank(this.scratch);
    const found = await this.hitsOf(ranked, searched);
    if (request.explain !== true) return { asOf, hits: found.map(hitOf) };
    const explain = searched.explanations();
    return {
      asOf,
      hits: found.map((one) => ({ ...hitOf(one), explanation: explain(one.candidate) })),
    };
  }

  /** Returns the position at which an episode appeared; undefined if the index does not show the episode. */
  async positionOfEpisode(episodicId: string): Promise<bigint | undefined> {
    const stored = await this.postgres.query(EPISODE, [episodicId]);
    const [row] = ENTRY.open(this.seals, stored);
    return row === undefined ? undefined : BigInt(row.appeared);
  }

  private grow(size: number): void {
    if (size > this.scratch.own.length) this.scratch = newScratch(size + (size >> 1));
  }

  private async hitsOf(ranked: Ranked, searched: Search): Promise<FoundEntry[]> {
    const { limit } = searched.request;
    if (!searched.hasPhrases) {
      const [sure, tied] = await Promise.all([
        this.entries(ranked.sure, searched),
        this.entries(ranked.tied, searched, limit - ranked.sure.length),
      ]);
      return [...sure, ...tied].sort(byRank);
    }
    const hits: FoundEntry[] = [];
    const left = [...ranked.sure];
    while (left.length > 0 && hits.length < limit) {
      const chunk = left.splice(0, chunkSize(left));
      const rows = await this.entries(chunk, searched);
      hits.push(...rows.filter((row) => searched.hasEveryPhrase(row)).sort(byRank));
    }
    return hits.slice(0, limit);
  }

  /** Reads the entries of candidates; with a limit only those whose ids come first. */
  private async entries(
    candidates: readonly Candidate[],
    searched: Search,
    limit = candidates.length,
  ): Promise<FoundEntry[]> {
    if (candidates.length === 0) return [];
    const places = new Map(candidates.map((one) => [placeKey(searched.placeOf(one)), one]));
    const at = candidates.map((one) => searched.placeOf(one));
    const values = [at.map(({ partition }) => partition), at.map(({ ordinal }) => ordinal)];
    const stored =
      limit < candidates.length
        ? await this.postgres.query<{ stream: string; number: number }>(FIRST_BY_ID, [
            ...values,
            limit,
          ])
        : await this.postgres.query<{ stream: string; number: number }>(ENTRIES, values);
    return ENTRY.open(this.seals, stored).map((row, index) => {
      const candidate = places.get(placeKey(row));
      if (candidate === undefined || !searched.matches(row, candidate))
        throw ENTRY.changed(this.seals, stored[index]!);
      return { row, candidate };
    });
  }
}

interface FoundEntry {
  readonly row: EntryRow;
  readonly candidate: Candidate;
}

/** The candidates that are hits, and those with equal scores and times, of which the ids decide. */
interface Ranked {
  readonly sure: readonly Candidate[];
  readonly tied: readonly Candidate[];
}

const placeKey = ({ partition, ordinal }: { partition: number; ordinal: number }): string =>
  `${partition} ${ordinal}`;

/** Returns the size of the next chunk, which ends with no tie. */
function chunkSize(candidates: readonly Candidate[]): number {
  let size = Math.min(PHRASE_CHUNK, candidates.length);
  while (size < candidates.length && byScoreAndTime(candidates[size - 1]!, candidates[size]!) === 0)
    size += 1;
  return size;
}

const byScoreAndTime = (left: Candidate, right: Candidate): number =>
  right.score - left.score || right.created - left.created;

function byRank(left: FoundEntry, right: FoundEntry): number {
  return byScoreAndTime(left.candidate, right.candidate) || byteOrder(left.row.id, right.row.id);
}

/** One search over what was read of the index. */
class Search {
  readonly hasPhrases: boolean;
  private readonly parts: readonly Searched[];
  private readonly terms: readonly string[];

  constructor(
    partitions: readonly FoundPartition[],
    private readonly asOf: bigint,
    readonly request: SearchRequest,
    private readonly query: SearchQuery,
    private readonly ranking: Ranking,
    private readonly language: Language,
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
    const phraseTerms = new Set(
      query.phrases.flatMap((words) => termsOf(words.join(' '), language)),
    );
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

  hasEveryPhrase({ row }: FoundEntry): boolean {
    return this.query.phrases.every(
      (phrase) => containsPhrase(row.title, phrase) || containsPhrase(row.body, phrase),
    );
  }

  /** True if the index described the entry as it is, and the caller may read it. */
  matches(row: EntryRow, candidate: Candidate): boolean {
    const { part, slot } = this.slotOf(candidate);
    const { partition, slots } = part;
    const { kinds, scopes } = this.request;
    if (row.kind !== partition.kind || !kinds.includes(row.kind)) return false;
    if (!mayReadScope(scopes, row.scope)) return false;
    if (BigInt(row.appeared) > this.asOf) return false;
    if (row.died !== null && BigInt(row.died) <= this.asOf) return false;
    if (Date.parse(row.time) !== slots.times[slot]) return false;
    const { frequencies, length } = analyse(row.title, row.body, this.language);
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

/** Returns the containers that a filter names. The name of a namespace is its JSON. */
function containersOf({
  container,
  namespace,
  session,
}: SearchFilter): WantedContainers | undefined {
  if (container !== undefined) {
    // No note is in a job.
    return { names: namespace === undefined ? [container] : [], prefixes: [], session };
  }
  if (namespace !== undefined) {
    const name = JSON.stringify(namespace);
    const isRoot = namespace.length === 0;
    return { names: [name], prefixes: [isRoot ? '[' : `${name.slice(0, -1)},`], session };
  }
  return session === undefined ? undefined : { names: null, prefixes: [], session };
}

/** Returns a test that holds for every entry which has the terms of all phrases. */
function phraseFilter({ slots, phraseTerms }: Searched): (slot: number) => boolean {
  if (phraseTerms.length === 0) return () => true;
  const had = new Uint16Array(slots.count);
  for (const { count, slots: found } of phraseTerms)
    for (let at = 0; at < count; at += 1) had[found[at]!]! += 1;
  return (slot) => had[slot] === phraseTerms.length;
}

const hitOf = ({ row, candidate: { score } }: FoundEntry): SearchHit => ({
  kind: row.kind,
  id: row.id,
  text: row.body,
  score,
  time: row.time,
  source: {
    stream: row.stream,
    number: row.source_number,
    position: row.appeared,
    hash: row.source_hash,
  },
  ...(row.note === null ? {} : { note: row.note }),
});
