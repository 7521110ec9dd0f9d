import { ContextWords } from '../context-words.js';
import { FEATURE } from '../features.js';
import { whole, type Candidate, type Recogniser } from '../recogniser.js';
import { BIRTH_WORDS, PASSPORT_WORDS } from './words.js';

const MONTH =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|januar|februar|märz|mai|juni|juli|oktober|dezember|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre';

/** False for three numbers that cannot be a day, a month and a year, and for the beginning of more numbers. */
function isDay(text: string, { view, at }: Candidate): boolean {
  if (/^[ .-]\d\d/.test(view.slice(at + text.length, at + text.length + 3))) return false;
  const numbers = text
    .split(/\D+/)
    .filter((part) => part !== '' && part.length <= 2)
    .map(Number);
  return numbers.length < 2 || numbers.some((month) => month >= 1 && month <= 12);
}

const dateOfBirth: Recogniser = {
  type: 'date_of_birth',
  category: 'medium',
  needs: FEATURE.four_digits,
  patterns: [
    /(?<!\d)(?<value>(?:19|20)\d\d[ ./-]{1,2}\d{1,2}[ ./-]{1,2}\d{1,2})(?!\d)/g,
    /(?<!\d)(?<value>\d{1,2}[ ./-]{1,2}\d{1,2}[ ./-]{1,2}(?:(?:19|20)\d\d|\d\d))(?!\d)/g,
    /(?<!\d)(?<value>(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))(?!\d)/g,
    /(?<!\d)(?<value>(?:19|20)\d\d ?[年년] ?\d{1,2} ?[月월] ?\d{1,2} ?[日일]?)/g,
  ],
  measure: whole(isDay),
  context: new ContextWords(BIRTH_WORDS),
  score: 0.2,
};

const birthMonth: Recogniser = {
  ...dateOfBirth,
  needs: FEATURE.digit | FEATURE.space,
  patterns: [
    new RegExp(
      `(?<!\\d)(?<value>\\d{1,2}(?:st|nd|rd|th|er|\\.)? (?:of |de )?(?:${MONTH})\\.?,? (?:de )?(?:(?:19|20)\\d\\d|\\d\\d))(?!\\d)`,
      'giu',
    ),
    new RegExp(
      `(?=\\d)(?<=(?<before>(?<!\\p{L})(?:${MONTH})\\.? ))(?<value>\\d{1,2}(?:st|nd|rd|th)?,? (?:(?:19|20)\\d\\d|'?\\d\\d))(?!\\d)`,
      'giu',
    ),
    // A month in any language: near a word for a birth, a word between a day and a year is a month.
    /(?<!\d)(?<value>\d{1,2}\.? (?:de |of )?[\p{L}\p{M}]{3,14}\.?,? (?:de |del )?(?:19|20)\d\d)(?!\d)/gu,
  ],
};

const passport: Recogniser = {
  type: 'passport',
  category: 'high',
  needs: FEATURE.four_digits,
  patterns: [/(?<!\w)(?=[A-Z]{0,3} ?\d)(?<value>[A-Z0-9]{1,2} ?[A-Z0-9]{6,8})(?!\w)/gi],
  measure: whole((text) => text.replace(/\D/g, '').length >= 5 && !/\p{L}{4}/u.test(text)),
  context: new ContextWords(PASSPORT_WORDS),
  score: 0.1,
};

const MRZ_WEIGHTS = [7, 3, 1] as const;
const mrzValue = (character: string): number =>
  character === '<' ? 0 : Number.parseInt(character, 36);

/** True if the check digit after a field of a machine-readable zone is right. */
const mrzChecks = (text: string, start: number, end: number): boolean => {
  const field = [...text.slice(start, end)];
  const sum = field.reduce((all, one, at) => all + mrzValue(one) * (MRZ_WEIGHTS[at % 3] ?? 1), 0);
  return sum % 10 === Number(text[end]);
};

const isMrz = ({ text }: Candidate): boolean =>
  mrzChecks(text, 0, 9) && mrzChecks(text, 13, 19) && mrzChecks(text, 21, 27);

const machineReadable: Recogniser = {
  type: 'passport',
  category: 'high',
  needs: FEATURE.nine_digits,
  patterns: [
    /(?=\d[A-Z<]{3}\d)(?<=(?<before>(?<![A-Z0-9<])[A-Z0-9<]{9}))(?<value>\d[A-Z<]{3}\d{7}[MFX<]\d{7}[A-Z0-9<]{14}[\d<]\d)(?![A-Z0-9<])/g,
  ],
  measure: (candidate) => (isMrz(candidate) ? candidate.text.length : 0),
  score: 0.9,
};

export const LABELLED_RECOGNISERS: readonly Recogniser[] = [
  dateOfBirth,
  birthMonth,
  passport,
  machineReadable,
];
