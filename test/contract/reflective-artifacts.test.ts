import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { ArtifactTexts } from '#apps/api/platform/artifacts/artifact-texts.js';
import { LOG_BYTES, LogArtifacts } from '#apps/api/reflective-logs/log-artifacts.js';
import {
  ArtifactBroken,
  type ArtifactStore,
  ArtifactsUnavailable,
  type ArtifactUrl,
  openArtifacts,
} from '#artifacts/index.js';
import { canonicalSize } from '#domain/determinism/canonical-json.js';
import { sha256Hex } from '#domain/determinism/hash.js';
import { FIELDS } from '../domain/reflective-cases.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { ensure } from '#test/support/ensure.js';

const TEXT = 'Grüße 😀 '.repeat(10_000);

/** A server for the part of the S3 API that puts and gets objects. */
class ObjectServer {
  readonly objects = new Map<string, Buffer>();
  refuses = false;
  private readonly server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const key = new URL(request.url ?? '', 'http://s3').pathname;
      const sent = request.headers['authorization'] ?? '';
      const error = (status: number, code: string): void => {
        response.writeHead(status, { 'content-type': 'application/xml' });
        response.end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
      };
      if (this.refuses || !sent.startsWith('AWS4-HMAC-SHA256 Credential=test-id/'))
        return error(403, 'AccessDenied');
      if (request.method === 'PUT') {
        this.objects.set(key, Buffer.concat(chunks));
        return response.writeHead(200).end();
      }
      const held = this.objects.get(key);
      if (held === undefined) return error(404, 'NoSuchKey');
      return response.writeHead(200, { 'content-length': held.length }).end(held);
    });
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }
}

/** The tests that every artifact store must pass. */
function conforms(open: () => Promise<ArtifactStore>): void {
  it('L1 a text is stored once under its SHA-256 and returned unchanged', async () => {
    const store = await open();
    const url = await store.put(TEXT);
    expect(url).toBe(`artifact:sha256:${sha256Hex(TEXT)}`);
    expect(await store.put(TEXT)).toBe(url);
    expect(await store.get(url)).toBe(TEXT);
    expect(await (await open()).get(url)).toBe(TEXT);
  });

  it('a read of a missing artifact returns undefined, and a name that is not a SHA-256 is rejected', async () => {
    expect(await (await open()).get(`artifact:sha256:${'0'.repeat(64)}`)).toBeUndefined();
    await expect((await open()).get('artifact:sha256:../../keys.json')).rejects.toThrow(TypeError);
  });
}

describe('Artifacts in files', () => {
  const folder = temporaryFolder('artifacts');
  afterAll(() => folder.remove());
  conforms(() => openArtifacts(folder.path, undefined));

  it('L1 a changed file is detected by its name, and the next put writes it again', async () => {
    const store = await openArtifacts(folder.path, undefined);
    const url = await store.put('to be damaged');
    const hash = sha256Hex('to be damaged');
    const path = join(folder.path, hash.slice(0, 2), hash);
    await writeFile(path, 'damaged');
    await expect(store.get(url)).rejects.toThrow(ArtifactBroken);
    await store.put('to be damaged');
    expect(await readFile(path, 'utf8')).toBe('to be damaged');
    expect(await readdir(join(folder.path, hash.slice(0, 2)))).toStrictEqual([hash]);
  });
});

describe('Artifacts in an S3-compatible store', () => {
  const server = new ObjectServer();
  const variables = {
    AWS_ACCESS_KEY_ID: 'test-id',
    AWS_SECRET_ACCESS_KEY: 'of-this-test-only',
    AWS_REGION: 'eu-central-1',
  };
  beforeAll(async () => {
    Object.assign(process.env, variables, { AWS_ENDPOINT_URL_S3: await server.start() });
  });
  afterAll(async () => {
    for (const name of [...Object.keys(variables), 'AWS_ENDPOINT_URL_S3']) delete process.env[name];
    await server.stop();
  });
  const open = () => openArtifacts('unused', 's3://logs/outputs/');
  conforms(open);

  it('L1 objects in the bucket are stored under the prefix of the URL', () => {
    expect([...server.objects.keys()]).toStrictEqual([`/logs/outputs/${sha256Hex(TEXT)}`]);
    expect(server.objects.get(`/logs/outputs/${sha256Hex(TEXT)}`)?.toString()).toBe(TEXT);
  });

  it('L1 a read of an object that does not match its name fails', async () => {
    const url = await (await open()).put('to be damaged');
    server.objects.set(`/logs/outputs/${sha256Hex('to be damaged')}`, Buffer.from('damaged'));
    await expect((await open()).get(url)).rejects.toThrow(ArtifactBroken);
  });

  it('L1 a store that refuses the request is reported as unavailable, not as empty', async () => {
    server.refuses = true;
    await expect((await open()).put('anything')).rejects.toThrow(ArtifactsUnavailable);
    await expect((await open()).get(`artifact:sha256:${'0'.repeat(64)}`)).rejects.toThrow(
      ArtifactsUnavailable,
    );
  });
});

describe('The artifact store’s URL', () => {
  it('L1 the artifact store’s URL must name a bucket, may name a prefix, and must name nothing else', async () => {
    for (const url of ['s3://', 's3://UPPER/x', 'http://bucket/x', 's3://b?x=1', 'logs'])
      await expect(openArtifacts('unused', url)).rejects.toThrow(TypeError);
  });
});

describe('A job’s own log', () => {
  const folder = temporaryFolder('log-artifacts');
  afterAll(() => folder.remove());

  it('L1 a job’s own log fits its size limit, because large texts are stored as artifacts that the log names', async () => {
    const store = await openArtifacts(folder.path, undefined);
    const artifacts = new LogArtifacts(new ArtifactTexts(store));
    const [output] = FIELDS.agent_outputs;
    const text = '€'.repeat(50_000);
    const reasoning_trace = Array.from({ length: 100 }, () => '€'.repeat(4_000));
    const largeOutputs = Array.from({ length: 4 }, () => ({ ...output!, text, reasoning_trace }));
    const final_answer = '€'.repeat(250_000);
    const fitted = await artifacts.fitting({
      ...FIELDS,
      agent_outputs: largeOutputs,
      final_answer,
    });
    expect(canonicalSize(fitted)).toBeLessThanOrEqual(LOG_BYTES);
    const [first] = fitted.agent_outputs;
    ensure(first?.text === '€'.repeat(16_000));
    expect(await store.get(first.artifact_url as ArtifactUrl)).toBe(text);
    const trace = await store.get(first.reasoning_trace[0] as ArtifactUrl);
    expect(JSON.parse(trace ?? '')).toStrictEqual(reasoning_trace);
    const { artifact_url } = fitted.final_answer as { artifact_url: ArtifactUrl };
    expect(JSON.parse((await store.get(artifact_url)) ?? '')).toBe(final_answer);
    expect(await artifacts.named(fitted)).toStrictEqual({ [first.artifact_url!]: text });
  });

  it('L1 a job’s own log is stored unchanged if it is within its size limit', async () => {
    const artifacts = new LogArtifacts(
      new ArtifactTexts(await openArtifacts(folder.path, undefined)),
    );
    expect(await artifacts.fitting(FIELDS)).toStrictEqual(FIELDS);
  });
});
