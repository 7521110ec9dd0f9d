import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { ErrorEnvelope } from '#domain/errors/envelope.js';
import { ROLES } from '#platform/auth/roles.js';
import { Caller, type AskOptions } from '#test/support/caller.js';
import type { OpenApi } from '#test/support/described-answers.js';
import { ensure } from '#test/support/ensure.js';
import { aLog } from '#test/support/reflective-logs.js';
import { TestService } from '#test/support/service.js';
import { createClient } from 'redis';
import { startTestRedis } from '#test/support/redis.js';
import type { IntegrityReport } from '#client/integrity.js';
import { until } from '#test/faults/support/until.js';

const FACT = 'world/fact/sky/value';
const MEMORY = 'memory/session/talk';
const MARK = 'put in by hand';

/** A row behind a route: its table, and an SQL condition that holds only for it. */
interface Row {
  readonly table: string;
  readonly where: string;
  /** The columns by which the route finds the row: a changed one hides it. */
  readonly findsBy?: readonly string[];
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
  /** The reads behind each GET route of openapi.json, and behind the POST that reads only. */
  const reads = new Map<string, readonly Read[]>();
  /** The GET routes that answer from the log, from this process, or from tables that show no memory. */
  const withoutRows = new Map([
    ['/v1/jobs/{seed}', 'the stream'],
    ['/v1/jobs/{seed}/events', 'the stream'],
    ['/v1/jobs/{seed}/timeline', 'the stream'],
    ['/v1/jobs/{seed}/states/{number}', 'the stream'],
    ['/v1/jobs/{seed}/bundle', 'the stream'],
    ['/v1/action-requests/{id}', 'the stream'],
    ['/v1/action-requests/{id}/receipts/{number}', 'the stream'],
    ['/v1/consents', 'the stream'],
    ['/v1/erasures/{id}', 'the stream'],
    ['/v1/memory/{space}/{owner}', 'the stream'],
    ['/v1/memory/{space}/{owner}/phases', 'the stream'],
    ['/v1/memory/{space}/{owner}/phases/diff', 'the stream'],
    ['/v1/integrity/findings', 'this process'],
    ['/v1/integrity/runs', 'rows that are no read model'],
    ['/v1/admin/status', 'this process'],
    ['/v1/conversations/{id}/bundle', 'the stream'],
    ['/v1/conversations/{id}/items', 'the stream'],
    ['/v1/sem/{scope}/{entity_type}/{entity_id}/{attribute}/history', 'the stream'],
    ['/v1/events', 'the log'],
    ['/v1/notes', 'the stream'],
    ['/v1/notes/bundle', 'the stream'],
    ['/v1/threads/bundle', 'the stream'],
    ['/v1/threads/checkpoints', 'the stream'],
    ['/v1/console/sign-in', 'the settings'],
    ['/v1/console/session', 'the token'],
    ['/v1/projections', 'the state of the projector, which is no memory'],
    ['/v1/admin/queue', 'rows that are no read model; their test is golden/002-T31'],
  ]);

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
    const job = await everybody.post<{ snapshots: { sem_snapshot_id: string } }>('jobs', {
      job_seed: 'watch',
    });
    const snapshot = job.snapshots.sem_snapshot_id;
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

