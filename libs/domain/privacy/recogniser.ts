import type { Category, FindingType } from './finding.js';
import type { ContextWords } from './context-words.js';
import type { Feature } from './features.js';
import type { RuleSet } from './rule-set.js';

/** A possible match with its surroundings, which `measure` accepts or rejects. */
export interface Candidate {
  readonly text: string;
  /** The whole view that contains the candidate; `at` is the candidate's index in it. */
  readonly view: string;
  readonly at: number;
  /** True if a context word stands near the candidate or in the name of its field. */
  readonly in_context: boolean;
  readonly rules: RuleSet;
}

/**
 * One way to detect one type of personal data (SPEC P1). Its patterns are global and bounded, and tests
 * check that they take linear time. If a pattern has a group `value`, the group is the candidate.
 */
export interface Recogniser {
  readonly type: FindingType;
  readonly category: Category;
  /** A text can match only if it has these features. They are checked before the patterns run. */
  readonly needs: Feature;
  readonly patterns: readonly RegExp[];
  /**
   * Returns the length of the finding from the candidate's start, possibly beyond its end; 0 rejects the
   * candidate.
   */
  readonly measure?: (candidate: Candidate) => number;
  /** Words near the candidate or in the name of its field. They raise the candidate's score. */
  readonly context?: ContextWords;
  /** If set, the recogniser reads only fields with such a name, and the name counts as context. */
  readonly field?: RegExp;
  /** The score without context, 0 to 1. Context adds CONTEXT_SCORE, and a sum of at least THRESHOLD is a finding. */
  readonly score: number;
}

export const CONTEXT_SCORE = 0.5;
export const THRESHOLD = 0.5;

/** Makes a measure that accepts the whole candidate or rejects it. */
export const whole =
  (accepts: (text: string, candidate: Candidate) => boolean) =>
  (candidate: Candidate): number =>
    accepts(candidate.text, candidate) ? candidate.text.length : 0;

/** Makes a measure that extends the candidate as far as `run` matches after it; `run` begins with `^`. */
export const withTail =
  (run: RegExp, accepts: (candidate: Candidate) => boolean = () => true) =>
  (candidate: Candidate): number =>
    accepts(candidate) ? candidate.text.length + runLength(run, candidate) : 0;

const runLength = (run: RegExp, { view, at, text }: Candidate): number =>
  run.exec(view.slice(at + text.length))?.[0].length ?? 0;

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

export function digitsOf(text: string): string {
  let digits = '';
  for (let at = 0; at < text.length; at += 1) if (isDigit(text.charCodeAt(at))) digits += text[at];
  return digits;
}

/**
 * Returns the longest prefix of whole digit groups that is accepted. The remaining groups may be
 * another number. @param accepts gets the prefix, its digits alone, and the whole candidate
 */
export const longestPrefix =
  (minDigits: number, accepts: (text: string, digits: string, candidate: Candidate) => boolean) =>
  (candidate: Candidate): number => {
    const { text } = candidate;
    const digits = digitsOf(text);
    let end = text.length;
    for (let count = digits.length; count >= minDigits;) {
      if (accepts(text.slice(0, end), digits.slice(0, count), candidate)) return end;
      for (; isDigit(text.charCodeAt(end - 1)); count -= 1) end -= 1;
      while (end > 0 && !isDigit(text.charCodeAt(end - 1))) end -= 1;
    }
    return 0;
  };
