import { describe, expect, test } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { check } from 'recheck';
import ts from 'typescript';
import { RECOGNISERS } from '#domain/privacy/recognise.js';
import { scanText } from '#domain/privacy/scan-text.js';
import { ROUTER_RULES } from '#domain/router/rules.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Returns every regular expression in the sources of a folder of the domain. */
async function literalsIn(folder: string): Promise<RegExp[]> {
  const found: RegExp[] = [];
  const path = join(root, 'libs', 'domain', folder);
  for (const entry of await readdir(path, { recursive: true })) {
    if (!entry.endsWith('.ts')) continue;
    const text = await readFile(join(path, entry), 'utf8');
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf('/');
        found.push(new RegExp(node.text.slice(1, end), node.text.slice(end + 1)));
      }
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(entry, text, ts.ScriptTarget.ES2023, true));
  }
  return found;
}

test('every pattern that is used on input takes linear time (SPEC P2)', async () => {
  const built = [
    ...RECOGNISERS.flatMap(({ patterns, context }) => [...patterns, ...(context ? [context] : [])]),
    ...ROUTER_RULES.flatMap(({ patterns }) => patterns),
  ];
  const patterns = [...built, ...(await literalsIn('privacy')), ...(await literalsIn('router'))];
  const distinct = new Map(patterns.map((pattern) => [String(pattern), pattern]));
  expect(distinct.size).toBeGreaterThan(100);
  for (const { source, flags } of distinct.values()) {
    const options = { checker: 'automaton', timeout: 60_000 } as const;
    const result = await check(source, flags, options);
    expect([`${result.status}: /${source}/${flags}`, result.status]).toStrictEqual([
      `${result.status}: /${source}/${flags}`,
      'safe',
    ]);
  }
});

/** Counts the calls of `RegExp.exec` while a text is scanned. */
function questions(text: string): number {
  const patterns = new Set(RECOGNISERS.flatMap((recogniser) => recogniser.patterns).map(String));
  // The test patches `exec` of all expressions, because the scan uses copies of the patterns.
  // eslint-disable-next-line @typescript-eslint/unbound-method
  const { exec } = RegExp.prototype;
  let asked = 0;
  RegExp.prototype.exec = function (of) {
    if (patterns.has(String(this))) asked += 1;
    return exec.call(this, of);
  };
  try {
    scanText(text);
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
  ];
  for (const piece of PIECES) {
    test(`scanning a text of twice the length takes at most about twice as many steps: ${JSON.stringify(piece.slice(0, 30))}`, () => {
      const half = questions(piece.repeat(Math.ceil(25_000 / piece.length)));
      const full = questions(piece.repeat(Math.ceil(50_000 / piece.length)));
      expect(full).toBeLessThanOrEqual(2.2 * half + 500);
      expect(full).toBeLessThanOrEqual(25 * 50_000);
    });
  }
});
