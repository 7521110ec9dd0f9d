import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { FolderInUse, GivenUp, runningServers, startEmbedded } from '#embedded/index.js';
import { CommandFailure, couldNotCheck, EXIT } from '../exit-code.js';

/** The servers of a data directory. `stop` stops those that this process has started. */
export interface DataServers {
  readonly eventStoreUrl: string;
  /** Undefined if the data directory has no Postgres. */
  readonly postgresUrl: string | undefined;
  stop(): Promise<void>;
}

/**
 * Finds the servers that a running service has started on a data directory, or starts them if none runs. With
 * `ownPostgresUrl`, Postgres is that server.
 */
export async function openDataServers(
  dataDir: string,
  ownPostgresUrl: string | undefined,
): Promise<DataServers> {
  const hasPostgres = ownPostgresUrl === undefined && existsSync(join(dataDir, 'postgres'));
  const { eventStore, postgresUrl } = await runningServers(dataDir);
  if (eventStore === undefined) return start(dataDir, hasPostgres, ownPostgresUrl);
  if (eventStore === 'starting')
    throw couldNotCheck(`The event store in ${dataDir} is starting. Try again in a moment.`);
  if (hasPostgres && postgresUrl === undefined)
    throw couldNotCheck(
      `The Postgres in ${dataDir} does not run, and it has the queue of refused writes and the keys of personal data. Start the service, or stop its event store; then try again.`,
    );
  return {
    eventStoreUrl: eventStore.url,
    postgresUrl: ownPostgresUrl ?? postgresUrl,
    stop: async () => undefined,
  };
}

async function start(
  dataDir: string,
  hasPostgres: boolean,
  ownPostgresUrl: string | undefined,
): Promise<DataServers> {
  try {
    const servers = await startEmbedded({
      dataDir,
      eventStore: true,
      postgres: hasPostgres,
      log: () => undefined,
      onCrash: () => undefined,
      onNotice: (sentence) => console.error(sentence),
      onGivenUp: () => undefined,
    });
    return {
      eventStoreUrl: servers.eventStoreUrl!,
      postgresUrl: ownPostgresUrl ?? servers.postgresUrl,
      stop: () => servers.stop(),
    };
  } catch (error) {
    if (error instanceof GivenUp) throw new CommandFailure(EXIT.damaged, error.message);
    if (error instanceof FolderInUse)
      throw couldNotCheck(
        `Process ${error.pid} uses ${dataDir}, and no event store runs there. If the process is starting, try again in a moment; if its event store is a server of your own, see docs/backups.md.`,
      );
    throw couldNotCheck((error as Error).message);
  }
}
