import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { JsonObject } from '#domain/json.js';
import { SEARCH_KINDS, type SearchKind } from '#domain/search/kinds.js';
import { rankEntries } from '#domain/search/rank-entries.js';
import { RANKING_VERSIONS } from '#domain/search/rankings.js';
import { readableScopes } from '#domain/search/scopes.js';
import { keyWordsOf } from '#domain/search/text-of.js';
import type { LoggedEvent } from '#event-store/event-store.js';
import { SearchProjection } from '#projections/search/search.projection.js';
import { SearchQueries } from '#projections/search/queries.js';
import type { SearchRequest } from '#projections/search/search-request.js';
import { projectionOf } from '#read-model/projector.decorator.js';
import { Postgres } from '#read-model/postgres.js';
import { createSchema } from '#read-model/schema-layout.js';
import { metadataOf } from '#test/contract/read-model-world.js';
import { startEmptyPostgres, type TestServer } from '#test/support/servers.js';
import { tries } from '#test/support/tries.js';

const projection = projectionOf(new SearchProjection());

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

const OWNERS = [
  { sub: 'a', user_id: null },
  { sub: 'a', user_id: 'u1' },
  { sub: 'b', user_id: 'u2' },
] as const;
const JOBS = 4;
const KEYS = ['world/fact/sea/value', 'user/profile/user_u1/tea', 'user/profile/user_u2/tea'];
const NOTES = [
  { owner: 'user:u1', namespace: ['lake'], key: 'tea' },
  { owner: 'user:u1', namespace: ['lake', 'blue'], key: 'plan' },
  { owner: 'user:u2', namespace: ['lakes'], key: 'tea' },
] as const;
const ownerOfJob = (job: number) => OWNERS[job % OWNERS.length]!;
const base = Date.UTC(2023, 4, 1);
const dayOf = (day: number): string => new Date(base + day * 86_400_000).toISOString();
/** The clock when an event was recorded. It sometimes goes back. */
const clockOf = (position: number): string => dayOf((position * 7) % 40);

/** An entry as the rules see it. */
interface Expected {
  readonly kind: SearchKind;
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly time: number;
  readonly group: string | null;
  readonly job: string | null;
  readonly namespace?: readonly string[];
  readonly mayRead: (reader: string) => boolean;
  readonly appeared: number;
  died: number;
}

type Operation =
  | {
      readonly op: 'episode' | 'wm';
      readonly job: number;
      readonly text: string;
      readonly day: number;
    }
  | { readonly op: 'put'; readonly key: number; readonly text: string; readonly day: number }
  | { readonly op: 'lost' | 'sealed' | 'delete'; readonly key: number }
  | { readonly op: 'expire' | 'promote'; readonly nth: number }
  | { readonly op: 'item'; readonly owner: number; readonly text: string }
  | { readonly op: 'note'; readonly note: number; readonly text: string; readonly day: number }
  | { readonly op: 'unnote'; readonly note: number }
  | { readonly op: 'forget'; readonly nth: number }
  | { readonly op: 'end'; readonly job: number };

/** Makes events of operations, and the entries that they are to make. */
class Log {
  readonly events: LoggedEvent[] = [];
  readonly entries: Expected[] = [];
  private readonly numbers = new Map<string, number>();

  constructor(operations: readonly Operation[], jobs = JOBS) {
    for (let job = 0; job < jobs; job += 1)
      this.add(`job-${job}`, 'job_started', { owner: { ...ownerOfJob(job) }, session_id: null });
    OWNERS.forEach((owner, index) => {
      this.add(`owner-session:s${index}`, 'owner_claimed', { raw_id: `s${index}` });
      this.add(`session-s${index}`, 'session_claimed', { owner: { ...owner } });
    });
    for (const operation of operations) this.run(operation);
  }

