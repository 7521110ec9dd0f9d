import type { HealthIndicatorResult } from '@nestjs/terminus';
import { ClockAhead, type EventStore } from '#event-store/event-store.js';
import type { EventStoreWatch } from '#platform/servers/event-store-watch.js';
import type { Postgres } from '#read-model/postgres.js';
import type { ArtifactsWatch } from '../platform/artifacts/artifacts-watch.js';
import type { ServiceConfig } from '#platform/config/service-config.js';
import { logRoom } from '../platform/errors/log-room.js';
import type { RefusedWrites } from '../platform/errors/refused-writes.js';
import type { WriteHealth } from '../platform/errors/write-health.js';
import type { ReadModels, ReadModelStatus } from '../platform/read-models.js';
import type { EmbeddedServer } from '../platform/start/servers.js';
import type { ChangedRows } from '../integrity/changed-rows.js';
import type { IntegrityReport } from '../integrity/integrity-verification.js';
import { withTimeout } from '../platform/health/with-timeout.js';

const MAX_HEARTBEAT_AGE_SECONDS = 15;

type Details = Readonly<Record<string, unknown>>;

const up = (name: string, details: Details = {}): HealthIndicatorResult => ({
  [name]: { status: 'up', ...details },
});

const down = (name: string, details: Details): HealthIndicatorResult => ({
  [name]: { status: 'down', ...details },
});

/**
 * Checks the event store. The details give its version and, for each unusable host, the reason.
 */
export async function eventStoreHealth(
  eventStore: EventStore,
  watch: EventStoreWatch,
): Promise<HealthIndicatorResult> {
  const details = (): Details => ({ version: watch.state.version ?? null });
  try {
    await withTimeout(eventStore.ping());
    const { clock } = eventStore;
    if (clock.isAhead)
      return down('event_store', { ...details(), reason: new ClockAhead(clock.aheadMs).message });
    return up('event_store', { ...details(), unusable_hosts: watch.state.faults });
  } catch {
    await withTimeout(watch.look()).catch(() => undefined);
    const reason = watch.state.faults.join(' ') || 'it does not answer';
    return down('event_store', { ...details(), reason });
  }
}

/** The number of findings that the health check names. */
const NAMED_FINDINGS = 10;

/**
 * Returns what the last verification of the event log has found. It is always up: one forged event must
 * not end the service for everybody.
 */
export const integrityHealth = (last: IntegrityReport | undefined): HealthIndicatorResult =>
  up('event_log', {
    verified_at: last?.finished_at ?? null,
    found: last?.found ?? null,
    findings: last?.findings.slice(0, NAMED_FINDINGS) ?? [],
  });

/**
 * Returns the rows that this process found changed outside the service. It is always up, as
 * `integrityHealth` is.
 */
export const changedRowsHealth = (changed: ChangedRows): HealthIndicatorResult =>
  up('rows', { found: changed.found, changed: changed.first(NAMED_FINDINGS) });

/**
 * Returns whether all instances keep artifacts in the same store. It is always up, because only the texts
 * that are too large for a log are missing elsewhere.
 */
export const artifactsHealth = (artifacts: ArtifactsWatch): HealthIndicatorResult =>
  up('artifacts', { shared: artifacts.isShared });

/**
 * Returns whether the log has room, and how many refused writes wait (SPEC F2). It is always up, because reads
 * work while the log is full.
 */
export async function storageHealth(
  { fullSince }: WriteHealth,
  config: ServiceConfig,
  refused: RefusedWrites,
): Promise<HealthIndicatorResult> {
  const waiting_writes = await withTimeout(refused.waiting()).catch(() => null);
  const { policy, ...room } = await logRoom(config);
  const full = fullSince !== undefined;
  const reason = `the log has no room; it needs ${policy}`;
  return up('storage', {
    full,
    ...(full ? { full_since: fullSince, reason } : {}),
    ...room,
    waiting_writes,
  });
}

/**
 * Checks Postgres. The details name the service's role in Postgres, because the role `owner` could
 * change signed logs (SPEC L3).
 */
export async function postgresHealth(postgres: Postgres): Promise<HealthIndicatorResult> {
  const role = postgres.role ?? 'owner';
  try {
    await withTimeout(postgres.ping());
    return up('postgres', { role });
  } catch {
    return down('postgres', { reason: 'it does not answer', role });
  }
}

const hasLeader = ({ heartbeatSecondsAgo }: ReadModelStatus): boolean =>
  heartbeatSecondsAgo !== undefined && heartbeatSecondsAgo < MAX_HEARTBEAT_AGE_SECONDS;

function reasonOf(status: ReadModelStatus): Details {
  if (!hasLeader(status)) return { reason: 'no process projects this read model' };
  return status.isFilling ? { reason: 'its new tables are being filled from the log' } : {};
}

function readModelDetails(status: ReadModelStatus, end: bigint | undefined): Details {
  const { position, stopped, rebuilding, anotherLog, leader, heartbeatSecondsAgo } = status;
  const { differences } = status;
  const lag = end === undefined ? undefined : end - (position ?? 0n);
  return {
    position: position?.toString() ?? null,
    lag: lag === undefined ? null : (lag > 0n ? lag : 0n).toString(),
    leader: leader ?? null,
    heartbeat_seconds_ago: heartbeatSecondsAgo ?? null,
    ...reasonOf(status),
    rebuilding,
    compared_at: status.comparedAt?.toISOString() ?? null,
    differences: differences.slice(0, NAMED_FINDINGS),
    ...(anotherLog === undefined ? {} : { another_log: anotherLog }),
    stopped: stopped === undefined ? null : { ...stopped, position: stopped.position.toString() },
  };
}

/**
 * True if the read model is being projected. Without heartbeats from its leader it counts as stopped,
 * whatever its position. While its tables are filled for the first time, or after a change of the log, its
 * rows are incomplete.
 */
const isProjecting = (status: ReadModelStatus): boolean =>
  status.stopped === undefined &&
  status.anotherLog === undefined &&
  !status.isFilling &&
  hasLeader(status);

/**
 * Returns the position, lag and heartbeat of each read model, the event at which it stopped, and the rows that were
 * not as the log gives them. Such rows do not make it unready, because the comparison has replaced them.
 */
export async function readModelHealth(
  readModels: ReadModels,
  eventStore: EventStore,
): Promise<HealthIndicatorResult> {
  const end = await withTimeout(eventStore.lastPosition()).catch(() => undefined);
  try {
    const statuses = await withTimeout(readModels.status());
    return Object.assign(
      {},
      ...statuses.map((status) => {
        const name = `projection_${status.name}`;
        const details = readModelDetails(status, end);
        return isProjecting(status) ? up(name, details) : down(name, details);
      }),
    ) as HealthIndicatorResult;
  } catch {
    return down('projections', { reason: 'their state cannot be read' });
  }
}

/** Returns the state of each embedded server's process. */
export async function embeddedHealth(
  servers: readonly EmbeddedServer[],
): Promise<HealthIndicatorResult> {
  return Object.assign(
    {},
    ...servers.map(({ name, running, ...details }) =>
      running ? up(`embedded_${name}`, details) : down(`embedded_${name}`, details),
    ),
  ) as HealthIndicatorResult;
}
