import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { READ_MODEL_NAMES } from '#apps/api/platform/http/reads-from.decorator.js';
import { API_ROLE } from '#read-model/api-role.js';
import { PositionWatch } from '#read-model/position-watch.js';
import { Postgres } from '#read-model/postgres.js';
import { Caller } from '#test/support/caller.js';
import { productProjections } from '#test/support/product-projections.js';
import { TestService } from '#test/support/service.js';
import { named } from '#test/support/named.js';

const OF_A_READ_MODEL = new RegExp(`\\b(${READ_MODEL_NAMES.join('|')})\\.(?!checkpoint)\\w`, 'g');
/** Texts in the statements of the process managers, which no route waits for. */
const IN_THE_BACKGROUND = ['obligations.', 'order by expires_at'];
const FIRST = '0';

/**
 * For each route that reads stored data, an example of its path, keyed by its pattern in openapi.json.
 */
const GETS: Readonly<Record<string, (world: World) => string>> = {
  '/v1/jobs': () => 'jobs',
  '/v1/jobs/{seed}': () => `jobs/${named('known')}`,
  '/v1/jobs/{seed}/events': () => `jobs/${named('known')}/events`,
  '/v1/jobs/{seed}/knew': () => `jobs/${named('known')}/knew`,
  '/v1/jobs/{seed}/timeline': () => `jobs/${named('known')}/timeline`,
  '/v1/jobs/{seed}/states/{number}': () => `jobs/${named('known')}/states/0`,
  '/v1/jobs/{seed}/bundle': () => `jobs/${named('known')}/bundle`,
  '/v1/sem': () => 'sem?prefix=world/',
  '/v1/sem/{scope}/{entity_type}/{entity_id}/{attribute}': () =>
    `sem/world/fact/${named('sky')}/value`,
  '/v1/sem/{scope}/{entity_type}/{entity_id}/{attribute}/history': () =>
    `sem/world/fact/${named('sky')}/value/history`,
  '/v1/sem-snapshots/{id}': ({ snapshot }) => `sem-snapshots/${snapshot}`,
  '/v1/episodes/{id}': ({ episode }) => `episodes/${episode}`,
  '/v1/why': ({ episode }) => `why?kind=episode&id=${episode}`,
  '/v1/why/reads': ({ episode }) => `why/reads?kind=episode&id=${episode}`,
  '/v1/why/accesses': ({ episode }) => `why/accesses?kind=episode&id=${episode}`,
  '/v1/action-requests': () => 'action-requests',
  '/v1/action-requests/{id}': ({ request }) => `action-requests/${request}`,
  '/v1/action-requests/{id}/dossier': ({ request }) => `action-requests/${request}/dossier`,
  '/v1/action-requests/{id}/receipts/{number}': ({ request }) =>
    `action-requests/${request}/receipts/0`,
  '/v1/action-requests/figures': () => 'action-requests/figures',
  '/v1/consents': () => 'consents',
  '/v1/conversations/{id}/items': () => 'conversations/none/items',
  '/v1/conversations/{id}/bundle': () => 'conversations/none/bundle',
  '/v1/threads/bundle': () => 'threads/bundle?thread_id=none',
  '/v1/threads/checkpoints': () => 'threads/checkpoints?thread_id=none',
  '/v1/erasures/{id}': ({ request }) => `erasures/${request}`,
  '/v1/reflective-logs': () => 'reflective-logs',
  '/v1/reflective-logs/{id}': ({ log }) => `reflective-logs/${log}`,
  '/v1/quarantine': () => 'quarantine',
  '/v1/reviews': () => 'reviews',
  '/v1/memories': () => 'memories',
  '/v1/memories/bundle': () => 'memories/bundle',
  '/v1/memories/{memory_id}': () => 'memories/mem:00000000-0000-5000-8000-000000000000',
  '/v1/notes/bundle': () => 'notes/bundle?namespace=a&key=b',
  '/v1/notes': () => 'notes?namespace=a&key=b',
  '/v1/collisions': () => 'collisions',
  '/v1/retention': () => 'retention',
  '/v1/streams/bundle': () => 'streams/bundle?stream=log-identity',
  '/v1/positions/bundle': () => `positions/bundle?at=${new Date().toISOString()}`,
  '/v1/positions': () => 'positions?at=2020-01-01T00:00:00Z',
  '/v1/memory': () => 'memory',
  '/v1/memory/sessions': () => 'memory/sessions?user_id=reader',
  '/v1/memory/{space}/{owner}': () => `memory/session/${named('talk')}`,
  '/v1/memory/{space}/{owner}/phases': () => `memory/session/${named('talk')}/phases`,
  '/v1/memory/{space}/{owner}/phases/diff': () =>
    `memory/session/${named('talk')}/phases/diff?from=1&to=1`,
  '/v1/memory/{space}/{owner}/traces': () => `memory/session/${named('talk')}/traces`,
  '/v1/memory/{space}/{owner}/turns': () => `memory/session/${named('talk')}/turns`,
  '/v1/events': () => 'events?until=end',
  '/v1/integrity/findings': () => 'integrity/findings',
  '/v1/integrity/runs': () => 'integrity/runs',
  '/v1/integrity/checkpoints': () => 'integrity/checkpoints',
  '/v1/integrity/checkpoints/{checkpoint_id}': () => 'integrity/checkpoints/none',
  '/v1/integrity/comparisons': () => 'integrity/comparisons',
  '/v1/oversight/accesses': () => 'oversight/accesses',
  '/v1/oversight/accesses/{position}/receipt': () => 'oversight/accesses/1/receipt',
  '/v1/oversight/refusals': () => 'oversight/refusals',
  '/v1/oversight/consents': () => 'oversight/consents',
  '/v1/console/sign-in': () => 'console/sign-in',
  '/v1/console/session': () => 'console/session',
  '/v1/projections': () => 'projections',
  '/v1/admin/queue': () => 'admin/queue',
  '/v1/admin/status': () => 'admin/status',
};
const QUERIES = [
  ['action-requests/rechecks', { request_ids: ['none'] }],
  ['notes/list', {}],
  ['notes/namespaces', {}],
  ['notes/history', { namespace: ['a'], key: 'b' }],
  ['episodes/query', { query_terms: 'cerulean' }],
  ['search', { query: 'cerulean' }],
  ['threads/list', {}],
  ['sem-aliases/resolve', { text: 'what is my favorite color', user_id: named('Ada') }],
] as const;

