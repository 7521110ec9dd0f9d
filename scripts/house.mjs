// Counts what the house promises to keep small: npm run house
//   Lines outside tests and generated files, casts of events and commands, the sizes of the two first pages, and the
//   files that a WM insert, an interaction and a query pass through from HTTP to the log (scripts/request-path.mjs).
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const files = execFileSync('git', ['ls-files'], { encoding: 'utf8' })
  .split('\n')
  .filter((path) => /\.(ts|tsx|mjs|sql|css|html)$/.test(path))
  .filter((path) => !/(^|\/)test\/|\.test\.|^libs\/(client\/api|mcp\/requests)\.ts$/.test(path));
const text = new Map(files.map((path) => [path, readFileSync(path, 'utf8')]));

/** The most lines of each part. */
const LINES = { '': 100_000, 'apps/api/': 24_000, 'projections/': 6_500, 'libs/embedded/': 5_300 };
/** The most bytes of each page. */
const BYTES = { 'README.md': 9 * 1024, 'ARCHITECTURE.md': 12 * 1024 };
const CAST = /\bas (?:readonly )?[A-Z]\w*(?:Event|Events|Command|Trace)\b/;

/** True for the files in which a lint rule refuses such casts. */
const isLinted = (path) =>
  /^(apps|libs|projections)\/.*\.ts$/.test(path) &&
  !/^(apps\/console|libs\/client|libs\/adapters)\//.test(path);

const print = (what, now, most) =>
  console.log(
    `${what.padEnd(44)} ${String(now).padStart(8)}   at most ${String(most).padStart(8)}`,
  );

for (const [part, most] of Object.entries(LINES)) {
  const own = files.filter((path) => path.startsWith(part));
  const lines = own.reduce((sum, path) => sum + text.get(path).split('\n').length - 1, 0);
  print(`lines of ${part || 'everything but tests'}`, lines, most);
}
for (const [page, most] of Object.entries(BYTES))
  print(`bytes of ${page}`, Buffer.byteLength(readFileSync(page)), most);
const casts = files.flatMap((path) =>
  isLinted(path)
    ? text
        .get(path)
        .split('\n')
        .flatMap((line, at, all) =>
          CAST.test(line) &&
          !/^\s*(?:\*|\/\/)|^import /.test(line) &&
          !all[at - 1].includes('eslint-disable')
            ? [`${path}:${at + 1}`]
            : [],
        )
    : [],
);
print('casts of events and commands', casts.length, 0);
for (const place of casts) console.log(`  ${place}`);
execFileSync(process.execPath, ['scripts/request-path.mjs'], { stdio: 'inherit' });
console.log('at most 48 files for a WM insert, 80 for an interaction, 95 for a query');
