import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { getCountries, getExampleNumber, parsePhoneNumberFromString } from 'libphonenumber-js';
import examples from 'libphonenumber-js/mobile/examples';
import type { Json } from '#domain/json.js';
import { holdsBytes } from '#domain/privacy/bytes.js';
import { base64Decoded, percentDecoded } from '#domain/privacy/encodings.js';
import type { Finding, Verdict } from '#domain/privacy/finding.js';
import { redact, redactJson } from '#domain/privacy/redact.js';
import { ContextWords, foldWords, NearWords } from '#domain/privacy/context-words.js';
import { canBeNational } from '#domain/privacy/recognisers/national-phones.js';
import { PHONE_WORDS } from '#domain/privacy/recognisers/words.js';
import { POSITIVES } from '#test/domain/privacy-corpus/positives.js';
import { tries } from '#test/support/tries.js';
import { scanJson, scanText } from '#test/support/default-scans.js';

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

test('personal data is found at any place in a text', () => {
  fc.assert(
    fc.property(words, personal, words, (before, text, after) => {
      const around = [...before, '\n', text, '\n', ...after].join(' ');
      expect(scanText(around).outcome).toBe('flagged');
    }),
  );
});

test('findings are in order, do not overlap, lie within the text, and are always the same', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(noise, personal), { maxLength: 5 }), (pieces) => {
      const text = pieces.join(' ');
      const verdict = scanText(text);
      expect(scanText(text)).toStrictEqual(verdict);
      let last = 0;
      for (const { span } of findingsOf(verdict)) {
        expect(span[0]).toBeGreaterThanOrEqual(last);
        expect(span[1]).toBeGreaterThan(span[0]);
        expect(span[1]).toBeLessThanOrEqual(text.length);
        last = span[1];
      }
    }),
  );
});

test('a redacted text contains nothing of the findings', () => {
  fc.assert(
    fc.property(words, personal, words, (before, text, after) => {
      const around = [...before, '\n', text, '\n', ...after].join(' ');
      const findings = findingsOf(scanText(around));
      const redacted = redact(around, findings);
      for (const { span } of findings) expect(redacted).not.toContain(around.slice(...span));
    }),
  );
});

test('a value is scanned at any depth, and the verdict contains nothing of the value', () => {
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
      expect(scanJson(JSON.parse(JSON.stringify(value)) as Json)).toStrictEqual(verdict);
      const said = JSON.stringify(verdict);
      for (const { text } of POSITIVES) expect(said).not.toContain(text.replace(/[«»]/g, ''));
      const redacted = redactJson(value, findings, () => 'hash');
      if (findings.length === 0) expect(redacted).toStrictEqual(value);
    }),
  );
});

test('a scan that remembers clear items has the same verdict as one that does not', () => {
  const message = fc.record({
    key: fc.constantFrom('phone', 'text'),
    value: fc.oneof(
      personal,
      words.map((list) => list.join(' ').repeat(20)),
      fc.nat(),
    ),
    parts: fc.array(
      fc.oneof(
        personal,
        words.map((list) => list.join(' ').repeat(40)),
      ),
      {
        maxLength: 2,
      },
    ),
  });
  const label = fc.constantFrom('', 'phone', 'date_of_birth', 'messages');
  const scanned = fc.tuple(label, fc.array(message, { maxLength: 6 }), fc.boolean());
  fc.assert(
    fc.property(fc.array(scanned, { maxLength: 6 }), (scans) => {
      const clear = new Map<string, number>();
      for (const [name, messages, isDeeper] of scans) {
        const value: Json = isDeeper ? { value: [messages] } : messages;
        for (const known of [messages.slice(0, -1), value])
          expect(scanJson(known, name, clear)).toStrictEqual(scanJson(known, name));
      }
    }),
    { numRuns: tries(25) },
  );
});

test('a list that is too large is refused, although a scan has found each of its items clear', () => {
  const items = [...'abcdefghi'].map((letter) => `${letter.repeat(39)} `.repeat(3_000));
  const clear = new Map<string, number>();
  for (const item of items) expect(scanJson([item], '', clear).outcome).toBe('clear');
  expect(scanJson(items, '', clear)).toStrictEqual(scanJson(items));
  expect(scanJson(items).outcome).toBe('cannot_scan');
});

test('base64 is decoded as by Node, for all alphabets, line breaks and padding', () => {
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
      const decoded = Buffer.from(lines, 'base64').toString();
      // If the cut breaks the last character, the piece is not decoded as a whole but in parts, or as text among bytes.
      // U+FFFD stands for an invalid byte, also where the text has it.
      if (decoded.includes('\ufffd')) return;
      if (view?.starts?.[0] !== 0 || view.ends?.at(-1) !== lines.length) return;
      expect(view.text).toBe(`${decoded}\n`);
    }),
  );
  const view = base64Decoded({ text: Buffer.from('4 ä€ \u{1f600} and so on').toString('base64') });
  expect(view?.text).toBe('4 ä€ \u{1f600} and so on\n');
  const broken = Buffer.from('to ada@example.com \ufffd').toString('base64');
  expect(base64Decoded({ text: broken })?.text).toContain('to ada@example.com ');
});

test('URL encoding is decoded as UTF-8, and an invalid byte is kept as it is', () => {
  // U+FFFD stands for an invalid byte, and is kept as its bytes, too.
  const text = fc
    .string({ unit: 'grapheme', minLength: 1 })
    .filter((one) => !one.includes('\ufffd'));
  fc.assert(
    fc.property(text, (inside) => {
      const encoded = [...Buffer.from(inside)].map(
        (byte) => `%${byte.toString(16).padStart(2, '0')}`,
      );
      expect(percentDecoded({ text: encoded.join('') })?.text).toBe(inside);
    }),
  );
  expect(percentDecoded({ text: 'a%e4b%ff%c3%a4' })?.text).toBe('aäbÿä');
});

