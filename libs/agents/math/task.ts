/** A task to compute. Its expressions are texts that are not parsed yet. */
export type MathTask =
  | { readonly kind: 'evaluate'; readonly expression: string }
  | { readonly kind: 'derivative'; readonly expression: string; readonly variable: string | null }
  | {
      readonly kind: 'integral';
      readonly expression: string;
      readonly variable: string | null;
      readonly bounds: { readonly from: string; readonly to: string } | null;
    }
  | {
      readonly kind: 'solve';
      readonly left: string;
      readonly right: string;
      readonly variable: string | null;
    };

/** The result of a task: a sentence or an equation. */
export interface MathResult {
  readonly text: string;
  /** False if the text explains that the task cannot be computed. */
  readonly solved: boolean;
}

/** The reason why a task cannot be computed, as a sentence for the user. */
export class NotSolved extends Error {
  override readonly name = 'NotSolved';

  constructor(
    readonly sentence: string,
    /** True if the sentence is itself the answer to the question, as for a division by zero. */
    readonly isAnswer = false,
  ) {
    super(sentence);
  }
}

export const ABILITIES =
  'I can’t work that out. I compute arithmetic, percentages, derivatives, integrals of polynomials, and linear and quadratic equations.';

export const notMath = (): NotSolved => new NotSolved(ABILITIES);
export const tooLarge = (): NotSolved =>
  new NotSolved('I can’t compute that: the numbers grow too large or too small.');
