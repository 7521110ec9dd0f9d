import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { ErrorEnvelope } from '#domain/errors/envelope.js';
import { ROLES } from '#platform/auth/roles.js';
import { Caller, type AskOptions } from '#test/support/caller.js';
import { ensure } from '#test/support/ensure.js';
import { aLog } from '#test/support/reflective-logs.js';
import { TestService } from '#test/support/service.js';
import { createClient } from 'redis';
import { startTestRedis } from '#test/support/redis.js';
import type { ProjectionStatus } from '#client/projections.js';
import type { Difference } from '#read-model/different-rows.js';
import { productProjections } from '#test/support/product-projections.js';
import { until } from '#test/faults/support/until.js';

const FACT = 'world/fact/sky/value';
const SIMILAR = 'world/fact/sky/height';
const READ_MODELS = await productProjections();
const MARK = 'put in by hand';

/** SQL for values of each type that is not a number. */
const OTHER_VALUES: Readonly<Record<string, string>> = {
  boolean: 'true',
  jsonb: `'"${MARK}"'`,
  bytea: `'\\x00'`,
  'text[]': `array['${MARK}']`,
  text: `'${MARK}'`,
  'timestamp with time zone': `'infinity'`,
};

/** The tables that are empty here, and the one that has only a key. */
const EMPTY = ['episodes.withheld', 'sealed_values.erased_key'];
const MISSED: Readonly<Record<Difference, readonly string[]>> = {
  missing: EMPTY,
  changed: [...EMPTY, 'obligations.revoked_consent'].sort(),
  extra: [],
};

/** A row behind a route: its table, and an SQL condition that holds only for it. */
interface Row {
  readonly table: string;
  readonly where: string;
  /** The columns by which the route finds the row: a changed one hides it. */
  readonly findsBy?: readonly string[];
  /** The large columns that the route leaves out, so that nothing of a change in them is in its answer. */
  readonly leavesOut?: readonly string[];
}

interface Read {
  /** The path under /v1/, with its parameters replaced by values. */
  readonly path: string;
  readonly method?: 'POST';
  readonly body?: unknown;
  readonly rows: readonly Row[];
}

const factRow: Row = {
  table: 'sem.fact',
  where: `key = '${FACT}'`,
  findsBy: ['key', 'is_current'],
};

const putRow: Row = {
  table: 'sem.history',
  where: `key = '${FACT}' and revision = 0`,
  findsBy: ['key', 'n', 'revision', 'is_decisive', 'type'],
};

