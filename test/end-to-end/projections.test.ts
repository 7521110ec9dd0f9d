import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { READ_MODEL_NAMES } from '#apps/api/platform/http/reads-from.decorator.js';
import { Caller, positionOf } from '#test/support/caller.js';
import { TestService } from '#test/support/service.js';
import { named } from '#test/support/named.js';
import { until } from '#test/faults/support/until.js';

interface Projection {
  readonly name: string;
  readonly position: string | null;
  readonly stopped: unknown;
  readonly rebuilding: boolean;
  readonly heartbeat_seconds_ago: number | null;
}

const NAMES: readonly string[] = [...READ_MODEL_NAMES].toSorted();
describe('Read models', () => {
  let service: TestService;
  let postgres: pg.Client;
  let agent: Caller;
  let admin: Caller;
  let last: string;

  beforeAll(async () => {
    // The requests of other tests would be listed in the logs of their jobs while this test runs.
    service = await TestService.start({ ownLog: true });
    postgres = new pg.Client({ connectionString: service.postgres.url });
    await postgres.connect();
    agent = await Caller.of(service, 'agent');
    admin = await Caller.of(service, 'admin');
    await fill();
  });
  afterAll(async () => {
    await postgres?.end();
    await service?.stop();
  });

  /** Writes data for every read model. */
  async function fill(): Promise<void> {
    await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        admin.did('PUT', `sem/world/filled/${named(`f${n % 40}`)}/value`, { body: { value: n } }),
      ),
    );
    await admin.did('DELETE', `sem/world/filled/${named('f1')}/value`);
    const council = await Caller.of(service, 'council');
    for (let n = 0; n < 5; n += 1) {
      const job_seed = named(`filled-${n}`);
      await agent.post('jobs', {
        job_seed,
        user_id: named(`user ${n}`),
        session_id: named(`s-${n}`),
        goal: 'fill',
      });
      await agent.post(`jobs/${job_seed}/wm`, { type: 'fact', value: 'nils@bluewin.test' });
      await agent.post(`jobs/${job_seed}/commands`, {
        commands: Array.from({ length: 50 }, (_, word) => ({
          op: 'episodic_write',
          summary: `word${word} of many words ${n}`,
        })),
      });
      const { episodic_id } = await agent.post(`jobs/${job_seed}/episodes`, { summary: 'asked' });
      const request = await agent.post('action-requests', {
        ...{ episodic_id, target_sem_key: `world/asked/${named(`a${n}`)}/value`, value: n },
        justification: 'to fill',
      });
      const { request_id, proposal_hash } = request;
      if (n % 2 === 0)
        await council.post(`action-requests/${String(request_id)}/votes`, {
          ...{ vote: n === 0 ? 'approve' : 'reject', reason: 'fine', proposal_hash },
        });
      if (n > 2) await agent.post(`jobs/${job_seed}/end`);
    }
    for (const entity_id of [`${named('word')} +`, `${named('word')} #`])
      await admin.post('sem-keys', {
        ...{ scope: 'world', entity_type: 'filled', entity_id, attribute: 'value' },
      });
    for (const key of ['kept', 'gone'])
      await agent.did('PUT', 'notes', { body: { namespace: [named('filled')], key, value: [1] } });
    await agent.did('DELETE', `notes?namespace=${named('filled')}&key=gone`);
    const said = 'I live in Oslo. Never use emojis. I have a cat called Miso.';
    const { kept } = await agent.post<{ kept: { id: string }[] }>('remember', { said });
    await agent.did('PUT', `memories/${kept[0]?.id}`, { body: { text: 'I live in Rome.' } });
    await agent.did('DELETE', `memories/${kept[1]?.id}`);
    await admin.post('integrity/checkpoints');
    for (const thread_id of ['kept', 'gone'])
      await agent.did('PUT', 'threads/checkpoints', {
        body: {
          thread_id,
          checkpoint_id: 'c1',
          checkpoint: {},
          metadata: { step: 0 },
          channel_versions: {},
          channel_values: {},
        },
      });
    await agent.did('DELETE', 'threads?thread_id=gone');
    await agent.post('memory/interactions', {
      ...{
        assistant: 'filler',
        session_id: named('remembered'),
        user_text: 'I prefer tea.',
        ai_text: 'Noted.',
      },
      memory: { short_term: 5, semantic: true, profile: true },
    });
    last = positionOf(await agent.did('POST', `jobs/${named('filled-0')}/ticks`, { body: {} }));
  }
  const list = async (): Promise<readonly Projection[]> =>
    (await admin.get<{ projections: Projection[] }>('projections', { after: last })).projections;

  async function rows(name: string): Promise<Record<string, unknown[]>> {
    const all: Record<string, unknown[]> = {};
    const tables = await postgres.query<{ name: string }>(
      `select table_name as name from information_schema.tables
       where table_schema = '${name}' and table_name <> 'checkpoint' order by 1`,
    );
    for (const { name: table } of tables.rows) {
      const { rows: found } = await postgres.query<{ row: string }>(
        `select row::text from (select * from ${name}.${table}) as row order by 1`,
      );
      all[table] = found.map(({ row }) => row);
    }
    return all;
  }

  it('§13 only admins and auditors can list the read models with their positions', async () => {
    const projections = await list();
    expect(projections.map(({ name }) => name)).toStrictEqual(NAMES);
    for (const { position, stopped, rebuilding, heartbeat_seconds_ago } of projections) {
      expect(BigInt(position ?? -1)).toBeGreaterThanOrEqual(BigInt(last));
      expect(stopped).toBeNull();
      expect(rebuilding).toBe(false);
      expect(Number(heartbeat_seconds_ago)).toBeLessThan(15);
    }
    for (const by of [agent, await Caller.of(service, 'council')])
      await by.refused('PERMISSION_DENIED', 'GET', 'projections');
  });

  it('only admins can rebuild a read model, and a rebuild of an unknown read model is refused', async () => {
    const auditor = await Caller.of(service, 'auditor');
    for (const by of [agent, auditor])
      await by.refused('PERMISSION_DENIED', 'POST', 'projections/sem/rebuild', { body: {} });
    await admin.refused('NOT_FOUND', 'POST', 'projections/none/rebuild', { body: {} });
    await admin.refused('INVALID_INPUT', 'POST', 'projections/SEM/rebuild', { body: {} });
  });

  /** How many events of requests the process manager has not listed yet in the log of an ended job. */
  async function unlisted(): Promise<number> {
    const { rows: found } = await postgres.query<{ open: string }>(
      `select count(*) as open from obligations.job_request
       join reflective_logs.reflective_log_stage0 using (log_id)
       where listed_number < last_number`,
    );
    return Number(found[0]?.open);
  }

  it('I1 X5 a rebuild gives the same rows, while queries and writes go on', async () => {
    await list();
    const tablesOf = async (): Promise<Map<string, string>> => {
      const { rows: found } = await postgres.query<{ schema: string; oid: string }>(
        `select nspname as schema, c.oid::text as oid from pg_class c
         join pg_namespace n on n.oid = relnamespace where relname = 'checkpoint'`,
      );
      return new Map(found.map(({ schema, oid }) => [schema, oid]));
    };
    await until('the logs list the requests', async () => (await unlisted()) === 0);
    const before = new Map<string, Record<string, unknown[]>>();
    for (const name of NAMES) before.set(name, await rows(name));
    expect(NAMES.every((name) => Object.values(before.get(name) ?? {}).flat().length > 0)).toBe(
      true,
    );
    const oids = await tablesOf();
    for (const name of NAMES) {
      const asked = await admin.did('POST', `projections/${name}/rebuild`, { body: {} });
      expect(asked.status).toBe(202);
    }
    const isSwapped = async (): Promise<boolean> => {
      const now = await tablesOf();
      return NAMES.every((name) => now.has(name) && now.get(name) !== oids.get(name));
    };
    let rounds = 0;
    do {
      rounds += 1;
      const fact = await admin.get(`sem/world/filled/${named('f2')}/value`);
      expect(fact['value']).toBe(42);
      const { results } = await agent.post<{ results: unknown[] }>('episodes/query', {
        query_terms: 'word1 words',
        user_id: named('user 1'),
      });
      expect(results).toHaveLength(10);
      expect((await agent.get<{ jobs: unknown[] }>('jobs')).jobs).toHaveLength(5);
      await admin.get('action-requests');
    } while (!(await isSwapped()));
    expect(rounds).toBeGreaterThan(1);
    while ((await list()).some(({ rebuilding }) => rebuilding))
      await new Promise((resolve) => setTimeout(resolve, 50));
    for (const name of NAMES)
      expect([name, await rows(name)]).toStrictEqual([name, before.get(name)]);
  });

  describe('Mace-Min-Position', () => {
    it('§13 a minimum position beyond the log’s end is PROJECTION_LAG, after a wait', async () => {
      const began = performance.now();
      await agent.refused('PROJECTION_LAG', 'GET', 'jobs', { after: '99999999999999999999' });
      expect(performance.now() - began).toBeGreaterThanOrEqual(1_900);
    });

    it('§13 an invalid minimum position is refused', async () => {
      for (const after of ['-1', '1e3', 'last', '0x10', '9'.repeat(21)])
        await agent.refused('INVALID_INPUT', 'GET', 'jobs', { after });
    });
  });
});
