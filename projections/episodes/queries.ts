import { Injectable } from '@nestjs/common';
import { foldUserId } from '#domain/canonical-key/canonical-key.js';
import { byRank, DEFAULT_MAX_RESULTS } from '#domain/episode/ranking.js';
import { EPISODE_CHAIN_START } from '#domain/episode/chain.js';
import { tokensOf } from '#domain/episode/tokens.js';
import type { JsonObject } from '#domain/json.js';
import { type NamedQuery, Postgres } from '#read-model/postgres.js';
import { BlockCache } from './block-cache.js';
import {
  addPostings,
  BLOCK_BITS,
  BLOCK_SIZE,
  blockOf,
  createdKey,
  createdKeyAt,
  viewerCodeAt,
} from './posting-codec.js';
import type { EntryRow, ViewerRow, WithheldRow } from './tables.js';
import { type Candidate, TopScores } from '../top-scores.js';

// One statement makes the read consistent: every entry of a posting is in the row of its block. The row
// without a block identifies the table.
const POSTINGS: NamedQuery = {
  name: 'episodes_postings',
  text: `with wanted as materialized (
      select block, data from episodes.posting where token = any($1::text[]) and block <= $2
    )
    select block, data, true as is_posting, null::oid as table_oid from wanted
    union all
    select block, data, false, null from episodes.block
    where $3 and block in (select block from wanted) and not block = any($4::int[])
    union all
    select null, null, false, 'episodes.block'::regclass::oid`,
};

const BLOCKS: NamedQuery = {
  name: 'episodes_blocks',
  text: 'select block, data from episodes.block where block = any($1::int[])',
};

const VIEWER_OF: NamedQuery = {
  name: 'episodes_viewer',
  text: 'select * from episodes.viewer where user_id = $1',
};

const FOUND: NamedQuery = {
  name: 'episodes_found',
  text: 'select * from episodes.entry where ordinal = any($1::int[])',
};

const FOUND_OF_TIED: NamedQuery = {
  name: 'episodes_found_of_tied',
  text: `select * from episodes.entry where ordinal = any($1::int[])
    union all
    (select * from episodes.entry where ordinal = any($2::int[])
     order by created_seeded_ts desc, episodic_id limit $3)`,
};

const BY_IDS: NamedQuery = {
  name: 'episodes_by_ids',
  text: 'select * from episodes.entry where episodic_id = any($1::text[])',
};

const GET: NamedQuery = {
  name: 'episodes_get',
  text: 'select * from episodes.entry where episodic_id = $1',
};

const CURRENT: NamedQuery = {
  name: 'episodes_current',
  text: 'select * from episodes.entry order by ordinal desc limit 1',
};

const BY_COUNT: NamedQuery = {
  name: 'episodes_by_count',
  text: 'select * from episodes.entry where ordinal = $1',
};

const WITHHELD_OF: NamedQuery = {
  name: 'episodes_withheld',
  text: 'select * from episodes.withheld where episodic_id = any($1::text[])',
};

/** What readers see in place of a payload that is withheld. */
const WITHHELD_PAYLOAD = { withheld: true, reason: 'CONSENT_REVOKED' } as const;

const PINNED: NamedQuery = {
  name: 'episodes_pinned',
  text: 'select * from episodes.entry where chain = $1',
};

/** If more entries than this have equal scores, their times are compared before their rows are read. */
const MANY_TIED = 1_000;
const EVERYTHING = 2 ** 31 - 1;

export interface EpisodesQuery {
  readonly queryTerms: string;
  /** The maximum number of results, 1 to 100; by default `DEFAULT_MAX_RESULTS`. */
  readonly maxResults?: number;
  /** The bounds of created_seeded_ts, both inclusive, in the form YYYY-MM-DDTHH:mm:ss.sssZ. */
  readonly window?: { readonly from?: string; readonly to?: string };
  /** Limits the query to the first `count` episodes in log order, as a snapshot does. */
  readonly count?: number;
  /** Which episodes are visible: `all`, or those without a user and those of the given user (SPEC E2). */
  readonly visibleTo: 'all' | { readonly userId: string | null };
}

export interface FoundEpisode {
  readonly episodic_id: string;
  readonly score: number;
  /** The summary, after redaction. */
  readonly summary: string;
  readonly created_seeded_ts: string;
  readonly evidence: readonly JsonObject[];
}

export type Episode = EntryRow;

/** The number n of episodes, and the hash h(n) of their chain (SPEC J1). */
export interface EpisodesSnapshot {
  readonly hash: string;
  readonly count: number;
}

/** Reads the episodes read model. All methods fail with `PostgresUnavailable` while Postgres cannot answer. */
@Injectable()
export class EpisodeQueries {
  private blockCache = new BlockCache();

  constructor(private readonly postgres: Postgres) {}

