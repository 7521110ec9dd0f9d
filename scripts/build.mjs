// Transpiles every TypeScript file into dist/ with SWC; types are checked by `npm run typecheck`.
// With --if-stale it does nothing when every output is newer than its source.
import { transformFile } from '@swc/core';
import { mkdir, readdir, rm, stat, writeFile, copyFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const out = join(root, 'dist');
const sources = ['apps', 'libs', 'projections', 'test', 'bench'];
const copied = /\.(sql|json|html|css|svg|mjs|ndjson)$/;

const modifiedAt = async (path) => (await stat(path).catch(() => undefined))?.mtimeMs ?? 0;

async function* filesUnder(folder) {
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== 'node_modules') yield* filesUnder(path);
    else if (entry.isFile()) yield path;
  }
}

const targetOf = (path) => join(out, relative(root, path)).replace(/\.ts$/, '.js');

async function compile(path) {
  const target = targetOf(path);
  await mkdir(dirname(target), { recursive: true });
  if (!path.endsWith('.ts')) return copyFile(path, target);
  const { code, map } = await transformFile(path, {
    sourceMaps: true,
    sourceFileName: relative(dirname(target), path).split(sep).join('/'),
    module: { type: 'es6' },
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
      keepClassNames: true,
      // JSON is imported as a module, which takes the attribute that names its type.
      experimental: { keepImportAttributes: true },
    },
  });
  await writeFile(`${target}.map`, map);
  // Written last: a build that was cut short is seen as stale.
  await writeFile(target, `${code}//# sourceMappingURL=${target.split(sep).at(-1)}.map\n`);
}

async function removeOrphans(kept) {
  for await (const path of filesUnder(out)) {
    if (!kept.has(path.replace(/\.map$/, ''))) await rm(path);
  }
}

export async function build({ onlyStale }) {
  const kept = new Set();
  const due = [];
  for (const folder of sources) {
    for await (const path of filesUnder(join(root, folder))) {
      if (path.endsWith('.d.ts') || !(path.endsWith('.ts') || copied.test(path))) continue;
      kept.add(targetOf(path));
      const fresh = onlyStale && (await modifiedAt(path)) < (await modifiedAt(targetOf(path)));
      if (!fresh) due.push(path);
    }
  }
  if (due.length > 50) process.stderr.write(`Building ${due.length} files…\n`);
  await Promise.all(due.map(compile));
  if (due.length > 0) await removeOrphans(kept);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await build({ onlyStale: process.argv.includes('--if-stale') });
}
