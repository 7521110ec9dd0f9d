import type { JsonObject } from '#domain/json.js';

/** A command that a writer sends. */
export interface SentCommand {
  readonly method: 'POST' | 'PUT';
  readonly path: string;
  readonly token: string;
  readonly body: JsonObject;
  /** The Idempotency-Key. A command without a key is not retried. */
  readonly key: string | undefined;
  /**
   * A text that the log must hold exactly once if the command was executed; undefined for a command
   * without a text.
   */
  readonly mark: string | undefined;
}

/**
 * A command's outcome as its writer knows it: a 2xx answer, a refusal, or unknown if no answer came.
 */
export type CommandOutcome =
  | {
      readonly kind: 'acknowledged' | 'refused';
      readonly status: number;
      readonly body: JsonObject;
    }
  | { readonly kind: 'nothing'; readonly why: string };

export interface Entry {
  readonly asked: SentCommand;
  readonly told: CommandOutcome;
}

/** The commands of all writers and their outcomes. */
export class Ledger {
  readonly entries: Entry[] = [];
  private count = 0;

  note(asked: SentCommand, told: CommandOutcome): void {
    this.entries.push({ asked, told });
    if (told.kind === 'acknowledged') this.count += 1;
  }

  get acknowledged(): number {
    return this.count;
  }

  of(kind: CommandOutcome['kind']): SentCommand[] {
    return this.entries.filter(({ told }) => told.kind === kind).map(({ asked }) => asked);
  }

  answers(): { readonly asked: SentCommand; readonly body: JsonObject }[] {
    return this.entries.flatMap(({ asked, told }) =>
      told.kind === 'acknowledged' ? [{ asked, body: told.body }] : [],
    );
  }
}
