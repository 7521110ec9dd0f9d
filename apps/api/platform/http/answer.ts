/**
 * What a controller returns when its answer has more than a body: a hook turns `position` into the header
 * `Mace-Position` (every write, SPEC §13) and `stale` into `Mace-Stale: true` (SPEC S6).
 */
export class Answer<Body> {
  private constructor(
    readonly body: Body,
    readonly position: bigint | undefined,
    readonly stale: boolean,
  ) {}

  /** The answer to a write, whose last event stands at `position` in $all. */
  static written<Body>(body: Body, position: bigint | undefined): Answer<Body> {
    return new Answer(body, position, false);
  }

  /** A read that could not be checked against the log. */
  static stale<Body>(body: Body): Answer<Body> {
    return new Answer(body, undefined, true);
  }
}
