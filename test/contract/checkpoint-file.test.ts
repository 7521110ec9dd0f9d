import { describe, expect, it } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { type Checkpoint, headLine, readCheckpoint } from '#checkpoints/checkpoint-file.js';
import { canonicalJson } from '#domain/determinism/canonical-json.js';
import { FileBytes } from '#files/file-bytes.js';
import { signed } from '#platform/signing/signature.js';

const { privateKey } = generateKeyPairSync('ed25519');
/** More lines than a reader who stops at the first wrong one takes. */
const ENDLESS = 100_000;

/** A file that anybody can sign, and how many of its lines were taken. */
async function fileWith(streams: number, lineOf: (number: number) => string) {
  const statement: Checkpoint = {
    ...{ kind: 'log_checkpoint', version: 1 },
    ...{ created_at: '2026-01-31T12:00:00.000Z', position: '1', events: streams, streams },
    heads_hash: '0'.repeat(64),
  };
  const first = canonicalJson(await signed(statement, privateKey));
  const file = { taken: 0, bytes: new FileBytes('the file', lines()) };
  async function* lines(): AsyncGenerator<Buffer> {
    yield Buffer.from(`${first}\n`);
    for (; file.taken < ENDLESS; file.taken += 1) yield Buffer.from(`${lineOf(file.taken)}\n`);
  }
  return file;
}

const head = (number: number, hash = 'a'.repeat(64)): string =>
  headLine({ stream: `job-${number}`, number: 0, hash });

describe('I6 The reader of a checkpoint file', () => {
  it('stops at the first line beyond the streams that the first line names', async () => {
    const file = await fileWith(2, (number) => head(number));
    expect(await readCheckpoint(file.bytes)).toStrictEqual({ problem: 'wrong_heads' });
    expect(file.taken).toBeLessThan(10);
  });

  it('stops at a hash of another form', async () => {
    const file = await fileWith(ENDLESS, (number) => head(number, 'a'));
    expect(await readCheckpoint(file.bytes)).toStrictEqual({ problem: 'wrong_heads' });
    expect(file.taken).toBeLessThan(10);
  });

  it('takes no line of a file that names more streams than its caller holds', async () => {
    const file = await fileWith(101, (number) => head(number));
    expect(await readCheckpoint(file.bytes, { maxStreams: 100 })).toStrictEqual({
      problem: 'too_many_streams',
    });
    expect(file.taken).toBeLessThan(10);
  });
});
