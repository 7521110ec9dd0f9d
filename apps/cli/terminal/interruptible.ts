import { CommandFailure, EXIT } from '../exit-code.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs work that Ctrl-C or SIGTERM interrupts: the signal then aborts, and the work cleans up and fails with the
 * signal's reason. Further signals do not end the process before the work has cleaned up.
 */
export async function interruptible<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const interruption = new AbortController();
  const interrupt = (): void =>
    interruption.abort(new CommandFailure(EXIT.interrupted, 'Stopped.'));
  for (const signal of SIGNALS) process.on(signal, interrupt);
  try {
    return await work(interruption.signal);
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupt);
  }
}
