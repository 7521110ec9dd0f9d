import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The package of the suites, with a lock file of its own, because they need a newer Node than the product. */
const OFFICIAL = fileURLToPath(new URL('../../../test/mcp-conformance/official', import.meta.url));

/** A run of a suite against one server. */
export interface Run {
  /** The release: `conformance-2025` is the latest one, and `conformance-2026` knows revision 2026-07-28. */
  readonly suite: 'conformance-2025' | 'conformance-2026';
  readonly name: string;
  readonly options: readonly string[];
}

export interface Outcome {
  readonly isPassed: boolean;
  /** The scenarios that the run passed. */
  readonly passed: number;
  readonly output: string;
}

/** Installs the suites from the lock file. */
export function installSuites(): void {
  const installed = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--silent'], {
    cwd: OFFICIAL,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (installed.status !== 0) throw new Error('The suites could not be installed.');
}

/** Runs a suite against a server. Only what the suite itself counts decides. */
export async function runSuite({ suite, options }: Run, url: string): Promise<Outcome> {
  const program = join(OFFICIAL, 'node_modules', suite, 'dist/index.js');
  const child = spawn(process.execPath, [program, 'server', '--url', url, ...options], {
    env: { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = (await once(child, 'close')) as [number | null];
  const passed = output.match(/^✓ [\w-]+: [1-9]/gm)?.length ?? (code === 0 ? 1 : 0);
  return { isPassed: code === 0, passed, output };
}

/** Writes the checks that a run need not pass, in the form of the suite, and returns the options that name the file. */
export function expectFailures(folder: string, checks: readonly string[]): string[] {
  const file = join(folder, 'expected-failures.yml');
  writeFileSync(file, `server:\n${checks.map((check) => `  - ${check}\n`).join('')}`);
  return ['--expected-failures', file];
}
