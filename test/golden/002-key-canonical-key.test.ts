import { test } from 'node:test';
import assert from 'node:assert/strict';
import { generateKey, isCanonicalKey } from '#domain/canonical-key/canonical-key.js';
import { resolveAlias } from '#domain/canonical-key/synonyms.js';
import { sha1Hex } from '#domain/determinism/hash.js';
import type { PutFact } from '#domain/sem/decide.js';
import { semDecider } from '#domain/sem/sem.decider.js';
import { currentFact, semStream } from '#domain/sem/state.js';
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

test('002-key-T1 [stage0] [golden] [high] the raw entity id of a user becomes its entity id', () => {
  const from = { scope: 'user', entity_type: 'profile', attribute: 'Favorite Color' };
  assert.equal(generateKey({ ...from, entity_id: 'TUFF' }), COLOR);
  assert.equal(generateKey({ ...from, entity_id: 'user_TUFF' }), COLOR);
});

test('002-key-T2 [stage0] [golden] [medium] only a slug of more than 48 characters gets a hash', () => {
  const entity = (entity_id: string) =>
    generateKey({ scope: 'world', entity_type: 'article', entity_id, attribute: 'summary' })
      .split('/')
      .at(2);
  const [short, long] = ['a'.repeat(48), 'a'.repeat(49)];
  assert.equal(entity(short), short);
  assert.equal(entity(long), `${short}-${sha1Hex(long).slice(0, 8)}`);
});

test('002-key-T3 [stage0] [golden] [high] invalid characters are taken out', () => {
  const key = generateKey({
    scope: ' WORLD ',
    entity_type: 'Fact!',
    entity_id: '  Pi — the “value” / of it\t',
    attribute: '../../Défïnition\u0000',
  });
  assert.equal(key, 'world/fact/pi_the_value_of_it/definition');
  assert.ok(isCanonicalKey(key));
});

test('002-key-T4 [stage0] [golden] [low] titles with one slug get different keys, always the same ones', () => {
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
  assert.equal(new Set(keys).size, 3);
  assert.ok(keys.every((key) => /^world\/article\/c(-[0-9a-f]{6})?\/summary$/.test(key)));
  assert.deepEqual(claim(), claim());
});

test('002-key-T5 [stage0] [golden] [high] a key without a fact does not exist', () => {
  assert.equal(currentFact(semDecider.initialState(semStream(COLOR))), undefined);
});

test('002-key-T6 [stage0] [golden] [high] of two puts the last value is returned', () => {
  const state = given()
    .when(put('green', '2025-11-29T10:00:00Z'), put('red', '2025-11-29T11:00:00Z'))
    .state();
  assert.deepEqual(currentFact(state), {
    key: COLOR,
    value: 'red',
    timestamp: '2025-11-29T11:00:00.000Z',
    source: 'user',
    notes: null,
    meta: null,
    superseded: false,
  });
});

test('002-key-T7 [stage0] [golden] [medium] a synonym in a question leads to the canonical key', () => {
  const leadsTo = (text: string) => resolveAlias(text, 'TUFF')?.key;
  assert.equal(leadsTo('fav colour'), COLOR);
  assert.equal(leadsTo('What’s my favourite colour?'), COLOR);
  assert.equal(leadsTo('What color do I like most?'), COLOR);
  assert.equal(leadsTo("Define Ohm's law"), 'world/fact/ohms_law/definition');
  assert.equal(leadsTo('Router default depth'), 'mace/config/router/default_depth');
});
