import type { ProjectionTransaction } from '#read-model/projection.js';
import type { ObligationKind, ObligationRow } from './tables.js';

const keyOf = (kind: ObligationKind, stream: string): string => `${kind} ${stream}`;

/**
 * Collects the changes of one batch. An obligation that is created and settled in the same batch is
 * never written.
 */
export class PendingObligations {
  private readonly added = new Map<string, ObligationRow>();
  private readonly fallenDue = new Map<string, ObligationRow>();
  private readonly settled = new Map<string, Omit<ObligationRow, 'due_at'>>();

  add(kind: ObligationKind, stream: string, due_at: string): void {
    this.added.set(keyOf(kind, stream), { kind, stream, due_at });
  }

  /** Sets the due time of an obligation, if the obligation exists. */
  fallDue(kind: ObligationKind, stream: string, due_at: string): void {
    const key = keyOf(kind, stream);
    (this.added.has(key) ? this.added : this.fallenDue).set(key, { kind, stream, due_at });
  }

  settle(kind: ObligationKind, stream: string): void {
    const key = keyOf(kind, stream);
    this.fallenDue.delete(key);
    if (!this.added.delete(key)) this.settled.set(key, { kind, stream });
  }

  async write(tx: ProjectionTransaction): Promise<void> {
    if (this.settled.size > 0) {
      await tx.query(
        `delete from obligation using unnest($1::text[], $2::text[]) as gone (kind, stream)
         where obligation.kind = gone.kind and obligation.stream = gone.stream`,
        columns(this.settled, 'kind', 'stream'),
      );
    }
    if (this.added.size > 0) {
      await tx.query(
        `insert into obligation (kind, stream, due_at)
         select * from unnest($1::text[], $2::text[], $3::timestamptz[])`,
        columns(this.added, 'kind', 'stream', 'due_at'),
      );
    }
    if (this.fallenDue.size > 0) {
      await tx.query(
        `update obligation set due_at = due.due_at
         from unnest($1::text[], $2::text[], $3::timestamptz[]) as due (kind, stream, due_at)
         where obligation.kind = due.kind and obligation.stream = due.stream`,
        columns(this.fallenDue, 'kind', 'stream', 'due_at'),
      );
    }
  }
}

const columns = <R extends object>(rows: ReadonlyMap<string, R>, ...names: (keyof R)[]) =>
  names.map((name) => [...rows.values()].map((row) => row[name]));
