import { afterEach, describe, expect, it } from '@jest/globals';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json } from '#client/json.js';
import { MaceClient } from '#client/mace-client.js';
import {
  type ErrorEnvelope,
  helpLines,
  type MaceError,
  MaceUnreachable,
} from '#client/mace-error.js';
import { withMemory } from '#client/with-memory.js';
import type { MaceClientOptions } from '#client/transport.js';
import { collectGarbage } from '#test/support/collect-garbage.js';

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

/** Starts a server that sends these answers one after the other and records the requests. */
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

function containingItself(): unknown {
  const object: Record<string, unknown> = {};
  object['again'] = [object];
  return object;
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}

describe('The client', () => {
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });

  it('the client sends one Idempotency-Key with every attempt of a write, and retries after 503 and a lost connection', async () => {
    const { url, seen } = await answering(
      json(503, envelope('PROJECTION_LAG', 503)),
      cutOff,
      json(201, { job_seed: 'a' }),
    );
    const job = await clientOf(url).jobs.start({ job_seed: 'a' });
    expect(job).toStrictEqual({ job_seed: 'a' });
    expect(seen).toHaveLength(3);
    const keys = new Set(seen.map(({ headers }) => headers['idempotency-key']));
    expect(keys.size).toBe(1);
    expect([...keys][0] as string).toMatch(/^[\x21-\x7e]{1,255}$/);
    expect(new Set(seen.map(({ body }) => body))).toStrictEqual(new Set(['{"job_seed":"a"}']));
  });

  it('the client uses a new key for each write, unless the caller gives one', async () => {
    const { url, seen } = await answering(json(200, {}), json(200, {}), json(200, {}));
    const job = clientOf(url).job('a:b');
    await job.tick();
    await job.tick();
    await job.tick(2, { idempotencyKey: 'mine' });
    const keys = seen.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).not.toBe(keys[1]);
    expect(keys[2]).toBe('mine');
    expect(seen[2]?.url).toBe('/v1/jobs/a%3Ab/ticks');
    expect(seen[2]?.headers.authorization).toBe('Bearer token');
  });

  it('the client throws the error envelope of a refusal at once, with its trace id', async () => {
    const { url, seen } = await answering(json(409, envelope('JOB_ENDED', 409)));
    const refused = clientOf(url).job('a').tick();
    await expect(refused).rejects.toMatchObject({
      name: 'MaceError',
      code: 'JOB_ENDED',
      status: 409,
      userMessage: 'For a person.',
      developerMessage: 'For a developer.',
      traceId: 'trace-1',
    });
    expect(seen).toHaveLength(1);
  });

  it('the client shows what an error teaches, as fields and as lines', async () => {
    const body = envelope('INVALID_INPUT', 400) as ErrorEnvelope;
    const fields = [
      { field: 'jobSeed', problem: 'is not a known field', nearest: 'job_seed' },
      { field: 'limit', problem: 'is not a known field', place: 'query' as const },
      { field: 'goal', problem: 'must be a string' },
    ];
    const help = { fields, roles: ['agent', 'admin'], instead: 'POST /v1/jobs.' };
    const taught = {
      ...body,
      developer_message: 'Validation refused the request: goal must be a string.',
      meta: { ...body.meta, help },
    };
    const { url } = await answering(json(400, taught), json(400, body));
    const error = await clientOf(url)
      .job('a')
      .tick()
      .catch((thrown: unknown) => thrown as MaceError);
    expect(error).toMatchObject({ help });
    expect(helpLines(error as MaceError)).toStrictEqual([
      '- jobSeed is not a known field; did you mean job_seed?',
      '- limit is not a known field; it belongs to the query',
      'Allowed for: agent, admin',
      'Instead: POST /v1/jobs.',
    ]);
    await expect(clientOf(url).job('a').tick()).rejects.toMatchObject({ help: undefined });
  });

  it('the client retries after a 429 whose Retry-After is short, and fails at once with a long one', async () => {
    const limited = envelope('RATE_LIMITED', 429);
    const { url, seen } = await answering(
      json(429, limited, { 'retry-after': '0' }),
      json(200, { jobs: [] }),
      json(429, limited, { 'retry-after': '60' }),
    );
    await clientOf(url).jobs.list();
    expect(seen).toHaveLength(2);
    const refused = clientOf(url).jobs.list();
    await expect(refused).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 60_000 });
    expect(seen).toHaveLength(3);
  });

  it('the client throws the last 503 if every attempt is answered with 503', async () => {
    const { url, seen } = await answering(
      json(503, envelope('READ_UNAVAILABLE', 503)),
      json(503, envelope('READ_UNAVAILABLE', 503)),
    );
    await expect(clientOf(url, 1).jobs.list()).rejects.toMatchObject({ code: 'READ_UNAVAILABLE' });
    expect(seen).toHaveLength(2);
  });

  it('the client throws MaceUnreachable with the cause, and the key for a retry, if no server answers', async () => {
    const { url } = await answering();
    server?.close();
    const lost = clientOf(url, 1).job('a').tick(1, { idempotencyKey: 'mine' });
    await expect(lost).rejects.toMatchObject({
      name: 'MaceUnreachable',
      idempotencyKey: 'mine',
      message: expect.stringMatching(/ECONNREFUSED/),
    });
  });

  const unsent: readonly (readonly [string, unknown, string])[] = [
    ['NaN', NaN, 'the number NaN'],
    ['a function', () => 1, 'a function'],
    ['a bigint', 1n, 'a bigint'],
    ['undefined in a list', [undefined], 'undefined'],
    ['a hole in a list', new Array(1), 'undefined'],
    ['a Date', new Date(0), 'an object of the class Date'],
    ['a Map', new Map([[1, 2]]), 'an object of the class Map'],
    ['bytes', new Uint8Array(2), 'an object of the class Uint8Array'],
    ['an error', new Error('no'), 'an object of the class Error'],
    ['an object that contains itself', containingItself(), 'an object that contains itself'],
    ['a value that is nested 5,000 deep', nested(5_000), 'nested deeper than 1000'],
  ];

  it.each(unsent)(
    'the client refuses %s in a value with its place, and sends nothing',
    async (_, value, found) => {
      const { url, seen } = await answering();
      const client = clientOf(url, 0);
      const job = client.job('a');
      const entry = { type: 'fact', value: { a: value } } as Parameters<typeof job.insert>[0];
      const calls = {
        'value.a': [
          () => client.notes.put(['a'], 'b', entry.value),
          () => job.insert(entry),
          () => job.batched().insert(entry),
        ],
        'items[1].a': [() => client.conversation('c').append([1, entry.value])],
      };
      for (const [place, each] of Object.entries(calls))
        for (const call of each) {
          const error = await call().catch((failure: unknown) => failure);
          expect(error).toMatchObject({ name: 'UncarriableValue' });
          expect((error as Error).message).toMatch(new RegExp(`^${place.replace(/[[\]]/g, '.')}`));
          expect((error as Error).message).toContain(found);
        }
      expect(seen).toHaveLength(0);
    },
  );

  it.each([undefined, null, 7, '', '.', '..', 'a\u0000b', '\uD83D'])(
    'the client refuses the id %j before it sends anything, wherever a path has it',
    async (given) => {
      const { url, seen } = await answering();
      const mace = clientOf(url);
      const id = given as string;
      for (const use of [
        () => mace.conversation(id),
        () => mace.job(id),
        () => mace.job('a').referenceWm(id),
        () => mace.actionRequests.get(id),
        () => mace.reflectiveLogs.get(id),
      ])
        await expect((async () => use())()).rejects.toMatchObject({ name: 'MaceArgumentError' });
      expect(seen).toHaveLength(0);
    },
  );

  it('the client refuses a note or a thread whose name is not a text, before it sends anything', async () => {
    const { url, seen } = await answering();
    const { notes, threads } = clientOf(url);
    const missing = undefined as unknown as string;
    for (const use of [
      () => notes.put(['a'], missing, 1),
      () => notes.get(['a', missing], 'key'),
      () => notes.delete(['a', missing], 'key'),
      () => threads.delete(missing),
    ])
      await expect(use()).rejects.toMatchObject({ name: 'MaceArgumentError' });
    expect(seen).toHaveLength(0);
  });

  it('the client refuses an option that a call does not know by its name', async () => {
    const { url, seen } = await answering(json(200, {}));
    const mace = clientOf(url);
    const { notes } = mace;
    const put = (options: object) => notes.put(['a'], 'key', 1, options);
    await expect(put({ ttl_seconds: 0 })).rejects.toMatchObject({
      name: 'MaceArgumentError',
      argument: 'options.ttl_seconds',
    });
    const resumed = mace.withJob('a', () => 1, { resumed: true } as object);
    await expect(resumed).rejects.toMatchObject({ argument: 'options.resumed' });
    const chat = withMemory(mace, { assistant: 'helper', session_id: 'a' });
    const turn = chat.turn('Hello', () => 'Hello', { tool_events: [] } as object);
    await expect(turn).rejects.toMatchObject({ argument: 'options.tool_events' });
    expect(seen).toHaveLength(0);
    await put({ ttlSeconds: 1, signal: undefined, ttl_seconds: undefined });
    expect(seen).toHaveLength(1);
  });

  it('the client leaves out undefined properties, and sends -0 as 0', async () => {
    const { url, seen } = await answering(json(200, {}));
    await clientOf(url).notes.put(['a'], 'b', { a: undefined, b: -0 } as unknown as Json);
    expect(JSON.parse(seen[0]!.body)).toStrictEqual({
      namespace: ['a'],
      key: 'b',
      value: { b: 0 },
    });
  });

  it('the client throws MaceUnreachable for an HTML page of another server', async () => {
    const page: Answer = (response) => {
      response.writeHead(404, { 'content-type': 'text/html' });
      response.end('<h1>Not here</h1>');
    };
    const { url } = await answering(page);
    await expect(clientOf(url).jobs.list()).rejects.toThrow(MaceUnreachable);
  });

  it.each([301, 302, 303, 307, 308])(
    'the client follows no redirect %i: a write would become a read, or go where it was not sent',
    async (status) => {
      const moved: Answer = (response) => response.writeHead(status, { location: '/moved' }).end();
      const { url, seen } = await answering(moved, json(200, { items: [], count: 0, version: 0 }));
      const append = clientOf(url)
        .conversation('chat')
        .append([{ text: 'Hello' }]);
      await expect(append).rejects.toThrow(MaceUnreachable);
      await expect(append).rejects.toThrow(`with ${status}, and redirects to /moved`);
      expect(seen.map(({ method }) => method)).toStrictEqual(['POST']);
    },
  );

  it.each([
    ['nothing', ''],
    ['null', 'null'],
    ['a text', '"ok"'],
    ['a page', '<html>ok</html>'],
    ['a part', '{"count":'],
  ])(
    'the client takes %s with status 200 for no answer, and sends the write again',
    async (_, text) => {
      const other: Answer = (response) => response.writeHead(200).end(text);
      const { url, seen } = await answering(other, json(201, { count: 1, index: 0, version: 1 }));
      const changed = await clientOf(url)
        .conversation('chat')
        .append([{ text: 'Hello' }]);
      expect(changed).toStrictEqual({ count: 1, index: 0, version: 1 });
      const keys = seen.map(({ headers }) => headers['idempotency-key']);
      expect(keys).toStrictEqual([expect.any(String), keys[0]]);
    },
  );

  it.each([
    undefined,
    null,
    '',
    '127.0.0.1:3000',
    'localhost:3000',
    'ftp://host',
    'http://host?x=1',
    'http://host/#x',
  ])('a client with the base URL %j is refused at once, by name', (baseUrl) => {
    const options = { baseUrl, token: 'token' } as MaceClientOptions;
    expect(() => new MaceClient(options)).toThrow('baseUrl');
  });

  it.each([undefined, null, 7])(
    'a client with the token %j is refused at once, by name',
    (token) => {
      const options = { baseUrl: 'http://127.0.0.1:3000', token } as unknown as MaceClientOptions;
      expect(() => new MaceClient(options)).toThrow('token');
    },
  );

  it('the client returns exists: false for a missing fact instead of throwing', async () => {
    const missing = { ...(envelope('SEM_NOT_FOUND', 400) as object), result: { exists: false } };
    const { url, seen } = await answering(json(400, missing));
    const fact = await clientOf(url).sem.get('user/profile/user_ada/favorite_color');
    expect(fact).toStrictEqual({ exists: false, value: null });
    expect(seen[0]?.url).toBe('/v1/sem/user/profile/user_ada/favorite_color');
  });

  it('the client remembers the largest Mace-Position and sends it with later reads, except eventual ones', async () => {
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
    expect(client.position).toBe(9007199254740993n);
    await client.episodes.query({ query_terms: 'tea' });
    await client.episodes.query({ query_terms: 'tea' }, { consistency: 'eventual' });
    await client.episodes.query({ query_terms: 'tea' }, { after: 9007199254740994n });
    await client.episodes.query({ query_terms: 'tea' }, { after: 12n });
    const asked = seen.map(({ headers }) => [
      headers['mace-min-position'],
      headers['mace-consistency'],
    ]);
    expect(asked).toStrictEqual([
      [undefined, undefined],
      ['9007199254740993', undefined],
      ['9007199254740993', undefined],
      [undefined, 'eventual'],
      ['9007199254740994', undefined],
      ['9007199254740993', undefined],
    ]);
  });

  it('the client sends no position if it is configured for eventual consistency', async () => {
    const { url, seen } = await answering(json(200, {}, { 'mace-position': '7' }), json(200, {}));
    const client = new MaceClient({ baseUrl: url, token: 't', consistency: 'eventual' });
    await client.job('a').tick();
    await client.episodes.query({ query_terms: 'tea' });
    expect(seen[1]?.headers['mace-min-position']).toBeUndefined();
    expect(seen[1]?.headers['mace-consistency']).toBe('eventual');
  });

  it('the client yields a bundle line by line, wherever the connection splits its bytes', async () => {
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
    expect(lines).toStrictEqual(['{"stream":"job-é"}', '{"number":0}']);
  });

  it('the client throws MaceUnreachable if a bundle is cut off', async () => {
    const halved: Answer = (response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      response.write('{"stream":"job-a"}\n');
      setImmediate(() => response.destroy());
    };
    const { url } = await answering(halved);
    await expect(async () => {
      for await (const line of clientOf(url).job('a').bundle()) expect(line).toBeTruthy();
    }).rejects.toThrow(MaceUnreachable);
  });

  it('the client stops when its caller aborts', async () => {
    const { url } = await answering(json(503, envelope('PROJECTION_LAG', 503)));
    const stop = new AbortController();
    const waiting = clientOf(url).job('a').tick(1, { signal: stop.signal });
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  });

  const startsAndStalls: Answer = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"job_seed":\n');
  };

  it('the client ends an attempt whose answer stalls after its first bytes, also when the garbage collector runs', async () => {
    const { url } = await answering(startsAndStalls);
    const client = new MaceClient({ baseUrl: url, token: 't', retries: 0, timeoutMs: 250 });
    const collecting = setInterval(collectGarbage, 50);
    const stalled = client
      .job('a')
      .tick()
      .finally(() => clearInterval(collecting));
    await expect(stalled).rejects.toThrow(MaceUnreachable);
  });

  it('the client ends a bundle that stalls, also when the garbage collector runs', async () => {
    const { url } = await answering(startsAndStalls);
    const client = new MaceClient({ baseUrl: url, token: 't', timeoutMs: 250 });
    const collecting = setInterval(collectGarbage, 50);
    const read = async (): Promise<void> => {
      for await (const line of client.job('a').bundle()) expect(line).toBeTruthy();
    };
    await expect(read().finally(() => clearInterval(collecting))).rejects.toThrow(MaceUnreachable);
  });

  it('the client reads a bundle for longer than the timeout of one attempt, as long as it keeps arriving', async () => {
    const slow: Answer = (response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      let sent = 0;
      const timer = setInterval(() => {
        response.write(`{"number":${sent}}\n`);
        sent += 1;
        if (sent < 8) return;
        clearInterval(timer);
        response.end();
      }, 100);
    };
    const { url } = await answering(slow);
    const client = new MaceClient({ baseUrl: url, token: 't', timeoutMs: 400 });
    const lines: string[] = [];
    for await (const line of client.job('a').bundle()) lines.push(line);
    expect(lines).toHaveLength(8);
  });

  it('the client ends a bundle when its caller aborts', async () => {
    const { url } = await answering(startsAndStalls);
    const stop = new AbortController();
    const read = async (): Promise<void> => {
      for await (const line of clientOf(url).job('a').bundle({ signal: stop.signal })) {
        expect(line).toBeTruthy();
        stop.abort();
      }
    };
    await expect(read()).rejects.toMatchObject({ name: 'AbortError' });
  });
});
