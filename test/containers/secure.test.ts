import { EventStoreDBClient } from '@eventstore/db-client';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StartedTestContainer } from 'testcontainers';
import { connectEventStore } from '#event-store/event-store-db.js';
import { survey } from '#event-store/survey.js';
import { Postgres } from '#read-model/postgres.js';
import { CertificateAuthority } from '#test/support/certificate-authority.js';
import { startTestPostgres } from '#test/support/servers.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { mace } from '#test/support/cli-run.js';
import { KillableService } from '../faults/support/killable-service.js';
import { survivesFaults } from '../faults/support/survival.js';
import { CERTIFICATES, NODE_PORT, securedNode, securedUrl } from './event-store-settings.js';
import { givenServers } from './given-servers.js';
import { LONG_MS, runSuite } from './run-suite.js';
import { eventStoreContainer } from './start-event-store.js';

const password = (): string => randomBytes(18).toString('base64url');
/** The image's own user, which must be able to read the key. */
const KEY_MODE = 0o644;

// The servers of MACE_EVENTSTORE_URL may hold anything, so single.test.ts alone runs on them.
(givenServers(process.env) ? describe.skip : describe)(
  'On one EventStoreDB with TLS and users',
  () => {
    const folder = temporaryFolder('authority');
    const authorityFile = join(folder.path, 'ca.crt');
    const admin = { name: 'admin', password: password() };
    const user = { name: 'mace', password: password() };
    let container: StartedTestContainer;
    let urlOf: (who: { name: string; password: string }) => string;

    beforeAll(async () => {
      const authority = new CertificateAuthority();
      const { certificate, key } = authority.issue(['localhost', '127.0.0.1']);
      writeFileSync(authorityFile, authority.certificate);
      container = await eventStoreContainer(securedNode(admin.password))
        .withExposedPorts(NODE_PORT)
        .withCopyContentToContainer([
          { content: authority.certificate, target: CERTIFICATES.authority },
          { content: certificate, target: CERTIFICATES.certificate },
          { content: key, target: CERTIFICATES.key, mode: KEY_MODE },
        ])
        .start();
      const [host, port] = [container.getHost(), container.getMappedPort(NODE_PORT)];
      urlOf = (who) => securedUrl(host, port, who, authorityFile);
    }, LONG_MS);
    afterAll(async () => {
      await container?.stop();
      folder.remove();
    });

    test(
      'the event-store conformance suite passes',
      async () => {
        const suite = 'test/contract/event-store-conformance.test.ts';
        expect(await runSuite(suite, { MACE_EVENTSTORE_URL: urlOf(admin) })).toBe(0);
      },
      LONG_MS,
    );

    test('mace event-store setup makes a user, and changes nothing in a second run', async () => {
      const environment = {
        MACE_EVENTSTORE_ADMIN_URL: urlOf(admin),
        MACE_EVENTSTORE_USER_PASSWORD: user.password,
      };
      const args = ['event-store', 'setup', '--user', user.name];
      const first = await mace(args, environment);
      expect(first).toMatchObject({ code: 0, stderr: '' });
      const again = await mace(args, environment);
      expect(again).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^Nothing was changed/),
      });
      expect((await survey(urlOf(user)))[0]?.diagnosis).toBeUndefined();
    });

    test(
      'a service with that user loses nothing under load while it is killed, and its user can delete nothing',
      async () => {
        const postgres = await startTestPostgres();
        const rows = new Postgres({ url: postgres.url, maxConnections: 3 });
        const log = connectEventStore(urlOf(admin));
        const service = await KillableService.start({
          MACE_EVENTSTORE_URL: urlOf(user),
          MACE_POSTGRES_URL: postgres.url,
        });
        try {
          await survivesFaults({ service, deployment: { log, rows, postgres } }, 'secure', [
            () => service.kill().then(() => service.restart()),
          ]);
          const client = EventStoreDBClient.connectionString(urlOf(user));
          const denied = { type: 'access-denied' };
          await expect(client.deleteStream('job-secure-0')).rejects.toMatchObject(denied);
          await expect(client.tombstoneStream('job-secure-0')).rejects.toMatchObject(denied);
          const metadata = client.setStreamMetadata('job-secure-0', { maxCount: 1 });
          await expect(metadata).rejects.toMatchObject(denied);
        } finally {
          await service.stop();
          await Promise.all([rows.close(), log.close()]);
          await postgres.stop();
        }
      },
      LONG_MS,
    );
  },
);
