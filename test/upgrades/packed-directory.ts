import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import { serverUser } from '#embedded/postgres/server-user.js';

const run = promisify(execFile);

/**
 * Not packed: locks, addresses and the command line of servers that ran, which name this machine; and what a start
 * makes anew, the room for refused writes.
 */
const LEFT_OUT = ['lock*', '*-lock', 'address', 'postmaster.*', 'refused-writes'];
/** The three databases of a new cluster are nearly the same: the window must reach from one to the next. */
const WINDOW_BITS = 27;

/** Packs the data directory of a service that has stopped. */
export async function pack(dataDir: string, file: string): Promise<void> {
  const left = LEFT_OUT.map((name) => `--exclude=${name}`);
  const { stdout } = await run('tar', ['-chf', '-', '-C', dataDir, ...left, '.'], {
    encoding: 'buffer',
    maxBuffer: 1e9,
  });
  const packed = await promisify(brotliCompress)(stdout, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 9,
      [constants.BROTLI_PARAM_LARGE_WINDOW]: 1,
      [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
    },
  });
  await writeFile(file, packed, { flag: 'wx' });
}

/** Unpacks a data directory where the user of the embedded Postgres can reach it. */
export async function unpack(file: string, folder: string): Promise<string> {
  const dataDir = join(folder, 'data');
  const [archive, tar] = [join(folder, 'data.tar'), await readFile(file)];
  const params = { [constants.BROTLI_DECODER_PARAM_LARGE_WINDOW]: 1 };
  await writeFile(archive, await promisify(brotliDecompress)(tar, { params }));
  await mkdir(dataDir);
  await run('tar', ['-xpf', archive, '-C', dataDir, '--no-same-owner']);
  const user = await serverUser();
  if (user === undefined) return dataDir;
  for (const passed of [folder, dataDir]) await chmod(passed, 0o711);
  await run('chown', ['-R', `${user.uid}:${user.gid}`, join(dataDir, 'postgres')]);
  return dataDir;
}
