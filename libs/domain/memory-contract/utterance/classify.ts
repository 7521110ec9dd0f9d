import { factOf } from './facts.js';
import type { EventType } from '../item.js';
import { normalText } from './text.js';

interface Test {
  test(text: string): boolean;
}

/** Matches `\bnot\b.+\bbut\b` in two steps, because a single regex would take quadratic time. */
const NOT_BUT: Test = {
  test: (text) =>
    text.split(/[\n\r\u2028\u2029]/).some((line) => {
      const not = /\bnot\b/.exec(line);
      return not !== null && /\bbut\b/.test(line.slice(not.index));
    }),
};

/** The patterns are tried in this order on the lower-cased text (SPEC M3). */
const PATTERNS: readonly (readonly [EventType, readonly Test[]])[] = [
  ['correction', [/\bactually\b/, /\bcorrection\b/, NOT_BUT]],
  ['preference', [/\bi prefer\b/, /\bi like\b/, /\bi want\b/, /\bnever (do|use|call)\b/]],
  [
    'decision',
    [
      /\bwe decided\b/,
      /\bdecision\b/,
      /\bdecided\b/,
      /\bchoose\b/,
      /\blet's use\b/,
      /\bwe will use\b/,
      /\buse [a-z0-9]/,
    ],
  ],
];

const LOW_SIGNAL = [
  ...['ok', 'okay', 'thanks', 'thank you', 'hello'],
  ...['hi', 'hey', 'cool', 'great'],
];

/** Returns the event type of a user's text; the first matching pattern decides (SPEC M3). */
export function eventTypeOf(text: string): EventType {
  const lowered = text.toLowerCase();
  const matched = PATTERNS.find(([, expressions]) =>
    expressions.some((expression) => expression.test(lowered)),
  );
  if (matched !== undefined) return matched[0];
  return factOf(text) === null ? 'context' : 'fact';
}

/** True if a text is only a greeting, thanks or an assent, and so does not become knowledge (SPEC M3). */
export const isLowSignal = (text: string): boolean => LOW_SIGNAL.includes(normalText(text));
