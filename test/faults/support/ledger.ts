import type { JsonObject } from '#domain/json.js';

/** What a writer asked for. */
export interface Asked {
  readonly method: 'POST' | 'PUT';
  readonly path: string;
  readonly token: string;
  readonly body: JsonObject;
  /** Idempotency-Key; without one nothing is retried. */
  readonly key: string | undefined;
  /** A text that the log must hold once if this was done; undefined for what carries no text. */
  readonly mark: string | undefined;
}

/** What the writer was told: 2xx, a refusal, or nothing that says what became of it. */
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

/** What all writers asked for and were told. */
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
