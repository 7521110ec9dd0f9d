import { describe, expect, test } from '@jest/globals';
import { RECOGNISERS } from '#domain/privacy/recognise.js';
import { redactJson } from '#domain/privacy/redact.js';
import { DEFAULT_RULES } from '#domain/privacy/rule-set.js';
import { jsonScan } from '#domain/privacy/scan-json.js';
import type { Slices } from '#domain/slices.js';
import { scanJson, scanText } from '#test/support/default-scans.js';

/** Counts how often any regular expression, also one of a library, is matched while a text is scanned. */
function questions(scan: () => unknown, isCounted = (_: string): boolean => true): number {
  // Every way to match an expression calls `exec`, as long as it is patched.
  // eslint-disable-next-line @typescript-eslint/unbound-method
  const { exec } = RegExp.prototype;
  let asked = 0;
  RegExp.prototype.exec = function (of) {
    if (isCounted(of)) asked += 1;
    return exec.call(this, of);
  };
  try {
    scan();
  } finally {
    RegExp.prototype.exec = exec;
  }
  return asked;
}

describe('hostile texts of 50 kB', () => {
  const PIECES = [
    ...['@', '1', '1 ', '1-1.', 'YWxp', '%25', 'eyJ', 'pwd=<', 'a1 ', 'AB12', 'a:', '+1 ', '::'],
    ...['-----BEGIN PRIVATE KEY-----', 'token: ', 'call 020 7946 ', 'lives at 12 Elm ', 'e\u0301'],
    ...[`${'a'.repeat(64)}@`, '4111 ', 'DE89 ', '(', '2024-01-02 ', '\u200b1', 'passport A1 '],
    ...[`tel ${'0 '.repeat(24)}`, `tel ${'2 0 1 0 '.repeat(6)}`, `id no ${'1 '.repeat(24)}`, '(1)'],
    ...['0 1 0 1 1 ', '\u0661 ', '\ufdfa'],
  ];
  for (const piece of PIECES) {
    test(`scanning a text of twice the length takes at most about twice as many steps: ${JSON.stringify(piece.slice(0, 30))}`, () => {
      const half = questions(() => scanText(piece.repeat(Math.ceil(25_000 / piece.length))));
      const full = questions(() => scanText(piece.repeat(Math.ceil(50_000 / piece.length))));
      expect(full).toBeLessThanOrEqual(2.2 * half + 500);
      expect(full).toBeLessThanOrEqual(20 * 50_000);
    });
  }
});

test('a long name of a field is searched once for each list of words, however much its value has', () => {
  const name = 'ab '.repeat(1_000);
  const isName = (text: string): boolean =>
    text.length >= name.length - 1 && text.startsWith('ab ');
  const values = [{ [name]: '1 '.repeat(2_000) }, { [name]: Array.from({ length: 500 }, () => 1) }];
  for (const value of values)
    expect(questions(() => scanJson(value), isName)).toBeLessThan(RECOGNISERS.length * 10);
});

/** Returns the most regular expressions that are matched between two pauses of the work. */
function mostInSlice(work: Slices<unknown>): number {
  let most = 0;
  for (let isDone = false; !isDone;)
    most = Math.max(
      most,
      questions(() => (isDone = work.next().done === true)),
    );
  return most;
}

test('a scan pauses often, however many leaves a value has and however long its texts are', () => {
  const values = {
    'short leaves': Array.from({ length: 20_000 }, () => '1@é'),
    numbers: Array.from({ length: 20_000 }, (_, place) => place),
    names: Object.fromEntries(Array.from({ length: 5_000 }, (_, place) => [`a${place}@é`, place])),
    'nested lists': Array.from({ length: 2_000 }, () => [['1@é', ['2@é']]]),
    'one text': 'call 020 7946 lives at 12 Elm '.repeat(2_000),
    'folded text': '\ufdfa1'.repeat(2_000),
  };
  for (const [name, value] of Object.entries(values))
    expect([name, mostInSlice(jsonScan(value, DEFAULT_RULES)) < 4_000]).toStrictEqual([name, true]);
});

test('many names that become equal by redaction are numbered in one pass', () => {
  const value = Object.fromEntries(
    Array.from({ length: 20_000 }, (_, place) => [`a${place}@example.com`, place]),
  );
  const verdict = scanJson(value);
  const findings = verdict.outcome === 'flagged' ? verdict.findings : [];
  const names = Object.keys(redactJson(value, findings, () => 'hash') as object);
  expect(names).toHaveLength(20_000);
  expect(names).toContain('[REDACTED:email] 20000');
});
