import type { Postgres } from './postgres.js';
import type { ProjectionTransaction } from './projection.js';

/** Returns the id of the log from which the read models are made; undefined if it is not known. */
export async function projectedLogId(postgres: Postgres): Promise<string | undefined> {
  const [found] = await postgres.query<{ exists: boolean }>(
    `select to_regclass('read_models.log') is not null as exists`,
  );
  if (!found?.exists) return undefined;
  const [row] = await postgres.query<{ log_id: string }>('select log_id from read_models.log');
  return row?.log_id;
}

/** Records the id of the log from which the read models are made. */
export async function recordLogId(tx: ProjectionTransaction, log_id: string): Promise<void> {
  await tx.query(
    `insert into read_models.log (log_id) values ($1)
     on conflict (only_row) do update set log_id = $1 where log.log_id <> $1`,
    [log_id],
  );
}
