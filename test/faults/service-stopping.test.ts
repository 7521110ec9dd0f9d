import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, type Socket } from 'node:net';
import { TestService } from '#test/support/service.js';
import { until } from './support/until.js';

const BODY = '{"goal":"begun before the stop"}';

describe('A service that stops while clients still send', () => {
  let service: TestService;
  let socket: Socket;
  let received = '';
  let stopping: Promise<void> | undefined;

  beforeAll(async () => {
    service = await TestService.start();
  });
  afterAll(async () => {
    socket?.destroy();
    await (stopping ?? service.stop());
    await service.eventStore.stop();
    await service.postgres.stop();
  });

  const accepts = (): Promise<boolean> =>
    new Promise((resolve) => {
      const probe = connect(Number(new URL(service.url).port), '127.0.0.1');
      probe.on('connect', () => resolve(true)).on('error', () => resolve(false));
      probe.on('connect', () => probe.destroy());
    });

  it('answers the requests of an open connection as usual, and then closes it', async () => {
    const token = await service.token('agent');
    const head = [
      ...['POST /v1/jobs HTTP/1.1', 'host: x', `authorization: Bearer ${token}`],
      ...['content-type: application/json', `content-length: ${BODY.length}`, '', ''],
    ].join('\r\n');
    socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.setEncoding('utf8').on('data', (text: string) => (received += text));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    // The first request is under way when the service stops; the second one comes after it.
    socket.write(head + BODY.slice(0, 5));
    await until('the request has begun', async () => {
      const { body } = await service.call<string>('GET', '/metrics');
      return body.length > 0;
    });
    stopping = service.stop();
    await until('the service accepts no connection', async () => !(await accepts()));
    socket.write(BODY.slice(5) + head + BODY);
    await closed;
    await stopping;
    const statuses = [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
    expect(statuses).toStrictEqual(['201', '201']);
    expect(received.toLowerCase()).toContain('connection: close');
  });
});
