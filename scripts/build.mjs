// Brings dist/ up to date, and returns when it is. It removes the outputs of deleted sources, runs
// `nest build` and makes the programs if an output is older than its source or than the settings, and builds the
// console if one of its sources has changed; with `--all` it does all of this. Only one build of a checkout runs at a time.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { withBuildLock } from './build-lock.mjs';

const at = (path) => join(import.meta.dirname, '..', path);
// Folders with builds of their own.
const APART = ['libs/adapters', 'apps/console', 'dist/console', 'dist/programs'].map((folder) =>
  join(folder),
);
const filesUnder = (folder) =>
  readdirSync(at(folder), { withFileTypes: true }).flatMap((entry) => {
    if (/^\.|^(node_modules|dist)$|\.md$/.test(entry.name)) return [];
    if (APART.includes(join(folder, entry.name))) return [];
    return entry.isDirectory() ? filesUnder(join(folder, entry.name)) : join(folder, entry.name);
  });
const outputOf = (source) => join('dist', source).replace(/\.ts$/, '.js');
const modifiedAt = (path) => statSync(at(path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
const isOld = (source) =>
  [source, 'nest-cli.json', '.swcrc'].some(
    (path) => modifiedAt(path) > modifiedAt(outputOf(source)),
  );

// The arguments of another program that imports this one are its own.
const isAll = process.argv[1] === import.meta.filename && process.argv.includes('--all');

mkdirSync(at('dist'), { recursive: true });
await withBuildLock(at('dist/.lock'), build);

async function build() {
  const sources = ['apps', 'libs', 'projections', 'test', 'bench'].flatMap(filesUnder);
  const kept = new Set(sources.map(outputOf));
  for (const path of filesUnder('dist'))
    if (!kept.has(path.replace(/\.map$/, ''))) rmSync(at(path));

  if (isAll || sources.some(isOld)) {
    const build = [at('node_modules/@nestjs/cli/bin/nest.js'), 'build'];
    // The output of the build goes to standard error, because standard output belongs to the command that
    // comes next.
    execFileSync(process.execPath, build, { cwd: at('.'), stdio: ['ignore', 2, 2] });
  }

  const programsAt = modifiedAt('dist/programs/api.js');
  const outputs = ['dist/apps', 'dist/libs', 'dist/projections'].flatMap(filesUnder);
  if (
    isAll ||
    [...outputs, 'scripts/bundle.mjs', 'package-lock.json'].some(
      (path) => modifiedAt(path) > programsAt,
    )
  ) {
    rmSync(at('dist/programs'), { recursive: true, force: true });
    await import('./bundle.mjs');
  }

  const CONSOLE = join('dist', 'console', 'index.html');
  const consoleSources = [
    ...allUnder('apps/console'),
    ...['libs/client', 'libs/domain'].flatMap(filesUnder),
    'package-lock.json',
  ];
  if (isAll || consoleSources.some((path) => modifiedAt(path) > modifiedAt(CONSOLE))) {
    const vite = [at('node_modules/vite/bin/vite.js'), 'build', 'apps/console'];
    // Tests set another NODE_ENV, with which React would be built for development.
    const env = { ...process.env, NODE_ENV: 'production' };
    execFileSync(process.execPath, vite, { cwd: at('.'), stdio: ['ignore', 2, 2], env });
  }
}

/** Returns every file under a folder. */
function allUnder(folder) {
  return readdirSync(at(folder), { withFileTypes: true, recursive: true }).flatMap((entry) =>
    entry.isFile() ? join(entry.parentPath, entry.name).slice(at('').length) : [],
  );
}
