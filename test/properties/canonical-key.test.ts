import { test } from 'node:test';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  generateKey,
  isCanonicalKey,
  isEntityOf,
  KEY_SCOPES,
  parseKey,
  sameUser,
  userEntityId,
  userSlug,
} from '#domain/canonical-key/canonical-key.js';
import { normalize } from '#domain/canonical-key/slug.js';
import synonyms from '#domain/canonical-key/sem_synonyms.json' with { type: 'json' };
import { resolveAlias } from '#domain/canonical-key/synonyms.js';
import { Refusal } from '#domain/errors/refusal.js';

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

test('a generated key is valid and the same every time, or the input is refused', () => {
  fc.assert(
    fc.property(request, (input) => {
      try {
        const key = generateKey(input);
        assert.ok(isCanonicalKey(key));
        assert.equal(generateKey({ ...input }), key);
      } catch (error) {
        assert.ok(error instanceof Refusal && error.code === 'INVALID_INPUT');
      }
    }),
  );
});

test('only an entity type, id or attribute without a letter or digit is refused', () => {
  fc.assert(
    fc.property(request, (input) => {
      const { entity_type, attribute, entity_id } = input;
      const id = input.scope === 'user' ? entity_id.trim().replace(/^user_/i, '') : entity_id;
      fc.pre([entity_type, attribute, id].every((text) => normalize(text) !== ''));
      parseKey(generateKey(input));
    }),
  );
});

test('normalising twice changes nothing more', () => {
  fc.assert(fc.property(raw, (text) => assert.equal(normalize(normalize(text)), normalize(text))));
});

test('an initial user_ never makes a user another one, nor does a user’s entity id', () => {
  fc.assert(
    fc.property(raw, (id) => {
      fc.pre(normalize(id) !== '' && !/^\s*user_/i.test(id));
      assert.equal(userSlug(`user_${id.trimStart()}`), userSlug(id));
      assert.ok(sameUser(`USER_${id.trimStart()}`, id));
      assert.ok(isEntityOf(id, userEntityId(id)));
    }),
  );
});

test('every synonym leads to a canonical key, in whatever sentence it stands', () => {
  for (const [phrase, template] of Object.entries(synonyms)) {
    const key = template.replace('{user}', 'user_tuff');
    assert.ok(isCanonicalKey(key), phrase);
    assert.equal(resolveAlias(`So, ${phrase.toUpperCase()}?`, 'TUFF')?.key, key, phrase);
    assert.equal(resolveAlias(phrase)?.key, template.includes('{user}') ? undefined : key, phrase);
  }
});

test('without a phrase the words after my name an attribute of the user’s profile', () => {
  assert.deepEqual(resolveAlias('What is my shoe size?', 'TUFF'), {
    key: 'user/profile/user_tuff/shoe_size',
    only_if_exists: true,
  });
  for (const text of ['What is my shoe size?', 'the mystery', 'is it my', ''])
    assert.equal(resolveAlias(text), null, text);
  assert.equal(resolveAlias('the mystery', 'TUFF'), null);
});

test('of several phrases in a text the longest wins', () => {
  const key = resolveAlias('my job: what color do I like most?', 'TUFF')?.key;
  assert.equal(key, 'user/profile/user_tuff/favorite_color');
});
