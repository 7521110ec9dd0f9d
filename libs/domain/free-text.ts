import { uncarriable } from './determinism/canonical-json.js';
import { Refusal } from './errors/refusal.js';

/** The most characters (Unicode code points) of a reviewer’s or a proposer’s text. */
export const MAX_CHARACTERS = 4_000;

/** Checks a reviewer's or a proposer's words. @throws Refusal INVALID_INPUT if the text is empty or too long. */
export function requireText(what: string, text: string): void {
  const problem = uncarriable(text);
  if (problem !== undefined) throw new Refusal('INVALID_INPUT', { reason: `${what}: ${problem}` });
  const length = [...text].length;
  if (length === 0 || length > MAX_CHARACTERS)
    throw new Refusal('INVALID_INPUT', {
      reason: `${what}: has 1 to ${MAX_CHARACTERS} characters`,
    });
}
