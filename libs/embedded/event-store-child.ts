import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Ending, GivenUp, type RunningChild, StartFailed } from './supervised.js';

const MAIN = fileURLToPath(import.meta.resolve('#programs/event-store-node.js'));
/** Each notice of the starting process, for example about its progress, begins this time again. */
const READY_WITHIN_MS = 30_000;
/** The node's exit code if its files are damaged and a start cannot mend them. */
const DAMAGED = 3;

interface Listening {
  readonly port: number;
  /** The connection string, with the node's secret. */
  readonly url: string;
}

export type EventStoreChild = RunningChild & Listening;

/**
 * Starts the event store in a process of its own; port 0 means any free port. Without a quota, its data
 * can fill the disk. `onNotice` receives a sentence about each thing that the start mends or converts. Fails if
 * the process says nothing for 30 s, and with `GivenUp` if its files are damaged and cannot be mended.
 */
export async function startEventStoreChild(
  folder: string,
  port: number,
  log: (line: string) => void,
  quotaBytes?: number,
  onNotice: (sentence: string) => void = log,
): Promise<EventStoreChild> {
  const quota = quotaBytes === undefined ? [] : ['--quota-bytes', String(quotaBytes)];
  const child = fork(MAIN, ['--port', String(port), '--data-dir', folder, ...quota], {
    // The process gets its own process group, so that Ctrl-C reaches only the service, which then stops its children.
    detached: true,
    execArgv: ['--enable-source-maps'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let output = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output = text.trim();
    log(output);
  });
  const ended = new Promise<Ending>((resolve) => {
    child.once('error', ({ message }) => resolve({ cause: message }));
    // The output is complete at 'close', not yet at 'exit'.
    child.once('close', (code, signal) => {
      if (code === DAMAGED) return resolve({ cause: output, isFinal: true });
      const cause = `it ended with ${signal ?? `code ${code}`}${output === '' ? '' : `: ${output}`}`;
      resolve({ cause, ...(signal && { signal }) });
    });
  });
  const stop = async (): Promise<void> => {
    child.ref();
    child.kill('SIGTERM');
    await ended;
  };
  const timer = setTimeout(() => child.kill('SIGKILL'), READY_WITHIN_MS);
  const listening = new Promise<Listening>((resolve) => {
    child.on('message', (message: Listening | { readonly notice: string }) => {
      if (!('notice' in message)) return resolve(message);
      timer.refresh();
      onNotice(message.notice);
    });
  });
  const first = await Promise.race([listening, ended]);
  clearTimeout(timer);
  if ('cause' in first) {
    if (first.isFinal) throw new GivenUp(first.cause);
    throw new StartFailed(`The event store did not start: ${first.cause}`, first.signal);
  }
  child.unref();
  child.channel?.unref();
  (child.stderr as unknown as { unref?: () => void }).unref?.();
  return { pid: child.pid!, ...first, ended, stop };
}
