import { existsSync } from 'node:fs';
import { lstat, readdir, rmdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { UnusableFile } from '#files/regular-file.js';
import { FolderInUse, isLockName, lockFolder } from '#embedded/index.js';
import { RESTORE_MARK } from '#platform/config/unfinished-restore.js';
import { CommandFailure, couldNotCheck, EXIT } from '../exit-code.js';
import { isBackedUp } from './backed-up-paths.js';
import {
  copyDurably,
  type Digest,
  digestOf,
  emptyFolder,
  isWithin,
  ownFolder,
  reasonOf,
  syncFolders,
  writeDurably,
} from './durable-files.js';
import {
  type BackedUpFile,
  damagedBackup,
  IMAGE,
  type Manifest,
  readManifest,
} from './manifest.js';

export interface RestoreOptions {
  readonly from: string;
  /** The data directory to write, which is empty or does not exist. */
  readonly dataDir: string;
  /** Leaves out files that no backup has, in place of a refusal. An earlier release backed them up. */
  readonly skipUnknown?: boolean;
  readonly signal: AbortSignal;
  /** Called with the number of bytes of the backup, and then with bytes that were checked or copied. */
  readonly onSize: (bytes: number) => void;
  readonly onChecked: (bytes: number) => void;
  readonly onCopied: (bytes: number) => void;
}

export interface RestoreReport {
  /** The manifest, without the files that were left out. */
  readonly manifest: Manifest;
  /** The paths of the files that were left out. */
  readonly leftOut: readonly string[];
}

/**
 * Checks every byte of a backup, and then writes its data directory. While it writes, a file in the data directory
 * says so, and neither a service nor `mace` uses the directory; a restore that was killed is begun anew by the next
 * one. If the restore fails, nothing of it is left. Fails with exit code 3 for a damaged or incomplete backup, and
 * with 4 for a data directory that is not empty.
 */
export async function restore(options: RestoreOptions): Promise<RestoreReport> {
  const { from, dataDir } = options;
  await requireFolder(from);
  if (isWithin(from, dataDir))
    throw new CommandFailure(
      EXIT.wrongSetting,
      `${dataDir} is inside the backup, and would be lost with it. Name a directory elsewhere with --data-dir.`,
    );
  const report = reportOf(await readManifest(from));
  const { manifest, leftOut } = report;
  if (leftOut.length > 0 && options.skipUnknown !== true)
    throw damagedBackup(
      `${from} is not as mace backup made it: it has ${leftOut[0]}, which mace backup does not write.`,
    );
  options.onSize(manifest.files.reduce((sum, { bytes }) => sum + bytes, 0));
  for (const file of manifest.files) {
    requireSame(join(from, IMAGE, file.path), file, await found(options, file));
    options.onChecked(file.bytes);
  }
  const isNew = !existsSync(dataDir);
  try {
    if (!isNew) await requireEmpty(dataDir);
    await ownFolder(dataDir);
    const unlock = await lockFolder(dataDir);
    try {
      await writeMarked(options, manifest);
    } finally {
      await unlock();
    }
  } catch (error) {
    if (isNew) await rmdir(dataDir).catch(() => undefined);
    if (error instanceof CommandFailure) throw error;
    if (error instanceof FolderInUse) throw couldNotCheck(`${error.message}.`);
    throw couldNotCheck(
      `${dataDir} could not be written, so nothing was restored: ${reasonOf(error)}.`,
    );
  }
  return report;
}

function reportOf(manifest: Manifest): RestoreReport {
  const files = manifest.files.filter(({ path }) => isBackedUp(path));
  const leftOut = manifest.files.map(({ path }) => path).filter((path) => !isBackedUp(path));
  const keys = manifest.keys.filter((path) => !leftOut.includes(path));
  return { manifest: { ...manifest, files, keys }, leftOut };
}

async function requireFolder(from: string): Promise<void> {
  const isFolder = await stat(from).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) throw couldNotCheck(`${from} is not a folder that can be read.`);
}

/** Fails unless a directory is empty, or has only what a restore has left that was killed. */
async function requireEmpty(dataDir: string): Promise<void> {
  const names = (await readdir(dataDir)).filter((name) => !isLockName(name));
  if (names.length === 0 || names.includes(RESTORE_MARK)) return;
  throw new CommandFailure(
    EXIT.wrongSetting,
    `${dataDir} is not empty. Name a new directory with --data-dir; a restore never writes over data.`,
  );
}

/** Reads a file of the backup again. */
async function found(options: RestoreOptions, file: BackedUpFile): Promise<Digest | undefined> {
  const path = join(options.from, IMAGE, file.path);
  try {
    return await reading(options, file, (limits) => digestOf(path, limits));
  } catch (error) {
    options.signal.throwIfAborted();
    const { code, message } = error as NodeJS.ErrnoException;
    if (error instanceof CommandFailure) throw error;
    if (code === 'ENOENT') return undefined;
    throw couldNotCheck(`${path} cannot be read: ${message}.`);
  }
}

/** Reads a file of the backup, through no link, and no byte more than the manifest says. */
async function reading<Result>(
  { from, signal }: RestoreOptions,
  { path, bytes }: BackedUpFile,
  read: (limits: { links: 'refuse'; maxBytes: number; signal: AbortSignal }) => Promise<Result>,
): Promise<Result> {
  try {
    let folder = from;
    for (const name of [IMAGE, ...path.split('/').slice(0, -1)]) {
      folder = join(folder, name);
      if ((await lstat(folder)).isSymbolicLink())
        throw new UnusableFile(`${join(from, IMAGE, path)} is reached through a link`);
    }
    return await read({ links: 'refuse', maxBytes: bytes, signal });
  } catch (error) {
    if (error instanceof UnusableFile)
      throw damagedBackup(`The backup is damaged: ${error.message}.`);
    throw error;
  }
}

function requireSame(path: string, expected: Digest, actual: Digest | undefined): void {
  if (actual === undefined) throw damagedBackup(`The backup is incomplete: ${path} is missing.`);
  if (actual.bytes !== expected.bytes || actual.sha256 !== expected.sha256)
    throw damagedBackup(`The backup is damaged: ${path} has changed since it was written.`);
}

async function writeMarked(options: RestoreOptions, { files }: Manifest): Promise<void> {
  const { from, dataDir, signal, onCopied } = options;
  // Another restore may have written here since the check.
  await requireEmpty(dataDir);
  await emptyFolder(dataDir, (name) => isLockName(name) || name === RESTORE_MARK);
  const mark = join(dataDir, RESTORE_MARK);
  await rm(mark, { force: true });
  try {
    await writeDurably(mark, [Buffer.from('mace restore has not finished here.\n')], signal);
    await syncFolders(dataDir);
    for (const file of files) {
      const path = join(from, IMAGE, file.path);
      const copy = join(dataDir, file.path);
      const copied = await reading(options, file, (limits) => copyDurably(path, copy, limits));
      requireSame(path, file, copied);
      onCopied(file.bytes);
    }
    await syncFolders(dataDir);
  } catch (error) {
    await emptyFolder(dataDir, isLockName);
    throw error;
  }
  await rm(mark);
  await syncFolders(dataDir);
}