  /**
   * Ranks episodes exactly as SPEC E2 requires: the result equals `rankEpisodes` over all entries that
   * pass the filters.
   */
  async query(query: EpisodesQuery): Promise<FoundEpisode[]> {
    const tokens = [...new Set(tokensOf(query.queryTerms))];
    if (tokens.length === 0) return [];
    const limit = query.maxResults ?? DEFAULT_MAX_RESULTS;
    const filter = await this.filterOf(query);
    const lastBlock = blockOf(Math.min(filter.count, EVERYTHING));
    const rows = await this.postings(tokens, lastBlock, filter.needsBlocks);
    const { sure, tied } = await this.settleTies(best(rows, filter, limit), limit);
    const found = await this.found(sure, tied, limit);
    // The row decides who may read an episode; the index does not.
    const shown = found.filter((episode) => isVisibleTo(query.visibleTo, episode));
    return shown.map(({ episodic_id, created_seeded_ts, summary, evidence, score }) => ({
      ...{ episodic_id, created_seeded_ts, summary, evidence, score },
    }));
  }

  async get(episodicId: string): Promise<Episode | undefined> {
    return (await this.entries(GET, [episodicId]))[0];
  }

  async byIds(episodicIds: readonly string[]): Promise<Episode[]> {
    return this.entries(BY_IDS, [episodicIds]);
  }

  /**
   * Returns the id of the last episode of a snapshot. Returns undefined if the snapshot is empty, or names more
   * episodes than exist.
   */
  async lastOf(count: number): Promise<string | undefined> {
    return (await this.entries(BY_COUNT, [count]))[0]?.episodic_id;
  }

  /** Returns the snapshot that a job would pin now (SPEC J1). */
  async currentSnapshot(): Promise<EpisodesSnapshot> {
    const [row] = await this.entries(CURRENT, []);
    return { hash: row?.chain ?? EPISODE_CHAIN_START, count: row?.ordinal ?? 0 };
  }

  /** Returns the number of episodes in the snapshot with this chain hash; undefined if the hash is unknown. */
  async countOf(chainHash: string): Promise<number | undefined> {
    if (chainHash === EPISODE_CHAIN_START) return 0;
    const [row] = await this.entries(PINNED, [chainHash]);
    return row?.ordinal;
  }

  /** Returns the chain hash h(count) of SPEC J1; undefined if there are fewer episodes. */
  async hashAt(count: number): Promise<string | undefined> {
    if (count === 0) return EPISODE_CHAIN_START;
    const [row] = await this.entries(BY_COUNT, [count]);
    return row?.chain;
  }

  /**
   * Returns the postings of some tokens. If a filter needs block data, also returns every block in which
   * one of these tokens occurs.
   */
  private async postings(
    tokens: readonly string[],
    lastBlock: number,
    needsBlocks: boolean,
  ): Promise<BlockRow[]> {
    const { blockCache } = this;
    const known = new Set(needsBlocks ? blockCache.numbers : []);
    const values = [tokens, lastBlock, needsBlocks, [...known]];
    const found = await this.postgres.query<FoundBlockRow>(POSTINGS, values);
    const table = found.find(({ table_oid }) => table_oid !== null)?.table_oid ?? undefined;
    if (table !== blockCache.table) {
      this.blockCache = new BlockCache(table);
      return this.postings(tokens, lastBlock, needsBlocks);
    }
    const rows = found.filter((row): row is FoundBlockRow & BlockRow => row.block !== null);
    const wanted = new Set<number>();
    for (const { block, data, is_posting } of rows)
      if (is_posting) wanted.add(block);
      else blockCache.put(block, data);
    for (const block of wanted) {
      const data = known.has(block) ? blockCache.get(block) : undefined;
      if (data !== undefined) rows.push(cachedRow(block, data));
    }
    return rows;
  }

  private async filterOf({ window, count, visibleTo }: EpisodesQuery): Promise<Filter> {
    const { from, to } = window ?? {};
    return {
      count: count ?? Infinity,
      from: from === undefined ? -Infinity : createdKey(from),
      to: to === undefined ? Infinity : createdKey(to),
      viewerCode: visibleTo === 'all' ? undefined : await this.viewerCode(visibleTo.userId),
      needsBlocks: from !== undefined || to !== undefined || visibleTo !== 'all',
    };
  }

  private async viewerCode(userId: string | null): Promise<number> {
    if (userId === null) return NO_USER_CODE;
    const [row] = await this.postgres.query<ViewerRow>(VIEWER_OF, [foldUserId(userId)]);
    return row?.code ?? NO_USER_CODE;
  }

  private async entries(query: NamedQuery, values: readonly unknown[]): Promise<EntryRow[]> {
    return this.withoutWithheld(await this.postgres.query<EntryRow>(query, values));
  }

  /** Puts a mark in the place of each payload that is withheld. */
  private async withoutWithheld(entries: EntryRow[]): Promise<EntryRow[]> {
    const ids = entries.flatMap(({ sealed_payload, episodic_id }) =>
      sealed_payload === null ? [] : [episodic_id],
    );
    if (ids.length === 0) return entries;
    const rows = await this.postgres.query<WithheldRow>(WITHHELD_OF, [ids]);
    const withheld = new Set(rows.map(({ episodic_id }) => episodic_id));
    return entries.map((entry) =>
      withheld.has(entry.episodic_id)
        ? { ...entry, payload: WITHHELD_PAYLOAD, sealed_payload: null }
        : entry,
    );
  }

