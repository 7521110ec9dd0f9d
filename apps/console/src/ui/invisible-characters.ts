import {
  INVISIBLE,
  mixesScripts,
  OTHER_FORM,
  OTHER_SCRIPT,
  WORD,
} from '#domain/deceptive-text/characters.js';

/** A part of a text: plain, or a character that a reader would miss or take for another. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'invisible'; readonly code: string; readonly count: number }
  | { readonly kind: 'lookalike'; readonly text: string; readonly code: string };

const USUAL = /[\n\r\t]/;

const codeOf = (character: string): string =>
  `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;

/** Cuts a text into pieces, so that a page can mark what cannot be seen, and what looks like something else. */
export function piecesOf(text: string): Piece[] {
  const mixed = mixedWordPlaces(text);
  const pieces: Piece[] = [];
  let plain = '';
  let at = 0;
  const flush = (): void => {
    if (plain !== '') pieces.push({ kind: 'text', text: plain });
    plain = '';
  };
  for (const character of text) {
    if (INVISIBLE.test(character) && !USUAL.test(character)) {
      flush();
      addInvisible(pieces, codeOf(character));
    } else if (OTHER_FORM.test(character) || (mixed.has(at) && OTHER_SCRIPT.test(character))) {
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

/** Returns the places of the characters that stand in words with letters of Latin and of another script. */
function mixedWordPlaces(text: string): ReadonlySet<number> {
  const places = new Set<number>();
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!mixesScripts(word)) continue;
    for (let at = index; at < index + word.length; at += 1) places.add(at);
  }
  return places;
}
