import { charactersOf, FOREIGN, hasPart, mixesScripts, OTHER_FORM } from './characters.js';

/** Without the flag of Unicode, which makes it slow. */
const NOT_ASCII = /[\u0080-\uFFFF]/;
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
  `(?=[A-Za-z0-9${DISGUISES}])(?<![A-Za-z0-9])(?<![\\p{L}\\p{M}\\p{N}/\\[\\]\\\\])[A-Za-z0-9${DISGUISES}]{${FEWEST_LETTERS},}(?![\\p{L}\\p{M}\\p{N}/\\[\\]\\\\])`,
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
  if (!NOT_ASCII.test(text)) return false;
  const characters = charactersOf(text);
  if (isForeign(characters) && (hasPart(text, 'foreign', isMixed) || hasMixedAddress(text)))
    return true;
  const isWide = WIDE_WRITING.test(characters);
  if (OTHER_FORM.test(characters)) {
    if (!isWide && hasPart(text, 'ofOtherForm', mixesForms)) return true;
    if (isMathematicalProse(text)) return true;
  }
  return !isWide && DISGUISED.test(characters) && hasDisguise(text);
}

/** True if letters of a text may be mixed, in one word or not. */
const isForeign = (characters: string): boolean =>
  FOREIGN.test(characters) &&
  (LATIN.test(characters) || (CYRILLIC.test(characters) && GREEK.test(characters)));

function isMixed(word: string): boolean {
  if (!LATIN.test(word) && !(CYRILLIC.test(word) && GREEK.test(word))) return false;
  const bare = word.replace(SYMBOL_AT_THE_END, '');
  return mixesScripts(bare) || (CYRILLIC.test(bare) && GREEK.test(bare));
}

const mixesForms = (word: string): boolean =>
  PLAIN_LATIN.test(word) && OTHER_FORM.test(word) && [...word].length >= FEWEST_LETTERS;

const hasDisguise = (text: string): boolean =>
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

const OF_ADDRESS = /@|:\/\/|www\./i;

const hasMixedAddress = (text: string): boolean =>
  OF_ADDRESS.test(text) && hasPart(text, 'foreignTokens', isMixedAddress);

/** True for an e-mail address or the host of a URL with letters of Latin and of a script that looks like it. */
function isMixedAddress(token: string): boolean {
  if (!OF_ADDRESS.test(token)) return false;
  const [, host] = /^\P{L}{0,3}(?:https?:\/\/|www\.)([^/?#]*)/iu.exec(token) ?? [];
  const address = host ?? (token.includes('@') ? token : undefined);
  return address !== undefined && LATIN.test(address) && mixesScripts(address);
}
