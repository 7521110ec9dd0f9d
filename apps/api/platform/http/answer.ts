/**
 * A controller's answer with headers. `position` becomes `Mace-Position`, which every write returns
 * (SPEC §13); `stale` becomes `Mace-Stale: true` (SPEC S6), and `asOf` becomes `Mace-As-Of` (SPEC W5).
 */
export class Answer<Body> {
  private constructor(
    readonly body: Body,
    readonly position: bigint | undefined,
    readonly stale: boolean,
    /** The status, if it is not the usual one of the route. */
    readonly status: 200 | 202 | undefined = undefined,
    /** The position that a time stood for. */
    readonly asOf: bigint | undefined = undefined,
  ) {}

  /** Makes the answer to a write; `position` is the commit position of its last event. */
  static written<Body>(body: Body, position: bigint | undefined): Answer<Body> {
    return new Answer(body, position, false);
  }

  /** Makes the answer to a read; `isCurrent` is false if the log's end could not be read. */
  static read<Body>(body: Body, isCurrent: boolean): Answer<Body> {
    return new Answer(body, undefined, !isCurrent);
  }

  /** Makes the answer to a read of the log as it was; `asOf` is undefined for a read of the present. */
  static asOf<Body>(body: Body, asOf: bigint | undefined, isCurrent = true): Answer<Body> {
    return new Answer(body, undefined, asOf === undefined && !isCurrent, undefined, asOf);
  }

  /** Makes the answer of a write that was only asked what it would do. */
  static dryRun<Body>(body: Body): Answer<Body> {
    return new Answer(body, undefined, false, 200);
  }

  /** Makes the answer of a request that can take long: 202 while it runs, else its usual status. */
  static progress<Body>(body: Body, hasEnded: boolean): Answer<Body> {
    return new Answer(body, undefined, false, hasEnded ? undefined : 202);
  }
}