  private run(operation: Operation): void {
    const position = this.events.length;
    switch (operation.op) {
      case 'episode': {
        const { job, text, day } = operation;
        const owner = ownerOfJob(job);
        const data = {
          ...{
            episodic_id: `ep:${(position * 7919) % 100_003}`,
            job_seed: `${job}`,
            summary: text,
          },
          ...{ owner: { ...owner }, created_seeded_ts: dayOf(day), evidence: [], payload: null },
        };
        this.add(`job-${job}`, 'episode_written', data);
        const { user_id } = owner;
        this.expect('episode', data.episodic_id, text, position, {
          ...{ time: Date.parse(dayOf(day)), group: `episode ${job}`, job: `job-${job}` },
          mayRead: (reader) => user_id === null || reader === 'all' || reader === user_id,
        });
        break;
      }
      case 'wm': {
        const { job, text } = operation;
        const id = `wm:${position}`;
        this.add(`job-${job}`, 'wm_inserted', { wm_id: id, value: text });
        this.expect('wm', id, text, position, this.ofJob('wm', job, position));
        break;
      }
      case 'put': {
        const key = KEYS[operation.key]!;
        const { text, day } = operation;
        this.die((one) => one.id === key, position);
        this.add(`sem-${key}`, 'fact_put', {
          ...{ key, value: text, timestamp: dayOf(day), superseded: false },
        });
        this.expect('fact', key, text, position, {
          ...{ title: keyWordsOf(key), time: Date.parse(dayOf(day)), group: null, job: null },
          mayRead: (reader) => reader === 'all' || !/_u/.test(key) || key.includes(`_${reader}/`),
        });
        break;
      }
      case 'lost':
        this.putUnseen(KEYS[operation.key]!, { value: 'tea lake', superseded: true });
        break;
      case 'sealed':
        this.die((one) => one.id === KEYS[operation.key]!, position);
        this.putUnseen(KEYS[operation.key]!, { sealed: { jwe: 'tea', type: 'email' } });
        break;
      case 'delete': {
        const key = KEYS[operation.key]!;
        this.die((one) => one.id === key, position);
        this.add(`sem-${key}`, 'fact_deleted', { key, timestamp: dayOf(0), superseded: false });
        break;
      }
      case 'expire':
      case 'promote': {
        const alive = this.entries.filter(({ kind, died }) => kind === 'wm' && died === Infinity);
        const one = alive[operation.nth % Math.max(1, alive.length)];
        if (one === undefined) break;
        one.died = position;
        const stream = one.job!;
        if (operation.op === 'expire') this.add(stream, 'wm_expired', { wm_id: one.id });
        else {
          const item_id = `cwmi:${one.id}`;
          this.add(stream, 'promotion_event', { wm_id: one.id, item_id });
          const job = Number(stream.slice('job-'.length));
          this.expect('cwm', item_id, one.body, position, this.ofJob('cwm', job, position));
        }
        break;
      }
      case 'end': {
        const stream = `job-${operation.job}`;
        this.die(({ kind, job }) => job === stream && kind !== 'episode', position);
        this.add(stream, 'job_ended', { tick: 0 });
        break;
      }
      case 'item': {
        const { owner, text } = operation;
        const stream = `memory-session:s${owner}`;
        const id = `session:s${owner}:semantic:${position}`;
        this.add(stream, 'item_stored', { item: { id, text }, retention: { mode: 'never' } });
        const { sub, user_id } = OWNERS[owner]!;
        this.expect('memory_item', id, text, position, {
          ...{ time: Date.parse(clockOf(position)), group: stream, job: stream },
          mayRead: (reader) => reader === 'all' || (sub === 'a' && user_id === readerUser(reader)),
        });
        break;
      }
      case 'note': {
        const { namespace, key, owner } = NOTES[operation.note]!;
        const { text, day } = operation;
        const stream = `note-${operation.note}`;
        this.die(({ id }) => id === stream, position);
        const data = { owner, namespace: [...namespace], key, value: text, updated_at: dayOf(day) };
        this.add(stream, 'note_put', data);
        this.expect('note', stream, text, position, {
          ...{ title: [...namespace, key].join(' '), time: Date.parse(dayOf(day)), group: null },
          ...{ job: null, namespace },
          mayRead: (reader) => reader === 'all' || owner === `user:${reader}`,
        });
        break;
      }
      case 'unnote':
        this.die(({ id }) => id === `note-${operation.note}`, position);
        this.add(`note-${operation.note}`, 'note_deleted', { deleted_at: dayOf(0) });
        break;
      case 'forget': {
        const alive = this.entries.filter(
          ({ kind, died }) => kind === 'memory_item' && died === Infinity,
        );
        const one = alive[operation.nth % Math.max(1, alive.length)];
        if (one === undefined) break;
        one.died = position;
        this.add(one.job!, 'memory_deleted', { memory_id: one.id, reason: 'expired' });
        break;
      }
    }
  }

  private ofJob(kind: string, job: number, position: number) {
    const { sub, user_id } = ownerOfJob(job);
    return {
      ...{ time: Date.parse(clockOf(position)), group: `${kind} ${job}`, job: `job-${job}` },
      mayRead: (reader: string) =>
        reader === 'all' || (sub === 'a' && user_id === readerUser(reader)),
    };
  }

