import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js';
import { ContextWords } from '../context-words.js';
import { FEATURE } from '../features.js';
import { digitsOf, longestPrefix, type Candidate, type Recogniser } from '../recogniser.js';
import { nationalForm } from './national-phones.js';
import { PHONE_NAMES, PHONE_WORDS } from './words.js';

/** An IP address, a version, or a calendar date that is not the beginning of a longer number. */
const NO_PHONE =
  /^(?:[1-9]\d{0,2}(?:\.\d{1,3}){3}$|(?:0?[1-9]|[12]\d|3[01])[./-](?:0?[1-9]|[12]\d|3[01])[./-](?:\d{4}|\d\d)|(?:19|20)\d\d[./-](?:0?[1-9]|1[0-2])[./-](?:0?[1-9]|[12]\d|3[01]))(?![\d./-])/;

/** Mobile numbers of India, which are mostly written without the 0 of the national form. */
const INDIAN_MOBILE = /^[6-9]\d{9}$/;
const NORTH_AMERICAN = /^1?[2-9]\d{2}[2-9]\d{6}$/;

const includesNorthAmerica = (regions: readonly CountryCode[]): boolean =>
  regions.includes('US') || regions.includes('CA');

const SEPARATORS = /\D+/g;
/** Returns the groups of digits, each separator as a space. */
const groupsOf = (text: string): string => text.replace(SEPARATORS, ' ').trim();

const MIN_DIGITS = 8;
const MAX_DIGITS = 12;

/** True for the digits of a number without a country code, as one of the regions dials it. */
function isNational(digits: string, regions: readonly CountryCode[]): boolean {
  if (digits.length < MIN_DIGITS || digits.length > MAX_DIGITS) return false;
  if (includesNorthAmerica(regions) && NORTH_AMERICAN.test(digits)) return true;
  if (regions.includes('IN') && INDIAN_MOBILE.test(digits)) return true;
  return regions.some((region) => nationalForm(digits, region) !== undefined);
}

/**
 * True for an area code in brackets, for three groups of three digits as mobile numbers have, and for digits after a 0 that are not all in
 * pairs (pairs may be numbers of another kind).
 */
