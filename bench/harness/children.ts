import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../..', import.meta.url));
const peers = `${root}bench/peers`;

/**
 * Installs the peers at first use. They have a folder of their own, because their dependencies conflict
 * with the product's.
 */
export async function installPeers(): Promise<void> {
  if (existsSync(`${peers}/node_modules/.package-lock.json`)) return;
  process.stdout.write('Installing the peers (once) …\n');
  const npm = spawn('npm', ['ci', '--prefix', peers], { cwd: peers, stdio: 'inherit' });
  const [code] = (await once(npm, 'exit')) as [number | null];
  if (code !== 0) throw new Error('The peers could not be installed');
}

/** Runs bench/peers/<name>.mjs in its own process, and returns the JSON that it prints at the end. */
export async function runPeer<Result>(name: string, args: object): Promise<Result> {
  const child = spawn(process.execPath, [`${peers}/${name}.mjs`], {
    cwd: peers,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify(args));
  let last = '';
  for await (const line of createInterface({ input: child.stdout })) last = line;
  if (child.exitCode === null) await once(child, 'exit');
  if (child.exitCode !== 0) throw new Error(`The peer ${name} failed`);
  return JSON.parse(last) as Result;
}

export interface Program {
  /** The address of a service; empty for a program without one. */
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts a program that runs until it is stopped, and waits until it prints this line. */
export async function startProgram(
  path: string,
  env: NodeJS.ProcessEnv,
  line = /^listening on (\S+)$/,
): Promise<Program> {
  const profiles = process.env['BENCH_PROFILES'];
  const profiling = profiles === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiles}`];
  // These are the flags of `npm start`.
  const heap = ['--max-semi-space-size=32', '--max-old-space-size=768'];
  const flags = ['--enable-source-maps', ...heap, ...profiling];
  const child = spawn(process.execPath, [...flags, `${root}dist/${path}`], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { url: await printed(child, line), pid: child.pid!, stop: () => end(child) };
}

async function printed(child: ChildProcess, wanted: RegExp): Promise<string> {
  if (child.stdout === null) throw new Error('The program has no output');
  for await (const line of createInterface({ input: child.stdout })) {
    const found = wanted.exec(line);
    if (found !== null) return found[1] ?? '';
  }
  throw new Error('The program ended before it was ready');
}

/** Returns the seconds of CPU that a process has used, on Linux. */
export async function cpuSeconds(pid: number): Promise<number> {
  const [, after = ''] = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ');
  const fields = after.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
}

const TICKS_A_SECOND = 100;

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
