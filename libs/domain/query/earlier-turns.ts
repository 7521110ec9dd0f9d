const TURNS_AGO = /\bturns? ago\b/i;
const QUESTION_WORD = /\b(?:what|which)\b/i;
const SAID_BY_ME = /\bI (?:said|told)\b/i;

/**
 * True if a query asks about earlier turns in the very words of SPEC A5. A replay decides this again, so
 * these patterns never change; `asksFor` recognises more wordings, and its result is recorded.
 */
export function isAboutEarlierTurns(query_text: string): boolean {
  if (TURNS_AGO.test(query_text)) return true;
  // This takes two steps, because one pattern for both would scan the rest of the text for each question word.
  const question = QUESTION_WORD.exec(query_text);
  return question !== null && SAID_BY_ME.test(query_text.slice(question.index));
}
