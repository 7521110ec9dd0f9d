import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { request } from 'node:http';
import type { ErrorEnvelope } from '#domain/errors/envelope.js';
import { McpConnection, overStdio, REVISIONS } from '#test/support/mcp-connection.js';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';
import { type Answered } from '#test/support/service-client.js';
import { TEST_KEYS } from '#test/support/test-keys.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { CliProcess, mace } from '#test/support/cli-run.js';

const ACCEPT = { accept: 'application/json, text/event-stream' };
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  },
};

/** Sends a POST with headers that `fetch` would not send as they are, and returns the status. */
async function statusOf(url: string, headers: Record<string, string>): Promise<number> {
  const sent = request(`${url}/mcp`, {
    method: 'POST',
    headers: { ...ACCEPT, 'content-type': 'application/json', ...headers },
  });
  sent.end(JSON.stringify(PING));
  const [answer] = (await once(sent, 'response')) as [{ statusCode: number; resume(): void }];
  answer.resume();
  return answer.statusCode;
}

describe('MCP over streamable HTTP', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.start();
  });
  afterAll(() => service?.stop());

  const post = <Body = ErrorEnvelope>(
    token: string | undefined,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answered<Body>> =>
    service.call<Body>('POST', '/mcp', {
      ...(token === undefined ? {} : { token }),
      body,
      headers: { ...ACCEPT, ...headers },
    });

  it('§10 a request without a valid token gets 401 with WWW-Authenticate, and one without a role 403', async () => {
    const expired = await service.token('agent', { ttl: -60 });
    for (const token of [undefined, 'nonsense', expired]) {
      const { status, headers, body } = await post(token, PING);
      expect([status, headers.get('www-authenticate'), body.error_code]).toStrictEqual([
        401,
        'Bearer',
        'UNAUTHENTICATED',
      ]);
    }
    expect((await post(await service.token([]), PING)).body.error_code).toBe('PERMISSION_DENIED');
    await expect(
      McpConnection.over('streamable HTTP', { url: service.url, token: 'nonsense' }),
    ).rejects.toThrow('401');
  });

  it('a request of a web page elsewhere is refused, by its Host or its Origin', async () => {
    const authorization = `Bearer ${await service.token('agent')}`;
    const { host, port } = new URL(service.url);
    const from = (headers: Record<string, string>): Promise<number> =>
      statusOf(service.url, { authorization, ...headers });
    expect(await from({ host })).toBe(200);
    expect(await from({ host: `localhost:${port}`, origin: `http://localhost:${port}` })).toBe(200);
    expect(await from({ host: `evil.example:${port}` })).toBe(403);
    expect(await from({ host, origin: 'http://evil.example' })).toBe(403);
    expect(await from({ host, origin: `http://${host}.evil.example` })).toBe(403);
    expect(await from({ host, origin: 'null' })).toBe(403);
  });

  it('there is no session: every request stands alone, and a stream of a session is not offered', async () => {
    const token = await service.token('agent');
    const initialized = await post<{ result: { protocolVersion: string } }>(token, INITIALIZE);
    expect(initialized.headers.get('mcp-session-id')).toBeNull();
    const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
    expect((await post<string>(token, list)).body).toContain('start_job');
    for (const method of ['GET', 'DELETE']) {
      const { status } = await service.call(method, '/mcp', { token, headers: ACCEPT });
      expect([method, status]).toStrictEqual([method, 405]);
    }
  });

  it.each(Object.keys(REVISIONS))(
    'revision %s: two instances answer the requests of one client in turn',
    async (revision) => {
      const { eventStore, postgres } = service;
      const second = await TestService.start({ servers: { eventStore, postgres } });
      try {
        let count = 0;
        const inTurn: typeof fetch = (_url, init) => {
          count += 1;
          return fetch(`${count % 2 === 0 ? service.url : second.url}/mcp`, init);
        };
        const token = await service.token('agent', { sub: named(`turns-${revision}`) });
        const agent = await McpConnection.open(
          new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), {
            fetch: inTurn,
            requestInit: { headers: { authorization: `Bearer ${token}` } },
          }),
          REVISIONS[revision],
        );
        const job_seed = named(`turns-${revision}`);
        await agent.did('start_job', { job_seed });
        for (const value of ['one', 'two', 'three'])
          await agent.did('job_hold', { job_seed, value });
        const { wm } = await agent.did('read_job', { job_seed });
        expect(wm).toMatchObject([{ value: 'three' }, { value: 'two' }, { value: 'one' }]);
        await agent.close();
      } finally {
        await second.stop();
      }
    },
  );

  it('each request of a batch gets its own answer, and one with an id twice or with more than 100 requests is refused as a whole', async () => {
    const token = await service.token('agent');
    const job_seed = named('batch');
    const start = (id: unknown) => ({
      ...{ jsonrpc: '2.0', id, method: 'tools/call' },
      params: { name: 'start_job', arguments: { job_seed } },
    });
    const list = (id: unknown) => ({ jsonrpc: '2.0', id, method: 'tools/list' });
    const many = Array.from({ length: 100 }, (_, id) => list(id + 2));
    for (const batch of [
      [start(1), list(1)],
      [start('a'), list('a')],
      [start(1), ...many],
    ]) {
      const refused = await post<{ error: { code: number }; id: null }>(token, batch);
      expect([refused.status, refused.body.error.code, refused.body.id]).toStrictEqual([
        ...[400, -32_600, null],
      ]);
      expect((await service.call('GET', `/v1/jobs/${job_seed}`, { token })).status).toBe(404);
    }
    // A number and a text are two ids.
    const { status, body } = await post<string>(token, [start(1), list('1')]);
    expect(status).toBe(200);
    expect(body).toMatch(/"id":1[,}]/);
    expect(body).toMatch(/"id":"1"/);
  });

  it('F4 a body that is too large, or that is not strict JSON, is refused before any tool sees it', async () => {
    const token = await service.token('agent');
    for (const body of ['{"a": 1, "a": 2}', '{', 'x'.repeat(1024 * 1024 + 1)]) {
      const answer = await post(token, body);
      expect([answer.status, answer.body.error_code]).toStrictEqual([400, 'INVALID_INPUT']);
    }
    const { status } = await post(token, '{}', { 'content-type': 'text/plain' });
    expect(status).toBe(400);
  });

  it('the service stops although a client holds a stream open', async () => {
    const stopping = await TestService.start();
    const token = await stopping.token('agent');
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const stream = await fetch(`${stopping.url}/mcp`, {
      method: 'POST',
      headers: {
        ...ACCEPT,
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'subscriptions/listen',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'subscriptions/listen',
        params: { _meta: meta, notifications: { toolsListChanged: true } },
      }),
    });
    expect([stream.status, stream.headers.get('content-type')]).toStrictEqual([
      200,
      'text/event-stream',
    ]);
    await stopping.stop();
    expect(await stream.text()).toContain('subscriptions/acknowledged');
  });

  it('§10 the rate limit holds for MCP as well', async () => {
    const limited = await TestService.start({ environment: { MACE_RATE_LIMIT_PER_MINUTE: '6' } });
    try {
      const token = await limited.token('agent');
      const codes = await Promise.all(
        Array.from({ length: 20 }, async () => {
          const { status, body } = await limited.call<string>('POST', '/mcp', {
            token,
            headers: ACCEPT,
            body: {
              jsonrpc: '2.0',
              id: 1,
              method: 'tools/call',
              params: { name: 'read_fact', arguments: { key: 'world/colour/sky/name' } },
            },
          });
          return status === 200 && JSON.stringify(body).includes('RATE_LIMITED') ? 'tool' : status;
        }),
      );
      expect(codes).toContain(429);
    } finally {
      await limited.stop();
    }
  });
});

