import type { HealthIndicatorResult } from '@nestjs/terminus';
import type { EventStore } from '#event-store/event-store.js';
import type { Postgres } from '#read-model/postgres.js';
import type { ReadModels, ReadModelStatus } from '../read-models.js';
import type { EmbeddedServer } from '../start/servers.js';

const PATIENCE_MS = 2_000;
const HEARTBEAT_PATIENCE_SECONDS = 15;

type Details = Readonly<Record<string, unknown>>;

const up = (name: string, details: Details = {}): HealthIndicatorResult => ({
  [name]: { status: 'up', ...details },
});

const down = (name: string, details: Details): HealthIndicatorResult => ({
  [name]: { status: 'down', ...details },
});

async function within<T>(promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), PATIENCE_MS);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

async function answers(name: string, ping: () => Promise<void>): Promise<HealthIndicatorResult> {
  try {
    await within(ping());
    return up(name);
  } catch {
    return down(name, { reason: 'it does not answer' });
  }
}

export const eventStoreHealth = (eventStore: EventStore): Promise<HealthIndicatorResult> =>
  answers('event_store', () => eventStore.ping());

/** Includes the service's role in Postgres: `owner` means that it could change signed logs (SPEC L3). */
export async function postgresHealth(postgres: Postgres): Promise<HealthIndicatorResult> {
  const result = await answers('postgres', () => postgres.ping());
  return { postgres: { ...result['postgres']!, role: postgres.role ?? 'owner' } };
}

function readModelDetails(status: ReadModelStatus, end: bigint | undefined): Details {
  const { position, stopped, rebuilding, heartbeatSecondsAgo } = status;
  const lag = end === undefined ? undefined : end - (position ?? 0n);
  return {
    position: position?.toString() ?? null,
    lag: lag === undefined ? null : (lag > 0n ? lag : 0n).toString(),
    heartbeat_seconds_ago: heartbeatSecondsAgo ?? null,
    rebuilding,
    stopped: stopped === undefined ? null : { ...stopped, position: stopped.position.toString() },
  };
}

/** A silent leader counts as stopped, whatever its position. */
const isAtWork = ({ stopped, heartbeatSecondsAgo }: ReadModelStatus): boolean =>
  stopped === undefined &&
  heartbeatSecondsAgo !== undefined &&
  heartbeatSecondsAgo < HEARTBEAT_PATIENCE_SECONDS;

/** Each read model's position, distance to the log's end, heartbeat, and the event at which it stopped. */
export async function readModelHealth(
  readModels: ReadModels,
  eventStore: EventStore,
): Promise<HealthIndicatorResult> {
  const end = await within(eventStore.lastPosition()).catch(() => undefined);
  try {
    const statuses = await within(readModels.status());
    return Object.assign(
      {},
      ...statuses.map((status) => {
        const name = `projection_${status.name}`;
        const details = readModelDetails(status, end);
        return isAtWork(status) ? up(name, details) : down(name, details);
      }),
    ) as HealthIndicatorResult;
  } catch {
    return down('projections', { reason: 'their state cannot be read' });
  }
}

/** The child processes of an embedded start. */
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
