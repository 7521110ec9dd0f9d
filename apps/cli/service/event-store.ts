import { join } from 'node:path';
import { keptNodeSecret } from '#embedded/event-store-node/secret.js';
import { BadConnectionString } from '#event-store/connection-string.js';
import type { EventStore } from '#event-store/event-store.js';
import { dataDirOf } from '#platform/config/service-config.js';
import { CommandFailure, couldNotCheck, EXIT } from '../exit-code.js';

const ON_THIS_MACHINE = /^(?:esdb|kurrentdb):\/\/(?:127\.0\.0\.1|localhost)(?::\d+)?\/?\?/i;

/**
 * Opens the event store that an option names; the command fails if the URL is malformed. For the embedded event
 * store of the data directory, the URL need not contain the store's secret.
 */
export async function openEventStore(option: string, url: string): Promise<EventStore> {
  // The client is loaded only here, because importing it above would slow down every other command.
  const { connectEventStore } = await import('#event-store/event-store-db.js');
  try {
    return connectEventStore(await withSecret(url));
  } catch (error) {
    if (!(error instanceof BadConnectionString)) throw error;
    throw new CommandFailure(
      option.startsWith('MACE_') ? EXIT.wrongSetting : EXIT.couldNotCheck,
      `${option} is not a connection string such as esdb://127.0.0.1:2113?tls=false: ${error.message}`,
    );
  }
}

/**
 * Opens the event store of `--event-store`, or else of MACE_EVENTSTORE_URL, or else the embedded one that runs on
 * the data directory. The command fails if none of them names an event store.
 */
export async function namedEventStore(url: string | undefined): Promise<EventStore> {
  if (url !== undefined) return openEventStore('--event-store', url);
  const setting = process.env['MACE_EVENTSTORE_URL'];
  if (setting) return openEventStore('MACE_EVENTSTORE_URL', setting);
  // The code for the embedded servers is loaded only here, because it would slow down every other command.
  const { runningServers } = await import('#embedded/running-servers.js');
  const { eventStore } = await runningServers(dataDirOf(process.env));
  if (typeof eventStore === 'object')
    return openEventStore('the embedded event store', eventStore.url);
  throw couldNotCheck(
    `Name the event store with --event-store or MACE_EVENTSTORE_URL. No embedded one runs on ${dataDirOf(process.env)}; to start it alone, run: npm run event-store`,
  );
}

async function withSecret(url: string): Promise<string> {
  if (!ON_THIS_MACHINE.test(url) || /connectionname=/i.test(url)) return url;
  const secret = await keptNodeSecret(join(dataDirOf(process.env), 'event-store'));
  return secret === undefined ? url : `${url}&connectionName=${secret}`;
}
