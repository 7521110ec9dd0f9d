import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Caller } from '#test/support/caller.js';
import { askedErasure, decided, EMAIL, execution } from '#test/support/data-subject.js';
import { named } from '#test/support/named.js';
import {
  type OwnEventStore,
  startOwnEventStore,
  startTestPostgres,
} from '#test/support/servers.js';
import { TestService } from '#test/support/service.js';
import { restartWithQuota } from './support/restart-with-quota.js';
import { until } from './support/until.js';

interface Queue {
  readonly entries: readonly { readonly route: string }[];
}

interface Page {
  readonly items: readonly { readonly item: unknown }[];
}

describe('Changes of a conversation that a full log refuses (SPEC F2)', () => {
  const sub = named('agent');
  let eventStore: OwnEventStore;
  let service: TestService;
  let agent: Caller;
  let admin: Caller;

  beforeAll(async () => {
    eventStore = await startOwnEventStore();
    service = await TestService.start({
      servers: { eventStore, postgres: await startTestPostgres() },
    });
    agent = await Caller.of(service, 'agent', { sub });
    admin = await Caller.of(service, 'admin');
    await agent.post('conversations/chat/items', { items: ['first'] });
  });
  afterAll(async () => {
    await service?.stop();
    await service?.postgres.stop();
    await eventStore?.stop();
  });

  const restartedWith = (quotaBytes: number | undefined) =>
    restartWithQuota(eventStore, service, quotaBytes);

  const contents = async () =>
    (await agent.get<Page>('conversations/chat/items')).items.map(({ item }) => item);
  const refused = (what: string, body: object, key?: string) =>
    agent.refused('STORAGE_FULL', 'POST', `conversations/chat/${what}`, {
      body,
      ...(key === undefined ? {} : { key }),
    });
  const waiting = async () => (await admin.get<Queue>('admin/queue')).entries;

  it('with an Idempotency-Key they are carried out once there is room, and a retry adds nothing', async () => {
    await restartedWith(0);
    const body = { items: [{ mail: EMAIL }] };
    await refused('items', body, 'append-1');
    await restartedWith(undefined);
    await until('the append was carried out', async () => (await contents()).length === 2);
    await agent.post('conversations/chat/items', body, { key: 'append-1' });
    expect(await contents()).toStrictEqual(['first', { mail: EMAIL }]);
  });

  it('G6 an erasure of an agent without a user removes those that wait', async () => {
    await restartedWith(0);
    await refused('items', { items: [EMAIL] });
    await restartedWith(undefined);
    expect(await waiting()).toHaveLength(1);
    const request = await askedErasure(agent, `sub:${sub}`);
    await decided(await Caller.of(service, 'council'), request);
    await admin.post(execution(request));
    expect(await waiting()).toStrictEqual([]);
    expect(await contents()).toStrictEqual(['first', { erased: true }]);
  });
});
