// Builds the package of the SDK in libs/client/dist: ES modules, CommonJS, and types for both.
//   node scripts/build-client.mjs [--pack folder]
// With --pack it also writes the package's tarball to this folder, and prints the tarball's path.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const ROOT = join(import.meta.dirname, '..');
const CLIENT = join(ROOT, 'libs/client');
const { values } = parseArgs({ options: { pack: { type: 'string' } } });

/** Compiles the sources into a folder. */
async function compile(folder) {
  const [esm, cjs] = [join(folder, 'esm'), join(folder, 'cjs')];
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const project = join(CLIENT, 'tsconfig.build.json');
  execFileSync(process.execPath, [compiler, '--project', project, '--outDir', esm], {
    stdio: ['ignore', 2, 2],
  });
  const files = readdirSync(esm);
  await build({
    entryPoints: files.filter((file) => file.endsWith('.js')).map((file) => join(esm, file)),
    outdir: cjs,
    format: 'cjs',
    target: 'es2022',
    logLevel: 'warning',
  });
  // Both folders have the same types. The nearest package.json decides which module system they describe.
  for (const file of files.filter((name) => name.endsWith('.d.ts')))
    copyFileSync(join(esm, file), join(cjs, file));
  writeFileSync(join(cjs, 'package.json'), '{"type":"commonjs"}\n');
}

/** Writes the tarball of the package to a folder, and returns its path. */
function pack(folder) {
  mkdirSync(folder, { recursive: true });
  const options = ['--json', '--ignore-scripts', '--pack-destination', folder];
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', ...options], {
      cwd: CLIENT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 2],
    }),
  );
  return join(folder, packed.filename);
}

// The finished folder replaces the old one at once, so a program that uses the package can go on.
const building = join(CLIENT, `.building-${process.pid}`);
try {
  await compile(building);
  rmSync(join(CLIENT, 'dist'), { recursive: true, force: true });
  renameSync(building, join(CLIENT, 'dist'));
} finally {
  rmSync(building, { recursive: true, force: true });
}
if (values.pack !== undefined) console.log(pack(resolve(values.pack)));
