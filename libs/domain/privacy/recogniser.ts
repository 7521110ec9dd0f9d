import type { Category, FindingType } from './finding.js';
import type { Feature } from './features.js';

/** What stands at a candidate, for a validator to judge. */
export interface Candidate {
  readonly text: string;
  /** The whole view that it stands in, and where. */
  readonly view: string;
  readonly at: number;
  /** Whether a context word stands near it, or in the label of its field. */
  readonly in_context: boolean;
}

/**
 * One way to see one type of personal data (SPEC P1). Patterns are global, bounded and proven linear by the
 * tests; where one has a group `value`, that is the candidate.
 */
export interface Recogniser {
  readonly type: FindingType;
  readonly category: Category;
  /** What a text must have for any of this to be in it; looked at before the pattern. */
  readonly needs: Feature;
  readonly patterns: readonly RegExp[];
  /** How many characters from the candidate's first belong to it, which may be more: 0 if it is none. */
  readonly measure?: (candidate: Candidate) => number;
  /** Words near the candidate, or in its label, that speak for it. */
  readonly context?: RegExp;
  /** Whether it reads only fields whose name is one of the context words. */
  readonly fields_only?: true;
  /** From 0 to 1; with context CONTEXT_SCORE is added. THRESHOLD and more is a finding. */
  readonly score: number;
}

export const CONTEXT_SCORE = 0.5;
export const THRESHOLD = 0.5;

/** A measure that takes all of the candidate or nothing. */
export const whole =
  (accepts: (text: string, candidate: Candidate) => boolean) =>
  (candidate: Candidate): number =>
    accepts(candidate.text, candidate) ? candidate.text.length : 0;

/** A measure that goes on behind the candidate as far as `run` matches, which begins with `^`. */
export const andRun =
  (run: RegExp, accepts: (candidate: Candidate) => boolean = () => true) =>
  (candidate: Candidate): number =>
    accepts(candidate) ? candidate.text.length + runLength(run, candidate) : 0;

const runLength = (run: RegExp, { view, at, text }: Candidate): number =>
  run.exec(view.slice(at + text.length))?.[0].length ?? 0;

export const digitsOf = (text: string): string => text.replace(/\D/g, '');
