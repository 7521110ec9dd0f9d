import { afterAll, beforeAll, test } from '@jest/globals';
import { Deployment } from './support/deployment.js';
import type { KillableService } from './support/killable-service.js';
import { survivesFaults } from './support/survival.js';

let deployment: Deployment;
let service: KillableService;

beforeAll(async () => {
  deployment = await Deployment.start();
  service = await deployment.service();
});

afterAll(() => deployment.stop());

/** Kills and restarts a server under load. */
const survives = (
  name: string,
  fault: { kill(): Promise<void>; restart(): Promise<void> },
): Promise<void> =>
  survivesFaults({ deployment, service }, name, [
    async () => {
      await fault.kill();
      await fault.restart();
    },
  ]);

test('kill -9 of the service under 64 writers neither loses nor repeats an acknowledged command', () =>
  survives('service', service));

test('kill -9 of Postgres under 64 writers neither loses nor repeats an acknowledged command', () =>
  survives('rows', deployment.postgres));
