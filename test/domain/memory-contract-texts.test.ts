import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sha256Hex } from '#domain/determinism/hash.js';
import { Refusal } from '#domain/errors/refusal.js';
import {
  authorityOf,
  compareAuthority,
  dedupKey,
  isAtLeast,
} from '#domain/memory-contract/utterance/authority.js';
import { eventTypeOf, isLowSignal } from '#domain/memory-contract/utterance/classify.js';
import { factOf } from '#domain/memory-contract/utterance/facts.js';
import { importanceOf } from '#domain/memory-contract/utterance/importance.js';
import { memoryStream, ownerName, storeOwners } from '#domain/memory-contract/owners.js';
import { shownText } from '#domain/memory-contract/utterance/redaction.js';
import { cut } from '#domain/memory-contract/utterance/text.js';
import { heard, toolText } from '#domain/memory-contract/utterance/utterance.js';
import { policyOf } from '#domain/memory-contract/policy.js';

test('M2 an owner is trimmed, its white space and colons are underscores, and it is never empty', () => {
  assert.equal(ownerName('  Ada  Lovelace:1 '), 'Ada__Lovelace_1');
  assert.equal(ownerName(' \t'), 'anonymous');
});

test('M2 each space has its owner: the session stands for a user that is not named', () => {
  const ids = { session_id: 's:1', user_id: null, project_root: '/srv/app' };
  assert.deepEqual(storeOwners(ids), {
    session: 's_1',
    user: 's_1',
    project: sha256Hex('/srv/app').slice(0, 12),
    system: 'system',
  });
  assert.equal(storeOwners({ ...ids, user_id: 'Ada' }).user, 'Ada');
  assert.equal(storeOwners({ ...ids, project_root: null }).project, 'unknown');
  assert.throws(() => storeOwners({ ...ids, project_root: 'srv' }), Refusal);
  assert.equal(memoryStream('session', 's_1'), 'memory-session:s_1');
});

test('M3 the first pattern that matches decides what a text is about', () => {
  const examples = {
    correction: ['Actually, I prefer tea', 'A correction: blue', 'it is not red but blue'],
    preference: [
      'I prefer tea',
      'i LIKE it',
      'I want rain',
      'Never call me late',
      'never use tabs',
    ],
    decision: [
      'we decided',
      'The decision',
      'Choose one',
      "let's use Go",
      'we will use Go',
      'use x',
    ],
    fact: ['My name is Ada', 'working on the parser'],
    context: ['It rains', 'I preferred tea', 'but it is not', 'never mind', 'nothing but it', ''],
  };
  for (const [type, texts] of Object.entries(examples))
    for (const text of texts) assert.equal(eventTypeOf(text), type, text);
  assert.equal(eventTypeOf('it is not\nred but blue'), 'context', 'within one line only');
});

test('M3 greetings, thanks and assents are low signal, however they are written', () => {
  for (const text of ['ok', ' OKAY! ', 'Thank you.', 'hey', 'Great!!'])
    assert.ok(isLowSignal(text), text);
  for (const text of ['ok then', '', 'greatly']) assert.ok(!isLowSignal(text), text);
});

test('M3, M4 a very long text is classified in linear time', () => {
  const long = 'not '.repeat(100_000);
  assert.equal(eventTypeOf(long), 'context');
  assert.deepEqual(factOf(`my name is ${':'.repeat(100_000)}x`)?.key, 'name');
});

test('M4 a fact’s value runs to the first mark, is cleaned and cut to sixty', () => {
  const facts: Readonly<Record<string, readonly [string, string]>> = {
    'Hello, MY NAME IS  "Ada  Lovelace"; hi': ['name', 'Ada Lovelace'],
    'call me Ada!': ['name', 'Ada'],
    'my timezone is Europe/Rome, ok': ['timezone', 'Europe/Rome'],
    'timezone = UTC+1': ['timezone', 'UTC+1'],
    'timezone=UTC': ['timezone', 'UTC'],
    'The timezone is CET': ['timezone', 'CET'],
    'my language is Italian?': ['language', 'Italian'],
    'language preference is French': ['language', 'French'],
    'my project is mace': ['project', 'mace'],
    'my project name is mace: ': ['project', 'mace'],
    'I am working on it': ['project', 'it'],
    'my editor is vim': ['editor', 'vim'],
    'Please use METRIC units': ['units', 'METRIC'],
  };
  for (const [text, [key, value]] of Object.entries(facts))
    assert.deepEqual(factOf(text), { key, value }, text);
  for (const text of ['my name is .', 'enemy name is x', 'networking on it', 'use old units'])
    assert.equal(factOf(text), null, text);
  assert.equal(factOf(`my name is ${'a'.repeat(61)}`)?.value, `${'a'.repeat(60)}...`);
});

