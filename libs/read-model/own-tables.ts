import type { Postgres } from './postgres.js';
import type { ProjectionTransaction } from './projection.js';

/**
 * Makes tables that are not a read model's, in one transaction with `fill`. The `sql` must change nothing if
 * the tables exist.
 * @param schema the Postgres schema of the tables
 */
export async function makeTables(
  postgres: Postgres,
  schema: string,
  sql: string,
  fill?: (tx: ProjectionTransaction) => Promise<unknown>,
): Promise<void> {
  await postgres.transaction(async (tx) => {
    // The lock is needed because several processes may start at the same time.
    await tx.query('select pg_advisory_xact_lock(hashtext($1))', [schema]);
    await tx.query(sql);
    await fill?.(tx);
  });
}

/** Tables beside the read models, which a process makes when it needs them for the first time. */
export class OwnTables {
  private made: Promise<void> | undefined;

  /** The parameters are those of `makeTables`. */
  constructor(
    private readonly postgres: Postgres,
    private readonly schema: string,
    private readonly sql: string,
    private readonly fill?: (tx: ProjectionTransaction) => Promise<unknown>,
  ) {}

  /** Resolves once the tables exist. After a failure, the next call tries again. */
  make(): Promise<void> {
    this.made ??= makeTables(this.postgres, this.schema, this.sql, this.fill).catch(
      (cause: unknown) => {
        this.made = undefined;
        throw cause;
      },
    );
    return this.made;
  }
}
