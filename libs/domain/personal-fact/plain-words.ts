/** Contractions, and how people write them without an apostrophe. */
const CONTRACTIONS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:can'?t|cannot)\b/g, 'can not'],
  [/\bwon'?t\b/g, 'will not'],
  [/n't\b/g, ' not'],
  [/\b(do|does|did|is|are|was|have|has)nt\b/g, '$1 not'],
  [/\bi'?m\b/g, 'i am'],
  [/'re\b/g, ' are'],
  [/\b(i|we|you)'?ve\b/g, '$1 have'],
  [/'ll\b/g, ' will'],
  [/'d\b/g, ' would'],
  [/\b(what|who|where|when|how|which|it|that|there)'s\b/g, '$1 is'],
  [/\b(what|who|where|when|how)s\b/g, '$1 is'],
];

/**
 * Returns the words of a clause in lower case, separated by single spaces, without contractions and
 * punctuation: “What's Ada's age?” is “what is ada's age”.
 */
export const plainWords = (text: string): string =>
  CONTRACTIONS.reduce((plain, [short, long]) => plain.replace(short, long), text)
    .replace(/[^\p{L}\p{N}'%$]+/gu, ' ')
    .trim();
