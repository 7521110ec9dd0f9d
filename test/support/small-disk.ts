import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { statfs } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { temporaryFolder } from './temporary-folder.js';

const run = promisify(execFile);

const ROOM_BYTES = 1_500 * 1024 * 1024;
const PAGE_BYTES = 4096;
const ATTEMPTS = 20;

/** The reason to skip tests that need a disk of their own, or false if this process may mount one. */
export function smallDiskMissing(): string | false {
  const folder = temporaryFolder('try-mount');
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder.path]);
  if (status === 0) execFileSync('umount', [folder.path]);
  folder.remove();
  return status === 0 ? false : 'this process may not mount a tmpfs (it needs Linux and root)';
}

/** A disk of its own, in memory (tmpfs), that a fault can fill up. */
export class SmallDisk {
  private constructor(private readonly folder: string) {
    process.once('exit', this.remove);
  }

  /** Mounts the disk on a folder. Returns undefined where this is not allowed: it needs Linux and root. */
  static async mount(folder: string): Promise<SmallDisk | undefined> {
    if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined;
    try {
      const options = `size=${ROOM_BYTES},mode=0700`;
      await run('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]);
    } catch {
      return undefined;
    }
    return new SmallDisk(folder);
  }

  /**
   * Shrinks the disk to what it holds, plus a few pages. Returns false if writers filled the room again each time.
   */
  async fill(freePages: number): Promise<boolean> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const { blocks, bfree, bsize } = await statfs(this.folder);
      const used = (blocks - bfree) * bsize;
      try {
        await this.resize(used + freePages * PAGE_BYTES);
        return true;
      } catch {
        await delay(10);
      }
    }
    return false;
  }

  empty(): Promise<void> {
    return this.resize(ROOM_BYTES);
  }

  readonly remove = (): void => {
    process.off('exit', this.remove);
    execFileSync('umount', ['-l', this.folder]);
  };

  private async resize(bytes: number): Promise<void> {
    await run('mount', ['-o', `remount,size=${bytes}`, this.folder]);
  }
}
