import type { ActionRequestEvent } from '#domain/action-request/events.js';
import type { JobEvent } from '#domain/job/events.js';
import { actionRequestDecider } from '#domain/action-request/action-request.decider.js';
import { jobDecider } from '#domain/job/decider.js';
import { foldUserId } from '#domain/canonical-key/canonical-key.js';
import { byteOrder } from '#domain/determinism/ids.js';
import { EPISODE_CHAIN_START, episodeChain } from '#domain/episode/chain.js';
import { tokensOf } from '#domain/episode/tokens.js';
import type { EventProjector, Logged, ProjectionTransaction } from '#read-model/projection.js';
import { Projector } from '#read-model/projector.decorator.js';
import { readTables } from '../read-tables.js';
import { blockOf, createdKey, encodeEntry, encodePosting, placeOf } from './posting-codec.js';
import { ENTRY, type EntryRow, VIEWER, type ViewerRow, WITHHELD } from './tables.js';

const EPISODE_TYPES = ['episode_written', 'episode_consolidated', 'episodic_summary'] as const;
type Episode = Extract<
  JobEvent | ActionRequestEvent,
  { readonly type: (typeof EPISODE_TYPES)[number] }
>;

/** SQL that adds to the index for ranking. */
const ADD_TO_INDEX = `
  with postings as (
    insert into posting
    select * from unnest($1::text[], $2::int[], $3::bytea[])
    on conflict (token, block) do update set data = posting.data || excluded.data
  )
  insert into block
  select * from unnest($4::int[], $5::bytea[])
  on conflict (block) do update set data = block.data || excluded.data`;

/** Every episode of jobs and requests, and which of them are withheld, with the index for ranking (SPEC §5). */
@Projector({
  name: 'episodes',
  version: 5,
  tables: [ENTRY, VIEWER, WITHHELD, readTables(import.meta.url)],
  reads: [jobDecider, actionRequestDecider],
  types: EPISODE_TYPES,
})
export class EpisodesProjection implements EventProjector<Episode> {
  async project(tx: ProjectionTransaction, episodes: readonly Logged<Episode>[]): Promise<void> {
    if (episodes.length === 0) return;
    const users = [...new Set(episodes.map(userOf).filter((user) => user !== null))];
    const [[last], viewers] = await Promise.all([
      ENTRY.find(tx, 'true order by ordinal desc limit 1', []),
      VIEWER.find(tx, 'user_id = any($1::text[])', [users]),
    ]);
    const entries = entriesOf(last, episodes);
    const added = newViewers(viewers, entries);
    const known = [...viewers, ...added];
    const codes = new Map(known.map(({ user_id, code }) => [user_id, code]));
    // The statements are sent without waiting, because a job's start waits for their transaction.
    await Promise.all([
      VIEWER.insert(tx, added),
      ENTRY.insert(
        tx,
        entries.map(({ row }) => row),
      ),
      tx.query(ADD_TO_INDEX, [...postingsOf(entries), ...blocksOf(entries, codes)]),
    ]);
  }
}

interface Entry {
  readonly row: EntryRow;
  readonly frequencies: ReadonlyMap<string, number>;
}

function userOf({ data }: Logged<Episode>): string | null {
  const { user_id } = data.owner;
  return user_id === null ? null : foldUserId(user_id);
}

/** @param last the last entry before these; undefined if they are the first */
function entriesOf(last: EntryRow | undefined, events: readonly Logged<Episode>[]): Entry[] {
  let { ordinal, chain } = last ?? { ordinal: 0, chain: EPISODE_CHAIN_START };
  return events.map((event) => {
    const { data: episode } = event;
    ordinal += 1;
    chain = episodeChain(chain, episode.episodic_id);
    const frequencies = frequenciesOf(tokensOf(episode.summary));
    const row: EntryRow = {
      ordinal,
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
    };
    return { row, frequencies };
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
  for (const { row, frequencies } of entries) {
    const { ordinal } = row;
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
  for (const { row } of entries) {
    const { ordinal, created_seeded_ts, owner_user_id } = row;
    const code = owner_user_id === null ? 0 : (codes.get(owner_user_id) ?? 0);
    const data = blocks.get(blockOf(ordinal)) ?? [];
    data.push(encodeEntry(createdKey(created_seeded_ts), code));
    blocks.set(blockOf(ordinal), data);
  }
  return [[...blocks.keys()], [...blocks.values()].map((data) => Buffer.concat(data))] as const;
}

/**
 * Returns the rows of users who had no entry before. A user's code is the ordinal of the user's first
 * entry, so a rebuild gives the same code.
 */
function newViewers(known: readonly ViewerRow[], entries: readonly Entry[]): ViewerRow[] {
  const seen = new Set<string | null>(known.map(({ user_id }) => user_id)).add(null);
  const added: ViewerRow[] = [];
  for (const { row } of entries) {
    const { owner_user_id: user_id, ordinal: code } = row;
    if (user_id === null || seen.has(user_id)) continue;
    seen.add(user_id);
    added.push({ user_id, code });
  }
  return added;
}
