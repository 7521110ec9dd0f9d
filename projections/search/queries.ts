import { Injectable, Optional } from '@nestjs/common';
import { inSlices } from '#bounded/slices.js';
import { byteOrder } from '#domain/determinism/ids.js';
import type { EntryKind } from '#domain/search/kinds.js';
import { RANKINGS } from '#domain/search/rankings.js';
import { newScratch, type Scratch } from '#domain/search/scoring.js';
import { mayReadScope, type Scope } from '#domain/search/scopes.js';
import { parseQuery } from '#domain/search/search-query.js';
import { Turns } from '#event-store/turns.js';
import { laterOf } from '#read-model/later-of.js';
import { type NamedQuery, Postgres } from '#read-model/postgres.js';
import { tableVersion } from '#read-model/projector.decorator.js';
import { SearchLanguage } from '#read-model/search-language.js';
import type { Candidate } from '../top-scores.js';
import { type FoundIndex, IndexRead, indexStateSql, type RememberedIndex } from './index-read.js';
import { formOf, SEARCH_VERSION } from './index-version.js';
import { byScoreAndTime } from './ranked-candidates.js';
import { type Ranked, RankedSearch } from './ranked-search.js';
import {
  containersOf,
  type SearchHit,
  type SearchRequest,
  type SearchResult,
} from './search-request.js';
import type { EntryRow } from './tables.js';

// The arrays are in subqueries, and the joins lateral, for the reason that `index-read.ts` gives.
const FOUND_ENTRIES = `unnest((select $1::int[]), (select $2::int[])) as found (partition, ordinal)
    cross join lateral (
      select * from search.entry
      where entry.partition = found.partition and entry.ordinal = found.ordinal
    ) as entry`;

const ENTRIES: NamedQuery = {
  name: 'search_entries',
  text: `select entry.* from ${FOUND_ENTRIES}`,
};

