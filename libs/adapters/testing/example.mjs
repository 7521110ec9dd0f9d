import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { programsOf } from '../../../scripts/doc-blocks.mjs';

const EXAMPLES = fileURLToPath(new URL('../../../examples', import.meta.url));
const PAGE = fileURLToPath(new URL('../../../docs/give-your-agent-memory.md', import.meta.url));

/**
 * Runs a file of `examples/<name>` and returns what it prints on standard output. It runs on a copy of the
 * folder inside this package (the working directory), so that its imports find the package's own build and
 * the packages of its lock file.
 */
export const runExample = (name, file, environment) =>
  runInside(file, environment, (copy) => cpSync(join(EXAMPLES, name, file), copy));

/**
 * Runs a program of docs/give-your-agent-memory.md, by the file that its info string names, as `runExample`
 * runs an example.
 */
export const runProgramOfPage = (file, environment) => runProgramOf(PAGE, file, environment);

/** Runs a program of this package's README, in the same way. */
export const runProgramOfReadme = (file, environment) =>
  runProgramOf('README.md', file, environment);

async function runProgramOf(page, file, environment) {
  const program = programsOf(page).get(file);
  if (program === undefined) throw new Error(`${page} has no program ${file}`);
  return runInside(file, environment, (copy) => writeFileSync(copy, program));
}

async function runInside(file, environment, write) {
  const copy = join(process.cwd(), `.example-${process.pid}`);
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy, { recursive: true });
  write(join(copy, file));
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [join(copy, file)], {
      env: { ...process.env, ...environment },
    });
    return stdout;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
