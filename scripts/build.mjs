// Brings dist/ up to date, and returns when it is. It removes the outputs of deleted sources, and runs
// `nest build` if an output is older than its source or than the settings.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

const at = (path) => join(import.meta.dirname, '..', path);
const filesUnder = (folder) =>
  readdirSync(at(folder), { withFileTypes: true }).flatMap((entry) => {
    if (/^\.|^(node_modules|dist)$|\.md$/.test(entry.name)) return [];
    if (join(folder, entry.name) === join('libs', 'adapters')) return [];
    return entry.isDirectory() ? filesUnder(join(folder, entry.name)) : join(folder, entry.name);
  });
const outputOf = (source) => join('dist', source).replace(/\.ts$/, '.js');
const modifiedAt = (path) => statSync(at(path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
const isOld = (source) =>
  [source, 'nest-cli.json', '.swcrc'].some(
    (path) => modifiedAt(path) > modifiedAt(outputOf(source)),
  );

const sources = ['apps', 'libs', 'projections', 'test', 'bench'].flatMap(filesUnder);
const kept = new Set(sources.map(outputOf));
mkdirSync(at('dist'), { recursive: true });
for (const path of filesUnder('dist')) if (!kept.has(path.replace(/\.map$/, ''))) rmSync(at(path));

if (sources.some(isOld)) {
  const build = [at('node_modules/@nestjs/cli/bin/nest.js'), 'build'];
  // The output of the build goes to standard error, because standard output belongs to the command that
  // comes next.
  execFileSync(process.execPath, build, { cwd: at('.'), stdio: ['ignore', 2, 2] });
}
