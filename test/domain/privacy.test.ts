import { describe, expect, test } from '@jest/globals';
import type { Json } from '#domain/json.js';
import { FINDING_TYPES, type Finding, type Verdict } from '#domain/privacy/finding.js';
import { RECOGNISERS } from '#domain/privacy/recognise.js';
import { redact, redactJson } from '#domain/privacy/redact.js';
import { requireClear } from '#domain/privacy/require-clear.js';
import { MAX_DEPTH } from '#domain/determinism/canonical-json.js';
import { scanFact } from '#domain/privacy/scan-fact.js';
import { DEFAULT_RULES } from '#domain/privacy/rule-set.js';
import { MAX_SCANNED } from '#domain/privacy/scan-text.js';
import { NEGATIVES } from '#test/domain/privacy-corpus/negatives.js';
import { POSITIVES } from '#test/domain/privacy-corpus/positives.js';
import { ensure } from '#test/support/ensure.js';
import { scanJson, scanText } from '#test/support/default-scans.js';

const findingsOf = (verdict: Verdict): readonly Finding[] =>
  verdict.outcome === 'flagged' ? verdict.findings : [];
const seen = (value: Json, label?: string): string[] =>
  findingsOf(scanJson(value, label)).map(
    ({ type, path, in_key }) => `${type} at ${path.join('/')}${in_key ? ' (key)' : ''}`,
  );

describe('The labelled corpus (SPEC P1, P2)', () => {
  for (const { type, text: marked, label } of POSITIVES) {
    test(`${type} is found in ${JSON.stringify(marked)}${label ? ` in the field ${label}` : ''}`, () => {
      const start = marked.indexOf('«');
      const end = marked.indexOf('»') - 1;
      const text = marked.replace(/[«»]/g, '');
      const found = findingsOf(scanText(text, label)).find((finding) => finding.type === type);
      expect([scanText(text, label), found?.span]).toStrictEqual([
        scanText(text, label),
        [start, end],
      ]);
    });
  }

  for (const { text, label } of NEGATIVES) {
    test(`nothing is found in ${JSON.stringify(text)}${label ? ` in the field ${label}` : ''}`, () => {
      expect(findingsOf(scanText(text, label))).toStrictEqual([]);
      expect(scanText(text, label).outcome).toBe('clear');
    });
  }

  test('the corpus covers every type, and every type has a recogniser', () => {
    const inCorpus = new Set(POSITIVES.map(({ type }) => type));
    const recognised = new Set(RECOGNISERS.map(({ type }) => type));
    expect(inCorpus).toStrictEqual(new Set(FINDING_TYPES));
    expect(recognised).toStrictEqual(new Set(FINDING_TYPES));
  });
});

test('a finding has type, category, path, span and rule set, and contains nothing of the text (SPEC P1)', () => {
  const verdict = scanJson({ contact: ['none', 'alice@example.com'] });
  expect(verdict).toStrictEqual({
    outcome: 'flagged',
    findings: [
      {
        type: 'email',
        category: 'medium',
        path: ['contact', 1],
        in_key: false,
        span: [0, 17],
        rule_set_version: 'privacy-3',
      },
    ],
    rule_set_version: 'privacy-3',
  });
});

test('keys are scanned like values, and a flagged key is reported by its number (SPEC P1, P6)', () => {
  const value = { a: 1, 'bob@example.com': { phone: '2025550147' } };
  expect(seen(value)).toStrictEqual(['email at 1 (key)', 'phone at 1/phone']);
  expect(JSON.stringify(scanJson(value))).not.toContain('bob');
});

test('the scan of a field’s strings, whole numbers and lists considers the name of the field (SPEC P1)', () => {
  expect(seen({ ssn: 123456789 })).toStrictEqual(['us_ssn at ssn']);
  expect(seen({ dateOfBirth: { value: '04/03/1985' } })).toStrictEqual([
    'date_of_birth at dateOfBirth/value',
  ]);
  expect(seen({ phones: [], phone: ['x', '2025550147'] })).toStrictEqual(['phone at phone/1']);
  expect(seen('1985-03-04', 'birthday')).toStrictEqual(['date_of_birth at ']);
  expect(seen({ card: 4111111111111111 })).toStrictEqual(['payment_card at card']);
  expect(seen({ count: 123456789, ratio: 41.5, flag: true, none: null })).toStrictEqual([]);
});

test('a value is found at any depth', () => {
  let value: Json = 'alice@example.com';
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) value = depth % 2 ? [value] : { value };
  expect(findingsOf(scanJson(value))).toHaveLength(1);
});