const isUsualForm = (text: string): boolean =>
  /^\(|^[6-9]\d{2}[ -]\d{3}[ -]\d{3}$/.test(text) || (text.startsWith('0') && /\d{3}/.test(text));

/** True for a number without a country code in groups that show that it is one. */
function isGroupedNational(text: string, regions: readonly CountryCode[]): boolean {
  const digits = digitsOf(text);
  if (digits.length < MIN_DIGITS || digits.length > MAX_DIGITS) return false;
  if (regions.includes('IN') && INDIAN_MOBILE.test(digits))
    return /^\(?\d{5}\)?[ .-]\d{5}$/.test(text);
  return regions.some((region) => {
    const form = nationalForm(digits, region);
    return form !== undefined && (isUsualForm(text) || groupsOf(form) === groupsOf(text));
  });
}

/** The digits of a number with the country code 1, which 25 countries share, so that the library takes long to parse it. */
const NORTH_AMERICAN_LENGTH = /^11?(?:\d{7}|\d{10})$/;

/** True for a number with its country code and a possible length. */
const isInternational = (text: string): boolean => {
  const dialled = text.replace('(0)', '').replace(/^00 ?/, '+');
  const digits = digitsOf(dialled);
  if (digits.startsWith('1') && !NORTH_AMERICAN_LENGTH.test(digits)) return false;
  return parsePhoneNumberFromString(dialled, { extract: false })?.isPossible() === true;
};

/** True if a group of digits stands before the candidate, which is then part of a longer number. */
const followsDigits = ({ view, at }: Candidate): boolean =>
  /\d[ .-]$/.test(view.slice(Math.max(0, at - 2), at));

/** True if further groups of digits stand next to the candidate, which is then part of a list of numbers. */
const isInList = (candidate: Candidate): boolean => {
  const { text, view, at } = candidate;
  const end = at + text.length;
  return followsDigits(candidate) || /^[ .-]\d/.test(view.slice(end, end + 2));
};

const phone = { type: 'phone', category: 'medium', needs: FEATURE.seven_digits } as const;

/** Phone numbers that begin with `+` or 00. */
const internationalPhone: Recogniser = {
  ...phone,
  patterns: [
    /(?<![\w])(?<value>\(?\+ ?\(?\d(?:[ ./()-]{0,3}\d){6,16})(?![\w])/g,
    /(?<![\w.,#$€£-])(?<value>00 ?[1-9]\d{0,2}[ ./()-]\d(?:[ ./()-]{0,3}\d){6,14})(?![\w])/g,
  ],
  measure: longestPrefix(
    7,
    (text, _, candidate) =>
      (text.includes('+') || !followsDigits(candidate)) && isInternational(text),
  ),
  score: 0.9,
};

/** North American phone numbers, detected by their form (area, exchange and line), even if they are made up. */
const northAmericanPhone: Recogniser = {
  ...phone,
  patterns: [
    /(?<![\w.,#$€£-])(?<value>(?:1[ .-])?(?:\([2-9]\d{2}\)[ .-]{0,2}\d{3}[ .-]?|[2-9]\d{2}[.-]\d{3}[.-])\d{4})(?![\w]|[.-]\d)/g,
    /(?<![\w.,#$€£-])(?<value>(?:1 )?[2-9]\d{2} [2-9]\d{2} \d{4})(?![\w]| \d{4})/g,
  ],
  measure: ({ text, rules }) => (includesNorthAmerica(rules.regions) ? text.length : 0),
  score: 0.8,
};

/** Phone numbers of the configured regions in groups (SPEC P1). */
const nationalPhone: Recogniser = {
  ...phone,
  patterns: [
    /(?<![\w.,#$€£-])(?<value>\(?\d{2,6}\)?(?: ?[/-] ?|[ .])\d{2,8}(?:[ .-]\d{2,6}){0,4})(?![\w])/g,
    /(?<![\w.,#$€£-])(?<value>\(\d{2,6}\) ?\d{3,9})(?![\w])/g,
  ],
  measure: (candidate) => {
    const { text, rules } = candidate;
    if (isInList(candidate) || NO_PHONE.test(text)) return 0;
    return isGroupedNational(text, rules.regions) ? text.length : 0;
  },
  score: 0.6,
};

const NAMES = new ContextWords(PHONE_NAMES);
const FILL_WORD =
  /^(?:is|no|nr|n|num|number|numbers|nummer|numer|numéro|número|numero|unter|ist|est|es|é|è|at)$/;
const LAST_WORD = /(?<word>\p{L}{1,30})[^\p{L}\p{N}]{0,6}$/u;

/** True if the word for a phone stands directly before the candidate, as in "Tel. no.: ". */
function isNamed({ view, at }: Candidate): boolean {
  let before = view.slice(Math.max(0, at - 40), at).toLowerCase();
  for (let word = LAST_WORD.exec(before); word; word = LAST_WORD.exec(before)) {
    const name = word.groups?.word ?? '';
    if (NAMES.pattern.test(name)) return true;
    if (!FILL_WORD.test(name)) return false;
    before = before.slice(0, word.index);
  }
  return false;
}

const isLocal = (text: string): boolean => /^[2-9]\d{2}[ .-]\d{4}$/.test(text);

const ANY_FORM = [/(?<![\w.#$€£]|\d,(?!\d{9}))(?<value>\(?\d(?:[ ./()-]{0,3}\d){6,14})(?!\w)/g];

/** Phone numbers in any other form, if a word for a phone stands near. */
const phoneInContext: Recogniser = {
  ...phone,
  patterns: ANY_FORM,
  measure: longestPrefix(
    7,
    (text, digits, { rules }) =>
      (isLocal(text) || isNational(digits, rules.regions)) && !NO_PHONE.test(text),
  ),
  context: new ContextWords(PHONE_WORDS),
  score: 0.1,
};

const longestOther = longestPrefix(7, (text) => !NO_PHONE.test(text));

/** Phone numbers of any region directly after the word for a phone. */
const namedPhone: Recogniser = {
  ...phone,
  patterns: ANY_FORM,
  measure: (candidate) => (isNamed(candidate) ? longestOther(candidate) : 0),
  context: NAMES,
  score: 0.45,
};

const phoneField: Recogniser = {
  ...phone,
  needs: FEATURE.four_digits,
  patterns: [/^ {0,8}(?<value>\+?\(?\d(?:[ ./()-]{0,3}\d){5,14})(?![\w])/gu],
  measure: ({ text }) => (NO_PHONE.test(text) ? 0 : text.length),
  field: NAMES.pattern,
  score: 0.1,
};

export const PHONE_RECOGNISERS: readonly Recogniser[] = [
  internationalPhone,
  northAmericanPhone,
  nationalPhone,
  phoneInContext,
  namedPhone,
  phoneField,
];
