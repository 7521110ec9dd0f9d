import { foldUserId } from '#domain/canonical-key/canonical-key.js';
import { byteOrder } from '#domain/determinism/ids.js';
import { EPISODE_CHAIN_START, episodeChain } from '#domain/episode/chain.js';
import { tokensOf } from '#domain/episode/tokens.js';
import type { EpisodeData } from '#domain/job/events.js';
import type { LoggedEvent } from '#event-store/event-store.js';
import type { EventProjector, ProjectionTransaction } from '#read-model/projection.js';
import { Projector } from '#read-model/projector.decorator.js';
import { readTables } from '../read-tables.js';
import { blockOf, createdKey, encodeEntry, encodePosting, placeOf } from './posting-codec.js';

const EPISODE_TYPES: ReadonlySet<string> = new Set([
  'episode_written',
  'episode_consolidated',
  'episodic_summary',
]);

/**
 * SQL that reads the last entry's ordinal and chain, and the codes of the users that already have
 * entries.
 */
const BEFORE = `
  select ordinal, chain,
    (select json_object_agg(user_id, code) from viewer where user_id = any($1::text[])) as codes
  from entry order by ordinal desc limit 1`;

/** SQL that writes three tables in one round trip, because a job's start waits for it. */
const INSERT_ENTRIES = `
  with entries as (
    insert into entry
    select * from json_to_recordset($1::json) as row (
      ordinal int, episodic_id text, job_seed text, created_seeded_ts text, summary text,
      payload jsonb, sealed_payload jsonb, evidence jsonb, provenance jsonb, source text, type text,
      owner_sub text, owner_user_id text, chain text, stream text, number int, tokens text[])
  ), postings as (
    insert into posting
    select * from unnest($2::text[], $3::int[], $4::bytea[])
    on conflict (token, block) do update set data = posting.data || excluded.data
  )
  insert into block
  select * from unnest($5::int[], $6::bytea[])
  on conflict (block) do update set data = block.data || excluded.data`;

const INSERT_VIEWERS = `
  insert into viewer select * from unnest($1::text[], $2::int[])`;

/** Every episode of jobs and requests, with the index for ranking (SPEC §5). */
@Projector({
  name: 'episodes',
  version: 2,
  tables: readTables(import.meta.url),
  categories: ['job', 'request'],
  types: EPISODE_TYPES,
})
export class EpisodesProjection implements EventProjector {
  async project(tx: ProjectionTransaction, episodes: readonly LoggedEvent[]): Promise<void> {
    const before = await stateBefore(tx, episodes);
    const entries = entriesOf(before, episodes);
    const codes = await viewerCodes(tx, before, entries);
    await tx.query(INSERT_ENTRIES, [
      JSON.stringify(entries),
      ...postingsOf(entries),
      ...blocksOf(entries, codes),
    ]);
  }
}

type Entry = ReturnType<typeof entriesOf>[number];

interface Before {
  readonly ordinal: number;
  readonly chain: string;
  /** For each user who had an episode before, the user's code. */
  readonly codes: Readonly<Record<string, number>> | null;
}

async function stateBefore(
  tx: ProjectionTransaction,
  events: readonly LoggedEvent[],
): Promise<Before> {
  const users = new Set(events.map(userOf).filter((user) => user !== null));
  const [last] = await tx.query<Before>(BEFORE, [[...users]]);
  return last ?? { ordinal: 0, chain: EPISODE_CHAIN_START, codes: null };
}

function userOf({ data }: LoggedEvent): string | null {
  const { user_id } = (data as unknown as EpisodeData).owner;
  return user_id === null ? null : foldUserId(user_id);
}

function entriesOf(before: Before, events: readonly LoggedEvent[]) {
  let { chain } = before;
  return events.map((event, index) => {
    const episode = event.data as unknown as EpisodeData;
    chain = episodeChain(chain, episode.episodic_id);
    const frequencies = frequenciesOf(tokensOf(episode.summary));
    return {
      ordinal: before.ordinal + index + 1,
      episodic_id: episode.episodic_id,
      job_seed: episode.job_seed,
      created_seeded_ts: episode.created_seeded_ts,
      summary: episode.summary,
      payload: episode.payload,
      sealed_payload: episode.sealed_payload ?? null,
      evidence: episode.evidence,
      provenance: {
        trace_id: event.metadata.trace_id,
        reflective_log_id: episode.reflective_log_id,
      },
      source: episode.source,
      type: event.type,
      owner_sub: episode.owner.sub,
      owner_user_id: userOf(event),
      chain,
      stream: event.stream,
      number: event.number,
      tokens: [...frequencies.keys()].sort(byteOrder),
      frequencies,
    };
  });
}

function frequenciesOf(tokens: readonly string[]): ReadonlyMap<string, number> {
  const frequencies = new Map<string, number>();
  for (const token of tokens) frequencies.set(token, (frequencies.get(token) ?? 0) + 1);
  return frequencies;
}

/** Returns three columns: tokens, their blocks, and the bytes to append to each posting. */
function postingsOf(entries: readonly Entry[]) {
  const parts = new Map<string, { token: string; block: number; data: Buffer[] }>();
  for (const { ordinal, frequencies } of entries) {
    const block = blockOf(ordinal);
    let tokenCount = 0;
    for (const frequency of frequencies.values()) tokenCount += frequency;
    for (const [token, frequency] of frequencies) {
      const id = `${block} ${token}`;
      const part = parts.get(id) ?? { token, block, data: [] };
      part.data.push(encodePosting(placeOf(ordinal), frequency, tokenCount));
      parts.set(id, part);
    }
  }
  const rows = [...parts.values()];
  return [
    rows.map(({ token }) => token),
    rows.map(({ block }) => block),
    rows.map(({ data }) => Buffer.concat(data)),
  ] as const;
}

/** Returns two columns: blocks, and the bytes to append to each. */
function blocksOf(entries: readonly Entry[], codes: ReadonlyMap<string, number>) {
  const blocks = new Map<number, Buffer[]>();
  for (const { ordinal, created_seeded_ts, owner_user_id } of entries) {
    const code = owner_user_id === null ? 0 : (codes.get(owner_user_id) ?? 0);
    const data = blocks.get(blockOf(ordinal)) ?? [];
    data.push(encodeEntry(createdKey(created_seeded_ts), code));
    blocks.set(blockOf(ordinal), data);
  }
  return [[...blocks.keys()], [...blocks.values()].map((data) => Buffer.concat(data))] as const;
}

/**
 * Returns the codes of users. A user's code is the ordinal of the user's first entry, so a rebuild gives
 * the same code.
 */
async function viewerCodes(
  tx: ProjectionTransaction,
  before: Before,
  entries: readonly Entry[],
): Promise<ReadonlyMap<string, number>> {
  const codes = new Map(Object.entries(before.codes ?? {}));
  const firsts = new Map<string, number>();
  for (const { owner_user_id, ordinal } of entries) {
    if (owner_user_id === null || codes.has(owner_user_id)) continue;
    codes.set(owner_user_id, ordinal);
    firsts.set(owner_user_id, ordinal);
  }
  if (firsts.size > 0) await tx.query(INSERT_VIEWERS, [[...firsts.keys()], [...firsts.values()]]);
  return codes;
}