  private putUnseen(key: string, more: JsonObject): void {
    const fact = { key, timestamp: dayOf(0), superseded: false, ...more };
    this.add(`sem-${key}`, 'fact_put', fact);
  }

  private expect(
    kind: SearchKind,
    id: string,
    body: string,
    appeared: number,
    more: Pick<Expected, 'time' | 'group' | 'job' | 'mayRead' | 'namespace'> & {
      readonly title?: string;
    },
  ): void {
    this.entries.push({ title: '', ...{ kind, id, body, appeared }, died: Infinity, ...more });
  }

  private die(isWanted: (entry: Expected) => boolean, position: number): void {
    for (const entry of this.entries)
      if (entry.died === Infinity && isWanted(entry)) entry.died = position;
  }

  private add(stream: string, type: string, data: JsonObject): void {
    const number = this.numbers.get(stream) ?? 0;
    this.numbers.set(stream, number + 1);
    const position = this.events.length;
    const metadata = metadataOf(clockOf(position));
    this.events.push({ id: '', stream, number, position: BigInt(position), type, data, metadata });
  }
}

/** The user of a reader's token. */
const readerUser = (reader: string): string | null => (reader === 'nobody' ? null : reader);

/** Agents with the sub `a`: two with a user, and one that acts for a user without memory; and an admin. */
const READERS: Readonly<Record<string, Parameters<typeof readableScopes>[0]>> = {
  u1: { sub: 'a', roles: ['agent'], user_id: 'u1' },
  u2: { sub: 'a', roles: ['agent'], user_id: 'u2' },
  all: { sub: 'root', roles: ['admin'] },
};

/** Projects the events in batches, so that later batches extend blocks and postings, and end earlier entries. */
async function project(events: readonly LoggedEvent[], batch: number): Promise<void> {
  for (let at = 0; at < events.length; at += batch) {
    await postgres.transaction((tx) =>
      tx.within('search', (tables) => projection.project(tables, events.slice(at, at + batch))),
    );
  }
}

interface Query {
  readonly text: string;
  readonly reader: string;
  readonly kinds: readonly SearchKind[];
  readonly ranking: (typeof RANKING_VERSIONS)[number];
  readonly limit: number;
  readonly at: number;
  readonly job: number | undefined;
  readonly from: number | undefined;
  readonly recorded?: { readonly from: number; readonly to: number } | undefined;
  readonly namespace?: readonly string[] | undefined;
}

function expected({ entries, events }: Log, query: Query) {
  const asOf = Math.min(query.at, events.length);
  const seen = entries.filter(
    ({ kind, appeared, died, mayRead }) =>
      query.kinds.includes(kind) && appeared <= asOf && died > asOf && mayRead(query.reader),
  );
  const options = { version: query.ranking, limit: Infinity };
  return rankEntries(seen, query.text, options)
    .filter(
      ({ entry }) =>
        (query.job === undefined || entry.job === `job-${query.job}`) &&
        (query.namespace === undefined ||
          query.namespace.every((part, at) => entry.namespace?.[at] === part)) &&
        (query.from === undefined || entry.time >= Date.parse(dayOf(query.from))) &&
        (query.recorded === undefined ||
          (clockOf(entry.appeared) >= dayOf(query.recorded.from) &&
            clockOf(entry.appeared) <= dayOf(query.recorded.to))),
    )
    .slice(0, query.limit)
    .map(({ entry: { kind, id }, score }) => ({ kind, id, score }));
}

async function answered(queries: SearchQueries, { events }: Log, query: Query) {
  const { text, reader, kinds, ranking, limit, at, job, from, recorded, namespace } = query;
  const request: SearchRequest = {
    ...{ query: text, ranking, kinds, limit },
    scopes: readableScopes(READERS[reader]!, {
      ...{ ownsSlug: true, noteOwner: `user:${reader}`, project: null },
    }),
    asOf: BigInt(Math.min(at, events.length)),
    filter: {
      namespace,
      ...(job === undefined ? {} : { container: `job-${job}` }),
      ...(from === undefined ? {} : { from: Date.parse(dayOf(from)) }),
      recordedFrom: recorded && Date.parse(dayOf(recorded.from)),
      recordedTo: recorded && Date.parse(dayOf(recorded.to)),
    },
  };
  const { hits } = await queries.search(request);
  return hits.map(({ kind, id, score }) => ({ kind, id, score }));
}

