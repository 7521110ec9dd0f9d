import type { Category, FindingType } from './finding.js';
import type { Feature } from './features.js';

/** A possible match, with its surroundings, for `measure` to judge. */
export interface Candidate {
  readonly text: string;
  /** The whole view that contains the candidate; `at` is the candidate's index in it. */
  readonly view: string;
  readonly at: number;
  /** Whether a context word is near the candidate, or in the label of its field. */
  readonly in_context: boolean;
}

/**
 * One way to detect one type of personal data (SPEC P1). Patterns are global and bounded, and the tests
 * prove them linear. If a pattern has a group `value`, the group is the candidate.
 */
export interface Recogniser {
  readonly type: FindingType;
  readonly category: Category;
  /** The features that a text must have to match; checked before the patterns. */
  readonly needs: Feature;
  readonly patterns: readonly RegExp[];
  /** The length of the finding from the candidate's start, possibly beyond its end; 0 rejects it. */
  readonly measure?: (candidate: Candidate) => number;
  /** Words near the candidate, or in its label, that raise its score. */
  readonly context?: RegExp;
  /** Whether it reads only fields whose name matches `context`. */
  readonly fields_only?: true;
  /** From 0 to 1; context adds CONTEXT_SCORE. A sum of THRESHOLD or more is a finding. */
  readonly score: number;
}

export const CONTEXT_SCORE = 0.5;
export const THRESHOLD = 0.5;

/** A measure that accepts the whole candidate or rejects it. */
export const whole =
  (accepts: (text: string, candidate: Candidate) => boolean) =>
  (candidate: Candidate): number =>
    accepts(candidate.text, candidate) ? candidate.text.length : 0;

/** A measure that extends the candidate as far as `run` matches after it; `run` begins with `^`. */
export const withTail =
  (run: RegExp, accepts: (candidate: Candidate) => boolean = () => true) =>
  (candidate: Candidate): number =>
    accepts(candidate) ? candidate.text.length + runLength(run, candidate) : 0;

const runLength = (run: RegExp, { view, at, text }: Candidate): number =>
  run.exec(view.slice(at + text.length))?.[0].length ?? 0;

export const digitsOf = (text: string): string => text.replace(/\D/g, '');
