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
  'I can’t work that out. I compute arithmetic, percentages, derivatives, simplifications, integrals of polynomials, and linear and quadratic equations.';

export const notMath = (): NotSolved => new NotSolved(ABILITIES);
export const tooLarge = (): NotSolved =>
  new NotSolved('I can’t compute that: the numbers grow too large or too small.');
export const noRealValue = (): NotSolved => new NotSolved('That has no real value.', true);
export const tooComplex = (): NotSolved => new NotSolved('That is too complex for me.');
export const dividedByZero = (): NotSolved =>
  new NotSolved('Dividing by zero gives no number.', true);
