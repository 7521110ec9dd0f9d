import { expect, test } from '@jest/globals';
import { generateKey, isCanonicalKey } from '#domain/canonical-key/canonical-key.js';
import { resolveAlias } from '#domain/canonical-key/synonyms.js';
import { sha1Hex } from '#domain/determinism/hash.js';
import type { PutFact } from '#domain/sem/decide.js';
import { semDecider } from '#domain/sem/sem.decider.js';
import { currentFact } from '#domain/sem/state.js';
import { semStream } from '#domain/stream-names.js';
import { givenFor } from '#test/domain/given.js';

const COLOR = 'user/profile/user_tuff/favorite_color';
const given = givenFor(semDecider, semStream(COLOR));
const put = (value: string, timestamp: string): PutFact => ({
  type: 'put',
  value,
  timestamp,
  now: '2025-11-29T12:00:00.000Z',
  source: 'user',
  notes: null,
  meta: null,
});

test('002-key-T1 [stage0] [golden] [high] the key of a user contains the slug of the raw user id', () => {
  const from = { scope: 'user', entity_type: 'profile', attribute: 'Favorite Color' };
  expect(generateKey({ ...from, entity_id: 'TUFF' })).toBe(COLOR);
  expect(generateKey({ ...from, entity_id: 'user_TUFF' })).toBe(COLOR);
});

test('002-key-T2 [stage0] [golden] [medium] a slug gets a hash only if it has more than 48 characters', () => {
  const entity = (entity_id: string) =>
    generateKey({ scope: 'world', entity_type: 'article', entity_id, attribute: 'summary' })
      .split('/')
      .at(2);
  const [short, long] = ['a'.repeat(48), 'a'.repeat(49)];
  expect(entity(short)).toBe(short);
  expect(entity(long)).toBe(`${short}-${sha1Hex(long).slice(0, 8)}`);
});

test('002-key-T3 [stage0] [golden] [high] invalid characters are removed', () => {
  const key = generateKey({
    scope: ' WORLD ',
    entity_type: 'Fact!',
    entity_id: '  Pi — the “value” / of it\t',
    attribute: '../../Défïnition\u0000',
  });
  expect(key).toBe('world/fact/pi_the_value_of_it/definition');
  expect(isCanonicalKey(key)).toBe(true);
});

test('002-key-T4 [stage0] [golden] [low] two titles with the same slug get different, stable keys', () => {
  const stream = semStream('world/article/c/summary');
  const claim = () =>
    givenFor(semDecider, stream)()
      .when(
        { type: 'claim', title: 'C' },
        { type: 'claim', title: 'C++' },
        { type: 'claim', title: 'C#' },
      )
      .events();
  const keys = claim().map((event) => event.data.key);
  expect(new Set(keys).size).toBe(3);
  expect(keys.every((key) => /^world\/article\/c(-[0-9a-f]{6})?\/summary$/.test(key))).toBe(true);
  expect(claim()).toStrictEqual(claim());
});

test('002-key-T5 [stage0] [golden] [high] a key is reported as missing if it has no fact', () => {
  expect(currentFact(semDecider.initialState(semStream(COLOR)))).toBeUndefined();
});

test('002-key-T6 [stage0] [golden] [high] of two puts the value of the last one is returned', () => {
  const state = given()
    .when(put('green', '2025-11-29T10:00:00Z'), put('red', '2025-11-29T11:00:00Z'))
    .state();
  expect(currentFact(state)).toStrictEqual({
    key: COLOR,
    value: 'red',
    timestamp: '2025-11-29T11:00:00.000Z',
    source: 'user',
    notes: null,
    meta: null,
    superseded: false,
  });
});

test('002-key-T7 [stage0] [golden] [medium] a synonym in a question resolves to the canonical key', () => {
  const leadsTo = (text: string) => resolveAlias(text, 'TUFF')?.key;
  expect(leadsTo('fav colour')).toBe(COLOR);
  expect(leadsTo('What’s my favourite colour?')).toBe(COLOR);
  expect(leadsTo('What color do I like most?')).toBe(COLOR);
  expect(leadsTo("Define Ohm's law")).toBe('world/fact/ohms_law/definition');
  expect(leadsTo('Router default depth')).toBe('mace/config/router/default_depth');
});
