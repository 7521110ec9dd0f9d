import validator from 'validator';
import { ContextWords } from '../context-words.js';
import { FEATURE } from '../features.js';
import { digitsOf, longestPrefix, whole, type Candidate, type Recogniser } from '../recogniser.js';
import { ID_WORDS } from './words.js';

const SSN = /^(?!000|666|9)\d{3}[ .-]?(?!00)\d{2}[ .-]?(?!0000)\d{4}$/;
/** The form of a US taxpayer number (ITIN), for people without a social security number. */
const ITIN = /^9\d{2}[ .-](?:5\d|6[0-5]|7\d|8[0-8]|9[0-24-9])[ .-]\d{4}$/;

const usSsn: Recogniser = {
  type: 'us_ssn',
  category: 'high',
  needs: FEATURE.nine_digits,
  patterns: [
    /(?<!\w)(?<!\d[.-])(?<value>\d{3}(?:-\d{2}-| \d{2} |\.\d{2}\.)\d{4})(?!\w|[.-]\d)/g,
    /(?<![\w.,-])(?<value>\d{9})(?!\w|[.,-]\d)/g,
  ],
  measure: whole((text, { in_context }) => {
    if (/^\d{9}$/.test(text)) return in_context && SSN.test(text);
    return in_context || SSN.test(text) || ITIN.test(text);
  }),
  context: new ContextWords({
    exact: 'ssn|social security|social sec|soc sec|itin|taxpayer|tin',
  }),
  score: 0.8,
};

/** Returns the weighted sum of the digits, from which most national numbers derive their check digit. */
const weighed = (digits: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, at) => sum + weight * Number(digits[at]), 0);

