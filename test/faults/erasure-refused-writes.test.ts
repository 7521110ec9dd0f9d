import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Caller } from '#test/support/caller.js';
import { DataSubject, EMAIL, erased } from '#test/support/data-subject.js';
import { named } from '#test/support/named.js';
import {
  type OwnEventStore,
  startOwnEventStore,
  startTestPostgres,
} from '#test/support/servers.js';
import { TestService } from '#test/support/service.js';
import { restartWithQuota } from './support/restart-with-quota.js';

interface Queue {
  readonly entries: readonly { readonly route: string; readonly caller: string }[];
}

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

const restartedWith = (quotaBytes: number | undefined) =>
  restartWithQuota(eventStore, service, quotaBytes);

it('G6 an erasure removes the subject’s refused writes from the queue, and nobody else’s', async () => {
  const person = await DataSubject.of(service, 'refused');
  const other = await DataSubject.of(service, 'other-refused');
  const { user_id } = person;
  const admin = await Caller.of(service, 'admin');
  const runtime = await Caller.of(service, 'agent', { sub: named('runtime') });
  const job_seed = named('runtime-job');
  await runtime.post('jobs', { job_seed, user_id });
  const fact = { body: { value: EMAIL } };
  const insert = { body: { type: 'fact', value: EMAIL } };

  // Without an Idempotency-Key, a refused write waits for a person.
  await restartedWith(0);
  const refused = (caller: Caller, method: string, path: string, options: { body: object }) =>
    caller.refused('STORAGE_FULL', method, path, options);
  await refused(person.user, 'PUT', `sem/${person.key}`, fact);
  await refused(admin, 'PUT', `sem/${person.key}`, { body: { value: 'none' } });
  await refused(runtime, 'POST', `jobs/${job_seed}/wm`, insert);
  await refused(runtime, 'POST', 'jobs', { body: { job_seed: named('never'), user_id } });
  await refused(other.user, 'PUT', `sem/${other.key}`, fact);
  await refused(other.agent, 'POST', `jobs/${other.job_seed}/wm`, insert);
  await restartedWith(undefined);
  const queue = async () => (await admin.get<Queue>('admin/queue')).entries;
  expect(await queue()).toHaveLength(6);

  await erased(service, person);
  expect((await queue()).map(({ route }) => route).sort()).toStrictEqual([
    'POST /v1/jobs/:seed/wm',
    'PUT /v1/sem/:scope/:entity_type/:entity_id/:attribute',
  ]);
  expect(service.log.filter(({ type }) => type === 'refused_write_erased')).toHaveLength(4);
});
