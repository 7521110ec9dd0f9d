import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#domain/json.js';
import { API_ROLE, KEYS_ROLE, prepareRole } from '#read-model/api-role.js';
import { Postgres } from '#read-model/postgres.js';
import { Caller } from '#test/support/caller.js';
import { aLog, queryAsSuperuser } from '#test/support/reflective-logs.js';
import { startOwnEventStore, startOwnPostgres, type TestServer } from '#test/support/servers.js';
import { TestService } from '#test/support/service.js';

const TABLE = 'reflective_logs.reflective_log_stage0';
const PASSWORD = 'only-for-this-test';

describe('The role of the service in Postgres', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startOwnPostgres();
  });
  afterAll(() => server?.stop());

  /** Creates a user with only these rights, and a database that this user owns. */
  async function userWith(name: string, rights: string): Promise<TestServer> {
    await queryAsSuperuser(server, `create role ${name} login ${rights} password '${PASSWORD}'`);
    await queryAsSuperuser(server, `create database ${name} owner ${name}`);
    const url = new URL(server.url);
    Object.assign(url, { username: name, password: PASSWORD, pathname: `/${name}` });
    return { ...server, url: url.href, stop: async () => undefined };
  }

  const healthOf = async (service: TestService): Promise<unknown> => {
    const { body } = await service.call<{ details: Record<string, JsonObject> }>(
      'GET',
      '/health/ready',
    );
    return body.details['postgres']?.['role'];
  };

  it('L3 a login that may create roles creates the role and uses it, even without superuser rights', async () => {
    const { url } = await userWith('maker', 'createrole');
    const postgres = new Postgres({ url, maxConnections: 1 });
    try {
      expect(await prepareRole(postgres, API_ROLE)).toBe(true);
      expect(await prepareRole(postgres, API_ROLE)).toBe(true);
    } finally {
      await postgres.close();
    }
  });

  it('L3 a service whose login cannot create roles reports this in its log and its health, and continues', async () => {
    const postgres = await userWith('humble', '');
    const service = await TestService.start({
      servers: { eventStore: await startOwnEventStore(), postgres },
    });
    try {
      const warned = service.log.filter(({ type }) => type === 'roles_not_separated');
      expect(warned).toHaveLength(1);
      expect(await healthOf(service)).toBe('owner');
      const agent = await Caller.of(service, 'agent');
      const log = aLog();
      await agent.post('reflective-logs', log);
      const read = await agent.get(`reflective-logs/${log.log_id}`);
      expect(read['signature_valid']).toBe(true);
    } finally {
      await service.stop();
      await service.eventStore.stop();
    }
  });

  it('L3 a service whose login is only a member of the role works, and the login cannot change a log', async () => {
    const projecting = await TestService.start({
      servers: { eventStore: await startOwnEventStore(), postgres: server },
    });
    const { eventStore } = projecting;
    await queryAsSuperuser(
      server,
      `create role api_only login password '${PASSWORD}' in role ${API_ROLE}, ${KEYS_ROLE}`,
    );
    const url = new URL(server.url);
    Object.assign(url, { username: 'api_only', password: PASSWORD });
    const limited = { ...server, url: url.href };
    const service = await TestService.start({
      servers: { eventStore, postgres: limited },
      environment: { MACE_PROJECTIONS: 'external' },
    });
    try {
      expect(await healthOf(service)).toBe(API_ROLE);
      const agent = await Caller.of(service, 'agent');
      const admin = await Caller.of(service, 'admin');
      const log = aLog();
      await agent.post('reflective-logs', log);
      const read = await agent.get(`reflective-logs/${log.log_id}`);
      expect(read['signature_valid']).toBe(true);
      for (const sql of [
        `update ${TABLE} set cache_hit = true`,
        `reset role; delete from ${TABLE}`,
        `grant update on ${TABLE} to current_user; update ${TABLE} set cache_hit = true`,
        `delete from reflective_logs.quarantine`,
        `delete from sem.fact`,
      ])
        await expect(queryAsSuperuser(limited, sql)).rejects.toMatchObject({ code: '42501' });
      // Despite the role, the login may read every read model and request a rebuild.
      await admin.did('POST', 'projections/reflective_logs/rebuild', { body: {} });
      const isRebuilding = async (): Promise<boolean> =>
        (
          await admin.get<{ projections: { rebuilding: boolean }[] }>('projections')
        ).projections.some(({ rebuilding }) => rebuilding);
      while (await isRebuilding()) await new Promise((resolve) => setTimeout(resolve, 50));
      const { job_seed } = await agent.post<{ job_seed: string }>('jobs', {});
      await agent.post(`jobs/${job_seed}/wm`, { type: 'fact', value: 'nils@bluewin.test' });
      await agent.post(`jobs/${job_seed}/end`);
      await admin.get('jobs');
    } finally {
      await service.stop();
      await projecting.stop();
      await eventStore.stop();
    }
  });

  it('L3 a rebuild gives the role the same rights on the new tables', async () => {
    const [rights] = await queryAsSuperuser<{
      selects: boolean;
      inserts: boolean;
      updates: boolean;
    }>(
      server,
      `select has_table_privilege('${API_ROLE}', '${TABLE}', 'select') as selects,
         has_table_privilege('${API_ROLE}', '${TABLE}', 'insert') as inserts,
         has_table_privilege('${API_ROLE}', '${TABLE}', 'update') as updates`,
    );
    expect(rights).toStrictEqual({ selects: true, inserts: true, updates: false });
  });
});
