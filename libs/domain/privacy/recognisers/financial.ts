import { extractIBAN, getCountrySpecifications, isValidIBAN } from 'ibantools';
import validator from 'validator';
import { ContextWords } from '../context-words.js';
import { FEATURE } from '../features.js';
import { digitsOf, whole, type Candidate, type Recogniser } from '../recogniser.js';
import { CARD_WORDS } from './words.js';

/** The prefixes and lengths of the card networks. The Luhn check alone would accept one number in ten. */
const CARD =
  /^(?:4(?:\d{12}|\d{15}|\d{18})|5[1-5]\d{14}|2(?:2[2-9]|[3-6]\d|7[01])\d{13}|2720\d{12}|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11}|35(?:2[89]|[3-8]\d)\d{12}|6(?:011|4[4-9]\d|5\d\d)\d{12,15}|62\d{14,17}|(?:5[06-9]|6\d)\d{14})$/;
const ANY_CARD = /^[2-6]\d{11,18}$/;

/** The beginning of an IBAN in groups of four, whose groups can look like a card number. */
const IBAN_START = /(?<![A-Z0-9])[A-Z]{2}\d\d(?: [A-Z0-9]{4}){0,6} $/;

const isCard =
  (form: RegExp) =>
  (text: string, { view, at }: Candidate): boolean => {
    const digits = digitsOf(text);
    if (!form.test(digits) || !validator.isLuhnNumber(digits)) return false;
    return !IBAN_START.test(view.slice(Math.max(0, at - 36), at));
  };

const paymentCard: Recogniser = {
  type: 'payment_card',
  category: 'high',
  needs: FEATURE.nine_digits,
  patterns: [
    // A comma before the digits can separate columns; after one digit, it begins decimals.
    /(?<![\d.]|(?<!\d)\d,)(?<value>\d{12,19})(?!\d)/g,
    /(?<!\d)(?<value>\d{4}(?:[ .-]{1,2}\d{4}){3}[ .-]{1,2}\d{3})(?!\d)/g,
    /(?<!\d)(?<value>\d{4}(?:[ .-]{1,2}\d{4}){3})(?!\d)/g,
    /(?<!\d)(?<value>\d{4}[ .-]{1,2}\d{6}[ .-]{1,2}\d{4,5})(?!\d)/g,
    /(?<!\d)(?<value>\d(?:[ .-]\d){12,18})(?!\d)/g,
    /(?<!\d)(?<value>\d\d(?:[ .-]\d\d){6,8})(?!\d)/g,
  ],
  measure: whole(isCard(CARD)),
  score: 0.8,
};

/** Card numbers of any other length and grouping, if a word for a card stands near. */
const namedCard: Recogniser = {
  type: 'payment_card',
  category: 'high',
  needs: FEATURE.nine_digits,
  patterns: [/(?<!\d[ .-]{0,2})(?<value>\d(?:[ .-]{0,2}\d){11,18})(?!\d)/g],
  measure: whole(isCard(ANY_CARD)),
  context: new ContextWords(CARD_WORDS),
  score: 0.1,
};

/** The id of a stored card, such as `credit_card_4421486`. */
const cardId: Recogniser = {
  type: 'payment_card',
  category: 'medium',
  needs: FEATURE.four_digits,
  patterns: [
    /(?<![A-Za-z0-9])(?<value>(?:credit|debit|bank|payment)[_-]?card[_-]\d{4,19})(?!\d)/gi,
  ],
  score: 0.6,
};

const IBAN_LENGTHS: ReadonlyMap<string, number> = new Map(
  Object.entries(getCountrySpecifications()).map(([country, { chars }]) => [country, chars ?? 0]),
);

/**
 * Returns the length of the IBAN, which follows from its country, so that words after the IBAN are left
 * out; returns 0 if the IBAN is invalid.
 */
function ibanLength({ text }: Candidate): number {
  const wanted = IBAN_LENGTHS.get(text.slice(0, 2).toUpperCase()) ?? 0;
  if (wanted === 0) return 0;
  let end = 0;
  for (let seen = 0; seen < wanted; end += 1) {
    if (end >= text.length) return 0;
    if (/[A-Za-z0-9]/.test(text[end] as string)) seen += 1;
  }
  if (/[A-Za-z0-9]/.test(text[end] ?? ' ')) return 0;
  const bare = text.slice(0, end).replace(/[ .-]/g, '').toUpperCase();
  return extractIBAN(bare).valid && isValidIBAN(bare) ? end : 0;
}

const iban: Recogniser = {
  type: 'iban',
  category: 'high',
  needs: FEATURE.four_digits,
  patterns: [/(?<![A-Za-z])(?<value>[A-Za-z]{2}[ -]?\d{2}(?:[ .-]?[A-Za-z0-9]){11,31})/g],
  measure: ibanLength,
  score: 0.95,
};

export const FINANCIAL_RECOGNISERS: readonly Recogniser[] = [paymentCard, namedCard, cardId, iban];
