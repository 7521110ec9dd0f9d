import { expect, test } from '@jest/globals';
import { sha256Hex } from '#domain/determinism/hash.js';
import { Refusal } from '#domain/errors/refusal.js';
import {
  AUTHORITY_ORDER,
  authorityOf,
  compareAuthority,
  dedupKey,
  isAtLeast,
} from '#domain/memory-contract/utterance/authority.js';
import { eventTypeOf, isLowSignal } from '#domain/memory-contract/utterance/classify.js';
import { factOf } from '#domain/memory-contract/utterance/facts.js';
import { importanceOf } from '#domain/memory-contract/utterance/importance.js';
import { ownerName, storeOwners } from '#domain/memory-contract/owners.js';
import { shownText } from '#domain/memory-contract/utterance/redaction.js';
import { cut } from '#domain/memory-contract/utterance/text.js';
import { recordableText, toolText } from '#domain/memory-contract/utterance/utterance.js';
import { policyOf } from '#domain/memory-contract/policy.js';
import { memoryStream } from '#domain/stream-names.js';
import { ensure } from '#test/support/ensure.js';

test('M2 an owner id is trimmed, its white space and colons become underscores, and it is never empty', () => {
  expect(ownerName('  Ada  Lovelace:1 ')).toBe('Ada__Lovelace_1');
  expect(ownerName(' \t')).toBe('anonymous');
});

test('M2 each space has an owner; if no user is named, the session’s id stands in for the user’s', () => {
  const ids = { session_id: 's:1', user_id: null, project_root: '/srv/app' };
  expect(storeOwners(ids)).toStrictEqual({
    session: 's_1',
    user: 's_1',
    project: sha256Hex('/srv/app').slice(0, 12),
    system: 'system',
  });
  expect(storeOwners({ ...ids, user_id: 'Ada' }).user).toBe('Ada');
  expect(storeOwners({ ...ids, project_root: null }).project).toBe('unknown');
  expect(() => storeOwners({ ...ids, project_root: 'srv' })).toThrow(Refusal);
  expect(memoryStream('session', 's_1')).toBe('memory-session:s_1');
});

test('M3 the first matching pattern decides the type of a text', () => {
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
    for (const text of texts) expect([text, eventTypeOf(text)]).toStrictEqual([text, type]);
  // The pattern matches only within one line.
  expect(eventTypeOf('it is not\nred but blue')).toBe('context');
});

test('M3 greetings, thanks and assents are low signal in any spelling', () => {
  for (const text of ['ok', ' OKAY! ', 'Thank you.', 'hey', 'Great!!'])
    expect([text, isLowSignal(text)]).toStrictEqual([text, true]);
  for (const text of ['ok then', '', 'greatly'])
    expect([text, isLowSignal(text)]).toStrictEqual([text, false]);
});

test('M3, M4 a very long text is classified in linear time', () => {
  const long = 'not '.repeat(100_000);
  expect(eventTypeOf(long)).toBe('context');
  expect(factOf(`my name is ${':'.repeat(100_000)}x`)?.key).toStrictEqual('name');
});

test('M4 a fact’s value ends at the first punctuation mark, is cleaned, and is cut to sixty characters', () => {
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
    expect([text, factOf(text)]).toStrictEqual([text, { key, value }]);
  for (const text of ['my name is .', 'enemy name is x', 'networking on it', 'use old units'])
    expect([text, factOf(text)]).toStrictEqual([text, null]);
  expect(factOf(`my name is ${'a'.repeat(61)}`)?.value).toBe(`${'a'.repeat(60)}...`);
});

test('M4 the first pattern of the list that matches wins, wherever it matches in the text', () => {
  expect(factOf('working on maps, call me Ada')).toStrictEqual({ key: 'name', value: 'Ada' });
});

test('M5 importance is a sum of weights, with its reasons in a fixed order', () => {
  expect(importanceOf('correction', 'You must avoid it', 'user')).toStrictEqual({
    importance: 7,
    importance_reason: ['event:correction', 'source:user', 'emphasis', 'corrective'],
  });
  const plain = (type: Parameters<typeof importanceOf>[0]) =>
    importanceOf(type, 'x', 'ai').importance;
  const all = ['preference', 'decision', 'fact', 'correction', 'execution', 'context'] as const;
  expect(all.map(plain)).toStrictEqual([3, 3, 4, 5, 2, 1]);
  // The words match as plain substrings: `mustard` contains `must`.
  expect(importanceOf('context', 'mustard', 'tool').importance).toBe(2);
});

test('M6 the source determines an item’s authority, and the system’s authority is the highest', () => {
  const sources = ['system', 'tool', 'user', 'ai'] as const;
  const ranked = sources.map((source) => authorityOf(source).authority);
  expect(ranked).toStrictEqual(['system_imposed', 'tool_verified', 'user_asserted', 'ai_inferred']);
  for (const [place, authority] of ranked.entries())
    for (const [other, lower] of ranked.entries()) {
      expect(Math.sign(compareAuthority(authority, lower, AUTHORITY_ORDER))).toBe(
        Math.sign(other - place),
      );
      expect(isAtLeast(authority, lower, AUTHORITY_ORDER)).toBe(place <= other);
    }
  expect(authorityOf('tool').authority_reason).toBe('source:tool');
});

test('M6 a dedup key is the type and the normalised text', () => {
  expect(dedupKey('preference', '  I prefer: TEA — hot!')).toBe('preference:i prefer tea hot');
});

test('M11 a cut text keeps its first characters, without white space at its end', () => {
  expect(cut('abc', 3)).toBe('abc');
  expect(cut('ab cd', 3)).toBe('ab...');
  expect(cut('😀😀😀', 3)).toBe('😀😀😀');
  expect(cut('😀😀😀', 2)).toBe('😀😀...');
});

test('M18 a trace cuts a text and folds its white space, and hides a text with a secret word', () => {
  expect(shownText(' a \n b ')).toBe('a b');
  expect(shownText('a'.repeat(201))).toBe(`${'a'.repeat(200)}... (truncated)`);
  for (const text of ['a monkey', 'SECRETS', 'tokens', 'Password', 'authorization: x'])
    expect([text, shownText(text)]).toStrictEqual([text, '(redacted)']);
  expect(shownText('ada@example.org', true)).toBe('(redacted)');
});

test('M8 a text that will be denied because of a secret is withheld, so that no event contains the text', () => {
  const policy = policyOf();
  const secret = 'My name is Ada. My password is hunter2';
  const said = recordableText(secret, 'user', policy, false);
  ensure('withheld' in said);
  expect(JSON.stringify(said)).not.toContain('hunter2');
  expect(said.withheld.fact).toStrictEqual({ key: 'name', value: 'Ada' });
  const flagged = recordableText('Call me Ada at ada@example.org', 'user', policy, true);
  expect(JSON.stringify(flagged)).not.toContain('ada@example.org');
  expect(recordableText('The monkey sleeps', 'user', policy, false)).toStrictEqual({
    text: 'The monkey sleeps',
  });
  const open = policyOf({ privacy: { deny_sensitive: false, deny_patterns: [] } });
  expect(recordableText(secret, 'user', open, false)).toStrictEqual({ text: secret });
});

test('M18 the text of a tool item does not depend on the order of its keys', () => {
  expect(toolText([{ b: 1, a: [2] }])).toBe('tool_events:[{"a":[2],"b":1}]');
});