    const log: Row = {
      table: 'reflective_logs.reflective_log_stage0',
      where: `log_id = '${posted.log_id}'`,
    };
    const entry: Row = {
      table: 'episodes.entry',
      where: `episodic_id = '${episodic_id}'`,
      findsBy: ['episodic_id', 'ordinal'],
    };
    const pinned = `hash = '${snapshot.slice(4)}'`;
    const pin: Row = { table: 'jobs.pinned_snapshot', where: pinned, findsBy: ['hash'] };
    reads.set('/v1/sem', [{ path: 'sem?prefix=world/', rows: [factRow] }]);
    reads.set('/v1/sem/{scope}/{entity_type}/{entity_id}/{attribute}', [
      { path: `sem/${FACT}`, rows: [{ ...factRow, findsBy: ['key'] }] },
      { path: `sem/${FACT}?version=0`, rows: [putRow] },
      { path: `sem/${FACT}?snapshot_id=${snapshot}`, rows: [putRow, pin] },
    ]);
    reads.set('/v1/sem-snapshots/{id}', [
      { path: `sem-snapshots/${snapshot}`, rows: [putRow, pin] },
    ]);
    reads.set('/v1/jobs', [
      { path: 'jobs', rows: [{ table: 'jobs.job', where: `job_seed = 'watch'` }] },
    ]);
    reads.set('/v1/action-requests', [
      {
        path: 'action-requests',
        rows: [{ table: 'action_requests.request', where: `request_id = '${request_id}'` }],
      },
    ]);
    const request: Row = {
      table: 'action_requests.request',
      where: `request_id = '${request_id}'`,
      findsBy: ['proposer_sub'],
    };
    reads.set('/v1/action-requests/{id}/dossier', [
      { path: `action-requests/${request_id}/dossier`, rows: [request, entry] },
    ]);
    reads.set('POST /v1/action-requests/rechecks', [
      {
        path: 'action-requests/rechecks',
        method: 'POST',
        body: { request_ids: [request_id] },
        rows: [{ ...request, findsBy: ['request_id'] }, entry],
      },
    ]);
    const closed: Row = {
      table: 'action_requests.request',
      where: `request_id = '${rejected.request_id}'`,
      findsBy: ['decided_at'],
    };
    const period = 'from=2020-01-01T00:00:00Z&to=2100-01-01T00:00:00Z';
    reads.set('/v1/action-requests/figures', [
      { path: `action-requests/figures?${period}`, rows: [closed] },
    ]);
    reads.set('/v1/collisions', [
      {
        path: 'collisions',
        rows: [{ table: 'collisions.collision', where: 'true', findsBy: ['closed_at'] }],
      },
    ]);
    const note: Row = { table: 'notes.note', where: `key = 'kept'` };
    const listed = {
      method: 'POST' as const,
      body: {},
      rows: [{ ...note, findsBy: ['owner', 'is_current'] }],
    };
    reads.set('POST /v1/notes/list', [{ path: 'notes/list', ...listed }]);
    reads.set('POST /v1/notes/namespaces', [{ path: 'notes/namespaces', ...listed }]);
    reads.set('POST /v1/threads/list', [
      {
        path: 'threads/list',
        method: 'POST',
        body: {},
        rows: [
          {
            table: 'threads.graph_checkpoint',
            where: `checkpoint_id = 'c1'`,
            findsBy: ['owner', 'hidden_number'],
          },
        ],
      },
    ]);
    const person = await Caller.of(service, 'user', { sub: 'everybody', user_id: 'everybody' });
    await person.post('consents', { text: 'Keep it.', scope: 'persistent' });
    await everybody.get('jobs/watch?unredacted=true');
    for (const [list, type] of [
      ['accesses', 'admin_access_event'],
      ['refusals', 'command_refused'],
    ])
      reads.set(`/v1/oversight/${list}`, [
        {
          // The routes above have refused more reads than a page has by default.
          path: `oversight/${list}?sub=everybody&limit=100`,
          rows: [
            {
              table: 'oversight.audit_entry',
              where: `type = '${type}'`,
              findsBy: ['type', 'sub', 'position'],
            },
          ],
        },
      ]);
    reads.set('/v1/oversight/consents', [
      {
        path: 'oversight/consents',
        rows: [{ table: 'oversight.consent', where: 'true', findsBy: ['position'] }],
      },
    ]);
    reads.set('/v1/retention', [
      { path: 'retention', rows: [{ table: 'sealed_values.sealed_value', where: 'true' }] },
    ]);
    reads.set('/v1/episodes/{id}', [{ path: `episodes/${episodic_id}`, rows: [entry] }]);
    const body = { query_terms: 'the sky' };
    reads.set('POST /v1/episodes/query', [
      { path: 'episodes/query', method: 'POST', body, rows: [entry] },
    ]);
    const asked = { query: 'the sky was blue', kinds: ['episode'] };
    const { as_of } = await everybody.post('search', asked);
    reads.set('POST /v1/search', [
      {
        path: 'search',
        method: 'POST',
        body: { ...asked, as_of },
        rows: [
          {
            table: 'search.entry',
            where: `id = '${episodic_id}'`,
            findsBy: ['partition', 'ordinal'],
          },
        ],
      },
    ]);
    reads.set('/v1/reflective-logs', [{ path: 'reflective-logs', rows: [log] }]);
    reads.set('/v1/reflective-logs/{id}', [
      {
        path: `reflective-logs/${posted.log_id}`,
        // A row whose signature is wrong is shown as such (002-log-T3).
        rows: [{ ...log, findsBy: ['log_id'] }],
      },
    ]);
    reads.set('/v1/quarantine', [
      { path: 'quarantine', rows: [{ table: 'reflective_logs.quarantine', where: 'true' }] },
    ]);
    const review: Row = {
      table: 'reflective_logs.review',
      where: `log_id = '${posted.log_id}'`,
      findsBy: ['log_id', 'resolved_at'],
    };
    reads.set('/v1/reviews', [
      { path: 'reviews', rows: [review, { ...log, findsBy: ['log_id'] }] },
    ]);
    await everybody.get(`sem/${FACT}?job_seed=watch`);
    const [{ id: itemId } = { id: '' }] = (await everybody.get<{ items: { id: string }[] }>(MEMORY))
      .items;
    const itemRow: Row = {
      table: 'memory_items.item',
      where: `id = '${itemId}'`,
      findsBy: ['id'],
    };
    reads.set('/v1/memory', [
      {
        path: 'memory?space=session&prefix=talk',
        rows: [
          {
            table: 'memory_items.store',
            where: `stream = 'memory-session:talk'`,
            findsBy: ['stream'],
          },
        ],
      },
    ]);
    reads.set('/v1/why', [
      {
        path: `why?kind=episode&id=${episodic_id}`,
        rows: [{ ...entry, findsBy: ['episodic_id'] }],
      },
      { path: `why?kind=memory_item&id=${itemId}`, rows: [itemRow] },
    ]);
    reads.set('/v1/why/reads', [
      {
        path: `why/reads?kind=fact&id=${FACT}`,
        rows: [{ table: 'reads.read', where: `what = '${FACT}'`, findsBy: ['what'] }],
      },
    ]);
    await everybody.get(`sem/${FACT}?unredacted=true`);
    reads.set('/v1/why/accesses', [
      {
        path: `why/accesses?kind=fact&id=${FACT}`,
        rows: [
          {
            table: 'oversight.audit_entry',
            where: `about = 'sem-${FACT}'`,
            findsBy: ['type', 'about', 'position'],
          },
        ],
      },
    ]);
    reads.set('/v1/memory/{space}/{owner}/traces', [
      {
        path: `${MEMORY}/traces`,
        rows: [
          {
            table: 'memory_items.item',
            where: `id = (select id from memory_items.item where summary_after is not null limit 1)`,
            findsBy: ['stream'],
          },
          { table: 'memory_items.policy', where: 'true', findsBy: ['policy_hash'] },
        ],
      },
    ]);
  }

  const ask = ({ path, method, body }: Read, options: AskOptions = {}) =>
    everybody.ask<ErrorEnvelope & Record<string, unknown>>(method ?? 'GET', path, {
      ...(body === undefined ? {} : { body }),
      ...options,
    });

  /** Rebuilds a read model from the log, and waits until it is done. */
  async function rebuild(name: string): Promise<void> {
    await everybody.post(`projections/${name}/rebuild`);
    await until('the read model is rebuilt', async () => {
      const { projections } = await everybody.get<{ projections: { rebuilding: boolean }[] }>(
        'projections',
      );
      return projections.every(({ rebuilding }) => !rebuilding);
    });
  }

  /** Returns the columns of a table, each with SQL that makes another value of its type. */
  async function changesOf(table: string): Promise<readonly (readonly [string, string])[]> {
    const { rows: columns } = await rows.query<{ name: string; type: string }>(
      `select attname as name, format_type(atttypid, null) as type from pg_attribute
       where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
      [table],
    );
    return columns.map(({ name, type }) => {
      if (type === 'boolean') return [name, `not ${name}`];
      if (type === 'jsonb') return [name, `'"${MARK}"'`];
      if (type === 'bytea') return [name, `set_byte(${name}, 0, 255 - get_byte(${name}, 0))`];
      if (type === 'text[]') return [name, `array['${MARK}']`];
      if (type === 'text') return [name, `'${MARK}'`];
      return [name, `coalesce(${name}, 0) + 1000`];
    });
  }

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

  it('every GET route of openapi.json is in this test, with the rows from which it answers', async () => {
    const { body } = await service.call<OpenApi>('GET', '/openapi.json');
    const routes = Object.entries(body.paths)
      .filter(([, operations]) => 'get' in operations)
      .map(([path]) => path);
    const known = [...reads.keys(), ...withoutRows.keys()].filter((path) => path.startsWith('/'));
    expect(known.sort()).toStrictEqual(routes.sort());
  });

  it('each route refuses a row of which any column was changed, and shows nothing of the change', async () => {
    for (const [route, all] of reads)
      for (const read of all) {
        const honest = await ask(read);
        expect([route, read.path, honest.status]).toStrictEqual([route, read.path, 200]);
        for (const row of read.rows)
          for (const change of await changesOf(row.table)) {
            const [column] = change;
            const isHidden = row.findsBy?.includes(column) ?? false;
            await changed(row, change, async () => {
              const { status, body } = await ask(read);
              const said = { route, path: read.path, table: row.table, column };
              if (status === 200 && body['signature_valid'] === false) return;
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

  it('a row that was copied to another key with its seal is refused there, and named in log, metric and health', async () => {
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

  it('the verification names the stream of each row that was deleted, added or replaced by an older one', async () => {
    const auditor = await Caller.of(service, 'auditor');
    const verify = async () => {
      const { findings } = await auditor.post<IntegrityReport>('integrity/verification');
      return findings.map(({ stream, problem }) => `${stream} ${problem}`).sort();
    };
    expect(await verify()).toStrictEqual([]);
    await rows.query(`
      create temporary table older as select * from sem.fact where key = '${FACT}';
      create temporary table items as select * from memory_items.item`);
    await everybody.did('PUT', `sem/${FACT}`, { body: { value: 'blue', notes: 'seen again' } });
    await everybody.get('sem?prefix=world/');
    await rows.query(`
      delete from sem.fact where key = '${FACT}';
      insert into sem.fact select * from older;
      delete from action_requests.request;
      delete from memory_items.item
        where id = (select id from items where stream = 'memory-session:talk' limit 1)`);
    await rows.query(`update jobs.job set stream = 'job-of-nobody'`);
    expect((await verify()).filter((line) => !line.startsWith('request-'))).toStrictEqual([
      'job-of-nobody row_unknown',
      'job-watch row_missing',
      'memory-session:talk row_outdated',
      `sem-${FACT} row_outdated`,
    ]);
    expect(await verify()).toContainEqual(expect.stringMatching(/^request-.* row_missing$/));
    const { body: metrics } = await service.call<string>('GET', '/metrics');
    expect(metrics).toContain('mace_integrity_findings{category="sem",problem="row_outdated"} 1');
    for (const name of ['sem', 'jobs', 'action_requests', 'memory_items']) await rebuild(name);
    await until('the rebuilt rows agree with the log', async () => (await verify()).length === 0);
  });
});
