import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '#embedded/supervisor.js';

/** A server of the S3 API. */
export interface TestObjectStore {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Starts a server of the S3 API for one test file: the program that MACE_TEST_S3 names, such as `moto_server`; without
 * the variable, a double in this process that knows buckets, conditional puts and object lock.
 */
export async function startObjectStore(): Promise<TestObjectStore> {
  const program = process.env['MACE_TEST_S3'];
  return program ? startProgram(program) : startDouble();
}

async function startProgram(program: string): Promise<TestObjectStore> {
  const port = await freePort();
  const child = spawn(program, ['-H', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  while ((await fetch(url).catch(() => undefined)) === undefined) {
    if (child.exitCode !== null) throw new Error(`${program} did not start`);
    await delay(100);
  }
  return {
    url,
    stop: async () => {
      child.kill();
      await ended;
    },
  };
}

interface Stored {
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

/** The headers of a put that a get and a head answer again. */
const KEPT = /^(?:content-type|x-amz-meta-.*|x-amz-object-lock-.*)$/;

async function startDouble(): Promise<TestObjectStore> {
  const locking = new Map<string, boolean>();
  const objects = new Map<string, Stored>();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { pathname } = new URL(request.url ?? '', 'http://s3');
    const [, bucket = '', key = ''] = /^\/([^/]+)\/?(.*)$/s.exec(pathname) ?? [];
    const { headers, method } = request;
    const fail = (status: number, code: string): void => {
      response.writeHead(status, { 'content-type': 'application/xml' });
      response.end(method === 'HEAD' ? '' : `<Error><Code>${code}</Code></Error>`);
    };
    if (method === 'PUT' && key === '') {
      locking.set(bucket, headers['x-amz-bucket-object-lock-enabled'] === 'true');
      return void response.writeHead(200).end();
    }
    if (!locking.has(bucket)) return fail(404, 'NoSuchBucket');
    const held = objects.get(pathname);
    if (method === 'PUT') {
      const isLocked = headers['x-amz-object-lock-mode'] !== undefined;
      const hasChecksum = headers['x-amz-sdk-checksum-algorithm'] !== undefined;
      if (isLocked && !(locking.get(bucket) && hasChecksum)) return fail(400, 'InvalidRequest');
      if (held !== undefined && headers['if-none-match'] === '*')
        return fail(412, 'PreconditionFailed');
      const kept = Object.entries(headers).filter(([name]) => KEPT.test(name));
      objects.set(pathname, {
        headers: Object.fromEntries(kept) as Record<string, string>,
        bytes: Buffer.concat(chunks),
      });
      return void response.writeHead(200).end();
    }
    if (held === undefined) return fail(404, 'NoSuchKey');
    response.writeHead(200, { ...held.headers, 'content-length': held.bytes.length });
    response.end(method === 'HEAD' ? undefined : held.bytes);
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
