import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const TEXTS = /\.(js|css|html|svg|json)$/;
/** A smaller file fits into one packet as it is. */
const LEAST_BYTES = 1_000;

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

async function compress(path: string): Promise<void> {
  const bytes = await readFile(path);
  if (bytes.length < LEAST_BYTES) return;
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  await Promise.all([
    brotli(bytes, { params }).then((smaller) => writeFile(`${path}.br`, smaller)),
    gzipped(bytes, { level: 9 }).then((smaller) => writeFile(`${path}.gz`, smaller)),
  ]);
}

/** Writes each text of the build also compressed, so that the service never compresses one. */
export const compressedFiles = (): Plugin => {
  let folder = '';
  return {
    name: 'compressed-files',
    apply: 'build',
    configResolved: ({ build }) => {
      folder = build.outDir;
    },
    closeBundle: async () => {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      const texts = entries.filter((entry) => entry.isFile() && TEXTS.test(entry.name));
      await Promise.all(texts.map(({ parentPath, name }) => compress(join(parentPath, name))));
    },
  };
};
