import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ServiceProcess } from '#test/support/service-process.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { verificationFindings } from '#test/support/verification.js';
import { unpack } from './packed-directory.js';
import { answersTo, type RecordedRead } from './recorded-reads.js';

const FOLDER = fileURLToPath(new URL('directories/', import.meta.url));
const NAMES = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.br'))
  .map((file) => file.slice(0, -'.br'.length));

interface Recorded {
  readonly reads: readonly RecordedRead[];
}

/** Data directories of earlier releases, each with its read models as they were. */
describe('A data directory of an earlier release', () => {
  it('the repository has at least one', () => {
    expect(NAMES).not.toStrictEqual([]);
  });

  it.each(NAMES)(
    'the directory of %s starts, verifies, and gives the same answers',
    async (name) => {
      const text = readFileSync(join(FOLDER, `${name}.json`), 'utf8');
      const { reads } = JSON.parse(text) as Recorded;
      const folder = temporaryFolder('upgrade');
      const dataDir = await unpack(join(FOLDER, `${name}.br`), folder.path);
      const started = ServiceProcess.spawn(dataDir, { MACE_COUNCIL_QUORUM: '2' });
      try {
        const service = await started.ready();
        await service.caughtUp();
        expect(await verificationFindings(service)).toStrictEqual([]);
        // A later release may add fields; it changes and leaves out none.
        const answers = await answersTo(service, reads);
        for (const [index, read] of reads.entries()) expect(answers[index]).toMatchObject(read);
      } finally {
        await started.stop();
        folder.remove();
      }
    },
  );
});
