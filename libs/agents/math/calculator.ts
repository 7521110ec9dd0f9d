import { Worker } from 'node:worker_threads';
import { tooLarge, type MathResult, type MathTask } from './task.js';

/**
 * The time limit of one task in ms, which is less than the usual timeout of an agent. Only a hostile
 * formula takes longer, even on a busy machine.
 */
const TIME_LIMIT_MS = 3_000;
const MEMORY_LIMIT_MB = 128;

/**
 * Computes tasks in a worker thread, one after the other, because a hostile formula could run for ever.
 * A task that exceeds its time or memory ends the thread, and the next task gets a new thread.
 */
export class Calculator {
  private worker: Promise<Worker> | undefined;
  private last: Promise<unknown> = Promise.resolve();

  /** Computes one task. @throws the signal's reason if it aborts; the error that crashed the thread. */
  workOut(task: MathTask, signal: AbortSignal): Promise<MathResult> {
    const mine = this.last.then(async () => {
      signal.throwIfAborted();
      return this.inThread(task, signal);
    });
    this.last = mine.catch(() => undefined);
    return mine;
  }

  private async inThread(task: MathTask, signal: AbortSignal): Promise<MathResult> {
    const worker = await this.thread();
    signal.throwIfAborted();
    try {
      return await resultOf(worker, task, signal);
    } catch (error) {
      this.worker = undefined;
      void worker.terminate();
      if (error === OUT_OF_TIME || isOutOfMemory(error))
        return { text: tooLarge().sentence, solved: false };
      throw error;
    }
  }

  private thread(): Promise<Worker> {
    this.worker ??= startWorker(() => (this.worker = undefined));
    return this.worker;
  }
}

const OUT_OF_TIME = new Error('a task took too long');
const isOutOfMemory = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';

function startWorker(onEnd: () => void): Promise<Worker> {
  const worker = new Worker(new URL(import.meta.resolve('#agents/math/calculator-worker.js')), {
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB },
  });
  // The thread does not keep the process alive.
  worker.unref();
  return new Promise((resolve, reject) => {
    worker.once('message', () => resolve(worker));
    worker.on('error', (error) => {
      onEnd();
      reject(error);
    });
  });
}

function resultOf(worker: Worker, task: MathTask, signal: AbortSignal): Promise<MathResult> {
  return new Promise<MathResult>((resolve, reject) => {
    const giveUp = (): void => settle(() => reject(signal.reason as Error));
    const fail = (error: Error): void => settle(() => reject(error));
    const exited = (): void => fail(new Error('the thread of the calculator ended'));
    const take = (result: MathResult): void => settle(() => resolve(result));
    const timer = setTimeout(() => fail(OUT_OF_TIME), TIME_LIMIT_MS);
    const settle = (how: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      worker.off('message', take).off('error', fail).off('exit', exited);
      how();
    };
    signal.addEventListener('abort', giveUp, { once: true });
    worker.on('message', take).on('error', fail).on('exit', exited);
    worker.postMessage(task);
  });
}
