import { afterAll, describe, expect, it } from '@jest/globals';
import { connectEventStore } from '#event-store/event-store-db.js';
import { Postgres } from '#read-model/postgres.js';
import { startProxy } from '#test/support/proxy.js';
import { startOwnEventStore, startOwnPostgres } from '#test/support/servers.js';
import { type Script, startScriptedServer } from '../contract/event-store-scripted-server.js';
import { KillableService } from './support/killable-service.js';
import { type FaultyNode, leaderFaults } from './support/leader-faults.js';
import { survivesFaults } from './support/survival.js';

const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

describe('Faults of the leader', () => {
  it('each fault strikes the node that leads at that time', async () => {
    let leader = 1;
    const ports: number[] = [];
    const script: Script = { leaderPort: () => ports[leader] };
    const servers = await Promise.all([1, 2, 3].map(() => startScriptedServer(script)));
    closing.push(() => servers.forEach((server) => server.stop()));
    ports.push(...servers.map(({ port }) => port));
    const log: string[] = [];
    const nodes = ports.map((port, index): FaultyNode => {
      const note = (what: string) => async () => void log.push(`${index} ${what}`);
      const elect = (what: string) => async () => {
        log.push(`${index} ${what}`);
        leader = (index + 1) % 3;
      };
      return {
        address: `127.0.0.1:${port}`,
        ...{ kill: elect('kill'), start: note('start') },
        ...{ pause: elect('pause'), resume: note('resume') },
      };
    });
    const url = `esdb://${ports.map((port) => `127.0.0.1:${port}`).join(',')}?tls=false`;
    const schedule = [
      { kind: 'kill', forMs: 1 },
      { kind: 'pause', forMs: 1 },
    ] as const;
    for (const fault of leaderFaults(schedule, url, nodes)) await fault();
    expect(log).toStrictEqual(['1 kill', '1 start', '2 pause', '2 resume']);
  });

  it('64 writers neither lose nor double an acknowledged command while the event store is killed, and then falls silent', async () => {
    const [server, postgres] = await Promise.all([startOwnEventStore(), startOwnPostgres()]);
    const proxy = await startProxy(server.url);
    const rows = new Postgres({ url: postgres.url, maxConnections: 3 });
    const log = connectEventStore(server.url);
    const service = await KillableService.start({
      MACE_EVENTSTORE_URL: proxy.url,
      MACE_POSTGRES_URL: postgres.url,
    });
    closing.push(
      () => Promise.all([server.stop(), postgres.stop()]),
      () => Promise.all([proxy.stop(), rows.close(), log.close()]),
      () => service.stop(),
    );
    const node: FaultyNode = {
      address: new URL(proxy.url.replace('esdb:', 'http:')).host,
      kill: () => server.kill(),
      start: () => server.restart(),
      pause: async () => proxy.stall(),
      resume: async () => proxy.flow(),
    };
    const schedule = [
      { kind: 'kill', forMs: 500 },
      { kind: 'pause', forMs: 1500 },
    ] as const;
    await survivesFaults(
      { service, deployment: { log, rows, postgres } },
      'leader',
      leaderFaults(schedule, proxy.url, [node]),
    );
  });
});
