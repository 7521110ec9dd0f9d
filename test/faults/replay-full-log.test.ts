import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ReplayReport } from '#client/jobs.js';
import { Caller } from '#test/support/caller.js';
import {
  type OwnEventStore,
  startOwnEventStore,
  startTestPostgres,
} from '#test/support/servers.js';
import { TestService } from '#test/support/service.js';
import { restartWithQuota } from './support/restart-with-quota.js';

let eventStore: OwnEventStore;
let service: TestService;

beforeAll(async () => {
  eventStore = await startOwnEventStore();
  service = await TestService.start({
    servers: { eventStore, postgres: await startTestPostgres() },
  });
});
afterAll(async () => {
  await service?.stop();
  await service?.postgres.stop();
  await eventStore?.stop();
});

it('X2 F2 a job is replayed although the log is full and cannot keep who did it, which a log line says', async () => {
  const agent = await Caller.of(service, 'agent');
  const auditor = await Caller.of(service, 'auditor');
  await agent.post('jobs', { job_seed: 'full' });
  const replay = () => auditor.post<ReplayReport>('jobs/full/replays', { mode: 'strict' });
  const recorded = async () =>
    (await auditor.get<{ replays: unknown[] }>('jobs/full/replays')).replays.length;
  const before = await replay();
  expect(await recorded()).toBe(1);
  await restartWithQuota(eventStore, service, 0);
  expect(await replay()).toStrictEqual(before);
  expect(service.log).toContainEqual(
    expect.objectContaining({ type: 'replay_not_recorded', stream: 'job-full' }),
  );
  expect(await recorded()).toBe(1);
  await restartWithQuota(eventStore, service, undefined);
  await replay();
  expect(await recorded()).toBe(2);
});
