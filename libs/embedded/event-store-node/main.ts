import { parseArgs } from 'node:util';
import { join, resolve } from 'node:path';
import { lockFolder } from '../folder-lock.js';
import { startNode } from './node.js';
import { DAMAGED, DamagedStore } from './storage/damage.js';

// Runs the node alone (npm run event-store), or as a child process that ends with its parent.
const { values } = parseArgs({
  options: {
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '2113' },
    'data-dir': {
      type: 'string',
      default: join(process.env['MACE_DATA_DIR'] ?? '.mace', 'event-store'),
    },
    'quota-bytes': { type: 'string', default: process.env['MACE_EVENTSTORE_QUOTA_BYTES'] ?? '' },
    'skip-damaged': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const HELP = `Serves EventStoreDB's protocol (streams only) from a folder.

  npm run event-store -- [--host 127.0.0.1] [--port 2113] [--data-dir .mace/event-store]
                         [--quota-bytes <maximum size of the stored data>] [--skip-damaged]

Port 0 takes any free port. It prints the connection string, which contains the node's secret; the secret is
made at the first start and kept in the file secret of the folder.

With --skip-damaged it serves the events that are whole of a damaged folder, and takes no writes: mace copy-log
--skip-damaged copies them to another event store. It needs as much free disk space as the folder has data.

Exit code 3 means that the files are damaged and that a start cannot mend them.
`;

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const printError = (line: string): void => void process.stderr.write(`${line}\n`);
const isChild = process.send !== undefined;
/** How long to wait for the lock. After a parent process was killed, its node may still be shutting down. */
const LOCK_PATIENCE_MS = isChild ? 5_000 : 0;

async function main(): Promise<void> {
  if (values.help) return print(HELP);
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Error(`--port must be a number from 0 to 65535, not ${values.port}`);
  }
  const quota = values['quota-bytes'];
  if (!/^\d{0,15}$/.test(quota)) {
    throw new Error(`--quota-bytes must be a number of bytes, not ${quota}`);
  }
  const quotaBytes = quota === '' ? Infinity : Number(quota);
  const folder = resolve(values['data-dir']);
  const unlock = await lockFolder(folder, { patienceMs: LOCK_PATIENCE_MS });
  const node = await startNode({
    folder,
    host: values.host,
    port,
    quotaBytes,
    onBroken: end,
    onNotice: notice,
    skipDamaged: values['skip-damaged'],
  });
  let isStopping = false;
  const stop = async (): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    await node.close();
    await unlock();
    process.exit(0);
  };
  const stopOrEnd = (): void => void stop().catch(end);
  process.on('SIGTERM', stopOrEnd);
  process.on('SIGINT', stopOrEnd);
  process.on('disconnect', stopOrEnd);
  if (isChild) process.send?.({ port: node.port, url: node.url });
  else print(`Event store on ${node.url}, data in ${folder}`);
}

/** A parent process gets the sentence as a message. */
function notice(sentence: string): void {
  if (isChild) process.send?.({ notice: sentence });
  else printError(sentence);
}

function end(error: unknown): void {
  if (error instanceof DamagedStore) {
    printError(error.message);
    process.exit(DAMAGED);
  }
  printError(`The event store stopped: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}

main().catch(end);
