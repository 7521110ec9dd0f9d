import type { Logger } from 'pino';
import { FolderInUse, GivenUp } from '#embedded/index.js';
import { BadConfig } from '../config/bad-config.js';
import { readConfig, type ServiceConfig } from '../config/service-config.js';
import { LogReplaced } from './log-replaced.js';
import { openLogger } from './logger.js';

/** A program that has started, and the function that stops it. */
export interface Running {
  /** Rejects if the program cannot go on; never resolves. */
  readonly failed?: Promise<never>;
  stop(): Promise<void>;
}

const printTo =
  (stream: NodeJS.WriteStream) =>
  (line: string): void => {
    stream.write(`${line}\n`);
  };

/** Prints a line for the user on stdout. Log lines go to stderr. */
export const say = printTo(process.stdout);
const printError = printTo(process.stderr);

/** Returns a sentence for an error that the user can mend; undefined for any other error. */
function sentenceFor(error: unknown, config: ServiceConfig | undefined): string | undefined {
  if ([BadConfig, FolderInUse, GivenUp, LogReplaced].some((kind) => error instanceof kind))
    return (error as Error).message;
  const { code } = error as NodeJS.ErrnoException;
  const at = config === undefined ? '' : `${config.host}:${config.port}`;
  if (code === 'EADDRINUSE')
    return `Port ${config?.port} is taken: another program listens on ${at}. Stop it, or set PORT to another port.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `HOST ${config?.host} is not an address of this machine.`;
  if (code === 'EACCES')
    return `This user is not allowed to listen on ${at}. Set PORT to 1024 or more.`;
  return undefined;
}

/**
 * Two signals within this time in ms count as one. Under npm, Ctrl-C arrives twice: from the terminal
 * and from npm.
 */
const SAME_REQUEST_MS = 1_000;

/** Resolves at the first Ctrl-C or SIGTERM. A second one, more than a second later, ends the process at once. */
function stopRequested(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
    let requestedAt: number | undefined;
    for (const signal of signals)
      process.on(signal, () => {
        requestedAt ??= performance.now();
        if (performance.now() - requestedAt > SAME_REQUEST_MS) process.exit(130);
        resolve(signal);
      });
  });
}

/** Returns the exit code of a program that cannot start or go on (SPEC §13). */
function exitCodeOf(error: unknown): number {
  if (error instanceof GivenUp) return 3;
  return error instanceof BadConfig ? 4 : 1;
}

const STOP_WITHIN_MS = 10_000;

/**
 * Runs a program from its configuration to its end. After a requested stop, the exit code is 0. If the
 * program cannot start or go on, it prints the reason in one sentence and exits with 3 if the files of an
 * embedded server are damaged, with 4 for a wrong setting, and with 1 otherwise (SPEC §13). `check` may throw
 * BadConfig; it runs before the configuration is read, and so before keys are made.
 */
export async function runProgram(
  start: (config: ServiceConfig, logger: Logger) => Promise<Running>,
  check: () => void = () => undefined,
): Promise<void> {
  const stopSignal = stopRequested();
  let config: ServiceConfig | undefined;
  let running: Running | undefined;
  try {
    check();
    config = await readConfig(process.env);
    const logger = openLogger(config.logLevel);
    running = await start(config, logger);
    await Promise.race([stopSignal, ...(running.failed ? [running.failed] : [])]);
    say('\nStopping…');
    await running.stop();
    say('Stopped.');
    process.exit(0);
  } catch (error) {
    printError(sentenceFor(error, config) ?? describeFault(error));
    const code = exitCodeOf(error);
    // A part that has failed may keep the others from stopping.
    setTimeout(() => process.exit(code), STOP_WITHIN_MS).unref();
    await running?.stop().catch(() => undefined);
    process.exit(code);
  }
}

/** Returns an unexpected error with its stack, for use in a bug report. */
const describeFault = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
