import type { Postgres } from './postgres.js';
import type { DifferentRows } from './different-rows.js';
import type { PoisonEvent } from './slice-writer.js';

/** A projection's state, as any process can read it from Postgres. */
export interface ProjectionRecord {
  readonly name: string;
  readonly rebuildRequested: boolean;
  readonly poison: PoisonEvent | undefined;
  /** True until new tables show the log up to its end for the first time. */
  readonly isFilling: boolean;
  /** Set while the read model is rebuilt because its rows came from another log: what was found. */
  readonly anotherLog: string | undefined;
  /** host:pid of the process that led it last; undefined before its first leader. */
  readonly leader: string | undefined;
  /** The seconds since its leader's last heartbeat, by the clock of Postgres. */
  readonly heartbeatSecondsAgo: number | undefined;
  /** When its rows were last compared with the log, or filled from it. */
  readonly comparedAt: Date;
  /** The rows that were not as the log gives them, and were replaced then. */
  readonly differences: readonly DifferentRows[];
}

const RECORDS = `
  select *, extract(epoch from now() - heartbeat_at) as heartbeat_seconds_ago
  from read_models.projection order by name`;

export async function projectionRecords(postgres: Postgres): Promise<ProjectionRecord[]> {
  const rows = await postgres.query<{
    name: string;
    rebuild_requested: boolean;
    stopped_position: string | null;
    stopped_stream: string;
    stopped_number: string;
    stopped_type: string;
    stopped_reason: string;
    another_log: string | null;
    is_filling: boolean;
    leader: string | null;
    heartbeat_seconds_ago: string | null;
    compared_at: Date;
    differences: readonly DifferentRows[];
  }>(RECORDS);
  return rows.map((row) => ({
    name: row.name,
    rebuildRequested: row.rebuild_requested,
    poison:
      row.stopped_position === null
        ? undefined
        : {
            position: BigInt(row.stopped_position),
            stream: row.stopped_stream,
            number: Number(row.stopped_number),
            type: row.stopped_type,
            reason: row.stopped_reason,
          },
    isFilling: row.is_filling,
    anotherLog: row.another_log ?? undefined,
    leader: row.leader ?? undefined,
    heartbeatSecondsAgo:
      row.heartbeat_seconds_ago === null ? undefined : Number(row.heartbeat_seconds_ago),
    comparedAt: row.compared_at,
    differences: row.differences,
  }));
}

/** Requests a rebuild, which the leader starts at its next heartbeat. Returns false for an unknown name. */
export async function requestRebuild(postgres: Postgres, name: string): Promise<boolean> {
  const found = await postgres.query(
    'update read_models.projection set rebuild_requested = true where name = $1 returning 1',
    [name],
  );
  return found.length > 0;
}

/** Requests the rebuild of every read model that a database has, because the log is another one now. */
export async function requestAllRebuilds(postgres: Postgres): Promise<void> {
  const [table] = await postgres.query<{ name: string | null }>(
    `select to_regclass('read_models.projection') as name`,
  );
  if (typeof table?.name === 'string')
    await postgres.query('update read_models.projection set rebuild_requested = true');
}

/**
 * Requests the rebuild of the read model among these whose rows were compared with the log the longest ago, if that is
 * due and no rebuild is requested. The time counts from the request, so a rebuild that fails is not repeated at once.
 */
export async function requestDueComparison(
  postgres: Postgres,
  names: readonly string[],
  everyMs: number,
): Promise<void> {
  await postgres.query(
    `update read_models.projection set rebuild_requested = true, compared_at = now()
     where name = (
       select name from read_models.projection
       where name = any($1) and compared_at <= now() - $2 * interval '1 millisecond'
         and stopped_position is null and not is_filling
       order by compared_at limit 1)
     and not exists (select from read_models.projection where rebuild_requested)`,
    [names, everyMs],
  );
}

export async function requestedRebuilds(postgres: Postgres): Promise<string[]> {
  const rows = await postgres.query<{ name: string }>(
    'select name from read_models.projection where rebuild_requested',
  );
  return rows.map(({ name }) => name);
}

export async function withdrawRebuild(postgres: Postgres, name: string): Promise<void> {
  await postgres.query(
    'update read_models.projection set rebuild_requested = false where name = $1',
    [name],
  );
}

export async function recordPoison(
  postgres: Postgres,
  name: string,
  poison: PoisonEvent | undefined,
): Promise<void> {
  await postgres.query(
    `update read_models.projection set stopped_position = $2, stopped_stream = $3,
       stopped_number = $4, stopped_type = $5, stopped_reason = $6 where name = $1`,
    [
      name,
      poison?.position.toString() ?? null,
      poison?.stream ?? null,
      poison?.number ?? null,
      poison?.type ?? null,
      poison?.reason ?? null,
    ],
  );
}

/** Records that a read model gets new tables, which show the log only after they are filled. */
export async function recordFilling(postgres: Postgres, name: string): Promise<void> {
  await postgres.query('update read_models.projection set is_filling = true where name = $1', [
    name,
  ]);
}

/**
 * Records that these read models show this log up to its end. Returns the names of those that were rebuilt
 * because their rows came from another log.
 */
export async function recordCaughtUp(
  postgres: Postgres,
  names: readonly string[],
): Promise<string[]> {
  await postgres.query(
    'update read_models.projection set is_filling = false where name = any($1) and is_filling',
    [names],
  );
  const rows = await postgres.query<{ name: string }>(
    `update read_models.projection set another_log = null
     where name = any($1) and another_log is not null returning name`,
    [names],
  );
  return rows.map(({ name }) => name);
}
