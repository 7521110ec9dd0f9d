import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Network, type StartedNetwork, type StartedTestContainer } from 'testcontainers';
import { freePort } from '#embedded/supervisor.js';
import { connectEventStore } from '#event-store/event-store-db.js';
import { Postgres } from '#read-model/postgres.js';
import { startTestPostgres } from '#test/support/servers.js';
import { KillableService } from '../faults/support/killable-service.js';
import { type FaultyNode, leaderFaults } from '../faults/support/leader-faults.js';
import { survivesFaults } from '../faults/support/survival.js';
import { dockerNode } from './docker-node.js';
import { clusterNode, clusterUrl, NODE_PORT, nodeName } from './event-store-settings.js';
import { givenServers } from './given-servers.js';
import { LONG_MS, runSuite } from './run-suite.js';
import { eventStoreContainer } from './start-event-store.js';

const SIZE = 3;
const SCHEDULE = [
  { kind: 'kill', forMs: 14_000 },
  { kind: 'pause', forMs: 20_000 },
  { kind: 'kill', forMs: 1000 },
] as const;

// A test cannot kill the servers of MACE_EVENTSTORE_URL.
(givenServers(process.env) ? describe.skip : describe)('On three nodes of EventStoreDB', () => {
  let network: StartedNetwork;
  let containers: StartedTestContainer[] = [];
  let nodes: FaultyNode[] = [];
  let url: string;

  beforeAll(async () => {
    network = await new Network().start();
    const ports: number[] = [];
    while (ports.length < SIZE) ports.push(await freePort());
    url = clusterUrl(ports);
    containers = await Promise.all(
      ports.map((port, index) =>
        eventStoreContainer(clusterNode(index, ports))
          .withNetwork(network)
          .withNetworkAliases(nodeName(index))
          .withExposedPorts({ container: NODE_PORT, host: port })
          .start(),
      ),
    );
    nodes = await Promise.all(
      containers.map((container, index) => dockerNode(container, `127.0.0.1:${ports[index]}`)),
    );
  }, LONG_MS);
  afterAll(async () => {
    await Promise.all(containers.map((container) => container.stop()));
    await network?.stop();
  });

  test(
    '64 writers neither lose nor double an acknowledged command while leaders are killed and paused',
    async () => {
      const postgres = await startTestPostgres();
      const rows = new Postgres({ url: postgres.url, maxConnections: 3 });
      const log = connectEventStore(url);
      const service = await KillableService.start({
        MACE_EVENTSTORE_URL: url,
        MACE_POSTGRES_URL: postgres.url,
      });
      try {
        await survivesFaults(
          { service, deployment: { log, rows, postgres } },
          'cluster',
          leaderFaults(SCHEDULE, url, nodes),
        );
      } finally {
        await service.stop();
        await Promise.all([rows.close(), log.close()]);
        await postgres.stop();
      }
    },
    LONG_MS,
  );

  test(
    'the event-store conformance suite passes',
    async () => {
      const suite = 'test/contract/event-store-conformance.test.ts';
      expect(await runSuite(suite, { MACE_EVENTSTORE_URL: url })).toBe(0);
    },
    LONG_MS,
  );
});