describe('Somebody who changes rows in Postgres by hand', () => {
  let service: TestService;
  let everybody: Caller;
  let rows: pg.Client;
  /** The reads of facts, requests and votes, by which an agent or a vote decides. */
  const reads: Read[] = [];

  beforeAll(async () => {
    service = await TestService.start({ ownLog: true });
    rows = new pg.Client({ connectionString: service.postgres.url });
    await rows.connect();
    everybody = await Caller.of(service, ROLES, { sub: 'everybody', user_id: 'everybody' });
    await aWorld();
  });
  afterAll(async () => {
    await rows?.end();
    await service?.stop();
  });

  async function aWorld(): Promise<void> {
    await everybody.did('PUT', `sem/${FACT}`, { body: { value: 'blue', notes: 'seen' } });
    await everybody.did('PUT', `sem/${SIMILAR}`, { body: { value: 'far' } });
    const { snapshots } = await everybody.post<{ snapshots: { sem_snapshot_id: string } }>('jobs', {
      job_seed: 'watch',
    });
    const { episodic_id } = await everybody.post<{ episodic_id: string }>('jobs/watch/episodes', {
      summary: 'the sky was blue',
      payload: { colour: 'blue' },
    });
    await everybody.post('jobs/watch/wm', { type: 'fact', value: 'nils@bluewin.test' });
    const { request_id } = await everybody.post<{ request_id: string }>('action-requests', {
      episodic_id,
      target_sem_key: FACT,
      value: 'grey',
      justification: 'It was said.',
    });
    const rejected = await everybody.post<{ request_id: string; proposal_hash: string }>(
      'action-requests',
      { episodic_id, target_sem_key: FACT, value: 'red', justification: 'It was said.' },
    );
    const member = await Caller.of(service, 'council', { sub: 'member' });
    await member.post(`action-requests/${rejected.request_id}/votes`, {
      ...{ vote: 'reject', reason: 'No.', proposal_hash: rejected.proposal_hash },
    });
    for (const entity_id of ['C+', 'C#'])
      await everybody.post('sem-keys', {
        ...{ scope: 'world', entity_type: 'language', entity_id, attribute: 'summary' },
      });
    await everybody.did('PUT', 'notes', { body: { namespace: ['n'], key: 'kept', value: 1 } });
    await everybody.post('remember', { text: 'Collects stamps' });
    await everybody.did('PUT', 'threads/checkpoints', {
      body: {
        thread_id: 'watched',
        checkpoint_id: 'c1',
        checkpoint: {},
        metadata: { step: 0 },
        channel_versions: {},
        channel_values: {},
      },
    });
    const posted = await everybody.post<{ log_id: string }>('reflective-logs', { ...aLog() });
    const owner = await Caller.of(service, 'agent', { sub: 'everybody', user_id: 'everybody' });
    await owner.post(`reflective-logs/${posted.log_id}/reviews`, { reason: 'Please look.' });
    await everybody.refused('LOG_INVALID', 'POST', 'reflective-logs', { body: { log_id: 'none' } });
    const talk = {
      assistant: 'test',
      session_id: 'talk',
      memory: { short_term: 1, semantic: true, profile: true },
    };
    for (const user_text of ['I prefer tea over coffee.', 'The sky is blue.', 'And so on.'])
      await everybody.post('memory/interactions', { ...talk, user_text, ai_text: 'Noted.' });
    await everybody.post('integrity/checkpoints');

    const request: Row = {
      table: 'action_requests.request',
      where: `request_id = '${request_id}'`,
      findsBy: ['proposer_sub'],
      leavesOut: ['evidence'],
    };
    const similar: Row = {
      table: 'sem.fact',
      where: `key = '${SIMILAR}'`,
      findsBy: ['key', 'is_current'],
    };
    const closed: Row = {
      table: 'action_requests.request',
      where: `request_id = '${rejected.request_id}'`,
      findsBy: ['decided_at'],
      leavesOut: ['evidence'],
    };
    const vote: Row = {
      table: 'action_requests.vote',
      where: `request_id = '${rejected.request_id}'`,
      findsBy: ['request_id'],
    };
    const period = 'from=2020-01-01T00:00:00Z&to=2100-01-01T00:00:00Z';
    reads.push(
      { path: 'sem?prefix=world/', rows: [factRow] },
      { path: `sem/${FACT}`, rows: [{ ...factRow, findsBy: ['key'] }] },
      { path: `sem/${FACT}?version=0`, rows: [putRow] },
      { path: `sem/${FACT}?snapshot_id=${snapshots.sem_snapshot_id}`, rows: [putRow] },
      { path: 'action-requests', rows: [{ ...request, findsBy: [] }] },
      { path: `action-requests/${request_id}/dossier`, rows: [request, similar] },
      { path: `action-requests/figures?${period}`, rows: [closed, vote] },
      {
        path: 'action-requests/rechecks',
        method: 'POST',
        body: { request_ids: [request_id] },
        rows: [{ ...request, findsBy: ['request_id'], leavesOut: [] }],
      },
    );
    // These fill other tables.
    await everybody.get(`sem/${FACT}?job_seed=watch`);
    const person = await Caller.of(service, 'user', { sub: 'everybody', user_id: 'everybody' });
    const consent = { text: 'Keep it.', scope: 'persistent' };
    const { consent_id } = await person.post<{ consent_id: string }>('consents', consent);
    await person.post(`consents/${consent_id}/revocation`);
    await member.post(`action-requests/${request_id}/snoozes`, { until: '2099-01-01T00:00:00Z' });
  }

  const ask = ({ path, method, body }: Read, options: AskOptions = {}) =>
    everybody.ask<ErrorEnvelope & Record<string, unknown>>(method ?? 'GET', path, {
      ...(body === undefined ? {} : { body }),
      ...options,
    });

  /** Rebuilds read models from the log, and waits until it is done. */
  async function rebuild(...names: readonly string[]): Promise<void> {
    for (const name of names) await everybody.post(`projections/${name}/rebuild`);
    await until('the read models are rebuilt', async () =>
      (await projections()).every(({ rebuilding }) => !rebuilding),
    );
  }

  const projections = async () =>
    (await everybody.get<{ projections: readonly ProjectionStatus[] }>('projections')).projections;

  const differences = async () =>
    (await projections())
      .flatMap(({ differences }) => differences)
      .sort((left, right) => (left.table < right.table ? -1 : 1));

  /** Returns the columns of a table, each with its type. */
  async function columnsOf(table: string): Promise<readonly (readonly [string, string])[]> {
    const { rows: columns } = await rows.query<{ name: string; type: string }>(
      `select attname as name, format_type(atttypid, null) as type from pg_attribute
       where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
      [table],
    );
    return columns.map(({ name, type }) => [name, type]);
  }

  /** Returns the columns of a table, each with SQL that makes another value of its type. */
  const changesOf = async (table: string): Promise<readonly (readonly [string, string])[]> =>
    (await columnsOf(table)).map(([name, type]) => {
      if (type === 'boolean') return [name, `not ${name}`];
      if (type === 'bytea') return [name, `${name} || '\\x00'`];
      return [name, OTHER_VALUES[type] ?? `coalesce(${name}, 0) + 1000`];
    });

  /** Changes one column of a row during `work`. */
  async function changed(
    { table, where }: Row,
    [column, change]: readonly [string, string],
    work: () => Promise<void>,
  ): Promise<void> {
    const { rows: found } = await rows.query<{ ctid: string; value: unknown; type: string }>(
      `select ctid::text, ${column}::text as value, pg_typeof(${column})::text as type
       from ${table} where ${where} limit 1`,
    );
    const [row] = found;
    ensure(row);
    const set = async (at: string, value: string, values: unknown[] = []): Promise<string> => {
      const sql = `update ${table} set ${column} = ${value} where ctid = '${at}' returning ctid::text`;
      const [now] = (await rows.query<{ ctid: string }>(sql, values)).rows;
      ensure(now);
      return now.ctid;
    };
    const at = await set(row.ctid, change);
    try {
      await work();
    } finally {
      await set(at, `$1::${row.type}`, [row.value]);
    }
  }

  it('each route that reads facts, requests or votes refuses a row of which any column was changed, and shows nothing of the change', async () => {
    for (const read of reads) {
      const honest = await ask(read);
      expect([read.path, honest.status]).toStrictEqual([read.path, 200]);
      for (const row of read.rows)
        for (const change of await changesOf(row.table)) {
          const [column] = change;
          const { findsBy = [], leavesOut = [] } = row;
          const isHidden = findsBy.includes(column) || leavesOut.includes(column);
          await changed(row, change, async () => {
            const { body } = await ask(read);
            const said = { path: read.path, table: row.table, column };
            if (!isHidden)
              expect({ ...said, code: body.error_code }).toStrictEqual({
                ...said,
                code: 'INTEGRITY_FAILURE',
              });
            expect({ ...said, body: JSON.stringify(body) }).toStrictEqual({
              ...said,
              body: expect.not.stringContaining(MARK),
            });
          });
        }
      // The row is as it was, so the answer is, byte for byte.
      expect((await ask(read)).body).toStrictEqual(honest.body);
    }
  }, 120_000);

  it('an entry of the Redis cache that was changed, cut or moved to another key is named, and the read answers from the row', async () => {
    const redis = await startTestRedis();
    const cached = await TestService.start({
      servers: { eventStore: service.eventStore, postgres: service.postgres },
      environment: { MACE_REDIS_URL: redis.url },
    });
    const client = createClient({ url: redis.url });
    await client.connect();
    try {
      const reader = await Caller.of(cached, 'admin');
      const other = 'world/fact/sea/value';
      await everybody.did('PUT', `sem/${other}`, { body: { value: 'green' } });
      const entries = async () =>
        (await client.keys('*:fact:*')).filter((key) => key.endsWith(FACT) || key.endsWith(other));
      await until('both facts are cached', async () => {
        for (const key of [FACT, other]) await reader.get(`sem/${key}`);
        return (await entries()).length === 2;
      });
      const [at] = (await entries()).filter((key) => key.endsWith(FACT));
      ensure(at);
      const moved = at.replace(FACT, other);
      const [entry, otherEntry] = [await client.get(at), await client.get(moved)];
      ensure(entry && otherEntry);
      const forgeries = [
        [at, entry.replace('blue', MARK)],
        [at, `${entry.slice(0, entry.lastIndexOf('\n'))}\nnull`],
        [at, entry.split('\n').slice(0, 3).join('\n')],
        [moved, entry],
      ] as const;
      const alarms = async (): Promise<number> => {
        const { body } = await cached.call<string>('GET', '/metrics');
        return Number(/^mace_changed_rows_total\{table="redis"\} (\d+)$/m.exec(body)?.[1] ?? 0);
      };
      for (const [index, [key, forged]] of forgeries.entries()) {
        await client.set(key, forged);
        const { value } = await reader.get(`sem/${key === at ? FACT : other}`);
        expect([index, value]).toStrictEqual([index, key === at ? 'blue' : 'green']);
        expect([index, await alarms()]).toStrictEqual([index, index + 1]);
        await client.set(at, entry);
        await client.set(moved, otherEntry);
      }
      const { body } = await cached.call<{ details: Record<string, unknown> }>(
        'GET',
        '/health/ready',
      );
      expect(body.details['rows']).toMatchObject({ status: 'up', found: 2 });
      expect(cached.log.filter(({ type }) => type === 'row_changed')).toHaveLength(2);
    } finally {
      client.destroy();
      await cached.stop();
      await redis.stop();
    }
  });

  it('a row of a fact that was copied to another key with its MAC is refused there, and named in log, metric and health', async () => {
    const other = 'world/fact/ground/value';
    await everybody.did('PUT', `sem/${other}`, { body: { value: 'brown' } });
    await everybody.get('sem?prefix=world/');
    await rows.query(
      `delete from sem.fact where key = '${other}';
       insert into sem.fact select (jsonb_populate_record(fact, jsonb_build_object('key', '${other}'))).*
         from sem.fact where key = '${FACT}'`,
    );
    for (const path of [`sem/${other}`, 'sem?prefix=world/fact/ground/'])
      await everybody.refused('INTEGRITY_FAILURE', 'GET', path);
    const { body } = await service.call<{ details: Record<string, unknown> }>(
      'GET',
      '/health/ready',
    );
    expect(body.details['rows']).toMatchObject({ status: 'up' });
    expect(JSON.stringify(body.details['rows'])).toContain('sem.fact');
    expect(service.log).toContainEqual(
      expect.objectContaining({ type: 'row_changed', table: 'sem.fact', level: 'error' }),
    );
    const { body: metrics } = await service.call<string>('GET', '/metrics');
    expect(metrics).toMatch(/^mace_changed_rows_total\{table="sem\.fact"\} [1-9]/m);
    await rebuild('sem');
  });

  /** Returns all tables of all read models. */
  async function allTables(): Promise<readonly string[]> {
    const { rows: found } = await rows.query<{ name: string }>(
      `select table_schema || '.' || table_name as name from information_schema.tables
       where table_schema = any($1) and table_name <> 'checkpoint' order by 1`,
      [READ_MODELS.map(({ name }) => name)],
    );
    return found.map(({ name }) => name);
  }

  const keyOf = async (table: string): Promise<readonly string[]> => {
    const { rows: found } = await rows.query<{ name: string }>(
      `select attname as name from pg_index join pg_attribute on attrelid = indrelid and attnum = any(indkey)
       where indisprimary and indrelid = $1::regclass`,
      [table],
    );
    return found.map(({ name }) => name);
  };

  /** Deletes one row of a table, changes it outside its key, or adds one. Returns false if there is no such row or column. */
  async function tamper(table: string, difference: Difference): Promise<boolean> {
    const key = await keyOf(table);
    const changes = (await changesOf(table)).filter(([name]) => name !== 'mac');
    const one = `ctid = (select ctid from ${table} limit 1)`;
    if (difference === 'missing')
      return (await rows.query(`delete from ${table} where ${one}`)).rowCount === 1;
    if (difference === 'changed') {
      const change = changes.find(([name]) => !key.includes(name));
      if (change === undefined) return false;
      return (
        (await rows.query(`update ${table} set ${change.join(' = ')} where ${one}`)).rowCount === 1
      );
    }
    const columns = (await columnsOf(table)).map(([, type]) => OTHER_VALUES[type] ?? '1000');
    return (await rows.query(`insert into ${table} values (${columns.join(', ')})`)).rowCount === 1;
  }

  it.each<Difference>(['missing', 'changed', 'extra'])(
    'a comparison with the log names the %s row in each table of each read model, in log, metric, health and list, and replaces it',
    async (difference) => {
      const named = READ_MODELS.flatMap(({ namedTables = [] }) => namedTables);
      const tables = await allTables();
      expect(tables).toEqual(expect.arrayContaining(named));
      const tampered: string[] = [];
      for (const table of tables) if (await tamper(table, difference)) tampered.push(table);
      expect(tables.filter((table) => !tampered.includes(table))).toStrictEqual(MISSED[difference]);
      const seen = service.log.length;
      await rebuild(...READ_MODELS.map(({ name }) => name));

      const found = await differences();
      expect(found.map(({ key, ...rows }) => ({ ...rows, isNamed: key !== null }))).toStrictEqual(
        tampered.map((table) => ({ table, difference, count: 1, isNamed: named.includes(table) })),
      );
      const lines = service.log.slice(seen).filter(({ type }) => type === 'rows_differ');
      expect(lines.map(({ table }) => table).sort()).toStrictEqual(tampered);
      const { body: metrics } = await service.call<string>('GET', '/metrics');
      for (const table of tampered)
        expect(metrics).toContain(
          `mace_different_rows{table="${table}",difference="${difference}"} 1`,
        );
      const { body: health } = await service.call<{ details: Record<string, unknown> }>(
        'GET',
        '/health/ready',
      );
      expect(health.details['projection_jobs']).toMatchObject({
        status: 'up',
        differences: found.filter(({ table }) => table.startsWith('jobs.')),
      });
      await rebuild(...READ_MODELS.map(({ name }) => name));
      expect(await differences()).toStrictEqual([]);
    },
    120_000,
  );

  it('the key of an added row that contains personal data or is long is shown without it', async () => {
    await rows.query(`insert into sem.owner values ('nils@bluewin.test', 'x'), ($1, 'x')`, [
      'k'.repeat(1_000),
    ]);
    await rebuild('sem');
    const found = (await differences()).filter(({ table }) => table === 'sem.owner');
    expect(found).toHaveLength(2);
    expect(JSON.stringify(found)).not.toContain('bluewin');
    for (const { key } of found) expect(key?.length).toBeLessThanOrEqual(200);
  });
});
