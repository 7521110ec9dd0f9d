import { expect, test } from '@jest/globals';
import type { Json } from '#domain/json.js';

interface Changes {
  readonly shownChanges: (before: Json, after: Json) => readonly object[];
  readonly shownValue: (value: Json, isNew: boolean) => readonly object[];
  readonly isShownInFull: (changes: readonly object[]) => boolean;
}

interface Values {
  readonly scalarText: (value: Json) => string;
  readonly inlineText: (value: Json) => string;
  readonly keyText: (key: string) => string;
}

/** The console is compiled by its bundler, whose imports have no file extensions, so the compiler of the tests skips it. */
const sources = (file: string): Promise<unknown> => import(`#apps/console/src/changes/${file}.js`);
const { isShownInFull, shownChanges, shownValue } = (await sources('shown-changes')) as Changes;
const { inlineText, keyText, scalarText } = (await sources('values')) as Values;

const fields = (count: number): Json =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at]));

test('a list of changes is shown in full if it has few of them and none of their texts is shortened', () => {
  expect(isShownInFull(shownChanges({}, fields(20)))).toBe(true);
  expect(isShownInFull(shownChanges({}, fields(21)))).toBe(false);
  expect(isShownInFull(shownValue('x'.repeat(160), true))).toBe(true);
  expect(isShownInFull(shownValue('x'.repeat(161), true))).toBe(false);
  expect(isShownInFull(shownChanges('x'.repeat(161), 'x'))).toBe(false);
  expect(isShownInFull(shownChanges('x'.repeat(200), `${'x'.repeat(200)}y`))).toBe(false);
});

test('two values that differ have different texts', () => {
  const scalars: Json[] = [
    '',
    ' ',
    'a',
    ' a',
    'true',
    true,
    'null',
    null,
    '1',
    1,
    '"1"',
    '1e9',
    1e9,
  ];
  const others: Json[] = ['{}', '[]', '"a"', '{"a":1}', '-', '- 1', 't', 'a\n', '\na', 'a\nb'];
  const texts = [...scalars, ...others, [], {}].map(scalarText);
  expect(new Set(texts).size).toBe(texts.length);
  const values: Json[] = [
    ...[{ a: 'b, c: d' }, { a: 'b', c: 'd' }, { 'a: b, c': 'd' }, { a: ['b', 'c: d'] }],
    ...[{ a: '[b]' }, { a: ['b'] }, { a: 'b' }, { a: '{b: c}' }, { a: { b: 'c' } }],
    ...[{ a: { 'b}, c: {d': 'e' } }, { a: 'x\nb: y' }, { a: 'x', b: 'y' }],
  ];
  expect(new Set(values.map(inlineText)).size).toBe(values.length);
});

test('a key that could look like two fields, or like the number of an item, stands in quotes', () => {
  expect(['pay_to', 'pay to', 'größe', 'a.b'].map(keyText)).toStrictEqual([
    ...['pay_to', 'pay to', 'größe', 'a.b'],
  ]);
  for (const key of ['pay_to: alice\nnote', 'a:', '', ' a', '1', 'a\u2028b', '[x]', 'a, b', '"a"'])
    expect(keyText(key)).toBe(JSON.stringify(key));
});