describe('MACE_MCP_HOSTS', () => {
  it('adds the host names under which clients reach the service; without it, a service for other machines takes any', async () => {
    const named = await TestService.start({
      environment: { MACE_MCP_HOSTS: 'Memory.example, 10.0.0.7' },
    });
    const open = await TestService.start({ environment: { HOST: '0.0.0.0' } });
    try {
      const from = async (service: TestService, headers: Record<string, string>) =>
        statusOf(service.url.replace('0.0.0.0', '127.0.0.1'), {
          authorization: `Bearer ${await service.token('agent')}`,
          ...headers,
        });
      const origin = 'https://memory.example';
      expect(await from(named, { host: 'memory.example', origin })).toBe(200);
      expect(await from(named, { host: '10.0.0.7:3000' })).toBe(200);
      expect(await from(named, { host: 'evil.example' })).toBe(403);
      expect(await from(open, { host: 'anything.example' })).toBe(200);
      expect(await from(open, { host: 'anything.example', origin })).toBe(403);
    } finally {
      await named.stop();
      await open.stop();
    }
  });
});

describe('mace mcp', () => {
  const NOBODY = 'http://127.0.0.1:1';

  it('has help with examples', async () => {
    const { code, stdout } = await mace(['mcp', '--help']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/Examples:\n +mace mcp --user-id mira/);
  });

  it('prints what to do on standard error if no service answers, and nothing on standard output', async () => {
    for (const args of [['--url', NOBODY], []]) {
      const ended = await mace(['mcp', ...args], {
        MACE_JWT_SECRET: TEST_KEYS.MACE_JWT_SECRET,
        ...(args.length === 0 && { MACE_URL: NOBODY }),
      });
      expect(ended).toMatchObject({ code: 2, stdout: '' });
      expect(ended.stderr).toContain('mace mcp needs a running service. Start one with: npm start');
    }
  });

  it('ends with the service’s reason if the service refuses the token', async () => {
    const service = await TestService.start();
    try {
      const other = { MACE_JWT_SECRET: 'cli:Hs7Kw2mZq9Xv4Rt1Yb8Nc3Lp6Jd5Gf0A' };
      const ended = await mace(['mcp', '--url', service.url], other);
      expect(ended).toMatchObject({ code: 2, stdout: '' });
      expect(ended.stderr).toContain('UNAUTHENTICATED');
      const noToken = await mace(['mcp', '--url', service.url, '--token', 'nonsense']);
      expect(noToken).toMatchObject({ code: 2, stdout: '' });
    } finally {
      await service.stop();
    }
  });

  it('mints a token in a data directory, for the given role and user', async () => {
    const service = await TestService.start();
    try {
      const environment = {
        MACE_JWT_SECRET: TEST_KEYS.MACE_JWT_SECRET,
        MACE_DATA_DIR: temporaryFolder('mcp').path,
        MACE_URL: service.url,
      };
      const reviewer = await McpConnection.open(overStdio(['--role', 'council'], environment));
      expect(await reviewer.toolNames()).toContain('vote');
      await reviewer.close();
      const as = ['--sub', named('desktop'), '--user-id', named('mira')];
      const agent = await McpConnection.open(overStdio(as, environment));
      expect(await agent.toolNames()).not.toContain('vote');
      await agent.did('start_job', { job_seed: named('desktop') });
      const http = await service.call<{ jobs: object[] }>('GET', '/v1/jobs', {
        token: await service.token('agent', { sub: named('desktop'), user_id: named('mira') }),
      });
      expect(http.body.jobs).toHaveLength(1);
      await agent.close();
    } finally {
      await service.stop();
    }
  });

  it('a call while the service does not answer is a tool error that says so', async () => {
    const service = await TestService.start();
    const target = { url: service.url, token: await service.token('agent') };
    const agent = await McpConnection.over('stdio', target);
    expect(await agent.did('list_facts', { prefix: 'world/' })).toHaveProperty('facts');
    await service.stop();
    const { isError, error } = await agent.call('list_facts', { prefix: 'world/' });
    expect([isError, error?.['error_code']]).toStrictEqual([true, 'UNREACHABLE']);
    await agent.close();
  });

  it('ends when the host closes standard input', async () => {
    const service = await TestService.start();
    try {
      const started = CliProcess.spawn(['mcp', '--url', service.url], {
        MACE_JWT_SECRET: TEST_KEYS.MACE_JWT_SECRET,
      });
      expect(await started.ended).toMatchObject({ code: 0, stdout: '' });
    } finally {
      await service.stop();
    }
  });
});
