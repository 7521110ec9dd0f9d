import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CommandFailure, EXIT } from '../exit-code.js';

/** The path that stands for the standard input. */
export const STDIN = '-';

/** Copies the standard input into a file that only this user can read, because an import reads its file twice. */
export async function withStdinAsFile(use: (path: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'mace-import-'));
  try {
    const path = join(folder, 'standard-input.jsonl');
    await copyStdin(path);
    await use(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function copyStdin(path: string): Promise<void> {
  const interrupt = new AbortController();
  const stop = (): void => interrupt.abort();
  process.once('SIGINT', stop);
  try {
    const { signal } = interrupt;
    await pipeline(process.stdin, createWriteStream(path, { mode: 0o600 }), { signal });
  } catch (error) {
    if (interrupt.signal.aborted) throw new CommandFailure(EXIT.interrupted, 'Stopped.');
    throw error;
  } finally {
    process.off('SIGINT', stop);
  }
}
