import { spawn } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/**
 * Opens a link in the browser, if this machine has one. Other users can read the arguments of a program, so the
 * browser gets a file that only this user can read, and which leads to the link.
 */
export async function openInBrowser(link: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'mace-console-'));
  const file = join(folder, 'sign-in.html');
  await writeFile(file, `<!doctype html><meta http-equiv="refresh" content="0; url=${link}">\n`, {
    mode: 0o600,
  });
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const opener = spawn(program, [...args, pathToFileURL(file).href], {
    stdio: 'ignore',
    detached: true,
  });
  // The link has been printed, so a machine without a browser can go on.
  opener.on('error', () => undefined);
  opener.unref();
}
