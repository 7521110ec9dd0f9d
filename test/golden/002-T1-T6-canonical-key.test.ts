import { expect, test } from '@jest/globals';
import { generateKey, isCanonicalKey } from '#domain/canonical-key/canonical-key.js';
import { resolveAlias } from '#domain/canonical-key/synonyms.js';
import { sha1Hex } from '#domain/determinism/hash.js';
import { seededBase, seededTimestamp } from '#domain/determinism/seeded-clock.js';
import { semDecider } from '#domain/sem/sem.decider.js';
import { semStream } from '#domain/stream-names.js';
import { givenFor } from '#test/domain/given.js';

test('002-T1 [stage0] [golden] [high] a user profile key is generated exactly', () => {
  const key = generateKey({
    scope: 'user',
    entity_type: 'profile',
    attribute: 'Favorite Color',
    user_id: 'TUFF',
  });
  expect(key).toBe('user/profile/user_tuff/favorite_color');
});

test('002-T2 [stage0] [golden] [high] punctuation, case and diacritics are normalised', () => {
  const from = (user_id: string, attribute: string) =>
    generateKey({ scope: 'User ', entity_type: 'Profile', user_id, attribute });
  expect(from(' TuFf!', 'Favorite--Colour!!')).toBe('user/profile/user_tuff/favorite_colour');
  expect(from('Tüff', ' Fävorité  Colour')).toBe('user/profile/user_tuff/favorite_colour');
});

test('002-T3 [stage0] [golden] [medium] a long title keeps its beginning and gets a hash', () => {
  const title = 'How a chain of blocks works and why anybody trusts it '.repeat(4).slice(0, 200);
  const key = generateKey({
    scope: 'world',
    entity_type: 'article',
    entity_id: title,
    attribute: 'summary',
  });
  const slug = 'how_a_chain_of_blocks_works_and_why_anybody_trus';
  expect(key).toBe(`world/article/${slug}-${sha1Hex(title).slice(0, 8)}/summary`);
  expect(isCanonicalKey(key)).toBe(true);
});

test('002-T4 [stage0] [golden] [medium] an input from which no valid key can be generated is refused', () => {
  const from = (scope: string, entity_id: string, attribute: string) => () =>
    generateKey({ scope, entity_type: 'fact', entity_id, attribute });
  for (const impossible of [
    from('world', 'pi', ''),
    from('world', 'pi', '!!!'),
    from('world', '???', 'value'),
    from('user', 'user_', 'value'),
    from('galaxy', 'pi', 'value'),
  ])
    expect(impossible).toThrow(expect.objectContaining({ name: 'Refusal', code: 'INVALID_INPUT' }));
});

test('002-T5 [stage0] [golden] [medium] a synonym resolves to its canonical key', () => {
  expect(resolveAlias('fav colour', 'TUFF')).toStrictEqual({
    key: 'user/profile/user_tuff/favorite_color',
    only_if_exists: false,
  });
});

test('002-T6 [stage0] [golden] [low] the second of two titles with one slug gets a deterministic suffix and is reported', () => {
  const key = generateKey({
    scope: 'world',
    entity_type: 'law',
    entity_id: "Ohm's law",
    attribute: 'definition',
  });
  const stream = semStream(key);
  const suffix = sha1Hex(seededTimestamp(seededBase(stream), 1)).slice(0, 6);
  const given = givenFor(semDecider, stream);
  const claims = given().when(
    { type: 'claim', title: "Ohm's Law" },
    { type: 'claim', title: 'Ohm s law' },
    { type: 'claim', title: "  OHM'S   law " },
    { type: 'claim', title: 'Ohm s law' },
  );
  claims.then(
    { type: 'key_claimed', data: { title: "ohm's law", key: 'world/law/ohm_s_law/definition' } },
    {
      type: 'collision_event',
      data: { title: 'ohm s law', key: `world/law/ohm_s_law-${suffix}/definition` },
    },
  );
});
