import type { JsonObject } from '#domain/json.js';

/** A command that a writer sends. */
export interface Asked {
  readonly method: 'POST' | 'PUT';
  readonly path: string;
  readonly token: string;
  readonly body: JsonObject;
  /** Idempotency-Key; a command without one is not retried. */
  readonly key: string | undefined;
  /** A text that the log must hold once if the command was executed; undefined if it carries no text. */
  readonly mark: string | undefined;
}

/** The outcome for the writer: a 2xx answer, a refusal, or no sign of whether the command was executed. */
export type Told =
  | {
      readonly kind: 'acknowledged' | 'refused';
      readonly status: number;
      readonly body: JsonObject;
    }
  | { readonly kind: 'nothing'; readonly why: string };

export interface Entry {
  readonly asked: Asked;
  readonly told: Told;
}

/** The commands of all writers and their outcomes. */
export class Ledger {
  readonly entries: Entry[] = [];
  private count = 0;

  note(asked: Asked, told: Told): void {
    this.entries.push({ asked, told });
    if (told.kind === 'acknowledged') this.count += 1;
  }

  get acknowledged(): number {
    return this.count;
  }

  of(kind: Told['kind']): Asked[] {
    return this.entries.filter(({ told }) => told.kind === kind).map(({ asked }) => asked);
  }

  answers(): { readonly asked: Asked; readonly body: JsonObject }[] {
    return this.entries.flatMap(({ asked, told }) =>
      told.kind === 'acknowledged' ? [{ asked, body: told.body }] : [],
    );
  }
}
