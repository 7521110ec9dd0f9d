import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseStrictJson, strictJsonOf } from '#apps/api/platform/http/strict-json.js';
import { canonicalJson } from '#domain/determinism/canonical-json.js';

const parse = (text: string): unknown => parseStrictJson(Buffer.from(text));

/** Returns the value of a decimal number, as a text that equal values share. */
function decimalOf(text: string): string {
  const [mantissa = '', power = '0'] = text.split('e');
  const [integer = '', fraction = ''] = mantissa.split('.');
  let digits = BigInt(integer + fraction);
  let exponent = Number(power) - fraction.length;
  for (; digits !== 0n && digits % 10n === 0n; digits /= 10n) exponent += 1;
  return digits === 0n ? '0' : `${digits}e${exponent}`;
}

const refusedFor = (reason: RegExp) =>
  expect.objectContaining({
    name: 'Refusal',
    code: 'INVALID_INPUT',
    facts: { reason: expect.stringMatching(reason) },
  });

describe('A request body', () => {
  it('the parsed value of a body equals the value that JSON.parse gives', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const text = JSON.stringify(value);
        const isCarried = !text.includes('\\u') && !/[0-9]{16}|[eE]\+/.test(text);
        fc.pre(isCarried);
        expect(parse(text)).toStrictEqual(JSON.parse(text));
      }),
    );
  });

  it('a body is refused if any object in it repeats a key, even if the key is escaped differently', () => {
    for (const text of [
      '{"a":1,"a":2}',
      '{"x":[{"b":{"a":1,"a":1}}]}',
      '{"a":1,"\\u0061":2}',
      '{"__proto__":1,"__proto__":2}',
      '{"a:b":1,"a:b":2}',
    ])
      expect(() => parse(text)).toThrow(refusedFor(/repeats a key/));
  });

  it('a body is accepted even if its strings contain colons, quotes and braces', () => {
    const value = { 'a:b': '{"a":1,"a":2}', c: '\\"a":1', 'd\\': [':', '"', '\\\\'], e: {} };
    expect(parse(JSON.stringify(value))).toStrictEqual(value);
  });

  it('a body with U+0000, a lone surrogate or a number that JCS cannot represent is refused, and the error names the place', () => {
    expect(() => parse('{"a":{"b":["x\\u0000"]}}')).toThrow(refusedFor(/^\/a\/b\/0: U\+0000/));
    expect(() => parse('{"\\u0000":1}')).toThrow(refusedFor(/U\+0000 in a key/));
    expect(() => parse('{"a":"\\ud800"}')).toThrow(refusedFor(/lone surrogate/));
    expect(() => parse('{"a":9007199254740993}')).toThrow(refusedFor(/integer outside/));
    expect(() => parse('{"a":1e999}')).toThrow(refusedFor(/not a finite number/));
    expect(() => parse('[-1e300]')).toThrow(refusedFor(/integer outside/));
  });

  it('a body with a number that would be stored as another number is refused', () => {
    for (const number of ['1e-400', '-4e-324', '0.12345678901234567890', '1.00000000000000000001'])
      expect(() => parse(`{"a":[${number}]}`)).toThrow(refusedFor(/cannot hold exactly/));
    for (const number of [
      '0e5',
      '-0.0',
      '1e-7',
      '1.5E+2',
      '0.30000000000000004',
      '5e-324',
      '100000000000000000e-5',
    ])
      expect(parse(`[${number}]`)).toStrictEqual(JSON.parse(`[${number}]`));
    expect(parse('{"a":"1e-400"}')).toStrictEqual({ a: '1e-400' });
  });

  it('a body with a number of more than 400 characters is refused before the number is read', () => {
    const zeros = '0'.repeat(100_000);
    for (const number of [`1${zeros}1`, `-0.${zeros}1`, `1e${zeros}1`, `1${zeros}`, `1${zeros}x`])
      expect(() => parse(`{"a":[${number}]}`)).toThrow(refusedFor(/more than 400 characters/));
    expect(parse(`[0.5${'0'.repeat(397)}]`)).toStrictEqual([0.5]);
    expect(() => parse(`[0.5${'0'.repeat(398)}]`)).toThrow(refusedFor(/more than 400 characters/));
  });

  it('a body with more than 100,000 names and values is refused before it is parsed', () => {
    const list = (count: number): string => `[${'1,'.repeat(count - 1)}1]`;
    expect(parse(list(99_998))).toHaveLength(99_998);
    for (const text of [list(100_000), `{"a":${'[['.repeat(40)}${list(100_000)}`])
      expect(() => parse(text)).toThrow(refusedFor(/more than 100000 names and values/));
    const object = Array.from({ length: 60_000 }, (_, place) => `"k${place}":1`).join(',');
    for (const text of [
      `{${object}}`,
      `[${'{},'.repeat(60_000)}{}]`,
      `[${'[],'.repeat(60_000)}[]]`,
    ])
      expect(() => parse(text)).toThrow(refusedFor(/more than 100000 names and values/));
  });

  it('a body with any number that JavaScript prints is accepted unchanged', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        fc.pre(!Number.isInteger(number) || Number.isSafeInteger(number));
        expect(parse(JSON.stringify([number]))).toStrictEqual([Object.is(number, -0) ? 0 : number]);
      }),
    );
  });

  it('a body with a number in any decimal form is accepted if and only if a double holds the number', () => {
    const part = fc.integer({ min: 0, max: 10 ** 9 });
    const exponent = fc.integer({ min: -340, max: 320 });
    fc.assert(
      fc.property(part, fc.option(part), fc.option(exponent), (integer, fraction, power) => {
        const text = `${integer}${fraction === null ? '' : `.${fraction}`}${power === null ? '' : `e${power}`}`;
        const number = Number(text);
        fc.pre(Number.isSafeInteger(number) || !Number.isInteger(number));
        fc.pre(Number.isFinite(number));
        const isHeld = decimalOf(text) === decimalOf(String(number));
        if (isHeld) expect(parse(`[${text}]`)).toStrictEqual([number]);
        else expect(() => parse(`[${text}]`)).toThrow(refusedFor(/cannot hold exactly/));
      }),
      { numRuns: 1_000 },
    );
  });

  it('a long body is read with many pauses, whatever its numbers are', () => {
    for (const number of ['1.25e-7', '1.5E+2', '0.30000000000000004', '7']) {
      const reading = strictJsonOf(Buffer.from(`[${Array(40_000).fill(number).join()}]`));
      let pauses = 0;
      while (reading.next().done !== true) pauses += 1;
      expect(pauses).toBeGreaterThan(40);
    }
  });

  it('a body may contain escapes for ordinary characters', () => {
    expect(parse('{"\\u00e9":"\\ud83d\\ude00 \\u2019"}')).toStrictEqual({ é: '😀 ’' });
  });

  it('a body is refused if its bytes are not UTF-8 or its text is not JSON', () => {
    expect(() => parseStrictJson(Buffer.from([0x22, 0xff, 0xfe, 0x22]))).toThrow(
      refusedFor(/not UTF-8/),
    );
    expect(() => parseStrictJson(Buffer.from('{"a":"é"}', 'latin1'))).toThrow(
      refusedFor(/not UTF-8/),
    );
    for (const text of ['{', '{"a":1,}', "{'a':1}", '\ufeff{}', '{} {}', 'undefined', '"\u0001"'])
      expect(() => parse(text)).toThrow(refusedFor(/not JSON/));
  });

  it('a body that is nested 10,000 deep is refused before it is parsed', () => {
    expect(() => parse('['.repeat(10_000) + ']'.repeat(10_000))).toThrow(refusedFor(/deeper than/));
    expect(() => parse('{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000))).toThrow(
      refusedFor(/deeper than/),
    );
    expect(() => parse('['.repeat(1_000_000))).toThrow(refusedFor(/deeper than/));
    expect(() => parse('['.repeat(100) + ']'.repeat(100))).not.toThrow();
  });

  it('__proto__ and constructor are ordinary keys of a body and have no side effects', () => {
    const value = parse(
      '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":1}}}',
    );
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(canonicalJson(value)).toBe(
      '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":1}}}',
    );
  });

  it('a missing body is an empty object', () => {
    expect(parse('')).toStrictEqual({});
  });
});
