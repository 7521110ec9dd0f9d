import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Caller } from '#test/support/caller.js';
import { TestService } from '#test/support/service.js';
import { until } from './support/until.js';

const BODY = '{"goal":"begun before the stop"}';
const TICKS = 1_000;
const MANY = 12;
/** Less than the keep-alive timeout of 72 s. */
const STOP_WITHIN_MS = 40_000;

const failAfter = (ms: number): Promise<never> =>
  delay(ms, undefined, { ref: false }).then(() => {
    throw new Error(`the service did not stop within ${ms} ms`);
  });

describe('A service that stops while clients still send', () => {
  let service: TestService;
  let stopping: Promise<void> | undefined;

  beforeEach(async () => {
    stopping = undefined;
    service = await TestService.start({ ownLog: true });
  });
  afterEach(() => stopping ?? service.stop());

  const port = (): number => Number(new URL(service.url).port);

  const accepts = (): Promise<boolean> =>
    new Promise((resolve) => {
      const probe = connect(port(), '127.0.0.1', () => {
        probe.destroy();
        resolve(true);
      });
      probe.on('error', () => resolve(false));
    });

  it('answers the request that is under way, and then closes its connection', async () => {
    const token = await service.token('agent');
    const head = [
      ...['POST /v1/jobs HTTP/1.1', 'host: x', `authorization: Bearer ${token}`],
      ...['content-type: application/json', `content-length: ${BODY.length}`, '', ''],
    ].join('\r\n');
    const socket = connect(port(), '127.0.0.1');
    let received = '';
    socket.setEncoding('utf8').on('data', (text: string) => (received += text));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    // The service has the first request before it stops, and the rest comes later.
    socket.write(head + BODY.slice(0, 5));
    await service.call('GET', '/health/live');
    stopping = service.stop();
    await until('the service accepts no connection', async () => !(await accepts()));
    socket.write(BODY.slice(5) + head + BODY);
    await closed;
    await stopping;
    const statuses = [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
    // The second request is the client's to send again, to another instance.
    expect(statuses).toStrictEqual(['201']);
    expect(received.toLowerCase()).toContain('connection: close');
  });

  it('refuses a verification that it interrupts with READ_UNAVAILABLE, and does not wait for the keep-alive timeout of its connection', async () => {
    const agent = await Caller.of(service, 'agent');
    const auditor = await Caller.of(service, 'auditor');
    await agent.post('jobs', { job_seed: 'long' });
    for (let count = 0; count < MANY; count += 1)
      await agent.post('jobs/long/ticks', { count: TICKS });
    const refused = auditor.refused('READ_UNAVAILABLE', 'POST', 'integrity/verification', {
      body: {},
    });
    refused.catch(() => undefined);
    await until('the verification is under way', async () => {
      const { running } = await auditor.get<{ running: unknown }>('integrity/findings');
      return running !== null;
    });
    stopping = service.stop();
    await refused;
    // The client keeps the connection open, so only the service can end it.
    await Promise.race([stopping, failAfter(STOP_WITHIN_MS)]);
  });
});
