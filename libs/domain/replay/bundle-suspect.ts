export type BundleProblem =
  /** The first line does not name a stream, its event count and its head. */
  | 'not_a_bundle'
  /** A line has the right value, but is not its canonical JSON (JCS), byte for byte. */
  | 'not_canonical'
  | 'edited'
  | 'deleted'
  | 'inserted'
  | 'reordered'
  /** The first line names another event count, head hash or stream than the events show. */
  | 'wrong_count'
  | 'wrong_head'
  | 'wrong_stream'
  /** The first line states that the stream has ended and the events do not show the end, or the reverse. */
  | 'wrong_end'
  | SignatureProblem
  /** The chain is intact, but the rules give other events for the recorded inputs. */
  | 'diverged';

/** The problems that the check of a signature can find. */
export type SignatureProblem =
  /** The first line was edited after it was signed, or its signature was. */
  | 'wrong_signature'
  /** The signature is valid, but not by a key that the reader trusts. */
  | 'other_key'
  /** The first line has no signature, and the reader requires one. */
  | 'unsigned';

export interface BundleFinding {
  readonly problem: BundleProblem;
  /** The line, counted from 1; undefined if a line is missing. */
  readonly line?: number;
  /** The number of the affected event. */
  readonly number?: number;
}

/** The first line that does not continue the lines before it. */
interface SuspectLine {
  readonly line: number;
  /** The event number that should come here. */
  readonly expected: number;
  /** The event number that the line has, if any. */
  readonly claimed: number | undefined;
  readonly exact: boolean;
}

/**
 * Uses the lines after the first broken line to find out what happened to that line. If the expected
 * event comes later, the broken line was inserted, or was moved to its place from elsewhere. If the
 * event number of the broken line comes again, the broken line was inserted or edited.
 */
export class BrokenLine {
  #expectedAt: number | undefined;
  #claimedAgain = false;

  constructor(private readonly suspect: SuspectLine) {}

  /** Takes in the event number of a line after the broken line. */
  see(line: number, number: number | undefined): void {
    if (number === undefined) return;
    if (number === this.suspect.expected) this.#expectedAt ??= line;
    if (number === this.suspect.claimed) this.#claimedAgain = true;
  }

  /** Returns the finding. The first line announced `announced` events, and `lines` lines followed it. */
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
