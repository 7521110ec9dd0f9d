// A lock for one build at a time in a checkout: a symbolic link whose target is the process that has it.
import { readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const RETRY_MS = 100;

/** Returns the pid of the living process that has the lock; undefined if there is none. */
export function holderOf(lock) {
  let pid;
  try {
    pid = Number(readlinkSync(lock));
    process.kill(pid, 0);
    return pid;
  } catch (error) {
    // EPERM: the process lives, and belongs to another user.
    if (error.code === 'EPERM') return pid;
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return undefined;
    throw error;
  }
}

/** Runs `work` with the lock. Waits for another living process that has it, and says so once. */
export async function withBuildLock(lock, work) {
  for (let hasWaited = false; !tryLock(lock); hasWaited = true) {
    if (!hasWaited)
      console.error(`Waiting for the build of process ${holderOf(lock) ?? 'that just ended'} …`);
    await sleep(RETRY_MS);
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function tryLock(lock) {
  try {
    symlinkSync(String(process.pid), lock);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (holderOf(lock) === undefined) rmSync(lock, { force: true });
    return false;
  }
}
