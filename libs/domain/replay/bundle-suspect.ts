/** What can be wrong with a bundle (SPEC X4). */
export type BundleProblem =
  /** The first line does not name a stream, its event count and its head. */
  | 'not_a_bundle'
  /** A line that is not the byte-exact JCS of what it says. */
  | 'not_canonical'
  | 'edited'
  | 'deleted'
  | 'inserted'
  | 'reordered'
  /** The first line counts, heads or names another stream than the events do. */
  | 'wrong_count'
  | 'wrong_head'
  | 'wrong_stream'
  /** The chain holds, and the rules make something else of the recorded inputs. */
  | 'diverged';

export interface BundleFinding {
  readonly problem: BundleProblem;
  /** From 1; undefined where a line is missing. */
  readonly line?: number;
  /** The number of the event that it is about. */
  readonly number?: number;
}

/** The first line that does not follow from those before it. */
interface SuspectLine {
  readonly line: number;
  /** The number that had to come. */
  readonly expected: number;
  /** The number that the line claims, if any. */
  readonly claimed: number | undefined;
  readonly exact: boolean;
}

/**
 * Tells what happened at the first broken line by what the lines after it still hold: where the expected
 * event comes later, something was put before it; where the claimed one comes again, it was no mere gap.
 */
export class Suspicion {
  #expectedAt: number | undefined;
  #claimedAgain = false;

  constructor(private readonly suspect: SuspectLine) {}

  /** A line after the suspect one. */
  see(line: number, number: number | undefined): void {
    if (number === undefined) return;
    if (number === this.suspect.expected) this.#expectedAt ??= line;
    if (number === this.suspect.claimed) this.#claimedAgain = true;
  }

  /** `events` were announced, `lines` came for them. */
  finding(announced: number, lines: number): BundleFinding {
    const { line, expected, claimed, exact } = this.suspect;
    const isAhead = claimed !== undefined && claimed > expected;
    if (this.#expectedAt !== undefined) {
      return isAhead && !this.#claimedAgain
        ? { problem: 'reordered', line: this.#expectedAt, number: expected }
        : { problem: 'inserted', line, number: claimed ?? expected };
    }
    if (expected >= announced) return { problem: 'inserted', line, number: claimed ?? expected };
    if (isAhead && !this.#claimedAgain && lines < announced)
      return { problem: 'deleted', number: expected };
    return { problem: exact ? 'edited' : 'not_canonical', line, number: expected };
  }
}
