import { INVISIBLE, OTHER_FORM, WORD } from '#domain/deceptive-text/characters.js';
import { imitationKey, latinLookOf, LOOKS_LATIN } from '#domain/deceptive-text/imitations.js';
import { hasMixedScripts } from '#domain/deceptive-text/mixed-scripts.js';

/** A part of a text: plain, or a character that a reader would miss or take for another. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'invisible'; readonly code: string; readonly count: number }
  | { readonly kind: 'lookalike'; readonly text: string; readonly code: string }
  | { readonly kind: 'imitation'; readonly text: string; readonly latin: string };

const USUAL = /[\n\r\t]/;

const codeOf = (character: string): string =>
  `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;

/**
 * Cuts a text into pieces, so that a page can mark what cannot be seen, and what looks like something else.
 * @param imitated the words that imitate Latin
 */
export function piecesOf(text: string, imitated: ReadonlySet<string> = new Set()): Piece[] {
  const mixed = mixedPlaces(text);
  const imitations = imitationsAt(text, imitated, mixed);
  const pieces: Piece[] = [];
  let plain = '';
  let at = 0;
  let shownTo = 0;
  const flush = (): void => {
    if (plain !== '') pieces.push({ kind: 'text', text: plain });
    plain = '';
  };
  for (const character of text) {
    const imitation = imitations.get(at);
    if (imitation !== undefined) {
      flush();
      pieces.push({ kind: 'imitation', text: imitation, latin: latinLookOf(imitation) });
      shownTo = at + imitation.length;
    } else if (at < shownTo) {
      // It is a letter of that word.
    } else if (INVISIBLE.test(character) && !USUAL.test(character)) {
      flush();
      addInvisible(pieces, codeOf(character));
    } else if (OTHER_FORM.test(character) || mixed.has(at)) {
      flush();
      pieces.push({ kind: 'lookalike', text: character, code: codeOf(character) });
    } else plain += character;
    at += character.length;
  }
  flush();
  return pieces;
}

/** Adds a character that cannot be seen. Thousands of the same one in a row are one piece, and so one element. */
function addInvisible(pieces: Piece[], code: string): void {
  const last = pieces.at(-1);
  const isSame = last?.kind === 'invisible' && last.code === code;
  const count = isSame ? last.count + 1 : 1;
  if (isSame) pieces.pop();
  pieces.push({ kind: 'invisible', code, count });
}

/** Where a text has an address, it is in one of these. */
const TOKEN = /\S+/gu;
const OF_ADDRESS = /@|:\/\/|www\./iu;
/** Letters of ASCII, also with a mark, and signs of wide writing, which nobody takes for one. */
const PLAIN = /^[\p{ASCII}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Returns the places of the letters that are not plain, in words and addresses with letters that look like others. */
function mixedPlaces(text: string): ReadonlySet<number> {
  const places = new Set<number>();
  if (!/[^\p{ASCII}]/u.test(text)) return places;
  const note = ({ 0: part, index }: RegExpExecArray): void => {
    if (!hasMixedScripts(part)) return;
    for (let at = index; at < index + part.length; at += 1) if (isOdd(text, at)) places.add(at);
  };
  for (const word of text.matchAll(WORD)) note(word);
  for (const token of text.matchAll(TOKEN)) if (OF_ADDRESS.test(token[0])) note(token);
  return places;
}

/** Returns the words that imitate Latin, by their places. In an address, the letters are marked. */
function imitationsAt(
  text: string,
  imitated: ReadonlySet<string>,
  mixed: ReadonlySet<number>,
): ReadonlyMap<number, string> {
  if (imitated.size === 0) return new Map();
  const words = [...text.matchAll(LOOKS_LATIN)].filter(
    ({ 0: word, index }) => imitated.has(imitationKey(word)) && !mixed.has(index),
  );
  return new Map(words.map(({ 0: word, index }) => [index, word]));
}

/** True for the first half of a letter that may look like a letter of ASCII. */
function isOdd(text: string, at: number): boolean {
  const letter = String.fromCodePoint(text.codePointAt(at)!);
  return /[\p{L}\p{N}]/u.test(letter) && !PLAIN.test(letter.normalize('NFD'));
}