test('a value that the detector cannot scan is refused (SPEC P2)', () => {
  let deep: Json = 'harmless';
  for (let depth = 0; depth <= MAX_DEPTH; depth += 1) deep = [deep];
  let wrapped = 'alice@example.com';
  for (let layer = 0; layer < 5; layer += 1) wrapped = Buffer.from(wrapped).toString('base64');
  const large = 'a '.repeat(MAX_SCANNED / 2 + 1);
  const halves = [large.slice(0, MAX_SCANNED / 2), large.slice(0, MAX_SCANNED / 2)];
  const cases: readonly (readonly [Verdict, string])[] = [
    [scanJson(deep), 'too_deep'],
    [scanText(large), 'too_large'],
    [scanJson(halves), 'too_large'],
    [scanText(wrapped), 'too_many_encodings'],
  ];
  for (const [verdict, reason] of cases) {
    ensure(verdict.outcome === 'cannot_scan');
    expect(verdict.reason).toBe(reason);
    expect(() => requireClear(verdict, 'text')).toThrow(
      expect.objectContaining(
        reason === 'too_deep'
          ? {
              name: 'Refusal',
              code: 'INVALID_INPUT',
              facts: { reason: `the value: nested deeper than ${MAX_DEPTH}` },
            }
          : {
              name: 'Refusal',
              code: 'PRIVACY_BLOCKED',
              facts: { finding_types: 'cannot_scan' },
            },
      ),
    );
  }
});

test('a refusal names each found type once, and contains nothing else of the findings (SPEC S7, P6)', () => {
  const text = 'alice@example.com, bob@example.com, 123-45-6789';
  expect(() => requireClear(scanText(text), 'text')).toThrow(
    expect.objectContaining({ name: 'Refusal', facts: { finding_types: 'email, us_ssn' } }),
  );
  requireClear(scanText('blue'), 'text');
});

test('overlapping findings are merged into one, with the most certain type and the whole span', () => {
  const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJlLW9mLW5vYm9keQ';
  const text = `access_token=${jwt};`;
  const findings = findingsOf(scanText(text));
  expect(findings.map(({ type, span }) => [type, text.slice(...span)])).toStrictEqual([
    ['jwt', jwt],
  ]);
});

test('redacted text shows the type in place of each finding (SPEC P3)', () => {
  const text = 'Mail alice@example.com or ring +1 202 555 0147.';
  expect(redact(text, findingsOf(scanText(text)))).toBe(
    'Mail [REDACTED:email] or ring [REDACTED:phone].',
  );
});

test('a redacted value shows its type and carries the hash that the caller gives (SPEC P3)', () => {
  const value = {
    note: 'write to alice@example.com',
    email: 'alice@example.com',
    ssn: 123456789,
    'bob@example.com': 1,
    'carol@example.com': [2],
    'dave@example.com': { email: 'dave@example.com' },
    color: 'blue',
  };
  const redacted = redactJson(value, findingsOf(scanJson(value)), (of) => `hash of ${typeof of}`);
  const mark = (type: string, of: string) => ({
    redacted: true,
    type,
    hash: `hash of ${of}`,
    redaction_reason: 'PII_DETECTED',
  });
  expect(redacted).toStrictEqual({
    note: 'write to [REDACTED:email]',
    email: mark('email', 'string'),
    ssn: mark('us_ssn', 'number'),
    '[REDACTED:email]': 1,
    '[REDACTED:email] 2': [2],
    '[REDACTED:email] 3': { email: mark('email', 'string') },
    color: 'blue',
  });
  expect(scanJson(redacted).outcome).toBe('clear');
});

test('a fact is scanned as a whole: value, notes, meta and the parts of its key (SPEC S7)', () => {
  const key = 'user/profile/user_tuff/favorite_color';
  const paths = (of: string, fact: Parameters<typeof scanFact>[1]) =>
    findingsOf(scanFact(of, fact, DEFAULT_RULES)).map(({ path }) => path[0]);
  expect(paths(key, { value: 'blue', notes: 'as told', meta: { trust: 0.5 } })).toStrictEqual([]);
  expect(paths(key, { value: { a: ['123-45-6789'] } })).toStrictEqual(['value']);
  expect(paths(key, { value: 1, notes: 'from alice@example.com' })).toStrictEqual(['notes']);
  expect(paths(key, { value: 1, meta: { by: 'alice@example.com' } })).toStrictEqual(['meta']);
  expect(paths('world/fact/123_45_6789/name', { value: 1 })).toStrictEqual(['key']);
  expect(paths('user/profile/user_tuff/birthday', { value: '1985-03-04' })).toStrictEqual([
    'value',
  ]);
  expect(paths('user/profile/user_tuff/ssn', { value: 123456789 })).toStrictEqual(['value']);
});
