import type { Logger } from 'pino';
import { type GivenUp, startEmbedded } from '#embedded/index.js';
import { isRunning } from '#embedded/is-running.js';
import type { ServiceConfig } from '#platform/config/service-config.js';
import type { ServerUrls } from '#platform/program.module.js';

/** An embedded server's state for the health check. */
export interface EmbeddedServer {
  readonly name: string;
  readonly pid: number;
  readonly running: boolean;
  /** The number of restarts after a crash, counted from the service's start. */
  readonly restarts: number;
  readonly last_crash_at?: string;
}

/** The servers of a service, embedded or external. */
export interface Servers extends ServerUrls {
  readonly embedded: () => readonly EmbeddedServer[];
}

export interface OpenedServers extends Servers {
  /** Rejects with `GivenUp` when an embedded server has ended and is not started again. */
  readonly failed: Promise<never>;
  stop(): Promise<void>;
}

interface Crash {
  readonly restarts: number;
  readonly last_crash_at: string;
}

/**
 * Returns the URLs of the configured servers, and starts an embedded server for each missing URL. An
 * embedded server that crashes is restarted; the crash is logged and shown in the health check. Fails
 * with `FolderInUse`, and with `GivenUp` if the files of an embedded server are damaged.
 */
export async function openServers(config: ServiceConfig, logger: Logger): Promise<OpenedServers> {
  const { dataDir, eventStoreUrl, postgresUrl, eventStoreQuotaBytes } = config;
  if (eventStoreUrl !== undefined && postgresUrl !== undefined)
    return {
      eventStoreUrl,
      postgresUrl,
      embedded: () => [],
      failed: new Promise(() => undefined),
      stop: async () => undefined,
    };
  let giveUp = (_failure: GivenUp): void => undefined;
  const failed = new Promise<never>((_resolve, reject) => (giveUp = reject));
  // The caller takes the failure when the service runs; until then it is not unhandled.
  failed.catch(() => undefined);
  const crashes = new Map<string, Crash>();
  const children = await startEmbedded({
    dataDir,
    eventStore: eventStoreUrl === undefined,
    postgres: postgresUrl === undefined,
    ...(eventStoreQuotaBytes === undefined ? {} : { eventStoreQuotaBytes }),
    log: (line) => logger.debug({ type: 'embedded' }, line),
    onNotice: (sentence) => logger.warn({ type: 'embedded_notice' }, sentence),
    onGivenUp: (failure) => giveUp(failure),
    onCrash: (name, cause) => {
      const restarts = (crashes.get(name)?.restarts ?? 0) + 1;
      crashes.set(name, { restarts, last_crash_at: new Date().toISOString() });
      logger.error({ type: 'embedded_crash', server: name, cause, restarts });
    },
  });
  const embedded = (): EmbeddedServer[] => {
    const { eventStore, postgres } = children.pids();
    const servers = [
      ['event-store', eventStore],
      ['postgres', postgres],
    ] as const;
    return servers.flatMap(([name, pid]) =>
      pid === undefined
        ? []
        : [{ name, pid, running: isRunning(pid), restarts: 0, ...crashes.get(name) }],
    );
  };
  return {
    eventStoreUrl: eventStoreUrl ?? urlOf(children.eventStoreUrl),
    postgresUrl: postgresUrl ?? urlOf(children.postgresUrl),
    embedded,
    failed,
    stop: () => children.stop(),
  };
}

function urlOf(url: string | undefined): string {
  if (url === undefined) throw new TypeError('A requested embedded server has no URL.');
  return url;
}
