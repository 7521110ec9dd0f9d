import { describe, expect, test } from '@jest/globals';
import { isValidIBAN } from 'ibantools';
import { isValidPhoneNumber, type CountryCode } from 'libphonenumber-js/max';
import validator from 'validator';
import { FINDING_TYPES, type FindingType, type PathStep } from '#domain/privacy/finding.js';
import type { Json } from '#domain/json.js';
import { corpus, templates, type Part } from './corpus.js';
import { invalidCard, invalidIban } from './generators/payment.js';
import { Random } from './random.js';
import { GENERATORS, type LabelledSpan } from './template.js';

const PARTS: readonly Part[] = ['held', 'train'];
const EXAMPLES = { held: corpus('held'), train: corpus('train') };
const SPANS = {
  held: EXAMPLES.held.flatMap(({ spans }) => spans),
  train: EXAMPLES.train.flatMap(({ spans }) => spans),
};

/** Returns the text at the span's path: a key, a string, or the JSON text of a number. */
function textAt(value: Json, path: readonly PathStep[], in_key: boolean): string {
  const [step, ...rest] = path;
  if (step === undefined) return typeof value === 'string' ? value : JSON.stringify(value);
  if (Array.isArray(value)) return textAt((value as readonly Json[])[Number(step)]!, rest, in_key);
  const entries = value as { readonly [key: string]: Json };
  const key = typeof step === 'number' ? Object.keys(entries).sort()[step]! : step;
  return in_key && rest.length === 0 ? key : textAt(entries[key]!, rest, in_key);
}

/** Undoes the disguise of a span: the way in which a person would read the text. */
function read(shown: string, { disguise, plain }: LabelledSpan): string {
  const normalised = shown.normalize('NFKC').replace(/[\u200b-\u200d\u2060\ufeff]/g, '');
  switch (disguise) {
    case 'url':
      return decodeURIComponent(shown);
    case 'base64':
      // The piece may have words around the value.
      return Buffer.from(shown, 'base64').toString().includes(plain) ? plain : '';
    case 'nbhyphen':
      return normalised.replaceAll('\u2010', '-');
    case undefined:
      return shown;
    default:
      return normalised;
  }
}

/** Returns the words of a template without its slots. */
const words = (value: Json): readonly string[] =>
  JSON.stringify(value)
    .replace(/\{~?[a-z][^{}]*\}/g, ' ')
    .toLowerCase()
    .match(/\p{L}{3,}/gu) ?? [];

function similarity(one: readonly string[], other: readonly string[]): number {
  const [first, second] = [new Set(one), new Set(other)];
  const shared = [...first].filter((word) => second.has(word)).length;
  return shared / Math.max(1, Math.min(first.size, second.size));
}

/** The parts of templates that may be shared: a field's name says little by itself. */
const FEW_WORDS = 4;

const generated = (type: FindingType, region: string, options: readonly string[] = []) =>
  Array.from({ length: 200 }, (_, index) =>
    GENERATORS[type](new Random(`${type}/${region}/${index}`), { region, language: 'en', options }),
  );

describe('The privacy corpus', () => {
  test('has the promised number of templates and spans in both parts', () => {
    const counts = PARTS.map((part) => {
      const ids = new Set(
        EXAMPLES[part].filter((each) => each.spans.length > 0).map((each) => each.template),
      );
      return { personal: ids.size, harmless: templates(part).length - ids.size };
    });
    const [held, train] = counts;
    expect(held!.personal).toBeGreaterThanOrEqual(70);
    expect(held!.harmless).toBeGreaterThanOrEqual(40);
    expect(train!.personal).toBeGreaterThanOrEqual(120);
    expect(train!.harmless).toBeGreaterThanOrEqual(60);
    expect(SPANS.held.length).toBeGreaterThanOrEqual(700);
    expect(SPANS.held.length + SPANS.train.length).toBeGreaterThanOrEqual(2000);
  });

  test('no id of a template stands in both parts or twice in one', () => {
    const ids = PARTS.flatMap((part) => templates(part).map(({ id }) => id));
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toStrictEqual([]);
  });

  test('no template of one part is a near-copy of a template of the other part', () => {
    const [held, train] = PARTS.map((part) =>
      templates(part).map(({ id, value }) => ({ id, words: words(value) })),
    );
    const copies = held!.flatMap((one) =>
      train!
        .filter(
          (other) => Math.min(new Set(one.words).size, new Set(other.words).size) >= FEW_WORDS,
        )
        .filter((other) => similarity(one.words, other.words) > 0.6)
        .map((other) => `${one.id} ~ ${other.id}`),
    );
    expect(copies).toStrictEqual([]);
  });

  test.each(PARTS)('covers every type, hidden values, numbers and keys in %s', (part) => {
    expect(new Set(SPANS[part].map(({ type }) => type))).toStrictEqual(new Set(FINDING_TYPES));
    const disguises = new Set(SPANS[part].map(({ disguise }) => disguise));
    expect([...disguises]).toStrictEqual(
      expect.arrayContaining(['fullwidth', 'zerowidth', 'url', 'base64']),
    );
    expect(SPANS[part].some(({ in_key }) => in_key)).toBe(true);
    const hasNumber = EXAMPLES[part].some(({ value, spans }) =>
      spans.some(
        ({ path, plain }) => JSON.stringify(value).includes(`":${plain}`) && path.length > 0,
      ),
    );
    expect(hasNumber).toBe(true);
  });

  test.each(PARTS)('each span of %s holds what its generator made', (part) => {
    for (const { template, value, spans } of EXAMPLES[part])
      for (const span of spans) {
        const shown = textAt(value, span.path, span.in_key).slice(span.start, span.end);
        expect({ template, text: read(shown, span) }).toStrictEqual({ template, text: span.plain });
        if (span.disguise !== undefined) expect(shown).not.toBe(span.plain);
      }
  });

  test('the same seed gives the same examples, and another seed gives others', () => {
    expect(corpus('held', 7, 2)).toStrictEqual(corpus('held', 7, 2));
    expect(corpus('held', 8, 2)).not.toStrictEqual(corpus('held', 7, 2));
  });
});

