import { join } from 'node:path';
import { keptAddress } from './event-store-node/address.js';
import { keptNodeSecret, nodeUrl } from './event-store-node/secret.js';
import { isLocked } from './folder-lock.js';
import { runningServerUrl } from './postgres/cluster.js';

/** Connection strings of the embedded servers that run on a data folder. */
export interface RunningServers {
  /** Undefined if no event store runs. `starting`: one has the folder, and does not listen yet. */
  readonly eventStore: { readonly url: string } | 'starting' | undefined;
  readonly postgresUrl: string | undefined;
}

/** Finds the embedded servers that another process has started on a data folder. Starts none. */
export async function runningServers(dataDir: string): Promise<RunningServers> {
  return {
    eventStore: await runningEventStore(join(dataDir, 'event-store')),
    postgresUrl: await runningServerUrl(dataDir),
  };
}

async function runningEventStore(folder: string): Promise<RunningServers['eventStore']> {
  if (!(await isLocked(folder))) return undefined;
  const [address, secret] = await Promise.all([keptAddress(folder), keptNodeSecret(folder)]);
  if (address === undefined || secret === undefined) return 'starting';
  const colon = address.lastIndexOf(':');
  return { url: nodeUrl(address.slice(0, colon), Number(address.slice(colon + 1)), secret) };
}
