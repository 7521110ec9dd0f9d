// Builds, then runs every test file, or those whose path holds one of the given words:
//   npm test                 everything
//   npm test -- golden sem   the files whose path holds "golden" or "sem"
// Anything after `--` that starts with a dash goes to Node's test runner, for example
//   npm test -- --test-name-pattern='\[critical\]'
import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';

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
        : !name.includes('containers');
    })
    .sort();
}

await build({ onlyStale: true });
const files = await testFiles(join(root, 'dist', 'test'));
if (files.length === 0) {
  console.error(`No test file matches ${words.join(' ')}.`);
  process.exit(2);
}
const reporter = process.env.CI ? 'spec' : 'dot';
const run = spawn(
  process.execPath,
  [
    '--enable-source-maps',
    '--test',
    '--test-concurrency=2',
    `--test-reporter=${words.length > 0 ? 'spec' : reporter}`,
    '--test-reporter-destination=stdout',
    ...flags,
    ...files,
  ],
  { cwd: root, stdio: 'inherit' },
);
run.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