test('the quick check of national phone numbers rejects no number that the library accepts in its national form', () => {
  const digitsOf = (text: string): string => text.replace(/\D/g, '');
  const numberOf = fc.constantFrom(...getCountries()).chain((region) => {
    const example = getExampleNumber(region, examples);
    const forms = [
      example?.formatNational() ?? '',
      example?.nationalNumber ?? '',
      example?.number ?? '',
    ];
    return fc.tuple(
      fc.constant(region),
      fc.constantFrom('', '', '', '0', '1', '8', '00'),
      fc.constantFrom(...forms.map(digitsOf)),
      fc.array(fc.tuple(fc.nat(14), fc.nat(9)), { maxLength: 3 }),
    );
  });
  let accepted = 0;
  fc.assert(
    fc.property(numberOf, ([region, before, digits, changes]) => {
      const changed = [...digits];
      for (const [at, digit] of changes) if (at < changed.length) changed[at] = String(digit);
      const dialled = before + changed.join('');
      const number = parsePhoneNumberFromString(dialled, {
        defaultCountry: region,
        extract: false,
      });
      if (number?.isValid() !== true || digitsOf(number.formatNational()) !== dialled) return;
      accepted += 1;
      expect([region, dialled, canBeNational(dialled, region)]).toStrictEqual([
        region,
        dialled,
        true,
      ]);
    }),
    { numRuns: tries(5_000) },
  );
  expect(accepted).toBeGreaterThan(tries(500));
});

test('context words are found in a part of a text as if the part stood alone', () => {
  const words = new ContextWords(PHONE_WORDS);
  const some = ['tel', 'phone', 'telefon', '電話', 'móvil', 'tél', 'text me', 'call', 'my number'];
  const piece = fc.oneof(
    fc.constantFrom(...some),
    fc.constantFrom(...some, ...some.map((word) => word.toUpperCase()), 'textMe', 'myNumber', 'İ'),
    fc.constantFrom(' ', '_', '-', '1', 'x', 'X', 'é', '\n', '.', 'Σ', '\u{1f4de}'),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3 }),
  );
  const text = fc.array(piece, { minLength: 1, maxLength: 200 }).map((pieces) => pieces.join(''));
  let found = 0;
  fc.assert(
    fc.property(
      text,
      fc.array(fc.tuple(fc.nat(600), fc.nat(48)), { maxLength: 20 }),
      (view, parts) => {
        const near = new NearWords(view);
        for (const [at, length] of parts) {
          const from = at % view.length;
          const isThere = words.pattern.test(foldWords(view.slice(from, from + length)));
          if (isThere) found += 1;
          expect([view, from, length, near.has(words, from, from + length)]).toStrictEqual([
            ...[view, from, length],
            isThere,
          ]);
        }
      },
    ),
  );
  expect(found).toBeGreaterThan(50);
});

const mail = fc
  .tuple(fc.stringMatching(/^[a-z]{4,12}$/), fc.constantFrom('example.org', 'mail.example.com'))
  .map(([name, host]) => `${name}@${host}`);
const unread = fc.uint8Array({ minLength: 1, maxLength: 40 });

test('an address beside other bytes or in UTF-16 is found in base64', () => {
  fc.assert(
    fc.property(mail, unread, unread, fc.constantFrom('base64', 'base64url'), (text, ...rest) => {
      const [before, after, base64] = rest;
      const forms = [
        Buffer.concat([before, Buffer.from(`\0${text}\0`), after]),
        Buffer.from(`${text} `, 'utf16le'),
        Buffer.from(`${text} `, 'utf16le').swap16(),
      ];
      for (const bytes of forms) expect(scanText(bytes.toString(base64)).outcome).toBe('flagged');
    }),
  );
});

test('a value with bytes that cannot be read as text is recognised in every form in which JSON holds bytes', () => {
  const packed = fc.constantFrom(deflateRawSync, gzipSync, (text: string) =>
    Buffer.from(`\0${text}`),
  );
  fc.assert(
    fc.property(mail, packed, (text, pack) => {
      const bytes = Buffer.from(pack(`Write to ${text} and to nobody else.`));
      const forms: Json[] = [
        { base64: bytes.toString('base64') },
        { $bytes_base64: bytes.toString('base64') },
        [`data:image/png;base64,${bytes.toString('base64')}`],
        `An image: data:image/png;base64,${bytes.toString('base64')}`,
        { file: bytes.toJSON() },
        { file: Object.fromEntries([...bytes].map((byte, place) => [place, byte])) },
        { file: [...bytes] },
      ];
      for (const form of forms) expect([form, holdsBytes(form)]).toStrictEqual([form, true]);
    }),
  );
});

test('words, ids, hashes and short lists do not count as bytes', () => {
  const harmless = fc.oneof(
    fc.uuid(),
    fc.stringMatching(/^[0-9a-f]{64}$/),
    fc.stringMatching(/^(call|toolu|msg)_[A-Za-z0-9]{24}$/),
    fc.constant('getReservationDetailsNow'),
    fc.constant('apps/api/platform/http/controllers/identity/decorator'),
    fc.constant('https://example.org/?q=flights+from+Denver+to+Boston2'),
    fc.constant({ base64: Buffer.from('a plain text, in base64').toString('base64') }),
    fc.array(fc.nat(255), { maxLength: 15 }),
    fc.array(fc.double(), { minLength: 16 }),
    words.map((list) => list.join(' ')),
  );
  fc.assert(
    fc.property(harmless, (value) =>
      expect([value, holdsBytes(value as Json)]).toStrictEqual([value, false]),
    ),
  );
});