const word = fc.constantFrom(
  'tea',
  'lake',
  'ran',
  'running',
  'the',
  'The',
  'Will',
  'blue',
  'why?',
  '7',
  'May',
);
const body = fc
  .tuple(fc.constantFrom('', '', 'Ada: ', 'Ben: '), fc.array(word, { maxLength: 6, size: 'max' }))
  .map(([label, words]) => label + words.join(' '));
const job = fc.nat({ max: JOBS - 1 });
const key = fc.nat({ max: KEYS.length - 1 });
const day = fc.nat({ max: 40 });
const note = fc.nat({ max: NOTES.length - 1 });
const nth = fc.nat({ max: 30 });
const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ op: fc.constant('episode'), job, text: body, day }) },
  { weight: 4, arbitrary: fc.record({ op: fc.constant('wm'), job, text: body, day }) },
  { weight: 4, arbitrary: fc.record({ op: fc.constant('put'), key, text: body, day }) },
  { weight: 4, arbitrary: fc.record({ op: fc.constant('item'), owner: fc.nat(2), text: body }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constant('note'), note, text: body, day }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('unnote'), note }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constantFrom('lost', 'sealed', 'delete'), key }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constantFrom('expire', 'promote', 'forget'), nth }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('end'), job: fc.constant(0) }) },
);

const optional = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 7, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
const queryWord = fc.oneof(
  { weight: 6, arbitrary: word },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'Ada',
      'Ben',
      '-blue',
      '"tea lake"',
      '-"lake blue"',
      '-"the"',
      '"the"',
      'how many',
      'The',
      'Will',
    ),
  },
);
const queryOf: fc.Arbitrary<Query> = fc.record({
  text: fc.array(queryWord, { minLength: 1, maxLength: 5 }).map((words) => words.join(' ')),
  reader: fc.constantFrom('u1', 'u2', 'all', 'all'),
  kinds: fc.oneof(fc.constant(SEARCH_KINDS), fc.subarray([...SEARCH_KINDS], { minLength: 1 })),
  ranking: fc.constantFrom(...RANKING_VERSIONS),
  limit: fc.integer({ min: 1, max: 12 }),
  at: fc.oneof(fc.constant(1_000), fc.nat({ max: 100 })),
  job: optional(job),
  from: optional(fc.nat({ max: 20 })),
  recorded: optional(fc.record({ from: fc.nat({ max: 20 }), to: fc.nat({ max: 40 }) })),
  namespace: optional(fc.constantFrom(['lake'], ['lake', 'blue'])),
});

test('Q2 Q3 Q4 a search finds exactly what the ranking of the entries that the caller may read requires, at every position', async () => {
  // One reader for all runs: it has to notice that each run makes new tables.
  const search = new SearchQueries(postgres);
  await fc.assert(
    fc.asyncProperty(
      fc.array(operation, { minLength: 1, maxLength: 90, size: 'max' }),
      fc.array(queryOf, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 25 }),
      async (operations, queries, batch) => {
        const log = new Log(operations);
        const half = log.events.length >> 1;
        await createSchema(postgres, projection, 'search');
        await project(log.events.slice(0, half), batch);
        // The second search of each query is answered from what the first one read.
        for (const query of [...queries, ...queries]) {
          const early = { ...query, at: Math.min(query.at, half - 1) };
          expect(await answered(search, log, early)).toStrictEqual(expected(log, early));
        }
        await project(log.events.slice(half), batch);
        const right = queries.map((query) => expected(log, query));
        for (let time = 0; time < 2; time += 1) {
          const found = await Promise.all(queries.map((query) => answered(search, log, query)));
          expect(found).toStrictEqual(right);
        }
      },
    ),
    { numRuns: tries(60) },
  );
});

