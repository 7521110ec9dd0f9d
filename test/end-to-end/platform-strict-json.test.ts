import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseStrictJson } from '#apps/api/platform/http/strict-json.js';
import { canonicalJson } from '#domain/determinism/canonical-json.js';
import { Refusal } from '#domain/errors/refusal.js';

const parse = (text: string): unknown => parseStrictJson(Buffer.from(text));

const refusedFor = (reason: RegExp) => (error: unknown) =>
  error instanceof Refusal &&
  error.code === 'INVALID_INPUT' &&
  reason.test(String(error.facts.reason));

describe('A request body', () => {
  it('comes back as JSON.parse gives it, whatever JSON it is', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const text = JSON.stringify(value);
        const isCarried = !text.includes('\\u') && !/[0-9]{16}|[eE]\+/.test(text);
        fc.pre(isCarried);
        assert.deepEqual(parse(text), JSON.parse(text));
      }),
    );
  });

  it('is refused when any object in it repeats a key, also one that is spelled differently', () => {
    for (const text of [
      '{"a":1,"a":2}',
      '{"x":[{"b":{"a":1,"a":1}}]}',
      '{"a":1,"\\u0061":2}',
      '{"__proto__":1,"__proto__":2}',
      '{"a:b":1,"a:b":2}',
    ])
      assert.throws(() => parse(text), refusedFor(/repeats a key/), text);
  });

  it('is not taken for one that repeats a key because of colons, quotes and braces inside strings', () => {
    const value = { 'a:b': '{"a":1,"a":2}', c: '\\"a":1', 'd\\': [':', '"', '\\\\'], e: {} };
    assert.deepEqual(parse(JSON.stringify(value)), value);
  });

  it('is refused for U+0000, lone surrogates and numbers that JCS cannot carry, naming the place', () => {
    assert.throws(() => parse('{"a":{"b":["x\\u0000"]}}'), refusedFor(/^\/a\/b\/0: U\+0000/));
    assert.throws(() => parse('{"\\u0000":1}'), refusedFor(/U\+0000 in a key/));
    assert.throws(() => parse('{"a":"\\ud800"}'), refusedFor(/lone surrogate/));
    assert.throws(() => parse('{"a":9007199254740993}'), refusedFor(/integer outside/));
    assert.throws(() => parse('{"a":1e999}'), refusedFor(/not a finite number/));
    assert.throws(() => parse('[-1e300]'), refusedFor(/integer outside/));
  });

  it('may hold escapes that stand for ordinary characters', () => {
    assert.deepEqual(parse('{"\\u00e9":"\\ud83d\\ude00 \\u2019"}'), { é: '😀 ’' });
  });

  it('is refused when its bytes are not UTF-8 or its text is not JSON', () => {
    assert.throws(
      () => parseStrictJson(Buffer.from([0x22, 0xff, 0xfe, 0x22])),
      refusedFor(/not UTF-8/),
    );
    assert.throws(
      () => parseStrictJson(Buffer.from('{"a":"é"}', 'latin1')),
      refusedFor(/not UTF-8/),
    );
    for (const text of ['{', '{"a":1,}', "{'a':1}", '\ufeff{}', '{} {}', 'undefined', '"\u0001"'])
      assert.throws(() => parse(text), refusedFor(/not JSON/), text);
  });

  it('is refused before it is parsed when it is nested 10,000 deep', () => {
    assert.throws(() => parse('['.repeat(10_000) + ']'.repeat(10_000)), refusedFor(/deeper than/));
    assert.throws(
      () => parse('{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000)),
      refusedFor(/deeper than/),
    );
    assert.throws(() => parse('['.repeat(1_000_000)), refusedFor(/deeper than/));
    assert.doesNotThrow(() => parse('['.repeat(100) + ']'.repeat(100)));
  });

  it('keeps __proto__ and constructor as ordinary keys that poison nothing', () => {
    const value = parse(
      '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":1}}}',
    );
    assert.equal(({} as Record<string, unknown>).polluted, undefined);
    assert.equal(
      canonicalJson(value),
      '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":1}}}',
    );
  });

  it('is an empty object when there is none', () => {
    assert.deepEqual(parse(''), {});
  });
});
