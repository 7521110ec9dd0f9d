import { mkdir, readdir, readlink, rm, symlink } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning } from './is-running.js';

/** Thrown if another living process uses the folder. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse';
  constructor(
    readonly folder: string,
    readonly pid: number,
  ) {
    super(
      `The data folder ${folder} is in use by process ${pid}: stop that process, or choose another folder`,
    );
  }
}

interface Holder {
  readonly pid: number;
  /** The start time of the process. It distinguishes processes with the same pid; empty if unknown. */
  readonly startedAt: string;
}

const PREFIX = 'lock.';
export const isLockName = (name: string): boolean => /^lock\.\d+$/.test(name);

const RETRY_MS = 50;

/**
 * Locks a folder for this process, and returns the function that unlocks the folder. The lock of a dead process is
 * taken over. If a living process still has the lock after `patienceMs`, this function fails with `FolderInUse`.
 * Locks are numbered: a process owns `lock.<n>` while it lives. A process that finds the owner dead creates
 * `lock.<n+1>`, which only one process can do, so a new lock is never removed by mistake.
 */
export async function lockFolder(
  folder: string,
  { patienceMs = 0 }: { patienceMs?: number } = {},
): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true });
  const until = Date.now() + patienceMs;
  for (;;) {
    try {
      return await tryLock(folder);
    } catch (error) {
      if (!(error instanceof FolderInUse) || Date.now() >= until) throw error;
      await sleep(RETRY_MS);
    }
  }
}

/** True if a living process has the lock of the folder. */
export async function isLocked(folder: string): Promise<boolean> {
  for (const number of await locksIn(folder).catch(() => [])) {
    try {
      await refuseIfHeld(folder, number);
    } catch {
      return true;
    }
  }
  return false;
}

async function tryLock(folder: string): Promise<() => Promise<void>> {
  for (;;) {
    const locks = await locksIn(folder);
    for (const number of locks) await refuseIfHeld(folder, number);
    const mine = (locks.at(-1) ?? 0) + 1;
    if (!(await create(folder, mine))) continue;
    const later = (await locksIn(folder)).filter((number) => number > mine);
    const path = join(folder, PREFIX + mine);
    if (later.length > 0) {
      await rm(path, { force: true });
      continue;
    }
    for (const number of locks) await rm(join(folder, PREFIX + number), { force: true });
    return () => rm(path, { force: true });
  }
}

async function locksIn(folder: string): Promise<number[]> {
  const names = await readdir(folder);
  return names
    .filter(isLockName)
    .map((name) => Number(name.slice(PREFIX.length)))
    .sort((a, b) => a - b);
}

async function refuseIfHeld(folder: string, number: number): Promise<void> {
  const text = await readlink(join(folder, PREFIX + number)).catch(() => '');
  const [pid = '', startedAt = ''] = text.split(' ');
  const holder = { pid: Number(pid), startedAt };
  if (text !== '' && isAlive(holder)) throw new FolderInUse(folder, holder.pid);
}

/**
 * Creates the lock atomically, as a link that names its owner; this works even on a full disk. Returns
 * false if another process has the lock.
 */
async function create(folder: string, number: number): Promise<boolean> {
  try {
    await symlink(`${process.pid} ${startOf(process.pid)}`, join(folder, PREFIX + number));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

const isAlive = ({ pid, startedAt }: Holder): boolean =>
  isRunning(pid) && (startedAt === '' || startOf(pid) === startedAt);

/** Returns the start time of a process in the kernel's units, together with the boot id; empty except on Linux. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state = '', ticks = ''] = [fields[0], fields[19]];
    if (state === 'Z') return 'ended';
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').slice(0, 8);
    return `${boot}/${ticks}`;
  } catch {
    return '';
  }
}
