import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { ErrorEnvelope } from '#domain/errors/envelope.js';
import { startOwnEventStore, type TestServer } from '#test/support/servers.js';
import { TestService } from '#test/support/service.js';

const DRIP_MS = 20;

/** What a client does on a connection that it has opened, and never ends. */
type Half = (socket: Socket) => void;

/** Sends bytes one at a time, for as long as the connection is open. */
function drip(socket: Socket, bytes: () => string): void {
  const timer = setInterval(() => socket.write(bytes()), DRIP_MS);
  socket.once('close', () => clearInterval(timer));
}

/** Every way to begin an exchange and not to end it. */
const halves = (token: string): Readonly<Record<string, Half>> => {
  const head = (line: string, ...headers: string[]): string =>
    [line, 'host: x', `authorization: Bearer ${token}`, ...headers, '', ''].join('\r\n');
  const post = (...headers: string[]): string =>
    head('POST /v1/jobs HTTP/1.1', 'content-type: application/json', ...headers);
  return {
    'no byte': () => undefined,
    'one byte': (socket) => socket.write('G'),
    'half a request line': (socket) => socket.write('GET /v1/jo'),
    'half of the headers': (socket) => socket.write('GET /v1/jobs HTTP/1.1\r\nhost: x\r\nx-he'),
    'headers that come byte by byte': (socket) => {
      socket.write('GET /v1/jobs HTTP/1.1\r\nhost: x\r\nx-slow: ');
      drip(socket, () => 'x');
    },
    'headers without end': (socket) => {
      socket.write('GET /v1/jobs HTTP/1.1\r\n');
      drip(socket, () => 'x: x\r\n');
    },
    'half of a body': (socket) => socket.write(`${post('content-length: 1000')}{"goal":`),
    'a body that comes byte by byte': (socket) => {
      socket.write(post('content-length: 100000'));
      drip(socket, () => ' ');
    },
    'chunks without end': (socket) => {
      socket.write(post('transfer-encoding: chunked'));
      drip(socket, () => '1\r\n \r\n');
    },
    'half of a chunk': (socket) => socket.write(`${post('transfer-encoding: chunked')}ff\r\n{`),
    'trailers without end': (socket) => {
      socket.write(`${post('transfer-encoding: chunked')}2\r\n{}\r\n0\r\n`);
      drip(socket, () => 'x: x\r\n');
    },
    'an expectation of 100-continue, and then no body': (socket) =>
      socket.write(post('expect: 100-continue', 'content-length: 10')),
    'half of a body after a refusal': (socket) =>
      socket.write('POST /v1/jobs HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n{'),
    'half of a body of a GET': (socket) =>
      socket.write(`${head('GET /health/live HTTP/1.1', 'content-length: 1000')}{`),
    'half of a body of a stream of events': (socket) =>
      socket.write(`${head('GET /v1/events HTTP/1.1', 'content-length: 1000')}{`),
    'a whole request, and then half of one': (socket) =>
      socket.write(`${head('GET /health/live HTTP/1.1')}GET /health/live HTTP/1.1\r\nho`),
    'many whole requests, and then half of one': (socket) =>
      socket.write(`${head('GET /health/live HTTP/1.1').repeat(50)}${post('content-length: 9')}{`),
    'an upgrade, and then half of a body': (socket) =>
      socket.write(`${post('connection: upgrade', 'upgrade: websocket', 'content-length: 9')}{`),
    'an upgrade to HTTP/2, and then half of a body': (socket) =>
      socket.write(
        `${post('connection: upgrade, http2-settings', 'upgrade: h2c', 'http2-settings: AAMAAABk', 'content-length: 9')}{`,
      ),
    'the beginning of HTTP/2': (socket) => socket.write('PRI * HTTP/2.0\r\n'),
    'a tunnel': (socket) => socket.write('CONNECT elsewhere:443 HTTP/1.1\r\nhost: x\r\n\r\n'),
    'bytes that are not HTTP, without an end': (socket) => {
      socket.write('hello?\r\n\r\n');
      drip(socket, () => 'x');
    },
  };
};

/** Opens a connection, and resolves with all that the server has sent when the server has ended it. */
async function endedByServer(url: string, half: Half): Promise<string> {
  const { hostname, port } = new URL(url);
  // Without this option, the client would end its side as soon as the server ends the other.
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  let answer = '';
  socket.setEncoding('latin1').on('data', (text: string) => (answer += text));
  // A server that ends a connection while bytes arrive resets it.
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.once('connect', () => half(socket));
  // Only a client that writes notices that the server has ended both directions.
  const probe = setInterval(() => socket.readableEnded && socket.write('x'), DRIP_MS);
  await closed;
  clearInterval(probe);
  return answer;
}

