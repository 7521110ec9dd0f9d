import type { ProjectionTransaction } from '#read-model/projection.js';

export type ObligationKind =
  | 'settle_job'
  | 'link_session'
  | 'write_reflective_log'
  | 'finish_query'
  | 'expire_request'
  | 'execute_request'
  | 'execute_erasure'
  | 'finish_interaction'
  | 'delete_fact'
  | 'withhold_episode';

interface Row {
  readonly kind: ObligationKind;
  readonly stream: string;
  readonly due_at: string;
}

const keyOf = (kind: ObligationKind, stream: string): string => `${kind} ${stream}`;

/**
 * Collects the changes of one batch. An obligation that is created and settled in the same batch is
 * never written.
 */
export class PendingObligations {
  private readonly added = new Map<string, Row>();
  private readonly fallenDue = new Map<string, Row>();
  private readonly settled = new Map<string, Omit<Row, 'due_at'>>();

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
