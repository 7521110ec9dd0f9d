import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chmodSync, lstatSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { ServiceProcess } from '#test/support/service-process.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const OTHERS_READ_OR_WRITE = 0o066;
const OTHERS_ANYTHING = 0o077;

/** Yields every file and folder below a folder; follows a link only to the folder of Postgres. */
function* below(folder: string): Generator<{ path: string; mode: number; isFolder: boolean }> {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const found = lstatSync(path);
    if (found.isSymbolicLink() && name !== 'postgres') continue;
    const real = realpathSync(path);
    const { mode } = lstatSync(real);
    const isFolder = lstatSync(real).isDirectory();
    yield { path: real, mode, isFolder };
    if (isFolder) yield* below(real);
  }
}

describe('An attacker with an account on the machine', () => {
  const folder = temporaryFolder('files');
  const fresh = join(folder.path, 'fresh');
  const lax = join(folder.path, 'lax');
  let services: readonly ServiceProcess[];

  beforeAll(async () => {
    // A data directory of an earlier release, which others could read.
    const before = ServiceProcess.spawn(lax);
    await before.ready();
    await before.stop();
    chmodSync(lax, 0o755);
    chmodSync(join(lax, 'event-store'), 0o755);
    for (const name of ['events.lmdb', 'journal-0', 'journal-1'])
      chmodSync(join(lax, 'event-store', name), 0o644);
    services = [ServiceProcess.spawn(fresh), ServiceProcess.spawn(lax)];
    for (const service of services) {
      const client = await service.ready();
      const token = await client.token('agent');
      await client.call('POST', '/v1/jobs', { token, body: { job_seed: 'kept-private' } });
    }
  });
  afterAll(async () => {
    for (const service of services) await service.stop();
    folder.remove();
  });

  it('can only pass through the data directory, and read or change nothing in it', () => {
    for (const dataDir of [fresh, lax]) {
      expect(lstatSync(dataDir).mode & OTHERS_READ_OR_WRITE).toBe(0);
      const seen = [...below(dataDir)];
      expect(seen.some(({ path }) => path.endsWith('events.lmdb'))).toBe(true);
      expect(seen.some(({ path }) => path.endsWith('PG_VERSION'))).toBe(true);
      const open = seen.filter(({ mode }) => (mode & OTHERS_ANYTHING) !== 0);
      expect(open.map(({ path, mode }) => `${(mode & 0o777).toString(8)} ${path}`)).toStrictEqual(
        [],
      );
    }
  });
});