interface World {
  readonly snapshot: string;
  readonly episode: string;
  readonly request: string;
  readonly log: string;
}

describe('C1 The read models that each route waits for', () => {
  let service: TestService;
  let everybody: Caller;
  /** This caller has written nothing, so a read waits only if the request asks for it. */
  let reader: Caller;
  let world: World;
  let read = new Set<string>();
  let awaited = new Set<string>();
  const query = Reflect.get(Postgres.prototype, 'query');
  const waitFor = Reflect.get(PositionWatch.prototype, 'waitFor');

  beforeAll(async () => {
    Postgres.prototype.query = function (this: Postgres, ...asked: Parameters<typeof query>) {
      const text = typeof asked[0] === 'string' ? asked[0] : asked[0].text;
      if (this.role === API_ROLE && !IN_THE_BACKGROUND.some((part) => text.includes(part)))
        for (const [, name = ''] of text.matchAll(OF_A_READ_MODEL)) read.add(name);
      return query.apply(this, asked) as never;
    };
    PositionWatch.prototype.waitFor = function (this: PositionWatch, names, position, ms) {
      if (position === BigInt(FIRST)) for (const name of names) awaited.add(name);
      return waitFor.call(this, names, position, ms);
    };
    service = await TestService.start({
      environment: { MACE_VERIFY_LOGS_MINUTES: '0' },
      // With modules of the test's own, the service uses the classes above, whose methods are replaced.
      more: [],
    });
    everybody = await Caller.of(service, ['agent', 'council', 'admin', 'auditor']);
    reader = await Caller.of(service, ['agent', 'council', 'admin', 'auditor'], {
      sub: named('reader'),
    });
    world = await aWorld();
  });
  afterAll(async () => {
    Postgres.prototype.query = query;
    PositionWatch.prototype.waitFor = waitFor;
    await service?.stop();
  });

  async function aWorld(): Promise<World> {
    await everybody.did('PUT', `sem/world/fact/${named('sky')}/value`, {
      body: { value: 'cerulean' },
    });
    const { snapshots } = await everybody.post<{ snapshots: { sem_snapshot_id: string } }>('jobs', {
      job_seed: named('known'),
    });
    const { episodic_id } = await everybody.post(`jobs/${named('known')}/episodes`, {
      summary: 'cerulean',
    });
    const episode = String(episodic_id);
    const { request_id } = await everybody.post('action-requests', {
      episodic_id: episode,
      target_sem_key: `world/fact/${named('sky')}/value`,
      value: 'azure',
      justification: 'It was said.',
    });
    await everybody.post(`jobs/${named('known')}/end`);
    const { reflective_logs } = await everybody.get<{ reflective_logs: { log_id: string }[] }>(
      'reflective-logs',
    );
    await everybody.post('memory/interactions', {
      assistant: 'test',
      session_id: named('talk'),
      memory: { short_term: 4, semantic: true, profile: true },
      user_text: 'My favorite color is cerulean.',
      ai_text: 'Noted.',
    });
    return {
      snapshot: snapshots.sem_snapshot_id,
      episode,
      request: String(request_id),
      log: reflective_logs[0]?.log_id ?? '',
    };
  }

  async function declares(method: string, path: string, body?: object): Promise<void> {
    read = new Set();
    awaited = new Set();
    const answer = await reader.ask(method, path, {
      after: FIRST,
      ...(body === undefined ? {} : { body }),
    });
    expect(answer.status).toBeLessThan(500);
    expect(answer.status).not.toBe(400);
    expect([...read].filter((name) => !awaited.has(name))).toStrictEqual([]);
  }

  it('this test has an example of every read route', async () => {
    const { body } = await service.call<{ paths: Record<string, object> }>('GET', '/openapi.json');
    const gets = Object.entries(body.paths).flatMap(([path, methods]) =>
      'get' in methods ? [path] : [],
    );
    expect(Object.keys(GETS).toSorted()).toStrictEqual(gets.toSorted());
  });

  it('the declared read models exist', async () => {
    const projections = await productProjections();
    expect([...READ_MODEL_NAMES].toSorted()).toStrictEqual(
      projections.map(({ name }) => name).toSorted(),
    );
  });

  for (const [pattern, path] of Object.entries(GETS))
    it(`GET ${pattern} declares the read models that it reads from`, () =>
      declares('GET', path(world)));

  for (const [path, body] of QUERIES)
    it(`POST /v1/${path} declares the read models that it reads from`, () =>
      declares('POST', path, body));

  it('a query declares the read models that it reads from', async () => {
    await declares('POST', 'episodes/query', { query_terms: 'cerulean' });
    expect([...read].toSorted()).toStrictEqual(['episodes', 'sem']);
  });
});
