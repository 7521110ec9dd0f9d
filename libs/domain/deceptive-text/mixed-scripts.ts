import { mixesScripts, OTHER_FORM, WORD } from './characters.js';

const LATIN = /[\p{Script=Latin}]/u;
const PLAIN_LATIN = /[A-Za-z]/;
const CYRILLIC = /\p{Script=Cyrillic}/u;
const GREEK = /\p{Script=Greek}/u;
const WIDE_WRITING = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Greek letters of units and formulas, at one end of a word: kΩ, μm, Δt, TNFα. */
const SYMBOL_AT_THE_END = /^[αβγδεθλμπρστφωΔΣΩ]|[αβγδεθλμπρστφωΔΣΩ]$/gu;

/** True if a text has a word or an address with letters of two scripts that look alike. */
export function hasMixedScripts(text: string): boolean {
  // Plain Latin letters alone cannot be mixed.
  if (!/[^\p{ASCII}]/u.test(text)) return false;
  const isWide = WIDE_WRITING.test(text);
  for (const [word] of text.matchAll(WORD)) {
    const bare = word.replace(SYMBOL_AT_THE_END, '');
    if (mixesScripts(bare) || (CYRILLIC.test(bare) && GREEK.test(bare))) return true;
    if (!isWide && PLAIN_LATIN.test(word) && OTHER_FORM.test(word)) return true;
  }
  return text.split(/\s+/u).some(isMixedAddress);
}

/** True for an e-mail address or the host of a URL with letters of Latin and of a script that looks like it. */
function isMixedAddress(token: string): boolean {
  const [, host] = /^\P{L}{0,3}(?:https?:\/\/|www\.)([^/?#]*)/iu.exec(token) ?? [];
  const address = host ?? (token.includes('@') ? token : undefined);
  return address !== undefined && LATIN.test(address) && mixesScripts(address);
}
