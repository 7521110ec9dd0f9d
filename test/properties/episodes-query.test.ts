import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { episodeChain, EPISODE_CHAIN_START } from '#domain/episode/chain.js';
import type { LoggedEvent } from '#event-store/event-store.js';
import { EpisodesProjection } from '#projections/episodes/episodes.projection.js';
import { EpisodeQueries, type EpisodesQuery } from '#projections/episodes/queries.js';
import { projectionOf } from '#read-model/projector.decorator.js';
import { Postgres } from '#read-model/postgres.js';
import { createSchema } from '#read-model/schema-layout.js';
import { metadataOf } from '#test/contract/read-model-world.js';
import { rankEpisodes } from '#test/support/rank-episodes.js';
import { startEmptyPostgres, type TestServer } from '#test/support/servers.js';
import { tries } from '#test/support/tries.js';

const episodesProjection = projectionOf(new EpisodesProjection());

let server: TestServer;
let postgres: Postgres;

beforeAll(async () => {
  server = await startEmptyPostgres();
  postgres = new Postgres({ url: server.url });
});

afterAll(async () => {
  await postgres.close();
  await server.stop();
});

interface Entry {
  readonly episodic_id: string;
  readonly summary: string;
  readonly created_seeded_ts: string;
  readonly userId: string | null;
}

const written = ({ userId, ...episode }: Entry, index: number): LoggedEvent => ({
  id: '',
  stream: `job-${index}`,
  number: 0,
  position: BigInt(index + 1),
  type: 'episode_written',
  metadata: metadataOf(),
  data: {
    ...episode,
    job_seed: `${index}`,
    owner: { sub: 'agent', user_id: userId },
    source: 'agent',
    evidence: [],
    payload: null,
    reflective_log_id: null,
  },
});

/**
 * Projects the entries in batches of the given size, so that later batches extend existing blocks and
 * postings.
 */
async function project(entries: readonly Entry[], batch: number): Promise<void> {
  await createSchema(postgres, episodesProjection, 'episodes');
  const events = entries.map(written);
  for (let at = 0; at < events.length; at += batch) {
    await postgres.transaction((tx) =>
      tx.within('episodes', (tables) =>
        episodesProjection.project(tables, events.slice(at, at + batch)),
      ),
    );
  }
}

/** Returns the result that SPEC E2 requires. */
function expected(entries: readonly Entry[], query: EpisodesQuery) {
  const { count, visibleTo } = query;
  const seen = entries
    .slice(0, count)
    .filter(({ userId }) => visibleTo === 'all' || userId === null || userId === visibleTo.userId);
  return rankEpisodes(seen, {
    query_terms: query.queryTerms,
    ...(query.maxResults === undefined ? {} : { max_results: query.maxResults }),
    ...(query.window === undefined ? {} : { time_window: query.window }),
  }).map(({ episodic_id, score }) => ({ episodic_id, score }));
}

async function answered(query: EpisodesQuery) {
  const found = await new EpisodeQueries(postgres).query(query);
  return found.map(({ episodic_id, score }) => ({ episodic_id, score }));
}

// A small vocabulary makes equal scores likely; 'Straße' and '語' test letters beyond ASCII.
const word = fc.constantFrom('the', 'The', 'cat', 'dog', 'a1', 'Straße', '語', 'rare');
const text = fc.array(word, { maxLength: 8 }).map((words) => words.join(' '));
const base = Date.parse('2026-01-01T00:00:00.000Z');
const timestamp = fc.nat({ max: 5 }).map((day) => new Date(base + day * 86_400_000).toISOString());
const user = fc.constantFrom(null, null, 'u1', 'u2');

const entriesOf = fc
  .array(fc.record({ summary: text, created_seeded_ts: timestamp, userId: user }), {
    minLength: 1,
    maxLength: 60,
  })
  .map((entries) =>
    entries.map((entry, index) => ({ ...entry, episodic_id: `ep:${(index * 7919) % 1009}` })),
  );

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const queryOf: fc.Arbitrary<EpisodesQuery> = fc
  .record({
    queryTerms: text,
    maxResults: optional(fc.integer({ min: 1, max: 12 })),
    from: optional(timestamp),
    to: optional(timestamp),
    count: optional(fc.nat({ max: 60 })),
    visibleTo: fc.constantFrom<EpisodesQuery['visibleTo']>(
      'all',
      { userId: null },
      { userId: 'u1' },
      { userId: 'nobody' },
    ),
  })
  .map(({ queryTerms, maxResults, from, to, count, visibleTo }) => ({
    queryTerms,
    visibleTo,
    ...(maxResults === undefined ? {} : { maxResults }),
    ...(count === undefined ? {} : { count }),
    window: {
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
    },
  }));

