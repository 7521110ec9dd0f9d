/**
 * What a controller returns when the answer has more than a body: `position` becomes the header `Mace-Position`
 * (every write, SPEC §13), `stale` becomes `Mace-Stale: true` (SPEC S6).
 */
export class Answer<Body> {
  private constructor(
    readonly body: Body,
    readonly position: bigint | undefined,
    readonly stale: boolean,
  ) {}

  /** The answer to a write whose last event stands at `position` in $all. */
  static written<Body>(body: Body, position: bigint | undefined): Answer<Body> {
    return new Answer(body, position, false);
  }

  /** The answer to a read. `isCurrent` is false where the log could not be asked for its end. */
  static read<Body>(body: Body, isCurrent: boolean): Answer<Body> {
    return new Answer(body, undefined, !isCurrent);
  }
}
