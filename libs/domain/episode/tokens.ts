const RUNS = /[\p{L}\p{Nd}]+/gu;
const TOKEN_CODE_POINTS = 64;

/** Returns the first `limit` code points of a text. */
export const cutToCodePoints = (text: string, limit: number): string =>
  text.length <= limit ? text : Array.from(text).slice(0, limit).join('');

/** Returns the length of a text in code points, the unit of SPEC's limits for text that people read. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/**
 * Returns the tokens of a text, in order and with repeats: maximal runs of Unicode letters and digits,
 * lower-cased, cut to 64 code points (SPEC E2).
 */
export const tokensOf = (text: string): string[] =>
  (text.match(RUNS) ?? []).map((run) => cutToCodePoints(run.toLowerCase(), TOKEN_CODE_POINTS));