test('Q2 Q3 a search after each few events finds what the ranking requires, in groups that grow, end and stay', async () => {
  const jobs = 40;
  const anyJob = fc.nat({ max: jobs - 1 });
  const nth = fc.nat({ max: 5_000 });
  const few = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ op: fc.constant('episode'), job: anyJob, text: body, day }),
    },
    { weight: 6, arbitrary: fc.record({ op: fc.constant('wm'), job: anyJob, text: body, day }) },
    { weight: 2, arbitrary: fc.record({ op: fc.constantFrom('expire', 'promote'), nth }) },
    { weight: 1, arbitrary: fc.record({ op: fc.constant('end'), job: anyJob }) },
    { weight: 2, arbitrary: fc.record({ op: fc.constant('put'), key, text: body, day }) },
    { weight: 2, arbitrary: fc.record({ op: fc.constant('note'), note, text: body, day }) },
  );
  const search = new SearchQueries(postgres);
  await fc.assert(
    fc.asyncProperty(
      fc.array(few, { minLength: 900, maxLength: 900 }),
      fc.array(queryOf, { minLength: 2, maxLength: 4 }),
      fc.integer({ min: 5, max: 60 }),
      async (operations, queries, batch) => {
        const log = new Log(operations, jobs);
        await createSchema(postgres, projection, 'search');
        for (let at = 0; at < log.events.length; at += batch) {
          await project(log.events.slice(at, at + batch), batch);
          if (at < log.events.length / 2) continue;
          const end = Math.min(at + batch, log.events.length) - 1;
          for (const query of queries.map((one) => ({ ...one, reader: 'all', at: end })))
            expect(await answered(search, log, query)).toStrictEqual(expected(log, query));
        }
      },
    ),
    { numRuns: tries(20) },
  );
});

test('Q2 Q4 thousands of entries over several blocks, many of them gone or with equal scores, are ranked exactly', async () => {
  const words = ['tea', 'lake', 'ran', 'blue'];
  const operations = Array.from({ length: 6_000 }, (_, n): Operation => {
    const text = `${n % 5 === 0 ? 'Ada: ' : ''}${words[n % 4]} ${words[(n >> 3) % 4]} ${n % 300 === 7 ? 'rare' : ''}`;
    if (n % 6 === 5) return { op: n % 12 === 5 ? 'expire' : 'promote', nth: n };
    return { op: n % 3 === 0 ? 'wm' : 'episode', job: n % JOBS, text, day: n % 4 };
  });
  const log = new Log(operations);
  const search = new SearchQueries(postgres);
  await createSchema(postgres, projection, 'search');
  await project(log.events.slice(0, 4_500), 700);
  const ask = (text: string, at: number, ranking: Query['ranking']): Query => ({
    ...{ text, ranking, at, reader: 'all', kinds: SEARCH_KINDS, limit: 50 },
    ...{ job: undefined, from: undefined },
  });
  // The postings and blocks that these searches keep in memory are extended by the later events.
  for (const text of ['tea', 'rare', 'Ada lake']) {
    const query = ask(text, 4_400, 2);
    expect(await answered(search, log, query)).toStrictEqual(expected(log, query));
  }
  await project(log.events.slice(4_500), 700);
  const queries = ['tea', 'rare', 'Ada tea lake', '"lake tea" -ran', 'blue rare ran'].flatMap(
    (text) =>
      RANKING_VERSIONS.flatMap((ranking) =>
        [100_000, 4_000, 5_500].map((at) => ask(text, at, ranking)),
      ),
  );
  const found = await Promise.all(queries.map((query) => answered(search, log, query)));
  const right = queries.map((query) => expected(log, query));
  expect(right.every((hits) => hits.length > 10)).toBe(true);
  expect(found).toStrictEqual(right);
});

test('Q2 a partition of more blocks than are read at once is ranked exactly, by searches at the same time and while it changes', async () => {
  const words = ['tea', 'lake', 'ran', 'blue', 'plan'];
  const jobs = 600;
  const operations = Array.from({ length: 67_000 }, (_, n): Operation => {
    const text = `${words[n % 5]} ${words[(n >> 4) % 5]} ${n % 3_000 === 7 ? 'rare' : ''}`;
    // Every third job has the same owner.
    return { op: 'episode', job: (n * 3) % jobs, text, day: n % 9 };
  });
  const log = new Log(operations, jobs);
  const changing = log.events.length - 500;
  await createSchema(postgres, projection, 'search');
  await project(log.events.slice(0, changing), 2_000);
  const ask = (text: string, at: number): Query => ({
    ...{ text, ranking: 2, at, reader: 'all', kinds: SEARCH_KINDS, limit: 20 },
    ...{ job: undefined, from: undefined },
  });
  const search = new SearchQueries(postgres);
  const early = ['rare', 'rare blue'].map((text) => ask(text, changing - 1));
  const [found] = await Promise.all([
    Promise.all(early.map((query) => answered(search, log, query))),
    project(log.events.slice(changing), 50),
  ]);
  expect(found).toStrictEqual(early.map((query) => expected(log, query)));
  const late = ask('rare', log.events.length - 1);
  expect(await answered(search, log, late)).toStrictEqual(expected(log, late));
});
