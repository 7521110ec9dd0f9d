/** Thrown for an invalid log. The message names the place and the broken rule, never a value (SPEC L5, P6). */
export class LogProblem extends Error {
  override readonly name = 'LogProblem';

  constructor(readonly reason: string) {
    super(reason);
  }
}
