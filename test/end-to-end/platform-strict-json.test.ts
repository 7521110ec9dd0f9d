import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseStrictJson } from '#apps/api/platform/http/strict-json.js';
import { canonicalJson } from '#domain/determinism/canonical-json.js';

const parse = (text: string): unknown => parseStrictJson(Buffer.from(text));

const refusedFor = (reason: RegExp) =>
  expect.objectContaining({
    name: 'Refusal',
    code: 'INVALID_INPUT',
    facts: { reason: expect.stringMatching(reason) },
  });

describe('A request body', () => {
  it('has exactly the value that JSON.parse gives', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const text = JSON.stringify(value);
        const isCarried = !text.includes('\\u') && !/[0-9]{16}|[eE]\+/.test(text);
        fc.pre(isCarried);
        expect(parse(text)).toStrictEqual(JSON.parse(text));
      }),
    );
  });

  it('is refused if any object in it repeats a key, even with another spelling', () => {
    for (const text of [
      '{"a":1,"a":2}',
      '{"x":[{"b":{"a":1,"a":1}}]}',
      '{"a":1,"\\u0061":2}',
      '{"__proto__":1,"__proto__":2}',
      '{"a:b":1,"a:b":2}',
    ])
      expect(() => parse(text)).toThrow(refusedFor(/repeats a key/));
  });

  it('is accepted if its strings contain colons, quotes and braces', () => {
    const value = { 'a:b': '{"a":1,"a":2}', c: '\\"a":1', 'd\\': [':', '"', '\\\\'], e: {} };
    expect(parse(JSON.stringify(value))).toStrictEqual(value);
  });

  it('is refused for U+0000, lone surrogates and numbers that JCS cannot represent, naming the place', () => {
    expect(() => parse('{"a":{"b":["x\\u0000"]}}')).toThrow(refusedFor(/^\/a\/b\/0: U\+0000/));
    expect(() => parse('{"\\u0000":1}')).toThrow(refusedFor(/U\+0000 in a key/));
    expect(() => parse('{"a":"\\ud800"}')).toThrow(refusedFor(/lone surrogate/));
    expect(() => parse('{"a":9007199254740993}')).toThrow(refusedFor(/integer outside/));
    expect(() => parse('{"a":1e999}')).toThrow(refusedFor(/not a finite number/));
    expect(() => parse('[-1e300]')).toThrow(refusedFor(/integer outside/));
  });

  it('may contain escapes for ordinary characters', () => {
    expect(parse('{"\\u00e9":"\\ud83d\\ude00 \\u2019"}')).toStrictEqual({ é: '😀 ’' });
  });

  it('is refused if its bytes are not UTF-8 or its text is not JSON', () => {
    expect(() => parseStrictJson(Buffer.from([0x22, 0xff, 0xfe, 0x22]))).toThrow(
      refusedFor(/not UTF-8/),
    );
    expect(() => parseStrictJson(Buffer.from('{"a":"é"}', 'latin1'))).toThrow(
      refusedFor(/not UTF-8/),
    );
    for (const text of ['{', '{"a":1,}', "{'a':1}", '\ufeff{}', '{} {}', 'undefined', '"\u0001"'])
      expect(() => parse(text)).toThrow(refusedFor(/not JSON/));
  });

  it('is refused before parsing if it is nested 10,000 deep', () => {
    expect(() => parse('['.repeat(10_000) + ']'.repeat(10_000))).toThrow(refusedFor(/deeper than/));
    expect(() => parse('{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000))).toThrow(
      refusedFor(/deeper than/),
    );
    expect(() => parse('['.repeat(1_000_000))).toThrow(refusedFor(/deeper than/));
    expect(() => parse('['.repeat(100) + ']'.repeat(100))).not.toThrow();
  });

  it('keeps __proto__ and constructor as ordinary keys without side effects', () => {
    const value = parse(
      '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":1}}}',
    );
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(canonicalJson(value)).toBe(
      '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":1}}}',
    );
  });

  it('is an empty object if it is missing', () => {
    expect(parse('')).toStrictEqual({});
  });
});
