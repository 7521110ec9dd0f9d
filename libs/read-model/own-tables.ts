import type { Postgres } from './postgres.js';

const LOCK = 'select pg_advisory_xact_lock(hashtext($1))';

/** Tables of the service beside the read models, such as a queue. Each process makes them before it uses them. */
export class OwnTables {
  private made: Promise<void> | undefined;

  /**
   * @param schema the schema of the tables, also the name of the lock
   * @param statements SQL that makes what does not exist yet
   */
  constructor(
    private readonly postgres: Postgres,
    private readonly schema: string,
    private readonly statements: string,
  ) {}

  /** Fails with `PostgresUnavailable`; the next call then tries again. */
  make(): Promise<void> {
    this.made ??= this.postgres
      .transaction(async (tx) => {
        // The lock is needed because two instances may start at the same time.
        await tx.query(LOCK, [this.schema]);
        await tx.query(this.statements);
      })
      .catch((cause: unknown) => {
        this.made = undefined;
        throw cause;
      });
    return this.made;
  }
}
