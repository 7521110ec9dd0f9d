import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, it } from 'node:test';
import { MaceClient } from '#client/mace-client.js';
import { MaceError, MaceUnreachable } from '#client/mace-error.js';

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type Answer = (response: ServerResponse) => void;

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };

const envelope = (code: string, status: number): unknown => ({
  error_code: code,
  status,
  severity: 'info',
  user_message: 'For a person.',
  developer_message: 'For a developer.',
  meta: { query_id: null, timestamp: '2026-01-01T00:00:00.000Z', trace_id: 'trace-1' },
});

const cutOff: Answer = (response) => response.destroy();

let server: Server | undefined;

/** A server that answers the requests in turn as told, and notes what it was asked. */
async function answering(...answers: Answer[]): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  const listening = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (text: string) => (body += text));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const answer = answers[seen.length] ?? json(500, {});
      seen.push({ method, url, headers, body });
      answer(response);
    });
  });
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(listening.address() as AddressInfo).port}`, seen };
}

const clientOf = (url: string, retries = 3): MaceClient =>
  new MaceClient({ baseUrl: url, token: 'token', retries });

describe('The client', () => {
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });

  it('sends one Idempotency-Key with every try of a write, and tries again after 503 and a lost connection', async () => {
    const { url, seen } = await answering(
      json(503, envelope('PROJECTION_LAG', 503)),
      cutOff,
      json(201, { job_seed: 'a' }),
    );
    const job = await clientOf(url).jobs.start({ job_seed: 'a' });
    assert.deepEqual(job, { job_seed: 'a' });
    assert.equal(seen.length, 3);
    const keys = new Set(seen.map(({ headers }) => headers['idempotency-key']));
    assert.equal(keys.size, 1);
    assert.match([...keys][0] as string, /^[\x21-\x7e]{1,255}$/);
    assert.deepEqual(new Set(seen.map(({ body }) => body)), new Set(['{"job_seed":"a"}']));
  });

  it('gives different writes different keys, and uses a key that it is given', async () => {
    const { url, seen } = await answering(json(200, {}), json(200, {}), json(200, {}));
    const job = clientOf(url).job('a:b');
    await job.tick();
    await job.tick();
    await job.tick(2, { idempotencyKey: 'mine' });
    const keys = seen.map(({ headers }) => headers['idempotency-key']);
    assert.notEqual(keys[0], keys[1]);
    assert.equal(keys[2], 'mine');
    assert.equal(seen[2]?.url, '/v1/jobs/a%3Ab/ticks');
    assert.equal(seen[2]?.headers.authorization, 'Bearer token');
  });

  it('throws the envelope of a refusal, at once and with its trace id', async () => {
    const { url, seen } = await answering(json(409, envelope('JOB_ENDED', 409)));
    const refused = clientOf(url).job('a').tick();
    await assert.rejects(refused, (error: unknown) => {
      assert.ok(error instanceof MaceError);
      assert.equal(error.code, 'JOB_ENDED');
      assert.equal(error.status, 409);
      assert.equal(error.userMessage, 'For a person.');
      assert.equal(error.developerMessage, 'For a developer.');
      assert.equal(error.traceId, 'trace-1');
      return true;
    });
    assert.equal(seen.length, 1);
  });

  it('throws the last 503 when every try met one', async () => {
    const { url, seen } = await answering(
      json(503, envelope('READ_UNAVAILABLE', 503)),
      json(503, envelope('READ_UNAVAILABLE', 503)),
    );
    await assert.rejects(clientOf(url, 1).jobs.list(), { code: 'READ_UNAVAILABLE' });
    assert.equal(seen.length, 2);
  });

  it('says who cannot be reached, and names the key with which to try again', async () => {
    const { url } = await answering();
    server?.close();
    const lost = clientOf(url, 1).job('a').tick(1, { idempotencyKey: 'mine' });
    await assert.rejects(lost, (error: unknown) => {
      assert.ok(error instanceof MaceUnreachable);
      assert.equal(error.idempotencyKey, 'mine');
      assert.match(error.message, /ECONNREFUSED/);
      return true;
    });
  });

  it('does not take the page of something else for an answer', async () => {
    const page: Answer = (response) => {
      response.writeHead(404, { 'content-type': 'text/html' });
      response.end('<h1>Not here</h1>');
    };
    const { url } = await answering(page);
    await assert.rejects(clientOf(url).jobs.list(), MaceUnreachable);
  });

  it('answers a missing fact with exists: false instead of throwing', async () => {
    const missing = { ...(envelope('SEM_NOT_FOUND', 400) as object), result: { exists: false } };
    const { url, seen } = await answering(json(400, missing));
    const fact = await clientOf(url).sem.get('user/profile/user_ada/favorite_color');
    assert.deepEqual(fact, { exists: false, value: null });
    assert.equal(seen[0]?.url, '/v1/sem/user/profile/user_ada/favorite_color');
  });

  it('remembers the largest Mace-Position and sends it with what follows, unless asked not to', async () => {
    const { url, seen } = await answering(
      json(200, {}, { 'mace-position': '9007199254740993' }),
      json(200, {}, { 'mace-position': '12' }),
      json(200, { results: [] }),
      json(200, { results: [] }),
      json(200, { results: [] }),
      json(200, { results: [] }),
    );
    const client = clientOf(url);
    await client.job('a').tick();
    await client.job('a').tick();
    assert.equal(client.position, 9007199254740993n);
    await client.episodes.query({ query_terms: 'tea' });
    await client.episodes.query({ query_terms: 'tea' }, { consistency: 'eventual' });
    await client.episodes.query({ query_terms: 'tea' }, { after: 9007199254740994n });
    await client.episodes.query({ query_terms: 'tea' }, { after: 12n });
    const asked = seen.map(({ headers }) => [
      headers['mace-min-position'],
      headers['mace-consistency'],
    ]);
    assert.deepEqual(asked, [
      [undefined, undefined],
      ['9007199254740993', undefined],
      ['9007199254740993', undefined],
      [undefined, 'eventual'],
      ['9007199254740994', undefined],
      ['9007199254740993', undefined],
    ]);
  });

  it('sends no position where all of it is to be read as it is', async () => {
    const { url, seen } = await answering(json(200, {}, { 'mace-position': '7' }), json(200, {}));
    const client = new MaceClient({ baseUrl: url, token: 't', consistency: 'eventual' });
    await client.job('a').tick();
    await client.episodes.query({ query_terms: 'tea' });
    assert.equal(seen[1]?.headers['mace-min-position'], undefined);
    assert.equal(seen[1]?.headers['mace-consistency'], 'eventual');
  });

  it('hands out a bundle line by line, wherever its bytes are cut', async () => {
    const text = Buffer.from('{"stream":"job-é"}\n{"number":0}\n');
    const inPieces: Answer = (response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      const cut = text.indexOf(0xc3) + 1;
      response.write(text.subarray(0, cut));
      setImmediate(() => response.end(text.subarray(cut)));
    };
    const { url } = await answering(inPieces);
    const lines: string[] = [];
    for await (const line of clientOf(url).job('é').bundle()) lines.push(line);
    assert.deepEqual(lines, ['{"stream":"job-é"}', '{"number":0}']);
  });

  it('fails when a bundle is cut off, rather than handing out half of it as a whole', async () => {
    const halved: Answer = (response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      response.write('{"stream":"job-a"}\n');
      setImmediate(() => response.destroy());
    };
    const { url } = await answering(halved);
    await assert.rejects(async () => {
      for await (const line of clientOf(url).job('a').bundle()) assert.ok(line);
    }, MaceUnreachable);
  });

  it('stops when its caller aborts', async () => {
    const { url } = await answering(json(503, envelope('PROJECTION_LAG', 503)));
    const stop = new AbortController();
    const waiting = clientOf(url).job('a').tick(1, { signal: stop.signal });
    stop.abort();
    await assert.rejects(waiting, { name: 'AbortError' });
  });
});
