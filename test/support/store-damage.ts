import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  ftruncateSync,
  openSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { temporaryFolder } from './temporary-folder.js';

const FILES = ['events.lmdb', 'journal-0', 'journal-1'] as const;
const WORKER = fileURLToPath(import.meta.resolve('#test/support/damage-worker.js'));
const WORKERS = 2;
const MEMORY = '/dev/shm';
/** The bytes at the beginning of each file in which the small stores of this test have their data. */
const USED = 24 * 1024;
const PARTS = 2 ** 30;

/** One wrong bit in a file, or a file that ends too early. */
export interface Damage {
  readonly file: (typeof FILES)[number];
  readonly kind: 'flip' | 'cut';
  /** The place, in parts of the file or of its beginning. */
  readonly at: number;
  readonly isInBeginning: boolean;
  readonly bit: number;
}

/** The folders of two small stores. */
export interface Bases {
  readonly closed: string;
  readonly killed: string;
}

/** The result of one damage. `wrong` means that the store returns wrong data without an error, or ends its process. */
export interface Verdict {
  readonly kind: 'harmless' | 'refused' | 'named' | 'wrong';
  readonly detail?: string;
}

export interface DamageReport {
  readonly trials: number;
  readonly harmless: number;
  readonly refused: number;
  readonly named: number;
  /** A description of each wrong result, with the damage that caused it. */
  readonly wrong: readonly string[];
}

export function damageFile(folder: string, { file, kind, at, isInBeginning, bit }: Damage): void {
  const path = join(folder, file);
  const { size } = statSync(path);
  const offset = Math.floor((at / PARTS) * (isInBeginning ? Math.min(USED, size) : size));
  const handle = openSync(path, 'r+');
  if (kind === 'cut') ftruncateSync(handle, offset);
  else {
    const byte = Buffer.alloc(1);
    readSync(handle, byte, 0, 1, offset);
    byte[0]! ^= 1 << bit;
    writeSync(handle, byte, 0, 1, offset);
  }
  closeSync(handle);
}

/** A damage of a copy of the store that was closed, or of the one that was killed. */
export interface Trial {
  readonly isKilled: boolean;
  readonly damage: Damage;
}

const trial: fc.Arbitrary<Trial> = fc.record({
  isKilled: fc.boolean(),
  damage: fc.record({
    file: fc.constantFrom('events.lmdb', ...FILES),
    kind: fc.constantFrom<Damage['kind']>('flip', 'flip', 'flip', 'cut'),
    at: fc.noBias(fc.integer({ min: 0, max: PARTS - 1 })),
    isInBeginning: fc.boolean(),
    bit: fc.integer({ min: 0, max: 7 }),
  }),
});

/** Returns trials that the seed decides. */
export const randomTrials = (seed: number, count: number): readonly Trial[] =>
  fc.sample(trial, { numRuns: count, seed });

/**
 * Damages copies of two small stores, one closed and one killed, in one place each, and opens, reads, extends and
 * reopens them.
 */
export async function damageStores(trials: readonly Trial[]): Promise<DamageReport> {
  // In memory, where it can be, since the trials sync their files thousands of times.
  const folder = temporaryFolder('damage', existsSync(MEMORY) ? MEMORY : tmpdir());
  const bases = { closed: join(folder.path, 'closed'), killed: join(folder.path, 'killed') };
  const verdicts: Verdict[] = [];
  try {
    const maker = new Worker();
    const made = await maker.ask({ bases });
    await maker.kill();
    if (made.kind === 'wrong') throw new Error(made.detail);
    const todo = trials.entries();
    await Promise.all(
      Array.from({ length: WORKERS }, async () => {
        const worker = new Worker();
        for (const [index, { isKilled, damage }] of todo) {
          const base = isKilled ? bases.killed : bases.closed;
          const verdict = await worker.ask({
            base,
            folder: join(folder.path, String(index)),
            damage,
          });
          const detail = `${JSON.stringify({ isKilled, ...damage })}: ${verdict.detail}`;
          verdicts.push({ kind: verdict.kind, detail });
        }
        worker.stop();
      }),
    );
  } finally {
    folder.remove();
  }
  const count = (kind: Verdict['kind']): number =>
    verdicts.filter((verdict) => verdict.kind === kind).length;
  return {
    trials: verdicts.length,
    harmless: count('harmless'),
    refused: count('refused'),
    named: count('named'),
    wrong: verdicts.flatMap(({ kind, detail }) => (kind === 'wrong' ? [detail ?? ''] : [])),
  };
}

/** A process that opens damaged stores. It is started again after a signal has ended it. */
class Worker {
  private child: ChildProcess | undefined;

  ask(request: object): Promise<Verdict> {
    const child = (this.child ??= fork(WORKER, {
      execArgv: ['--enable-source-maps'],
      silent: true,
    }));
    return new Promise((resolve) => {
      const answered = (verdict: Verdict): void => {
        child.off('exit', ended);
        resolve(verdict);
      };
      const ended = (code: number | null, signal: string | null): void => {
        child.off('message', answered);
        this.child = undefined;
        resolve({ kind: 'wrong', detail: `the process ended with ${signal ?? code}` });
      };
      child.once('message', answered);
      child.once('exit', ended);
      child.send(request);
    });
  }

  stop(): void {
    this.child?.kill();
  }

  /** Ends the process as a crash does. Resolves when it has ended. */
  async kill(): Promise<void> {
    const ended = this.child && once(this.child, 'exit');
    this.child?.kill('SIGKILL');
    await ended;
  }
}
