const TURNS_AGO = /\bturns? ago\b/i;
const QUESTION_WORD = /\b(?:what|which)\b/i;
const SAID_BY_ME = /\bI (?:said|told)\b/i;

/** Whether a query asks for what was said earlier, which Stage-0 does not keep (SPEC A5). */
export function isAboutEarlierTurns(query_text: string): boolean {
  if (TURNS_AGO.test(query_text)) return true;
  // In two steps: one pattern over both would look at the rest of the text once for each question word.
  const question = QUESTION_WORD.exec(query_text);
  return question !== null && SAID_BY_ME.test(query_text.slice(question.index));
}
