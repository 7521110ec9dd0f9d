import { Injectable, Optional } from '@nestjs/common';
import { byteOrder } from '#domain/determinism/ids.js';
import { RANKINGS } from '#domain/search/rankings.js';
import { newScratch, type Scratch } from '#domain/search/scoring.js';
import { parseQuery } from '#domain/search/search-query.js';
import { laterOf } from '#read-model/later-of.js';
import { type NamedQuery, Postgres } from '#read-model/postgres.js';
import { tableVersion } from '#read-model/projector.decorator.js';
import { RowSeals } from '#read-model/row-seals.js';
import { SearchLanguage } from '#read-model/search-language.js';
import type { Candidate } from '../top-scores.js';
import { IndexRead } from './index-read.js';
import { formOf, SEARCH_VERSION } from './index-version.js';
import { byScoreAndTime, type Ranked, RankedSearch } from './ranked-search.js';
import {
  containersOf,
  type SearchHit,
  type SearchRequest,
  type SearchResult,
} from './search-request.js';
import { ENTRY, type EntryRow } from './tables.js';

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
    const searched = new RankedSearch(
      read.partitions,
      asOf,
      request,
      query,
      ranking,
      this.language,
    );
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

  private async hitsOf(ranked: Ranked, searched: RankedSearch): Promise<FoundEntry[]> {
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

const placeKey = ({ partition, ordinal }: { partition: number; ordinal: number }): string =>
  `${partition} ${ordinal}`;

/** Returns the size of the next chunk, which ends with no tie. */
function chunkSize(candidates: readonly Candidate[]): number {
  let size = Math.min(PHRASE_CHUNK, candidates.length);
  while (size < candidates.length && byScoreAndTime(candidates[size - 1]!, candidates[size]!) === 0)
    size += 1;
  return size;
}

function byRank(left: FoundEntry, right: FoundEntry): number {
  return byScoreAndTime(left.candidate, right.candidate) || byteOrder(left.row.id, right.row.id);
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