test('M4 the first pattern in the order of the list wins, wherever it stands in the text', () => {
  assert.deepEqual(factOf('working on maps, call me Ada'), { key: 'name', value: 'Ada' });
});

test('M5 importance adds up, and says why in a fixed order', () => {
  assert.deepEqual(importanceOf('correction', 'You must avoid it', 'user'), {
    importance: 7,
    importance_reason: ['event:correction', 'source:user', 'emphasis', 'corrective'],
  });
  const plain = (type: Parameters<typeof importanceOf>[0]) =>
    importanceOf(type, 'x', 'ai').importance;
  const all = ['preference', 'decision', 'fact', 'correction', 'execution', 'context'] as const;
  assert.deepEqual(all.map(plain), [3, 3, 4, 5, 2, 1]);
  assert.equal(importanceOf('context', 'mustard', 'tool').importance, 2, 'plain substrings');
});

test('M6 the source tells the authority, and the system’s is the highest', () => {
  const sources = ['system', 'tool', 'user', 'ai'] as const;
  const ranked = sources.map((source) => authorityOf(source).authority);
  assert.deepEqual(ranked, ['system_imposed', 'tool_verified', 'user_asserted', 'ai_inferred']);
  for (const [place, authority] of ranked.entries())
    for (const [other, lower] of ranked.entries()) {
      assert.equal(Math.sign(compareAuthority(authority, lower)), Math.sign(other - place));
      assert.equal(isAtLeast(authority, lower), place <= other);
    }
  assert.equal(authorityOf('tool').authority_reason, 'source:tool');
});

test('M6 a dedup key is the type and the normal text', () => {
  assert.equal(dedupKey('preference', '  I prefer: TEA — hot!'), 'preference:i prefer tea hot');
});

test('M11 to cut is to keep the first characters, without white space at their end', () => {
  assert.equal(cut('abc', 3), 'abc');
  assert.equal(cut('ab cd', 3), 'ab...');
  assert.equal(cut('😀😀😀', 3), '😀😀😀');
  assert.equal(cut('😀😀😀', 2), '😀😀...');
});

test('M18 a trace shows a text folded and cut, and one that holds a secret word not at all', () => {
  assert.equal(shownText(' a \n b '), 'a b');
  assert.equal(shownText('a'.repeat(201)), `${'a'.repeat(200)}... (truncated)`);
  for (const text of ['a monkey', 'SECRETS', 'tokens', 'Password', 'authorization: x'])
    assert.equal(shownText(text), '(redacted)', text);
  assert.equal(shownText('ada@example.org', true), '(redacted)');
});

test('M8 what will be denied for a secret is withheld, so that no event can hold it', () => {
  const policy = policyOf();
  const secret = 'My name is Ada. My password is hunter2';
  const said = heard(secret, 'user', policy, false);
  assert.ok('withheld' in said);
  assert.ok(!JSON.stringify(said).includes('hunter2'));
  assert.deepEqual(said.withheld.fact, { key: 'name', value: 'Ada' });
  const flagged = heard('Call me Ada at ada@example.org', 'user', policy, true);
  assert.ok(!JSON.stringify(flagged).includes('ada@example.org'));
  assert.deepEqual(heard('The monkey sleeps', 'user', policy, false), {
    text: 'The monkey sleeps',
  });
  const open = policyOf({ privacy: { deny_sensitive: false, deny_patterns: [] } });
  assert.deepEqual(heard(secret, 'user', open, false), { text: secret });
});

test('M18 the tool item’s text does not depend on the order of keys', () => {
  assert.equal(toolText([{ b: 1, a: [2] }]), 'tool_events:[{"a":[2],"b":1}]');
});