describe('The generators of the corpus', () => {
  const inCorpus = (type: FindingType) =>
    [...SPANS.held, ...SPANS.train].filter((span) => span.type === type).map(({ plain }) => plain);

  test('make cards and IBANs that other validators accept', () => {
    expect(
      inCorpus('payment_card').filter((card) => !validator.isLuhnNumber(card.replace(/\D/g, ''))),
    ).toStrictEqual([]);
    expect(inCorpus('iban').filter((iban) => !isValidIBAN(iban.replaceAll(' ', '')))).toStrictEqual(
      [],
    );
  });

  test('make invalid twins that those validators reject', () => {
    const form = { region: 'DE', language: 'de', options: [] };
    for (let index = 0; index < 200; index++) {
      const random = new Random(`twin/${index}`);
      expect(validator.isLuhnNumber(invalidCard(random, form).replace(/\D/g, ''))).toBe(false);
      expect(isValidIBAN(invalidIban(random, form).replaceAll(' ', ''))).toBe(false);
    }
  });

  test.each([
    ['ES', 'ES'],
    ['PL', 'PL'],
    ['FI', 'FI'],
    ['NO', 'NO'],
    ['IN', 'IN'],
    ['CN', 'zh-CN'],
  ] as const)(
    'make identity numbers of %s that another validator accepts as %s',
    (region, locale) => {
      const numbers = generated('national_id', region, ['bare']);
      expect(numbers.filter((id) => !validator.isIdentityCard(id, locale))).toStrictEqual([]);
    },
  );

  test.each([
    ['IT', 'it-IT', []],
    ['DE', 'de-DE', []],
    ['NL', 'nl-NL', []],
    ['PT', 'pt-PT', []],
    ['BR', 'pt-BR', []],
    ['SE', 'sv-SE', ['short']],
    ['BE', 'nl-BE', []],
    ['CA', 'en-CA', []],
  ] as const)(
    'make tax numbers of %s that another validator accepts as %s',
    (region, locale, options) => {
      const numbers = generated('national_id', region, options.length > 0 ? options : ['bare']);
      expect(numbers.filter((id) => !validator.isTaxID(id, locale))).toStrictEqual([]);
    },
  );

  test.each([
    'US',
    'CA',
    'GB',
    'DE',
    'AT',
    'CH',
    'FR',
    'ES',
    'IT',
    'NL',
    'BE',
    'PT',
    'PL',
    'SE',
    'NO',
    'BR',
    'JP',
    'CN',
    'IN',
    'SA',
    'AU',
  ] satisfies CountryCode[])(
    'make phone numbers of %s that follow its numbering plan',
    (region) => {
      const numbers = generated('phone', region, ['national', 'intl', 'e164']);
      expect([
        ...new Set(numbers.filter((number) => !isValidPhoneNumber(number, region))),
      ]).toStrictEqual([]);
    },
  );

  test('make IP and MAC addresses that another validator accepts', () => {
    expect(inCorpus('ip_address').filter((ip) => !validator.isIP(ip))).toStrictEqual([]);
    expect(inCorpus('mac_address').filter((mac) => !validator.isMACAddress(mac))).toStrictEqual([]);
  });

  test('make e-mail addresses and JWTs that another validator accepts', () => {
    expect(inCorpus('email').filter((mail) => !validator.isEmail(mail))).toStrictEqual([]);
    expect(inCorpus('jwt').filter((jwt) => !validator.isJWT(jwt))).toStrictEqual([]);
  });
});
