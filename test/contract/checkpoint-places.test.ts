import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  CreateBucketCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CheckpointFile, CheckpointPlace } from '#checkpoints/place.js';
import { openPlace } from '#checkpoints/places.js';
import { S3Checkpoints } from '#checkpoints/s3-checkpoints.js';
import { startObjectStore, type TestObjectStore } from '#test/support/object-store.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const DAY_MS = 86_400_000;
const folder = temporaryFolder('checkpoint-places');

/** Writes a file, and returns where it is and how a place knows it. */
function aFile(
  name: string,
  text = name,
): { readonly file: CheckpointFile; readonly path: string } {
  const path = join(folder.path, `${name}.source`);
  writeFileSync(path, text);
  const sha256 = createHash('sha256').update(text).digest('hex');
  return { file: { name: `${name}.checkpoint`, sha256, bytes: Buffer.byteLength(text) }, path };
}

async function textAt(place: CheckpointPlace, file: CheckpointFile): Promise<string | undefined> {
  const bytes = await place.read(file);
  if (bytes === undefined) return undefined;
  let text = '';
  for await (const chunk of bytes) text += chunk.toString('utf8');
  return text;
}

/** The tests that every place must pass. */
function conforms(open: () => Promise<CheckpointPlace>): void {
  it('I6 keeps a file, and gives its bytes as they were', async () => {
    const { file, path } = aFile('kept', 'grüße\n'.repeat(100_000));
    const place = await open();
    expect(await textAt(place, file)).toBeUndefined();
    expect(await place.keep(file, path)).toStrictEqual({ locked_until: null });
    expect(await textAt(await open(), file)).toBe('grüße\n'.repeat(100_000));
  });

  it('I6 keeps a file once, and never overwrites another file of its name', async () => {
    const place = await open();
    const { file, path } = aFile('once');
    await place.keep(file, path);
    await place.keep(file, path);
    const other = aFile('once', 'other');
    await expect(place.keep(other.file, other.path)).rejects.toMatchObject({
      problem: 'other_file',
    });
    expect(await textAt(place, file)).toBe('once');
    expect(await textAt(place, other.file)).toBeUndefined();
  });
}

describe('Checkpoints in a folder', () => {
  const place = pathToFileURL(join(folder.path, 'a folder', 'below')).href;
  conforms(() => openPlace(place, undefined));
});

describe('Checkpoints in an S3-compatible store', () => {
  const credentials = { accessKeyId: 'test-id', secretAccessKey: 'of-this-test-only' };
  const variables = {
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_REGION: 'us-east-1',
  };
  let store: TestObjectStore;
  let client: S3Client;
  beforeAll(async () => {
    store = await startObjectStore();
    Object.assign(process.env, variables, { AWS_ENDPOINT_URL_S3: store.url });
    client = new S3Client({ forcePathStyle: true });
    await client.send(new CreateBucketCommand({ Bucket: 'plain' }));
    await client.send(
      new CreateBucketCommand({ Bucket: 'locked', ObjectLockEnabledForBucket: true }),
    );
  });
  afterAll(async () => {
    for (const name of [...Object.keys(variables), 'AWS_ENDPOINT_URL_S3']) delete process.env[name];
    client.destroy();
    await store.stop();
    folder.remove();
  });
  conforms(() => openPlace('s3://plain/checkpoints', undefined));

  it('I6 locks a file for the days of the setting, if the bucket has object lock', async () => {
    const { file, path } = aFile('locked');
    const place = await openPlace('s3://locked/checkpoints', 30);
    const { locked_until } = await place.keep(file, path);
    expect(Date.parse(String(locked_until))).toBeGreaterThan(Date.now() + 29 * DAY_MS);
    // A second try says the same.
    const again = await place.keep(file, path);
    expect(Date.parse(String(again.locked_until)) / 1_000).toBeCloseTo(
      Date.parse(String(locked_until)) / 1_000,
      -1,
    );
    const { ObjectLockMode } = await client.send(
      new HeadObjectCommand({ Bucket: 'locked', Key: `checkpoints/${file.name}` }),
    );
    expect(ObjectLockMode).toBe('COMPLIANCE');
  });

  it('I6 a bucket without object lock refuses a file that is to be locked', async () => {
    const { file, path } = aFile('unlockable');
    const place = await openPlace('s3://plain', 30);
    await expect(place.keep(file, path)).rejects.toMatchObject({ problem: 'refused' });
  });

  it('I6 a bucket that is missing refuses, and an object that was changed is not given', async () => {
    const { file, path } = aFile('changed');
    const missing = await openPlace('s3://missing', undefined);
    await expect(missing.keep(file, path)).rejects.toMatchObject({ problem: 'refused' });
    await client.send(
      new PutObjectCommand({ Bucket: 'plain', Key: file.name, Body: Buffer.from('other') }),
    );
    const place = await openPlace('s3://plain', undefined);
    expect(await textAt(place, file)).toBeUndefined();
  });

  it('I6 a store that never answers, or that answers without end, is unreachable', async () => {
    const { file, path } = aFile('silent');
    const server = createServer((request, response) => {
      if (request.method !== 'GET') return;
      response.writeHead(200);
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(64 * 1024)));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    process.env['AWS_ENDPOINT_URL_S3'] = `http://127.0.0.1:${port}`;
    try {
      const options = { lockDays: undefined, timeoutMs: 300 };
      const place = new S3Checkpoints({ bucket: 'plain', prefix: '' }, options);
      await expect(place.keep(file, path)).rejects.toMatchObject({ problem: 'unreachable' });
      await expect(place.read(file)).rejects.toMatchObject({ problem: 'unreachable' });
    } finally {
      process.env['AWS_ENDPOINT_URL_S3'] = store.url;
      server.close();
      server.closeAllConnections();
    }
  });
});
