import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { ErrorEnvelope } from '#domain/errors/envelope.js';
import { ERROR_TABLE } from '#domain/errors/error-table.js';
import { TestService } from '#test/support/service.js';

describe('An attacker who sends malformed HTTP', () => {
  let service: TestService;
  let token: string;

  beforeAll(async () => {
    service = await TestService.start({ ownLog: true });
    token = await service.token('agent');
  });
  afterAll(() => service?.stop());

  /** Sends bytes on a connection of its own; returns everything that the service answers. */
  function sent(bytes: string | Buffer): Promise<string> {
    const { hostname, port } = new URL(service.url);
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname);
      let answer = '';
      socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
      socket.on('close', () => resolve(answer)).on('error', reject);
      socket.end(bytes);
    });
  }

  function expectEnvelope(answer: string): void {
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 /);
    const envelope = JSON.parse(body) as ErrorEnvelope;
    expect(envelope.error_code).toBe('INVALID_INPUT');
    expect(envelope.user_message).toBe(ERROR_TABLE.INVALID_INPUT.user_message);
    expect(head.toLowerCase()).toContain(`mace-trace-id: ${envelope.meta.trace_id}`);
    const line = service.log.find(({ query_id }) => query_id === envelope.meta.query_id);
    expect(line?.['error_code']).toBe('INVALID_INPUT');
  }

  const request = (...headers: string[]): string =>
    ['POST /v1/jobs HTTP/1.1', `authorization: Bearer ${token}`, ...headers, '', '{}'].join('\r\n');
  const json = ['content-type: application/json', 'content-length: 2', 'connection: close'];

  const cases: readonly (readonly [string, () => string])[] = [
    ['bytes that are not HTTP', () => 'hello?\r\n\r\n'],
    ['a broken header line', () => request('host: x', 'bad header', ...json)],
    ['headers of more than 16 KB', () => request('host: x', `x-long: ${'x'.repeat(20_000)}`)],
    ['two lengths of the body', () => request('host: x', 'content-length: 3', ...json)],
    ['no Host header', () => request(...json)],
    ['an unknown expectation', () => request('host: x', 'expect: 200-maybe', ...json)],
    ['a content encoding', () => request('host: x', 'content-encoding: gzip', ...json)],
    [
      'a charset other than UTF-8',
      () =>
        request(
          ...['host: x', 'content-type: application/json; charset=latin1'],
          ...['content-length: 2', 'connection: close'],
        ),
    ],
  ];
  for (const [what, bytes] of cases)
    it(`gets the error envelope for ${what}`, async () => expectEnvelope(await sent(bytes())));

  it('gets the error envelope for a compressed body', async () => {
    const body = gzipSync('{"job_seed":"zipped"}');
    const head = [
      ...['POST /v1/jobs HTTP/1.1', 'host: x', `authorization: Bearer ${token}`],
      ...['content-type: application/json', 'content-encoding: gzip'],
      ...[`content-length: ${body.length}`, 'connection: close', '', ''],
    ];
    expectEnvelope(await sent(Buffer.concat([Buffer.from(head.join('\r\n')), body])));
  });

  it('does not make the service parse a body without a token', async () => {
    const codeOf = async (method: string, path: string, body: string): Promise<unknown> => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(new URL(path, service.url), { method, headers, body });
      return ((await response.json()) as ErrorEnvelope).error_code;
    };
    const guarded = [
      ['POST', '/v1/jobs'],
      ['PUT', '/v1/notes'],
      ['POST', '/mcp'],
    ] as const;
    for (const [method, path] of guarded)
      expect(await codeOf(method, path, 'not JSON')).toBe('UNAUTHENTICATED');
    for (const [method, path, code] of [
      ['POST', '/v1/unknown', 'NOT_FOUND'],
      ['PATCH', '/v1/jobs', 'METHOD_NOT_ALLOWED'],
      ['POST', '/health', 'NOT_FOUND'],
      ['POST', '/docs', 'METHOD_NOT_ALLOWED'],
    ] as const)
      expect([path, await codeOf(method, path, 'not JSON')]).toStrictEqual([path, code]);
  });

  it('is refused on a public route for a body of more than 4 KB, which the service does not parse', async () => {
    const { status, body } = await service.call('POST', '/v1/console/sign-in', {
      body: { code: '0'.repeat(4_096) },
    });
    expect(status).toBe(400);
    expect(body.developer_message).toContain('larger than 4 KB');
  });

  it('does not disturb the requests of others', async () => {
    for (const [, bytes] of cases) void sent(bytes());
    const { status } = await service.call('POST', '/v1/jobs', {
      token,
      body: { job_seed: 'undisturbed' },
      headers: { 'content-type': 'application/json; charset=UTF-8' },
    });
    expect(status).toBe(201);
  });
});
