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
  // The table of an earlier release has no column log_id; as JSON, a row then has no such field.
  const rows = await postgres.query<{ name: string; log_id: string | null }>(
    `select name, to_jsonb(projection) ->> 'log_id' as log_id from read_models.projection
     where name = any($1) order by name`,
    [names],
  );
  return new Map(rows.flatMap(({ name, log_id }) => (log_id === null ? [] : [[name, log_id]])));
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
