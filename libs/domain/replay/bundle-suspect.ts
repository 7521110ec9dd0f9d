/** The problems that a bundle can have (SPEC X4). */
export type BundleProblem =
  /** The first line does not name a stream, its event count and its head. */
  | 'not_a_bundle'
  /** A line is not the byte-exact JCS of its value. */
  | 'not_canonical'
  | 'edited'
  | 'deleted'
  | 'inserted'
  | 'reordered'
  /** The first line has another event count, head hash or stream than the events. */
  | 'wrong_count'
  | 'wrong_head'
  | 'wrong_stream'
  /** The chain is intact, but the rules give other events for the recorded inputs. */
  | 'diverged';

export interface BundleFinding {
  readonly problem: BundleProblem;
  /** From 1; undefined if a line is missing. */
  readonly line?: number;
  /** The number of the affected event. */
  readonly number?: number;
}

/** The first line that does not follow from those before it. */
interface SuspectLine {
  readonly line: number;
  /** The expected event number. */
  readonly expected: number;
  /** The number that the line claims, if any. */
  readonly claimed: number | undefined;
  readonly exact: boolean;
}

/**
 * Classifies the first broken line by the lines after it: if the expected event comes later, the line was
 * inserted or moved before it; if the claimed number comes again, the line was inserted or edited.
 */
export class Suspicion {
  #expectedAt: number | undefined;
  #claimedAgain = false;

  constructor(private readonly suspect: SuspectLine) {}

  /** Notes the event number of a line after the suspect line. */
  see(line: number, number: number | undefined): void {
    if (number === undefined) return;
    if (number === this.suspect.expected) this.#expectedAt ??= line;
    if (number === this.suspect.claimed) this.#claimedAgain = true;
  }

  /** The finding; the first line announced `announced` events, and `lines` lines followed it. */
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
