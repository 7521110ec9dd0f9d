import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const EXAMPLES = fileURLToPath(new URL('../../../examples', import.meta.url));

/**
 * Runs a file of `examples/<name>` and returns what it prints on standard output. It runs on a copy of the
 * folder inside this package (the working directory), so that its imports find the package's own build and
 * the packages of its lock file.
 */
export async function runExample(name, file, environment) {
  const copy = join(process.cwd(), `.example-${process.pid}`);
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy, { recursive: true });
  cpSync(join(EXAMPLES, name, file), join(copy, file));
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [join(copy, file)], {
      env: { ...process.env, ...environment },
    });
    return stdout;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
