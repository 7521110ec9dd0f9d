import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Json } from '#domain/json.js';
import type { SemEvent } from '#domain/sem/events.js';
import { snapshotHash, snapshotLine } from '#domain/sem/snapshot.js';
import { currentFact, evolveSem, initialSemState, type SemState } from '#domain/sem/state.js';
import type { LoggedEvent } from '#event-store/event-store.js';
import { SemQueries } from '#projections/sem/queries.js';
import { SemSnapshots } from '#projections/sem/sem-snapshots.js';
import { SemProjection } from '#projections/sem/sem.projection.js';
import { projectionOf } from '#read-model/projector.decorator.js';
import { Postgres } from '#read-model/postgres.js';
import { createSchema } from '#read-model/schema-layout.js';
import { metadataOf } from '#test/contract/read-model-world.js';
import { startEmptyPostgres, type TestServer } from '#test/support/servers.js';
import { TEST_MACS } from '#test/support/product-projections.js';
import { tries } from '#test/support/tries.js';

const semProjection = projectionOf(new SemProjection());

let server: TestServer;
let postgres: Postgres;

beforeAll(async () => {
  server = await startEmptyPostgres();
  postgres = new Postgres({ url: server.url, macs: TEST_MACS });
});

afterAll(async () => {
  await postgres.close();
  await server.stop();
});

const KEYS = [
  'world/fact/a/x',
  'world/fact/b/x',
  'user/profile/user_u1/x',
  'user/profile/user_u2/x',
];
const timestamp = '2026-01-01T00:00:00.000Z';

const semEvent: fc.Arbitrary<{ key: string; event: SemEvent }> = fc
  .record({
    key: fc.constantFrom(...KEYS),
    kind: fc.constantFrom('put', 'put', 'put', 'delete', 'claim'),
    superseded: fc.boolean(),
    // The values have the form in which an event stores them: canonical JSON, which has no -0.
    value: fc
      .jsonValue({ maxDepth: 2, noUnicodeString: false })
      .map((value) => JSON.parse(JSON.stringify(value)) as Json),
  })
  .filter(({ value }) => !JSON.stringify(value).includes('\\u0000'))
  .map(({ key, kind, superseded, value }) => {
    const write = { key, timestamp, source: 'user', superseded };
    const put = { ...write, value, notes: null, meta: null };
    if (kind === 'put') return { key, event: { type: 'fact_put', data: put } };
    if (kind === 'delete') return { key, event: { type: 'fact_deleted', data: write } };
    return { key, event: { type: 'key_claimed', data: { title: 't', key } } };
  });

/** Folds the log; returns the states of all keys after each event. */
function statesAfter(events: readonly { key: string; event: SemEvent }[]) {
  const states = [new Map<string, SemState>()];
  for (const { key, event } of events) {
    const last = new Map(states.at(-1));
    const state = last.get(key) ?? initialSemState(`sem-${key}`);
    states.push(last.set(key, evolveSem(state, event)));
  }
  return states;
}

function logged(events: readonly { key: string; event: SemEvent }[]): LoggedEvent[] {
  const numbers = new Map<string, number>();
  return events.map(({ key, event }, index) => {
    const number = (numbers.get(key) ?? -1) + 1;
    numbers.set(key, number);
    return {
      id: '',
      stream: `sem-${key}`,
      number,
      position: BigInt(index + 1),
      type: event.type,
      data: event.data,
      metadata: metadataOf(),
    };
  });
}

const hashOf = (states: ReadonlyMap<string, SemState>): string =>
  snapshotHash(
    [...states.values()].flatMap((state) => {
      const fact = currentFact(state);
      return fact === undefined ? [] : [snapshotLine(fact.key, fact, fact.timestamp)];
    }),
  );

test('facts, their history and their snapshots in the read model equal the folded log', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(semEvent, { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 1, max: 15 }),
      async (events, batch) => {
        await createSchema(postgres, semProjection, 'sem');
        const queries = new SemQueries(postgres);
        const snapshots = new SemSnapshots(postgres);
        const states = statesAfter(events);
        const log = logged(events);
        for (let at = 0; at < log.length; at += batch) {
          await postgres.transaction((tx) =>
            tx.within('sem', (tables) => semProjection.project(tables, log.slice(at, at + batch))),
          );
          const count = Math.min(at + batch, log.length);
          const now = states[count] ?? new Map<string, SemState>();
          expect(await snapshots.current()).toStrictEqual({ hash: hashOf(now), count });
          expect(await new SemSnapshots(postgres).current()).toStrictEqual({
            hash: hashOf(now),
            count,
          });
        }
        const end = states.at(-1) ?? new Map<string, SemState>();
        for (const key of KEYS) {
          const { revision, fact } = await queries.get(key);
          const state = end.get(key);
          expect(revision).toBe((state?.eventCount ?? 0) - 1);
          expect(fact?.held).toStrictEqual(heldOfState(state));
          for (const [count, past] of states.entries()) {
            const then = await queries.getAtCount(key, count);
            expect(then?.held).toStrictEqual(heldOfState(past.get(key)));
          }
        }
        const found = await queries.search({ prefix: 'user/', limit: 9, userEntityId: 'user_u1' });
        expect(found.every(({ key }) => key.startsWith('user/profile/user_u1/'))).toBe(true);
        const all = await queries.search({ prefix: '', limit: 9 });
        expect(all.map(({ key }) => key)).toStrictEqual(
          KEYS.filter((key) => heldOfState(end.get(key)) !== undefined).sort(),
        );
      },
    ),
    { numRuns: tries(15) },
  );
});

function heldOfState(state: SemState | undefined) {
  const fact = state && currentFact(state);
  return fact && 'value' in fact ? { value: fact.value } : undefined;
}