  private async settleTies(top: Top, limit: number): Promise<Top> {
    if (top.tied.length < MANY_TIED || !Number.isNaN(top.tied[0]?.created)) return top;
    const blocks = [...new Set(top.tied.map(({ ordinal }) => blockOf(ordinal)))];
    const rows = await this.postgres.query<BlockRow>(BLOCKS, [blocks]);
    const dataOf = new Map(rows.map(({ block, data }) => [block, data]));
    const settled = new TopScores(limit - top.sure.length);
    for (const { ordinal, score } of top.tied) {
      settled.offer(ordinal, score, createdOf(dataOf.get(blockOf(ordinal)), ordinal));
    }
    const { sure, tied } = settled.result();
    return { sure: [...top.sure, ...sure], tied };
  }

  private async found(
    sure: readonly Candidate[],
    tied: readonly Candidate[],
    limit: number,
  ): Promise<(EntryRow & { readonly score: number })[]> {
    if (sure.length + tied.length === 0) return [];
    const ordinals = sure.map(({ ordinal }) => ordinal);
    const rows =
      tied.length === 0
        ? await this.entries(FOUND, [ordinals])
        : await this.entries(FOUND_OF_TIED, [
            ordinals,
            tied.map(({ ordinal }) => ordinal),
            limit - sure.length,
          ]);
    const scores = new Map([...sure, ...tied].map(({ ordinal, score }) => [ordinal, score]));
    return rows.map((row) => ({ ...row, score: scores.get(row.ordinal) ?? 0 })).sort(byRank);
  }
}

function isVisibleTo(
  visibleTo: EpisodesQuery['visibleTo'],
  { owner_user_id: user }: EntryRow,
): boolean {
  if (visibleTo === 'all' || user === null) return true;
  return visibleTo.userId !== null && user === foldUserId(visibleTo.userId);
}

type Top = ReturnType<TopScores['result']>;

interface BlockRow {
  readonly block: number;
  readonly data: Buffer;
  readonly is_posting: boolean;
}

interface FoundBlockRow {
  readonly block: number | null;
  readonly data: Buffer | null;
  readonly is_posting: boolean;
  readonly table_oid: number | null;
}

const cachedRow = (block: number, data: Buffer): FoundBlockRow & BlockRow => ({
  block,
  data,
  is_posting: false,
  table_oid: null,
});

interface Filter {
  readonly count: number;
  readonly from: number;
  readonly to: number;
  /**
   * The code of the user whose episodes are visible beside those without a user; undefined if every
   * episode is visible.
   */
  readonly viewerCode: number | undefined;
  readonly needsBlocks: boolean;
}

/** The code of episodes without a user. */
const NO_USER_CODE = 0;

const firstOrdinalOf = (block: number): number => Math.max(1, block << BLOCK_BITS);

/**
 * Returns the index of an entry within its block. Entries are stored by ordinal, and ordinals begin with
 * 1.
 */
const indexOf = (ordinal: number): number => ordinal - firstOrdinalOf(blockOf(ordinal));

const createdOf = (data: Buffer | undefined, ordinal: number): number =>
  data === undefined ? NaN : createdKeyAt(data, indexOf(ordinal));

/** Scores every entry that shares a token with the query, block by block, and returns the best ones. */
function best(rows: readonly BlockRow[], filter: Filter, limit: number): Top {
  const postings = new Map<number, Buffer[]>();
  const entries = new Map<number, Buffer>();
  for (const { block, data, is_posting } of rows) {
    if (!is_posting) entries.set(block, data);
    else if (!postings.get(block)?.push(data)) postings.set(block, [data]);
  }
  const top = new TopScores(limit);
  const overlaps = new Uint16Array(BLOCK_SIZE);
  const tokenCounts = new Uint16Array(BLOCK_SIZE);
  for (const [block, parts] of postings) {
    overlaps.fill(0);
    for (const part of parts) addPostings(part, overlaps, tokenCounts);
    offerBlock(top, block, { overlaps, tokenCounts, entries: entries.get(block) }, filter);
  }
  return top.result();
}

interface ScoredBlock {
  readonly overlaps: Uint16Array;
  readonly tokenCounts: Uint16Array;
  readonly entries: Buffer | undefined;
}

function offerBlock(
  top: TopScores,
  block: number,
  { overlaps, tokenCounts, entries }: ScoredBlock,
  { count, from, to, viewerCode }: Filter,
): void {
  for (let place = 0; place < BLOCK_SIZE; place += 1) {
    const overlap = overlaps[place] ?? 0;
    if (overlap === 0) continue;
    const ordinal = (block << BLOCK_BITS) + place;
    if (ordinal > count) break;
    let created = NaN;
    if (entries !== undefined) {
      created = createdOf(entries, ordinal);
      if (created < from || created > to) continue;
      const owner = viewerCodeAt(entries, indexOf(ordinal));
      if (viewerCode !== undefined && owner !== NO_USER_CODE && owner !== viewerCode) continue;
    }
    top.offer(ordinal, overlap / (tokenCounts[place] ?? 1), created);
  }
}