/** The entries with the state of the index; one row without an entry if none is found. */
const ENTRIES_AND_STATE: NamedQuery = {
  name: 'search_entries_and_state',
  text: `select state.index_state, entry.* from (${indexStateSql('$3', '$4')}) as state
    left join (${FOUND_ENTRIES}) on true`,
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

/** The newest entries of some partitions that were there at a position. */
const NEWEST: NamedQuery = {
  name: 'search_newest',
  text: `select entry.* from search.partition cross join lateral (
      select * from search.entry
      where entry.partition = partition.id and appeared <= $3 and (died is null or died > $3)
      order by ordinal desc limit $4
    ) as entry
    where partition.kind = any($1::text[]) and partition.scope = any($2::text[])
    order by entry.time desc, entry.id limit $4`,
};

/** The largest partition whose ranking takes less than a slice. */
const MAX_SHARED = 16_384;

/** The number of entries whose phrases are checked at once. */
const PHRASE_CHUNK = 200;
/** The number of texts that a search for names of stop words reads at least, before it gives up. */
const MAX_READ_FOR_NAMES = 10_000;

/** Reads the search index. All methods fail with `PostgresUnavailable` while Postgres cannot answer. */
@Injectable()
export class SearchQueries {
  private readonly index: IndexRead;
  /** The scratch of searches whose partitions are small. Each part is scored without a pause, so they share it. */
  private readonly sharedScratch: Scratch = newScratch(MAX_SHARED);
  /** The scratch of the other searches, which are scored one after another. */
  private scratch: Scratch = newScratch(0);
  private readonly largeSearches = new Turns();

  constructor(
    private readonly postgres: Postgres,
    @Optional() private readonly language: SearchLanguage = new SearchLanguage(),
  ) {
    this.index = new IndexRead(postgres, tableVersion(SEARCH_VERSION, formOf(language)));
  }

  /**
   * Ranks entries exactly as SPEC Q2 requires: the result equals `rankEntries` over the entries that were there at
   * `asOf` and that the caller may read.
   */
  async search<Kind extends EntryKind>(request: SearchRequest<Kind>): Promise<SearchResult<Kind>> {
    const ranking = RANKINGS[request.ranking];
    const { operators = true } = request;
    const query = parseQuery(request.query, { operators, language: this.language });
    const wanted = {
      ...{ kinds: request.kinds, scopes: request.scopes },
      terms: [...new Set([...query.terms, ...query.excluded])],
      labels: ranking.label === 1 ? [] : query.possibleLabels,
      containers: containersOf(request.filter),
    };
    const rank = async (index: FoundIndex): Promise<[RankedSearch, Ranked]> => {
      const asOf = asOfRequest(request, index.position);
      const plan = { request, query, ranking, language: this.language, wantedTerms: wanted.terms };
      const searched = await inSlices(
        RankedSearch.over({ ...plan, asOf, partitions: index.partitions }),
      );
      const ranked = await this.rank(searched);
      await inSlices(this.index.keep(index.partitions, index.table));
      return [searched, ranked];
    };
    const remembered = this.index.remembered(wanted);
    if (remembered !== undefined) {
      const [searched, ranked] = await rank(remembered);
      const found = await this.freshHits(remembered, ranked, searched);
      if (found !== undefined) return resultOf(searched, found);
    }
    const read = await this.index.find(wanted);
    const [searched, ranked] = await rank(read);
    const hits = await this.hitsOf(ranked, searched);
    return resultOf(searched, { hits, asOf: searched.asOf });
  }

  /** Returns the newest entries of these kinds and scopes that were there at a position, as hits without a score. */
  async newest<Kind extends EntryKind>(
    kinds: readonly Kind[],
    scopes: readonly Scope[],
    asOf: bigint,
    limit: number,
  ): Promise<readonly SearchHit<Kind>[]> {
    const rows = await this.postgres.query<EntryRow>(NEWEST, [kinds, scopes, asOf, limit]);
    return rows.map((row) => hitOf<Kind>({ row, candidate: { score: 0 } }));
  }

  /** Returns the position at which an episode appeared; undefined if the index does not show the episode. */
  async positionOfEpisode(episodicId: string): Promise<bigint | undefined> {
    const [row] = await this.postgres.query<EntryRow>(EPISODE, [episodicId]);
    return row === undefined ? undefined : BigInt(row.appeared);
  }

  private async rank(searched: RankedSearch): Promise<Ranked> {
    const { size } = searched;
    if (size <= MAX_SHARED) return inSlices(searched.rank(this.sharedScratch, false));
    return this.largeSearches.run('', async () => {
      if (size > this.scratch.own.length) this.scratch = newScratch(size + (size >> 1));
      return inSlices(searched.rank(this.scratch, true));
    });
  }

  /**
   * Reads the hits of a ranking over the remembered index, in one statement. Returns undefined if the index has changed
   * since, or if one statement is not enough.
   */
  private async freshHits(
    index: RememberedIndex,
    { sure, tied }: Ranked,
    searched: RankedSearch,
  ): Promise<Found | undefined> {
    if (searched.hasPhrases || tied.length > 0) return undefined;
    const rows = await this.postgres.query<MaybeEntry & { index_state: string }>(
      ENTRIES_AND_STATE,
      [...placesOf(sure, searched), index.partitions.map(({ id }) => id), index.changed],
    );
    const [first] = rows;
    const position = first && this.index.freshPosition(index, first.index_state);
    if (position === undefined) return undefined;
    const entries = rows.filter((row): row is typeof row & EntryRow => row.ordinal !== null);
    const asOf = asOfRequest(searched.request, position);
    return { asOf, hits: this.found(entries, sure, searched).sort(byRank) };
  }

  private async hitsOf(ranked: Ranked, searched: RankedSearch): Promise<FoundEntry[]> {
    const { limit } = searched.request;
    if (ranked.unchecked === undefined) {
      const [sure, tied] = await Promise.all([
        this.entries(ranked.sure, searched),
        this.entries(ranked.tied, searched, limit - ranked.sure.length),
      ]);
      return [...sure, ...tied].sort(byRank);
    }
    const hits: FoundEntry[] = [];
    const most = searched.isOfNames ? MAX_READ_FOR_NAMES : Infinity;
    for (let read = 0; hits.length < limit && read < most;) {
      const chunk = ranked.unchecked.take(PHRASE_CHUNK);
      if (chunk.length === 0) break;
      read += chunk.length;
      const rows = await this.entries(chunk, searched);
      hits.push(...rows.filter((row) => searched.hasEveryPhrase(row.row)).sort(byRank));
    }
    return hits.slice(0, limit);
  }

  /** Reads the entries of candidates; with a limit only those whose ids come first. */
  private async entries(
    candidates: readonly Candidate[],
    searched: RankedSearch,
    limit = candidates.length,
  ): Promise<FoundEntry[]> {
    if (candidates.length === 0) return [];
    const values = placesOf(candidates, searched);
    const rows =
      limit < candidates.length
        ? await this.postgres.query<EntryRow>(FIRST_BY_ID, [...values, limit])
        : await this.postgres.query<EntryRow>(ENTRIES, values);
    return this.found(rows, candidates, searched);
  }

  /** Joins the rows with their candidates. Who may read a row, the row itself decides, and not the index. */
  private found(
    rows: readonly EntryRow[],
    candidates: readonly Candidate[],
    searched: RankedSearch,
  ): FoundEntry[] {
    const places = new Map(candidates.map((one) => [placeKey(searched.placeOf(one)), one]));
    return rows.flatMap((row) => {
      const candidate = places.get(placeKey(row));
      const mayRead = mayReadScope(searched.request.scopes, row.scope);
      return candidate === undefined || !mayRead ? [] : [{ row, candidate }];
    });
  }
}

/** An entry, or the columns of none. */
type MaybeEntry = EntryRow | { readonly ordinal: null };

interface Found {
  readonly asOf: bigint;
  readonly hits: readonly FoundEntry[];
}

/** Returns the position at which the request searches, if the index shows the log up to `position`. */
const asOfRequest = (request: SearchRequest, position: bigint | undefined): bigint =>
  request.asOf ?? laterOf(position, request.shown) ?? 0n;

/** The entries have only kinds that the request names. */
async function resultOf<Kind extends EntryKind>(
  searched: RankedSearch,
  { asOf, hits }: Found,
): Promise<SearchResult<Kind>> {
  if (searched.request.explain !== true) return { asOf, hits: hits.map((one) => hitOf<Kind>(one)) };
  const candidates = hits.map(({ candidate }) => candidate);
  const explanations = await inSlices(searched.explanations(candidates));
  return {
    asOf,
    hits: hits.map((one, index) => ({ ...hitOf<Kind>(one), explanation: explanations[index]! })),
  };
}

function placesOf(
  candidates: readonly Candidate[],
  searched: RankedSearch,
): readonly [number[], number[]] {
  const places = candidates.map((one) => searched.placeOf(one));
  return [places.map(({ partition }) => partition), places.map(({ ordinal }) => ordinal)];
}

interface FoundEntry {
  readonly row: EntryRow;
  readonly candidate: Candidate;
}

const placeKey = ({ partition, ordinal }: { partition: number; ordinal: number }): string =>
  `${partition} ${ordinal}`;

function byRank(left: FoundEntry, right: FoundEntry): number {
  return byScoreAndTime(left.candidate, right.candidate) || byteOrder(left.row.id, right.row.id);
}

const hitOf = <Kind extends EntryKind>({
  row,
  candidate: { score },
}: Pick<FoundEntry, 'row'> & {
  readonly candidate: Pick<Candidate, 'score'>;
}): SearchHit<Kind> => ({
  kind: row.kind as Kind,
  id: row.id,
  text: row.body,
  score,
  time: row.time,
  shown_at: row.shown_at,
  source: {
    stream: row.stream,
    number: row.source_number,
    position: row.appeared,
    hash: row.source_hash,
  },
  ...(row.note === null ? {} : { note: row.note }),
});
