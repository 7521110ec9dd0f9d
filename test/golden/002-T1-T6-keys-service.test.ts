import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sha1Hex } from '#domain/determinism/hash.js';
import { connectEventStore } from '#event-store/event-store-db.js';
import type { EventStore } from '#event-store/event-store.js';
import { Caller } from '#test/support/caller.js';
import { assertReported, failureOf } from '#test/support/failure.js';
import { TestService } from '#test/support/service.js';
import { eventsIn } from '../faults/support/log.js';

const KEY = /^[a-z0-9_]+\/[a-z0-9_]+\/[a-z0-9_-]+\/[a-z0-9_]+$/;

let service: TestService;
let log: EventStore;
let admin: Caller;
let agent: Caller;

beforeAll(async () => {
  service = await TestService.start({ ownLog: true });
  log = connectEventStore(service.eventStore.url);
  admin = await Caller.of(service, 'admin');
  agent = await Caller.of(service, 'agent');
});
afterAll(async () => {
  await log?.close();
  await service?.stop();
});

const keyOf = async (body: object, by = agent): Promise<string> =>
  (await by.post<{ key: string }>('sem-keys', body)).key;

test('002-T1 [stage0] [golden] [high] the service generates a user profile key exactly', async () => {
  const request = { scope: 'user', entity_type: 'profile', attribute: 'Favorite Color' };
  expect(await keyOf({ ...request, user_id: 'TUFF' })).toBe(
    'user/profile/user_tuff/favorite_color',
  );
});

test('002-T2 [stage0] [golden] [high] the service normalises punctuation, case and diacritics', async () => {
  const request = { scope: 'User ', entity_type: 'Profile' };
  for (const [user_id, attribute] of [
    ['TuFf!', 'Favorite--Colour!!'],
    ['Tüff', 'Fävorité Colour'],
  ])
    expect(await keyOf({ ...request, user_id, attribute })).toBe(
      'user/profile/user_tuff/favorite_colour',
    );
});

test('002-T3 [stage0] [golden] [medium] a title of 200 characters keeps its beginning and gets a hash', async () => {
  const entity_id = 'How a chain of blocks works and why anybody trusts it '
    .repeat(4)
    .slice(0, 200);
  const request = { scope: 'world', entity_type: 'article', entity_id, attribute: 'summary' };
  const key = await keyOf(request);
  expect(key).toMatch(KEY);
  const slug = 'how_a_chain_of_blocks_works_and_why_anybody_trus';
  expect(key).toBe(`world/article/${slug}-${sha1Hex(entity_id).slice(0, 8)}/summary`);
  expect(await keyOf(request)).toBe(key);
});

test('002-T4 [stage0] [golden] [medium] an input from which no valid key can be generated is refused and logged as INVALID_INPUT', async () => {
  const request = { scope: 'world', entity_type: 'fact', entity_id: 'pi', attribute: 'value' };
  for (const wrong of [{ attribute: '!!!' }, { entity_id: '???' }, { scope: 'galaxy' }])
    await agent.refused('INVALID_INPUT', 'POST', 'sem-keys', { body: { ...request, ...wrong } });
  const body = { ...request, attribute: '!!!' };
  const reason = 'not a canonical key: scope/entity_type/entity_id/attribute';
  const answer = await agent.ask('POST', 'sem-keys', { body });
  assertReported(service, answer, failureOf('INVALID_INPUT', { reason }));
});

test('002-T5 [stage0] [golden] [medium] the service resolves a synonym to its canonical key', async () => {
  const tuff = await Caller.of(service, 'user', { sub: 'tuff', user_id: 'TUFF' });
  const { key } = await tuff.post<{ key: string }>('sem-aliases/resolve', { text: 'fav colour' });
  expect(key).toBe('user/profile/user_tuff/favorite_color');
});

test('002-T6 [stage0] [golden] [low] two titles with one slug get different, stable keys, and a collision_event', async () => {
  const fact = { scope: 'world', entity_type: 'language', attribute: 'summary' };
  const keys = async () => [
    await keyOf({ ...fact, entity_id: 'C++' }, admin),
    await keyOf({ ...fact, entity_id: 'C#' }, admin),
  ];
  const [first, second] = await keys();
  expect(first).toBe('world/language/c/summary');
  expect(String(second)).toMatch(/^world\/language\/c-[0-9a-f]{6}\/summary$/);
  expect(await keys()).toStrictEqual([first, second]);
  const events = await eventsIn(log, 'sem-world/language/c/summary');
  expect(events.map(({ type, data }) => [type, data])).toStrictEqual([
    ['key_claimed', { title: 'c++', key: first }],
    ['collision_event', { title: 'c#', key: second }],
  ]);
});
