import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Caller } from '#test/support/caller.js';
import { named } from '#test/support/named.js';
import { LogReader } from '#test/support/read-log.js';
import { recordRequest } from '#test/support/recorded-request.js';
import { startTestEventStore, startTestPostgres, type TestServer } from '#test/support/servers.js';
import { TestService } from '#test/support/service.js';
import { until } from './support/until.js';

let servers: { readonly eventStore: TestServer; readonly postgres: TestServer };
let log: LogReader;

beforeAll(async () => {
  const [eventStore, postgres] = await Promise.all([startTestEventStore(), startTestPostgres()]);
  servers = { eventStore, postgres };
  log = new LogReader(eventStore.url);
});
afterAll(async () => {
  await log?.close();
  await Promise.all([servers?.eventStore.stop(), servers?.postgres.stop()]);
});

it('G2 a request that expires while no service runs gets one request_expired after the restart, also from two instances', async () => {
  const first = await TestService.start({ servers });
  const expires_at = new Date(Date.now() + 8_000);
  const recorded = (name: string) =>
    recordRequest(log.eventStore, {
      request_id: named(name),
      target_sem_key: `world/proposal/${named(name)}/value`,
      proposer: named('agent'),
      requested_at: new Date(),
      expires_at,
    });
  // One of them is decided in time, and does not expire.
  const decided = await recorded('decided');
  const council = await Caller.of(first, 'council');
  await council.post(`action-requests/${decided.request_id}/votes`, {
    ...{ vote: 'reject', reason: 'No.', proposal_hash: decided.proposal_hash },
  });
  await first.stop();
  const others = await Promise.all(
    Array.from({ length: 19 }, (_, index) => recorded(`due-${index}`)),
  );
  const open = [decided, ...others].map(({ request_id }) => `request-${request_id}`);
  await until('the requests are due', () => Promise.resolve(Date.now() > expires_at.getTime()));

  const services = await Promise.all([
    TestService.start({ servers }),
    TestService.start({ servers }),
  ]);
  try {
    const expiries = async () => {
      const streams = await Promise.all(open.map((stream) => log.events(stream)));
      return streams.map((events) => events.filter(({ type }) => type === 'request_expired'));
    };
    await until('the requests have expired', async () => (await expiries()).flat().length >= 19);

    await Promise.all(services.map((service) => service.caughtUp()));
    const [ofDecided, ...ofOthers] = await expiries();
    expect(ofDecided).toStrictEqual([]);
    expect(ofOthers.map((events) => events.length)).toStrictEqual(ofOthers.map(() => 1));
    for (const [event] of ofOthers)
      expect(Date.parse(event?.data['at'] as string)).toBeGreaterThanOrEqual(expires_at.getTime());
  } finally {
    await Promise.all(services.map((service) => service.stop()));
  }
});
