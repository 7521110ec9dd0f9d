import type { Postgres } from './postgres.js';
import type { ProjectionTransaction } from './projection.js';

/** Returns the id of the log from which each of these read models is made, if it is known. */
export async function projectedLogIds(
  postgres: Postgres,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const [found] = await postgres.query<{ exists: boolean }>(
    `select to_regclass('read_models.projection') is not null as exists`,
  );
  if (!found?.exists) return new Map();
  const rows = await postgres.query<{ name: string; log_id: string }>(
    `select name, log_id from read_models.projection
     where name = any($1) and log_id is not null order by name`,
    [names],
  );
  return new Map(rows.map(({ name, log_id }) => [name, log_id]));
}

/** Records the id of the log from which these read models are made. */
export async function recordLogId(
  tx: ProjectionTransaction,
  names: readonly string[],
  log_id: string,
): Promise<void> {
  await tx.query(
    `update read_models.projection set log_id = $2
     where name = any($1) and log_id is distinct from $2`,
    [names, log_id],
  );
}
