// Builds, then runs every test file, or those whose path holds one of the given words:
//   npm test                 everything
//   npm test -- golden sem   the files whose path holds "golden" or "sem"
// Anything after `--` that starts with a dash goes to Node's test runner, for example
//   npm test -- --test-name-pattern='\[critical\]'
import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import './build.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const words = process.argv.slice(2).filter((arg) => !arg.startsWith('-'));
const flags = process.argv.slice(2).filter((arg) => arg.startsWith('-'));

async function testFiles(folder) {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.test.js'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => {
      const name = relative(folder, path);
      return words.length > 0
        ? words.some((word) => name.includes(word))
        : !name.startsWith(`containers${sep}`);
    })
    .sort();
}

const files = await testFiles(join(root, 'dist', 'test'));
if (files.length === 0) {
  console.error(`No test file matches ${words.join(' ')}.`);
  process.exit(2);
}

// One Postgres serves all files that ask for a database; each gets its own database in it.
async function sharedPostgres() {
  if (process.env.MACE_POSTGRES_URL || process.env.MACE_TEST_POSTGRES_URL) return undefined;
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  if (!texts.some((text) => text.includes('/support/'))) return undefined;
  const { startSharedPostgres } = await import('../dist/test/support/shared-postgres.js');
  return startSharedPostgres();
}

const postgres = await sharedPostgres();
const spec = process.env.CI !== undefined || words.length > 0;
const run = spawn(
  process.execPath,
  [
    '--enable-source-maps',
    '--test',
    '--test-concurrency=2',
    `--test-reporter=${spec ? 'spec' : join(root, 'scripts', 'test-reporter.mjs')}`,
    '--test-reporter-destination=stdout',
    ...flags,
    ...files,
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...(postgres && { MACE_TEST_POSTGRES_URL: postgres.url }) },
  },
);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => run.kill(signal));
run.on('exit', async (code, signal) => {
  await postgres?.stop();
  process.exit(signal ? 1 : (code ?? 1));
});