describe('An attacker who begins exchanges with the service and never ends them', () => {
  let service: TestService;
  let token: string;

  beforeAll(async () => {
    service = await TestService.start({ environment: { MACE_REQUEST_TIMEOUT_MS: '500' } });
    token = await service.token('agent');
  });
  afterAll(() => service?.stop());

  for (const name of Object.keys(halves('')))
    it(`is cut off, and others are served meanwhile: ${name}`, async () => {
      let isOpen = true;
      const cutOff = endedByServer(service.url, halves(token)[name]!).finally(() => {
        isOpen = false;
      });
      const { status } = await service.call('GET', '/v1/jobs', {
        token: await service.token('auditor'),
      });
      expect([status, isOpen]).toStrictEqual([200, isOpen]);
      await cutOff;
    });

  it('gets the error envelope, which says that the request came too late', async () => {
    const answer = await endedByServer(service.url, halves(token)['half of a body']!);
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 [^]*connection: close/);
    const { error_code, developer_message } = JSON.parse(body) as ErrorEnvelope;
    expect([error_code, developer_message]).toStrictEqual([
      'INVALID_INPUT',
      expect.stringContaining('the request did not arrive in time'),
    ]);
  });

  it('is not reported for a connection that sends nothing, as browsers open them in advance', async () => {
    const before = service.log.length;
    expect(await endedByServer(service.url, () => undefined)).toBe('');
    expect(service.log.slice(before).filter(({ error_code }) => error_code)).toStrictEqual([]);
  });

  it('does not end a stream of events, whose request was complete', async () => {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    let isOpen = true;
    socket.once('close', () => (isOpen = false));
    socket.write(
      `GET /v1/events HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${await service.token('auditor')}\r\n\r\n`,
    );
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString('latin1')).toMatch(/^HTTP\/1\.1 200 /);
    // Two half requests, one after the other, take longer than the limit.
    for (let times = 0; times < 2; times += 1)
      await endedByServer(service.url, halves(token)['half of a body']!);
    expect(isOpen).toBe(true);
    socket.destroy();
  });
});

describe('An attacker who opens more connections than the service takes', () => {
  const LIMIT = 8;
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start({
      environment: { MACE_MAX_CONNECTIONS: String(LIMIT), MACE_REQUEST_TIMEOUT_MS: '500' },
    });
  });
  afterAll(() => service?.stop());

  it('is refused the further ones, and others are served when the half requests have ended', async () => {
    const halfRequest: Half = (socket) => socket.write('GET / HTTP/1.1\r\n');
    const all = Array.from({ length: 3 * LIMIT }, () => endedByServer(service.url, halfRequest));
    await Promise.all(all);
    expect((await service.call('GET', '/health/live')).status).toBe(200);
    expect(service.log.filter(({ type }) => type === 'connections_refused').length).toBe(1);
  });

  it('does not keep others out by connections that idle after an answer', async () => {
    const { hostname, port } = new URL(service.url);
    const idle = Array.from({ length: LIMIT }, () => connect(Number(port), hostname));
    const answered = idle.map((socket) => {
      socket.on('error', () => undefined);
      socket.write('GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n');
      return new Promise((resolve) => socket.once('data', resolve).once('close', resolve));
    });
    await Promise.all(answered);
    const ask = (): Promise<number> =>
      fetch(`${service.url}/health/live`, { headers: { connection: 'close' } }).then(
        ({ status }) => status,
        () => ask(),
      );
    expect(await ask()).toBe(200);
    for (const socket of idle) socket.destroy();
  });
});

describe('An attacker who begins exchanges with the embedded node and never ends them', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startOwnEventStore();
  });
  afterAll(() => server.stop());

  const preface = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
  const settings = '\0\0\0\x04\0\0\0\0\0';
  const ping = `\0\0\x08\x06\0\0\0\0\0${'x'.repeat(8)}`;
  const more: Readonly<Record<string, Half>> = {
    'HTTP/2 without settings': (socket) => socket.write(preface),
    'HTTP/2 without a call': (socket) => socket.write(preface + settings, 'latin1'),
    'HTTP/2 with pings alone': (socket) => {
      socket.write(preface + settings, 'latin1');
      const timer = setInterval(() => socket.write(ping, 'latin1'), DRIP_MS);
      socket.once('close', () => clearInterval(timer));
    },
  };

  it('is cut off each time, and others are served meanwhile', async () => {
    const all = Object.entries({ ...halves('none'), ...more });
    const cutOff = Promise.all(all.map(([, half]) => endedByServer(server.url, half)));
    const { status } = await fetch(`http://${new URL(server.url).host}/health/live`);
    expect(status).toBe(204);
    await cutOff;
  });
});
