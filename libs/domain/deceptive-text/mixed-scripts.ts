import { BETWEEN_LATIN, mixesScripts, OTHER_FORM, OTHER_SCRIPT, WORD } from './characters.js';

const LATIN = /[\p{Script=Latin}]/u;
const PLAIN_LATIN = /[A-Za-z]/;
const CYRILLIC = /\p{Script=Cyrillic}/u;
const GREEK = /\p{Script=Greek}/u;
const WIDE_WRITING = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Greek letters of units and formulas, at one end of a word: kΩ, μm, Δt, TNFα. */
const SYMBOL_AT_THE_END = /^[αβγδεθλμπρστφωΔΣΩ]|[αβγδεθλμπρστφωΔΣΩ]$/gu;

/** A shorter word is an abbreviation, a unit or a formula: Ⅱa, d𝑥. */
const FEWEST_LETTERS = 4;
/** Small capitals, letters of phonetic writing and Roman numerals that look like a letter of ASCII. */
const DISGUISES =
  '\\u0251\\u0261\\u0262\\u026A\\u0274\\u0280\\u0299\\u029C\\u029F\\u1D00\\u1D04\\u1D05\\u1D07\\u1D0A\\u1D0B\\u1D0D\\u1D0F\\u1D18\\u1D1B\\u1D1C\\u1D20-\\u1D22\\u2160\\u2164\\u2169\\u216C-\\u2170\\u2174\\u2179\\u217C-\\u217F';
const DISGUISED = new RegExp(`[${DISGUISES}]`, 'u');
/** A word of such letters and of plain ones, but not in phonetic writing: /ɡet/, [ɡet]. */
const PLAIN_OR_DISGUISED = new RegExp(
  `(?<![\\p{L}\\p{M}\\p{N}/\\[\\]\\\\])[A-Za-z0-9${DISGUISES}]{${FEWEST_LETTERS},}(?![\\p{L}\\p{M}\\p{N}/\\[\\]\\\\])`,
  'gu',
);

/** A word in letters of mathematics. Formulas have names of functions, and signs next to their letters. */
const MATHEMATICAL_WORD = /[\u{1D400}-\u{1D7CB}]{3}/u;
const FORMULA =
  /[\u{1D400}-\u{1D7FF}][ ]?[=+−*/^_·×÷∑∏∫√<>≤≥≈≠∈∝±|∂]|[=+−*/^_·×÷∑∏∫√<>≤≥≈≠∈∝±|∂][ ]?[\u{1D400}-\u{1D7FF}]/u;
const FUNCTION =
  /(?:arc)?(?:sin|cos|tan)h?|log|exp|max|min|lim|det|ker|dim|gcd|mod|sup|inf|arg|var|cov|rank|span|sgn/gu;

/** True if a text has a word or an address with letters of two scripts that look alike, or letters in disguise. */
export function hasMixedScripts(text: string): boolean {
  // Plain Latin letters alone cannot be mixed.
  if (!/[^\p{ASCII}]/u.test(text)) return false;
  const isWide = WIDE_WRITING.test(text);
  const isForeign = OTHER_SCRIPT.test(text) || BETWEEN_LATIN.test(text);
  if (isForeign && ((text.match(WORD) ?? []).some(isMixed) || hasMixedAddress(text))) return true;
  if (!isWide && OTHER_FORM.test(text) && (text.match(WORD) ?? []).some(mixesForms)) return true;
  return (!isWide && hasDisguise(text)) || isMathematicalProse(text);
}

function isMixed(word: string): boolean {
  if (!/[^\p{ASCII}]/u.test(word)) return false;
  if (!LATIN.test(word) && !(CYRILLIC.test(word) && GREEK.test(word))) return false;
  const bare = word.replace(SYMBOL_AT_THE_END, '');
  return mixesScripts(bare) || (CYRILLIC.test(bare) && GREEK.test(bare));
}

const mixesForms = (word: string): boolean =>
  PLAIN_LATIN.test(word) && OTHER_FORM.test(word) && [...word].length >= FEWEST_LETTERS;

const hasDisguise = (text: string): boolean =>
  DISGUISED.test(text) &&
  (text.match(PLAIN_OR_DISGUISED) ?? []).some(
    (word) => DISGUISED.test(word) && PLAIN_LATIN.test(word),
  );

/** True for words in letters of mathematics where no formula is. */
const isMathematicalProse = (text: string): boolean =>
  MATHEMATICAL_WORD.test(text) &&
  !FORMULA.test(text) &&
  MATHEMATICAL_WORD.test(withoutFunctions(text));

const withoutFunctions = (text: string): string =>
  text.replace(/[\u{1D400}-\u{1D7CB}]+/gu, (word) =>
    word.normalize('NFKC').toLowerCase().replace(FUNCTION, '').length === 0 ? '' : word,
  );

const hasMixedAddress = (text: string): boolean =>
  /@|:\/\/|www\./i.test(text) && text.split(/\s+/u).some(isMixedAddress);

/** True for an e-mail address or the host of a URL with letters of Latin and of a script that looks like it. */
function isMixedAddress(token: string): boolean {
  const [, host] = /^\P{L}{0,3}(?:https?:\/\/|www\.)([^/?#]*)/iu.exec(token) ?? [];
  const address = host ?? (token.includes('@') ? token : undefined);
  return address !== undefined && LATIN.test(address) && mixesScripts(address);
}
