import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  canonicalPrefix,
  generateKey,
  isCanonicalKey,
  isEntityOf,
  KEY_SCOPES,
  parseKey,
  isUserId,
  sameUser,
  userEntityId,
  userSlug,
} from '#domain/canonical-key/canonical-key.js';
import { normalize } from '#domain/canonical-key/slug.js';
import synonyms from '#domain/canonical-key/sem_synonyms.json' with { type: 'json' };
import { resolveAlias } from '#domain/canonical-key/synonyms.js';
import { Refusal } from '#domain/errors/refusal.js';
import { ensure } from '#test/support/ensure.js';

const raw = fc.oneof(
  fc.string({ maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.string({ unit: fc.constantFrom('a', 'Z', '_', ' ', '-', '/', 'ﬃ', 'é', '7'), maxLength: 90 }),
);
const request = fc.record({
  scope: fc.constantFrom(...KEY_SCOPES),
  entity_type: raw,
  entity_id: raw,
  attribute: raw,
});

test('a generated key is valid and stable, or the input is refused', () => {
  fc.assert(
    fc.property(request, (input) => {
      try {
        const key = generateKey(input);
        expect(isCanonicalKey(key)).toBe(true);
        expect(generateKey({ ...input })).toBe(key);
      } catch (error) {
        ensure(error instanceof Refusal && error.code === 'INVALID_INPUT');
      }
    }),
  );
});

test('an entity type, id or attribute is refused only if it has no letter or digit', () => {
  fc.assert(
    fc.property(request, (input) => {
      const { entity_type, attribute, entity_id } = input;
      const id = input.scope === 'user' ? entity_id.trim().replace(/^user_/i, '') : entity_id;
      fc.pre([entity_type, attribute, id].every((text) => normalize(text) !== ''));
      parseKey(generateKey(input));
    }),
  );
});

test('normalising twice equals normalising once', () => {
  fc.assert(fc.property(raw, (text) => expect(normalize(normalize(text))).toBe(normalize(text))));
});

test('an initial user_ in a user’s id does not change the owner of the key', () => {
  fc.assert(
    fc.property(raw, (id) => {
      fc.pre(normalize(id) !== '' && !/^\s*user_/i.test(id));
      expect(userSlug(`user_${id.trimStart()}`)).toBe(userSlug(id));
      expect(sameUser(`USER_${id.trimStart()}`, id)).toBe(true);
      expect(isEntityOf(id, userEntityId(id))).toBe(true);
    }),
  );
});

test('ids that were recorded before NFC and trimmed ends were required still name their user', () => {
  for (const [recorded, now] of [
    ['\u212Aate', 'kate'],
    ['Ada\u00a0', 'ADA'],
    ['Ange\u0301la', 'ang\u00e9la'],
  ] as const)
    expect([recorded, sameUser(recorded, now), isUserId(recorded)]).toStrictEqual([
      recorded,
      true,
      false,
    ]);
  expect(sameUser('\u00c4nne', '\u00e4nne')).toBe(false);
});

test('a prefix of a key finds the same in capitals and with full stops between its words', () => {
  const part = fc.stringMatching(/^[a-z0-9]{1,5}(_[a-z0-9]{1,5}){0,2}$/);
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), fc.nat(64), (parts, length) => {
      const prefix = parts.join('/').slice(0, length);
      expect(canonicalPrefix(prefix)).toBe(prefix);
      expect(canonicalPrefix(prefix.toUpperCase().replaceAll('_', '. '))).toBe(prefix);
    }),
  );
  expect(canonicalPrefix('user/profile/user_tuff/Favorite_')).toBe(
    'user/profile/user_tuff/favorite_',
  );
  expect(canonicalPrefix('World/Fact/Café  Noir-1/')).toBe('world/fact/cafe_noir-1/');
  expect(canonicalPrefix('world/fact/a__b')).toBe('world/fact/a__b');
});

test('every synonym resolves to its canonical key in any sentence', () => {
  for (const [phrase, template] of Object.entries(synonyms)) {
    const key = template.replace('{user}', 'user_tuff');
    expect([phrase, isCanonicalKey(key)]).toStrictEqual([phrase, true]);
    expect([phrase, resolveAlias(`So, ${phrase.toUpperCase()}?`, 'TUFF')?.key]).toStrictEqual([
      phrase,
      key,
    ]);
    expect([phrase, resolveAlias(phrase)?.key]).toStrictEqual([
      phrase,
      template.includes('{user}') ? undefined : key,
    ]);
  }
});

test('in a text without a phrase, the words after “my” are an attribute of the user’s profile', () => {
  expect(resolveAlias('What is my shoe size?', 'TUFF')).toStrictEqual({
    key: 'user/profile/user_tuff/shoe_size',
    only_if_exists: true,
  });
  for (const text of ['What is my shoe size?', 'the mystery', 'is it my', ''])
    expect([text, resolveAlias(text)]).toStrictEqual([text, null]);
  expect(resolveAlias('the mystery', 'TUFF')).toBeNull();
});

test('the longest of several phrases in a text wins', () => {
  const key = resolveAlias('my job: what color do I like most?', 'TUFF')?.key;
  expect(key).toBe('user/profile/user_tuff/favorite_color');
});
