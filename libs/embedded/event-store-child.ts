import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type RunningChild } from './supervised.js';

const MAIN = fileURLToPath(import.meta.resolve('#embedded/event-store-node/main.js'));
const READY_WITHIN_MS = 30_000;

interface Listening {
  readonly port: number;
  /** The connection string, with the node's secret. */
  readonly url: string;
}

export type EventStoreChild = RunningChild & Listening;

/**
 * Starts the event store in a process of its own; port 0 means any free port. Without a quota, its data
 * can fill the disk. Fails if the process does not answer within 30 s.
 */
export async function startEventStoreChild(
  folder: string,
  port: number,
  log: (line: string) => void,
  quotaBytes?: number,
): Promise<EventStoreChild> {
  const quota = quotaBytes === undefined ? [] : ['--quota-bytes', String(quotaBytes)];
  const child = fork(MAIN, ['--port', String(port), '--data-dir', folder, ...quota], {
    // The process gets its own process group, so that Ctrl-C reaches only the service, which then stops
    // its children.
    detached: true,
    execArgv: ['--enable-source-maps'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let output = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output = text.trim();
    log(output);
  });
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) =>
      resolve(`it ended with ${signal ?? `code ${code}`}${output === '' ? '' : `: ${output}`}`),
    );
  });
  const stop = async (): Promise<void> => {
    child.ref();
    child.kill('SIGTERM');
    await ended;
  };
  const timer = setTimeout(() => child.kill('SIGKILL'), READY_WITHIN_MS);
  const listening = await Promise.race([
    new Promise<Listening>((resolve) => {
      child.once('message', (message: Listening) => resolve(message));
    }),
    ended,
  ]);
  clearTimeout(timer);
  if (typeof listening === 'string') throw new Error(`The event store did not start: ${listening}`);
  child.unref();
  child.channel?.unref();
  (child.stderr as unknown as { unref?: () => void }).unref?.();
  return { pid: child.pid!, ...listening, ended, stop };
}
