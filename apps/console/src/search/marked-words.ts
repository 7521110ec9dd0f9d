import { termsOf } from '#domain/search/analysis.js';

/** A part of a text: words that were found, or what stands between them. */
export interface MarkedPiece {
  readonly text: string;
  readonly isMarked: boolean;
}

const WORD = /[\p{L}\p{M}\p{Nd}]+/gu;

/** Cuts a text into the words whose terms were found and the texts between them. @param terms stems, as an explanation has them */
export function markedPieces(text: string, terms: ReadonlySet<string>): MarkedPiece[] {
  if (terms.size === 0) return [{ text, isMarked: false }];
  const known = new Map<string, boolean>();
  const isFound = (word: string): boolean => {
    const seen = known.get(word);
    if (seen !== undefined) return seen;
    const found = termsOf(word).some((term) => terms.has(term));
    known.set(word, found);
    return found;
  };
  const pieces: MarkedPiece[] = [];
  let end = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!isFound(word)) continue;
    if (index > end) pieces.push({ text: text.slice(end, index), isMarked: false });
    pieces.push({ text: word, isMarked: true });
    end = index + word.length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isMarked: false });
  return pieces;
}
