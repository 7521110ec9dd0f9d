import { keyedCommandId } from '#domain/determinism/command-identity.js';

/** An operation as its client knows it: one Idempotency-Key, with all attempts on both instances. */
export interface Operation {
  /** The kind of operation, such as `tick`. */
  readonly kind: string;
  readonly sub: string;
  /** The user to whom the client's token is bound. */
  readonly user_id: string | null;
  readonly key: string;
  /** The event types that the operation adds to the log, each the given number of times. */
  readonly adds: Readonly<Record<string, number>>;
  /** Method and path; undefined if no attempt was made. */
  route?: string;
  attempts: number;
  outcome: 'acknowledged' | 'refused' | 'unknown';
  /** The code of the refusal, or of the last failure. */
  code?: string;
  /** The answer as JSON text. */
  answer?: string;
  /** Sends the operation once more with the same key; kept for a sample of the operations. */
  repeat?: () => Promise<unknown>;
}

/** The command_id under which the operation's events are in the log. */
export const commandIdOf = ({ sub, user_id, route = '', key }: Operation): string =>
  keyedCommandId({ sub, user_id }, route, key);

/** All operations of the clients with their answers, and what the clients saw that must not be. */
export class Journal {
  readonly operations: Operation[] = [];
  /** The number of failed attempts by code. */
  readonly failures = new Map<string, number>();
  /** The faults that clients have seen themselves. */
  readonly broken: string[] = [];
  private lastAnswerAt = Date.now();
  private silence = 0;

  note(operation: Operation): void {
    this.operations.push(operation);
  }

  /** An instance has answered an operation. */
  answered(): void {
    const now = Date.now();
    this.silence = Math.max(this.silence, now - this.lastAnswerAt);
    this.lastAnswerAt = now;
  }

  /** The longest time without an answer, in ms. */
  get longestSilence(): number {
    return this.silence;
  }

  failed(code: string): void {
    this.failures.set(code, (this.failures.get(code) ?? 0) + 1);
  }

  mustNotBe(what: string): void {
    this.broken.push(what);
  }

  count(outcome: Operation['outcome']): number {
    return this.operations.filter((operation) => operation.outcome === outcome).length;
  }
}
