import { beforeAll, expect, test } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { check } from 'recheck';
import ts from 'typescript';
import { PARTS } from '#domain/deceptive-text/characters.js';
import { LOOKS_LATIN } from '#domain/deceptive-text/imitations.js';
import { ORDERS } from '#domain/deceptive-text/orders.js';
import { EARLIER } from '#domain/personal-fact/sentence.js';
import { ASKING } from '#domain/personal-fact/sentence.js';
import { RECOGNISERS } from '#domain/privacy/recognise.js';
import { ROUTER_RULES } from '#domain/router/rules.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Expressions that are not checked, each with the reason. */
const UNCHECKED: Readonly<Record<string, string>> = {
  '/(<!-- tools:[^\\n]*-->\\n)[^]*(<!-- \\/tools -->)/':
    'it meets only docs/mcp.md of this repository',
  '/\\?\\s*(?:\\([^()]{0,400}\\)\\s*)?$/':
    'it looks at 400 characters for each question mark; the exact check of that number takes minutes',
};

/** The longest time in ms of the exact check. A pattern that takes longer, or that it does not support, is attacked. */
const EXACT_MS = 5_000;
const ATTACK_MS = 10_000;
/** A busy machine may end the exact check too early, so it has more time before a pattern is called slow. */
const PATIENT_MS = 60_000;

/** Returns the expression of a literal, or of a RegExp that is made of constant text. */
function expressionOf(node: ts.Node): string | undefined {
  if (ts.isRegularExpressionLiteral(node)) return node.text;
  if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return undefined;
  if (!ts.isIdentifier(node.expression) || node.expression.text !== 'RegExp') return undefined;
  const [source, flags] = node.arguments ?? [];
  if (source === undefined || !ts.isStringLiteralLike(source)) return undefined;
  const isConstant = flags !== undefined && ts.isStringLiteralLike(flags);
  return String(new RegExp(source.text, isConstant ? flags.text : ''));
}

/** The expressions that are put together from several texts and meet the texts of callers. */
const composed = (): RegExp[] => [
  ...RECOGNISERS.flatMap(({ patterns, context, field }) =>
    [...patterns, context?.pattern, field].filter((pattern) => pattern !== undefined),
  ),
  ...ROUTER_RULES.flatMap(({ patterns }) => patterns),
  ...EARLIER,
  ASKING,
  ...Object.values(ORDERS),
  ...Object.values(PARTS),
  LOOKS_LATIN,
];

/** Returns each expression that is written in the sources, with the first file that contains it. */
async function writtenExpressions(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const files: string[] = [];
  for (const folder of ['apps', 'libs', 'projections'])
    for (const path of await readdir(join(root, folder), { recursive: true }))
      if (
        /\.tsx?$/.test(path) &&
        !/node_modules|\.test\.|\.d\.ts$|(?:^|\/)(?:test|dist)\//.test(path)
      )
        files.push(join(folder, path));
  for (const file of files) {
    const visit = (node: ts.Node): void => {
      const expression = expressionOf(node);
      if (expression !== undefined && !found.has(expression)) found.set(expression, file);
      ts.forEachChild(node, visit);
    };
    const text = await readFile(join(root, file), 'utf8');
    visit(ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true));
  }
  return found;
}

let written: Map<string, string>;
beforeAll(async () => {
  written = await writtenExpressions();
});

/** Returns the verdict on an expression: `safe` if its time grows at most in proportion to the text. */
async function verdictOn(expression: string): Promise<string> {
  const end = expression.lastIndexOf('/');
  const [source, flags] = [expression.slice(1, end), expression.slice(end + 1)];
  const exact = async (timeout: number): Promise<string> =>
    (await check(source, flags, { checker: 'automaton', timeout })).status;
  const first = await exact(EXACT_MS);
  if (first !== 'unknown') return first;
  const attack = { checker: 'fuzz', randomSeed: 1, timeout: ATTACK_MS } as const;
  const attacked = (await check(source, flags, attack)).status;
  if (attacked === 'safe') return attacked;
  const patient = await exact(PATIENT_MS);
  return patient === 'unknown' ? attacked : patient;
}

test('every regular expression of the product takes linear time, also the patterns of the privacy gate (SPEC P2)', async () => {
  const expressions = new Map(written);
  for (const pattern of composed())
    if (!expressions.has(String(pattern))) expressions.set(String(pattern), 'put together');
  expect(expressions.size).toBeGreaterThan(450);
  const slow: string[] = [];
  for (const [expression, file] of expressions) {
    if (Object.hasOwn(UNCHECKED, expression)) continue;
    const verdict = await verdictOn(expression);
    if (verdict !== 'safe') slow.push(`${file}: ${expression} is ${verdict}`);
  }
  expect(slow).toStrictEqual([]);
}, 1_200_000);

test('every expression that is not checked is still in the product', () => {
  for (const expression of Object.keys(UNCHECKED))
    expect([...written.keys()]).toContain(expression);
});