const isNhs = (digits: string): boolean => {
  const check = (11 - (weighed(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 11;
  return check === Number(digits[9]);
};

const isTfn = (digits: string): boolean => weighed(digits, [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0;

const isNir = (text: string): boolean => {
  const digits = digitsOf(text);
  return 97 - Number(BigInt(digits.slice(0, 13)) % 97n) === Number(digits.slice(13));
};

const isAhv = (digits: string): boolean =>
  (10 - (weighed(digits, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3]) % 10)) % 10 === Number(digits[12]);

const isRut = (text: string): boolean => {
  const bare = text.replace(/[.-]/g, '').toUpperCase();
  const digits = bare.slice(0, -1).padStart(8, '0');
  const check = (11 - (weighed(digits, [3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11;
  return (check === 10 ? 'K' : String(check)) === bare.slice(-1);
};

/** Austria: the social insurance number. */
const isSvnr = (digits: string): boolean =>
  weighed(digits, [3, 7, 9, 0, 5, 8, 4, 2, 1, 6]) % 11 === Number(digits[3]);

/** Turkey: the citizen's number. */
const isTckn = (digits: string): boolean => {
  const odd = weighed(digits, [1, 0, 1, 0, 1, 0, 1, 0, 1]);
  const even = weighed(digits, [0, 1, 0, 1, 0, 1, 0, 1]);
  const tenth = (((odd * 7 - even) % 10) + 10) % 10;
  return tenth === Number(digits[9]) && (odd + even + tenth) % 10 === Number(digits[10]);
};

/** Japan: My Number. */
const isMyNumber = (digits: string): boolean => {
  const remainder = weighed(digits, [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11;
  return (remainder <= 1 ? 0 : 11 - remainder) === Number(digits[11]);
};

/** South Korea: the resident number. */
const isRrn = (digits: string): boolean =>
  (11 - (weighed(digits, [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5]) % 11)) % 10 === Number(digits[12]);

/** True if a number begins with a possible date in the form YYMMDD. */
const isBirthday = (text: string): boolean => {
  const month = Number(text.slice(2, 4));
  const day = Number(text.slice(4, 6));
  return month >= 1 && month <= 12 && day >= 1 && day <= 31;
};

const tax = (locale: string) => (text: string) => validator.isTaxID(text, locale);
const card = (locale: validator.IdentityCardLocale) => (text: string) =>
  validator.isIdentityCard(text, locale);
/** Sweden: the personal number with the century. */
const isPersonnummer = (digits: string): boolean =>
  tax('sv-SE')(`${digits.slice(2, 8)}-${digits.slice(-4)}`);
const onDigits = (accepts: (digits: string) => boolean) => (text: string) =>
  accepts(digitsOf(text));

const nationalId = (
  patterns: RegExp | readonly RegExp[],
  accepts: (text: string) => boolean,
  more: { readonly context?: ContextWords; readonly score?: number; readonly needs?: number } = {},
): Recogniser => ({
  type: 'national_id',
  category: 'high',
  needs: more.needs ?? FEATURE.seven_digits,
  patterns: patterns instanceof RegExp ? [patterns] : patterns,
  measure: whole((text: string, _: Candidate) => accepts(text)),
  ...(more.context && { context: more.context }),
  score: more.score ?? 0.7,
});

/** The score of a number that has only a checksum or a common form, and so needs context words as well. */
const NEEDS_CONTEXT = 0.4;
const CONTEXT = new ContextWords(ID_WORDS);

/** The numbers of only digits, by their length. */
const NUMBERS: ReadonlyMap<number, readonly ((digits: string) => boolean)[]> = new Map([
  [9, [tax('en-CA'), tax('nl-NL'), isTfn, tax('pt-PT'), tax('de-AT'), tax('el-GR'), card('he-IL')]],
  [10, [isNhs, isSvnr, tax('bg-BG'), tax('cs-CZ'), tax('dk-DK'), tax('sv-SE'), tax('uk-UA')]],
  [
    11,
    [
      ...[tax('de-DE'), card('PL'), tax('pt-BR'), isTckn, card('NO'), tax('fr-BE')],
      ...[tax('hr-HR'), tax('et-EE'), tax('lt-LT'), tax('es-AR')],
    ],
  ],
  [12, [card('IN'), isMyNumber, isPersonnummer]],
  [13, [isAhv, tax('ro-RO'), tax('fr-LU'), card('TH'), isRrn]],
  [15, [isNir]],
]);

const IP_ADDRESS = /^\d{1,3}(?:\.\d{1,3}){3}$/;

const isNumber = (text: string, digits: string): boolean =>
  NUMBERS.get(digits.length)?.some((accepts) => accepts(digits)) === true && !IP_ADDRESS.test(text);

/** Numbers of only digits that have a check digit, near a word for such a number. */
const numberInContext: Recogniser = {
  type: 'national_id',
  category: 'high',
  needs: FEATURE.nine_digits,
  patterns: [/(?<![A-Za-z0-9]|\d[.,-])(?<value>\d(?:[ ./-]?\d){8,14})(?!\d)/g],
  measure: longestPrefix(9, isNumber),
  context: CONTEXT,
  score: NEEDS_CONTEXT,
};

export const IDENTITY_RECOGNISERS: readonly Recogniser[] = [
  usSsn,
  numberInContext,
  // Ireland: the personal public service number.
  nationalId(/(?<![A-Za-z0-9])(?<value>\d{7}[A-W][A-IW]?)(?![A-Za-z0-9])/g, tax('en-IE'), {
    context: CONTEXT,
    score: NEEDS_CONTEXT,
  }),
  // United Kingdom: national insurance number.
  nationalId(
    /(?<![A-Za-z0-9])(?<value>[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d\d ?\d\d ?\d\d ?[A-D])(?![A-Za-z0-9])/g,
    (text) => !/^(?:BG|GB|NK|KN|TN|NT|ZZ)/.test(text),
    { needs: FEATURE.four_digits },
  ),
  // India: Aadhaar and PAN.
  nationalId(
    /(?<!\d[ -]?)(?<value>[2-9]\d{3}[ -]\d{4}[ -]\d{4})(?![ -]?\d)/g,
    onDigits(card('IN')),
    { needs: FEATURE.nine_digits },
  ),
  nationalId(
    /(?<![A-Za-z0-9])(?<value>[A-Z]{3}[ABCFGHLJPT][A-Z]\d{4}[A-Z])(?![A-Za-z0-9])/g,
    () => true,
    { score: 0.5, needs: FEATURE.four_digits },
  ),
  // Spain: DNI and NIE.
  nationalId(/(?<![A-Za-z0-9])(?<value>[0-9XYZ]\d{7}[ -]?[A-Z])(?![A-Za-z0-9])/g, (text) =>
    card('ES')(text.replace(/[ -]/g, '')),
  ),
  // Italy: codice fiscale.
  nationalId(
    /(?=\d\d[A-EHLMPR-T])(?<=(?<before>(?<![A-Za-z0-9])[A-Z]{6}))(?<value>\d\d[A-EHLMPR-T]\d\d[A-Z]\d{3}[A-Z])(?![A-Za-z0-9])/gi,
    tax('it-IT'),
  ),
  // France: numéro de sécurité sociale.
  nationalId(
    /(?<!\d)(?<value>[12] ?\d\d ?(?:0[1-9]|1[0-2]) ?\d\d ?\d{3} ?\d{3} ?\d\d)(?!\d)/g,
    isNir,
    { needs: FEATURE.nine_digits },
  ),
  // Belgium, Brazil, Chile, Switzerland: numbers that are written with dots.
  nationalId(/(?<!\d)(?<value>\d\d\.\d\d\.\d\d-\d{3}\.\d\d)(?!\d)/g, onDigits(tax('fr-BE')), {
    needs: FEATURE.nine_digits,
  }),
  nationalId(/(?<!\d)(?<value>\d{3}\.\d{3}\.\d{3}-\d\d)(?!\d)/g, tax('pt-BR'), {
    needs: FEATURE.nine_digits,
  }),
  nationalId(/(?<![\d.])(?<value>\d{1,2}\.\d{3}\.\d{3}-[\dkK])(?![A-Za-z0-9])/g, isRut),
  nationalId(/(?<!\d)(?<value>756\.\d{4}\.\d{4}\.\d\d)(?!\d)/g, onDigits(isAhv), {
    needs: FEATURE.nine_digits,
  }),
  // Sweden, Finland, South Korea: a birthday, a separator and a serial number.
  nationalId(/(?<![\d-])(?<value>\d{6}[-+]\d{4})(?![\d-])/g, tax('sv-SE'), {
    needs: FEATURE.nine_digits,
  }),
  // If the number contains the century, it looks like a date that is followed by another number, so it
  // needs a context word.
  nationalId(/(?<![\d-])(?<value>(?:19|20)\d{6}[-+]?\d{4})(?![\d-])/g, onDigits(isPersonnummer), {
    context: CONTEXT,
    score: NEEDS_CONTEXT,
    needs: FEATURE.nine_digits,
  }),
  nationalId(
    /(?<![A-Za-z0-9])(?<value>\d{6}[-+A]\d{3}[0-9A-FHJ-NPR-Y])(?![A-Za-z0-9])/g,
    card('FI'),
  ),
  nationalId(/(?<!\d)(?<value>\d{6}-[1-8]\d{6})(?!\d)/g, isBirthday, {
    needs: FEATURE.nine_digits,
  }),
  // China: resident identity number.
  nationalId(/(?<![A-Za-z0-9])(?<value>[1-8]\d{16}[\dXx])(?![A-Za-z0-9])/g, card('zh-CN'), {
    needs: FEATURE.nine_digits,
  }),
];
