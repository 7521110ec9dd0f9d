import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../../../../bin/mace.mjs', import.meta.url));

/** Runs `mace verify --log --decisions` on the event store, and returns what it finds. */
export async function chainFaults(eventStoreUrl: string): Promise<string[]> {
  const options = ['verify', '--log', '--decisions', '--json', '--event-store', eventStoreUrl];
  const output = await new Promise<string>((resolve, reject) => {
    execFile(process.execPath, [CLI, ...options], (error, stdout, stderr) => {
      // The exit code is 1 if there are findings.
      if (error !== null && error.code !== 1) reject(new Error(stderr || error.message));
      else resolve(stdout);
    });
  });
  const { found, findings } = JSON.parse(output) as { found: number; findings: unknown[] };
  return found === 0 ? [] : findings.map((finding) => JSON.stringify(finding));
}
