import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { loadedOnce } from './loaded-once.js';

const PACKAGE = 'node_modules/@sparticuz/chromium';
const UNPACK = `import chromium from '@sparticuz/chromium'; await chromium.executablePath();`;

/**
 * Starts a headless Chromium: the program that MACE_CHROMIUM names, else the one that npm has installed, which runs
 * on Linux x64, else the Google Chrome of this machine.
 */
export async function launchChromium(): Promise<Browser> {
  const { chromium } = await loadedOnce<typeof import('playwright-core')>('playwright-core');
  // Chromium's own sandbox cannot be used by root, and the pages come from a service of ours.
  const settings = {
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
    // In the locale C, this Chromium names a language in which a page cannot format a number.
    env: { ...process.env, LC_ALL: 'en_US.UTF-8', LANGUAGE: 'en_US' } as Record<string, string>,
  };
  const start = async () => chromium.launch({ ...settings, ...(await programOf()) });
  // One start in fifty ends with a segmentation fault of this Chromium.
  return start().catch(start);
}

async function programOf(): Promise<{ executablePath: string } | { channel: string }> {
  const named = process.env['MACE_CHROMIUM'];
  if (named) return { executablePath: named };
  const isLinux = process.platform === 'linux' && process.arch === 'x64';
  return isLinux ? { executablePath: await unpacked() } : { channel: 'chrome' };
}

/** Returns the path of the package's Chromium, which is unpacked once. */
async function unpacked(): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as {
    version: string;
  };
  const folder = join('node_modules/.cache', `chromium-${version}`);
  const program = join(folder, 'chromium');
  if (!existsSync(program)) {
    await mkdir(dirname(folder), { recursive: true });
    const draft = await mkdtemp(`${folder}-`);
    // The package unpacks into the folder for temporary files, where a killed run would leave half a program.
    const env = { ...process.env, TMPDIR: join(process.cwd(), draft) };
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', UNPACK], { env });
    // Another worker may have been faster.
    await rename(draft, folder).catch(() => rm(draft, { recursive: true }));
  }
  return program;
}