test('a query returns exactly what E2 requires, for all filters', async () => {
  await fc.assert(
    fc.asyncProperty(
      entriesOf,
      fc.array(queryOf, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 25 }),
      async (entries, queries, batch) => {
        await project(entries, batch);
        for (const query of queries) {
          expect(await answered(query)).toStrictEqual(expected(entries, query));
        }
      },
    ),
    { numRuns: tries(25) },
  );
});

test('thousands of entries with equal scores, over several blocks, are ordered exactly', async () => {
  const entries = Array.from({ length: 3_500 }, (_, index) => ({
    episodic_id: `ep:${(index * 7919) % 10_007}`,
    summary: index % 700 === 3 ? 'the the cat' : 'the cat sat',
    created_seeded_ts: new Date(base + (index % 3) * 1000).toISOString(),
    userId: index % 2 ? null : 'u1',
  }));
  await project(entries, 900);
  const queries: EpisodesQuery[] = [
    { queryTerms: 'the', visibleTo: 'all', maxResults: 100 },
    { queryTerms: 'sat', visibleTo: 'all', maxResults: 100 },
    { queryTerms: 'the cat nothing', visibleTo: { userId: null }, maxResults: 50 },
    { queryTerms: 'THE, cat; sat', visibleTo: 'all', count: 1_024 },
    { queryTerms: 'cat', visibleTo: 'all', window: { from: new Date(base + 2000).toISOString() } },
  ];
  for (const query of queries) {
    expect(await answered(query)).toStrictEqual(expected(entries, query));
  }
  const many = Array.from({ length: 20_000 }, (_, index) => `word${index}`).join(' ');
  const query: EpisodesQuery = { queryTerms: `${many} cat`, visibleTo: 'all' };
  expect(await answered(query)).toStrictEqual(expected(entries, query));
});

test('the hash of a snapshot chains the episodes in log order', async () => {
  const entries = ['x', 'y', 'z'].map((id) => ({
    episodic_id: `ep:${id}`,
    summary: id,
    created_seeded_ts: new Date(base).toISOString(),
    userId: null,
  }));
  await project(entries, 2);
  const queries = new EpisodeQueries(postgres);
  const hash = entries.reduce(
    (chain, { episodic_id }) => episodeChain(chain, episodic_id),
    EPISODE_CHAIN_START,
  );
  expect(await queries.currentSnapshot()).toStrictEqual({ hash, count: 3 });
  expect(await queries.countOf(hash)).toBe(3);
  expect(await queries.countOf(EPISODE_CHAIN_START)).toBe(0);
  expect(await queries.countOf('f'.repeat(64))).toBeUndefined();
});

test('E2 the cache of full blocks never affects the answers about another table', async () => {
  const queries = new EpisodeQueries(postgres);
  const entriesFor = (owner: (index: number) => string | null): Entry[] =>
    Array.from({ length: 2_500 }, (_, index) => ({
      episodic_id: `ep:${index}`,
      summary: index % 5 === 0 ? 'cat' : 'cat and dog',
      created_seeded_ts: new Date(base + index * 1_000).toISOString(),
      userId: owner(index),
    }));
  const worlds = [
    entriesFor((index) => (index % 2 === 0 ? 'u1' : 'u2')),
    entriesFor((index) => (index % 3 === 0 ? 'u2' : 'u1')),
  ];
  for (const entries of worlds) {
    await project(entries, 500);
    for (const userId of ['u1', 'u2', 'u1', null]) {
      const query: EpisodesQuery = { queryTerms: 'cat', maxResults: 50, visibleTo: { userId } };
      const found = await queries.query(query);
      const seen = found.map(({ episodic_id, score }) => ({ episodic_id, score }));
      expect(seen).toStrictEqual(expected(entries, query));
    }
  }
});
