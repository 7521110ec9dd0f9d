import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Json } from '#domain/json.js';
import { base64Decoded, percentDecoded } from '#domain/privacy/encodings.js';
import type { Finding, Verdict } from '#domain/privacy/finding.js';
import { redact, redactJson } from '#domain/privacy/redact.js';
import { scanJson } from '#domain/privacy/scan-json.js';
import { scanText } from '#domain/privacy/scan-text.js';
import { POSITIVES } from '#test/domain/privacy-corpus/positives.js';

const findingsOf = (verdict: Verdict): readonly Finding[] =>
  verdict.outcome === 'flagged' ? verdict.findings : [];

const personal = fc
  .constantFrom(...POSITIVES.filter(({ label }) => label === undefined))
  .map(({ text }) => text.replace(/[«»]/g, ''));
const words = fc.array(fc.constantFrom('the', 'blue', 'sky', 'über', 'こ', 'and', '-', '7'), {
  maxLength: 6,
});
const noise = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
);

test('personal data is found wherever it stands in a text', () => {
  fc.assert(
    fc.property(words, personal, words, (before, text, after) => {
      const around = [...before, '\n', text, '\n', ...after].join(' ');
      assert.equal(scanText(around).outcome, 'flagged');
    }),
  );
});

test('findings are in order, apart, inside the text, and the same every time', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(noise, personal), { maxLength: 5 }), (pieces) => {
      const text = pieces.join(' ');
      const verdict = scanText(text);
      assert.deepEqual(scanText(text), verdict);
      let last = 0;
      for (const { span } of findingsOf(verdict)) {
        assert.ok(span[0] >= last && span[1] > span[0] && span[1] <= text.length);
        last = span[1];
      }
    }),
  );
});

test('a text that was redacted has nothing left of what was found', () => {
  fc.assert(
    fc.property(words, personal, words, (before, text, after) => {
      const around = [...before, '\n', text, '\n', ...after].join(' ');
      const findings = findingsOf(scanText(around));
      const redacted = redact(around, findings);
      for (const { span } of findings) assert.ok(!redacted.includes(around.slice(...span)));
    }),
  );
});

test('a value is scanned however it is nested, and none of it stands in the verdict', () => {
  const nested = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      personal,
      words.map((list) => list.join(' ')),
      fc.boolean(),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.oneof(personal, fc.constantFrom('a', 'b', 'value')), tie('value'), {
        maxKeys: 3,
        noNullPrototype: true,
      }),
    ),
  })).value;
  fc.assert(
    fc.property(nested, (value) => {
      const verdict = scanJson(value);
      const findings = findingsOf(verdict);
      assert.deepEqual(scanJson(JSON.parse(JSON.stringify(value)) as Json), verdict);
      const said = JSON.stringify(verdict);
      for (const { text } of POSITIVES) assert.ok(!said.includes(text.replace(/[«»]/g, '')));
      const redacted = redactJson(value, findings, () => 'hash');
      if (findings.length === 0) assert.deepEqual(redacted, value);
    }),
  );
});

test('what stands in base64 is read as Node reads it, whatever its alphabet, its lines and its padding', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 8, maxLength: 200 }),
    fc.string({ unit: 'grapheme-ascii', minLength: 8, maxLength: 200 }),
  );
  const encoding = fc.constantFrom<BufferEncoding>('base64', 'base64url');
  const lineBreak = fc.constantFrom('', '\n', '\r\n');
  fc.assert(
    fc.property(text, encoding, lineBreak, fc.nat(2), (inside, alphabet, between, cut) => {
      const encoded = Buffer.from(inside).toString(alphabet);
      const lines = (encoded.match(/.{1,76}/g) ?? []).join(between).slice(0, -cut || undefined);
      const view = base64Decoded({ text: lines });
      if (view === undefined || view.ends?.at(-1) !== lines.length) return;
      assert.equal(view.text, `${Buffer.from(lines, 'base64').toString()}\n`);
    }),
  );
  const view = base64Decoded({ text: Buffer.from('4 ä€ \u{1f600} and so on').toString('base64') });
  assert.equal(view?.text, '4 ä€ \u{1f600} and so on\n');
});

test('what is URL-encoded is read as UTF-8, and a byte that begins no character as itself', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (inside) => {
      const encoded = [...Buffer.from(inside)].map(
        (byte) => `%${byte.toString(16).padStart(2, '0')}`,
      );
      assert.equal(percentDecoded({ text: encoded.join('') })?.text, inside);
    }),
  );
  assert.equal(percentDecoded({ text: 'a%e4b%ff%c3%a4' })?.text, 'aäbÿä');
});
