import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Caller } from '#test/support/caller.js';
import { EMAIL } from '#test/support/data-subject.js';
import type { OpenApi } from '#test/support/described-answers.js';
import { putNote } from '#test/support/notes.js';
import { aLog, queryAsSuperuser } from '#test/support/reflective-logs.js';
import { requestFields } from '#test/support/request-fields.js';
import {
  type OwnEventStore,
  startOwnEventStore,
  startTestPostgres,
  type TestServer,
} from '#test/support/servers.js';
import { TestService } from '#test/support/service.js';
import { restartWithQuota } from '../faults/support/restart-with-quota.js';
import { until } from '../faults/support/until.js';

type Row = Readonly<Record<string, unknown>>;
type Place = string | number | null;
type Page = Readonly<Record<string, unknown>>;

/** A list that comes in pages. */
interface PagedList {
  /** `METHOD pattern` of openapi.json. */
  readonly operation: string;
  /** What is special in this entry, if the operation has several. */
  readonly with?: string;
  readonly by: () => Caller;
  /** Makes a row of the list; each number makes another row. */
  readonly make: (number: number) => Promise<unknown>;
  /**
   * The path of the list, and the body if the list is read by POST. The test asks for it after the first rows
   * exist.
   */
  readonly path: () => string | Promise<string>;
  readonly body?: object;
  /** The field of the answer that has the rows. */
  readonly rows: string;
  /** The field that names a row; a row of several fields is named by all of them. */
  readonly name?: string;
  /** The parameter that names the place of a page; `next_<it>` of the answer names the place of the next. */
  readonly place?: 'cursor' | 'before' | 'from';
  /** The limit of a page that has every row; default: 100. */
  readonly whole?: number;
}

const ROWS = 12;
/** The rows that are added during a walk, one after each of its first pages. */
const ADDED = 4;
const AT = '2026-01-31T12:00:00.000Z';

describe('A list that comes in pages', () => {
  let eventStore: OwnEventStore;
  let postgres: TestServer;
  let service: TestService;
  let openApi: OpenApi;
  let admin: Caller;
  let agent: Caller;
  let council: Caller;
  let auditor: Caller;
  let job: string;
  let episode: string;
  let made: Promise<unknown> = Promise.resolve();

  const FACT = 'world/pages/read/depth';
  const TURN = { assistant: 'helper', memory: { short_term: 4, semantic: true, profile: true } };
  const CHANGED = 'world/pages/changed/depth';
  const NOTE = { namespace: ['pages', 'history'], key: 'changed' };

  const putFact = (place: string) => (number: number) =>
    admin.did('PUT', `sem/world/${place}/e${number}/depth`, {
      body: { value: number, timestamp: AT },
    });
  const interact = (session_id: string, number: number) =>
    agent.post('memory/interactions', {
      ...TURN,
      ...{ session_id, user_text: `I prefer tea number ${number}.`, ai_text: 'Noted.' },
    });
  const readUnredacted = () => council.get(`episodes/${episode}?unredacted=true`);
  const postLog = () => agent.post<{ log_id: string }>('reflective-logs', aLog());
  /** A note whose key or namespace is sealed, or neither. */
  const putMixedNote = (number: number) => {
    const personal = `lindqvist${number}@bahnhof.test`;
    const namespace = number % 3 === 0 ? ['mixed', personal] : ['mixed', `n${number % 2}`];
    return putNote(agent, namespace, number % 3 === 1 ? personal : `k${number}`, number);
  };
  const propose = (number: number) =>
    agent.post('action-requests', {
      episodic_id: episode,
      target_sem_key: `world/pages/proposed/e${number}`,
      value: number,
      justification: 'It was measured.',
    });
  const queueIn = (order: string): PagedList => ({
    operation: 'GET /v1/action-requests',
    with: order,
    by: () => council,
    make: propose,
    path: () => `action-requests?${order}`,
    rows: 'action_requests',
    name: 'request_id',
  });
  const eventsWith = (conditions: string): PagedList => ({
    operation: 'GET /v1/jobs/{seed}/events',
    with: conditions,
    by: () => agent,
    make: () => agent.post(`jobs/${job}/ticks`),
    path: () => `jobs/${job}/events?${conditions}`,
    rows: 'events',
    name: 'number',
    place: 'from',
  });
  const oneUser = (number: number, name: string) => ({
    sub: name + number,
    user_id: name + number,
  });

  const LISTS: readonly PagedList[] = [
    {
      operation: 'GET /v1/jobs',
      by: () => agent,
      make: (number) => agent.post('jobs', { session_id: `listed-${number}` }),
      path: () => 'jobs',
      rows: 'jobs',
      name: 'job_seed',
    },
    {
      operation: 'GET /v1/jobs/{seed}/knew',
      by: () => agent,
      make: (number) =>
        // The facts are not in the job's snapshot; a read is recorded all the same.
        agent.refused('SEM_NOT_FOUND', 'GET', `sem/world/knew/e${number}/depth?job_seed=${job}`),
      path: () => `jobs/${job}/knew`,
      rows: 'read',
      name: 'id',
    },
    {
      operation: 'GET /v1/sem',
      by: () => agent,
      make: putFact('listed'),
      path: () => 'sem?prefix=world/listed/',
      rows: 'facts',
      name: 'key',
    },
    {
      operation: 'GET /v1/sem-snapshots/{id}',
      by: () => auditor,
      make: putFact('pinned'),
      path: async () => {
        const { snapshots } = await agent.post<{ snapshots: { sem_snapshot_id: string } }>('jobs');
        return `sem-snapshots/${snapshots.sem_snapshot_id}`;
      },
      rows: 'facts',
      name: 'key',
    },
    {
      operation: 'GET /v1/why/reads',
      by: () => agent,
      make: async () => {
        const { job_seed } = await agent.post<{ job_seed: string }>('jobs');
        await agent.get(`sem/${FACT}?job_seed=${job_seed}`);
      },
      path: () => `why/reads?kind=fact&id=${FACT}`,
      rows: 'reads',
      name: 'job_seed',
    },
    {
      operation: 'GET /v1/why/accesses',
      by: () => agent,
      make: readUnredacted,
      path: () => `why/accesses?kind=episode&id=${episode}`,
      rows: 'accesses',
      name: 'event',
    },
    ...[
      'order=oldest',
      'order=newest',
      'order=deadline',
      'order=risk',
      'would_be_refused=false&order=deadline',
    ].map(queueIn),
    {
      operation: 'GET /v1/reflective-logs',
      by: () => agent,
      make: postLog,
      path: () => 'reflective-logs',
      rows: 'reflective_logs',
      name: 'log_id',
    },
    {
      operation: 'GET /v1/quarantine',
      by: () => auditor,
      make: () =>
        agent.refused('LOG_INVALID', 'POST', 'reflective-logs', {
          body: aLog({ final_confidence: 7 }),
        }),
      path: () => 'quarantine',
      rows: 'quarantine',
      name: 'quarantine_id',
    },
    {
      operation: 'GET /v1/reviews',
      by: () => council,
      make: async () => {
        const { log_id } = await postLog();
        await agent.post(`reflective-logs/${log_id}/reviews`, { reason: 'I doubt it.' });
      },
      path: () => 'reviews',
      rows: 'reviews',
      name: 'review_id',
    },
    {
      operation: 'GET /v1/memory',
      by: () => agent,
      make: (number) => interact(`pages-${number}`, number),
      path: () => 'memory?space=session&prefix=pages-',
      rows: 'stores',
      name: 'owner',
    },
    {
      operation: 'GET /v1/memory/sessions',
      by: () => auditor,
      make: async (number) =>
        (await Caller.of(service, 'agent', { sub: 'guide' })).post('memory/interactions', {
          ...TURN,
          ...{ session_id: `walk-${number}`, user_id: 'guided' },
          ...{ user_text: `I walk ${number} miles.`, ai_text: 'Noted.' },
        }),
      path: () => 'memory/sessions?user_id=guided',
      rows: 'sessions',
      name: 'owner',
    },
    {
      operation: 'GET /v1/memory/{space}/{owner}/traces',
      by: () => agent,
      make: (number) => interact('traced', number),
      path: () => 'memory/session/traced/traces',
      rows: 'traces',
      name: 'number',
      place: 'from',
      whole: 500,
    },
    {
      operation: 'GET /v1/collisions',
      by: () => council,
      make: async (number) => {
        for (const sign of ['+', '#'])
          await admin.post('sem-keys', {
            ...{ scope: 'world', entity_type: 'pages', attribute: 'summary' },
            entity_id: `language ${number} ${sign}`,
          });
      },
      path: () => 'collisions',
      rows: 'collisions',
      name: 'collision_id',
    },
    {
      operation: 'GET /v1/retention',
      by: () => auditor,
      make: async (number) => {
        const caller = await Caller.of(service, 'agent', oneUser(number, 'retained'));
        const { job_seed } = await caller.post<{ job_seed: string }>('jobs');
        await caller.post(`jobs/${job_seed}/wm`, { type: 'fact', value: EMAIL });
      },
      path: () => 'retention',
      rows: 'subjects',
      name: 'subject',
    },
    {
      operation: 'GET /v1/oversight/accesses',
      by: () => auditor,
      make: readUnredacted,
      path: () => 'oversight/accesses',
      rows: 'accesses',
      name: 'event',
    },
    {
      operation: 'GET /v1/oversight/refusals',
      by: () => auditor,
      make: async (number) =>
        (await Caller.of(service, 'agent', { sub: `refused-${number}` })).refused(
          ...(['PERMISSION_DENIED', 'POST', `jobs/${job}/ticks`, { body: {} }] as const),
        ),
      path: () => 'oversight/refusals',
      rows: 'refusals',
      name: 'event',
    },
    {
      operation: 'GET /v1/integrity/checkpoints',
      by: () => auditor,
      // A request that comes while one is made gets that one, and so does one that comes before the log grows.
      make: (number) =>
        (made = made.then(async () => {
          await agent.post('remember', { text: `Checkpoint ${number}` });
          await auditor.post('integrity/checkpoints');
        })),
      path: () => 'integrity/checkpoints',
      rows: 'checkpoints',
      name: 'checkpoint_id',
    },
    {
      operation: 'GET /v1/oversight/consents',
      by: () => auditor,
      make: async (number) =>
        (await Caller.of(service, 'user', oneUser(number, 'consenting'))).post('consents', {
          ...{ text: 'Keep what I say.', scope: 'persistent' },
        }),
      path: () => 'oversight/consents',
      rows: 'consents',
      name: 'consent_id',
    },
    {
      operation: 'GET /v1/memories',
      by: () => agent,
      make: (number) =>
        agent.post('remember', {
          text: number % 3 === 0 ? `Mail ${number}@bahnhof.test` : `n${number}`,
        }),
      path: () => 'memories',
      rows: 'memories',
      name: 'id',
    },
    {
      operation: 'POST /v1/notes/list',
      by: () => agent,
      make: putMixedNote,
      path: () => 'notes/list',
      body: { prefix: ['mixed'] },
      rows: 'notes',
      name: 'stream',
    },
    {
      operation: 'POST /v1/notes/namespaces',
      by: () => agent,
      make: (number) =>
        putNote(
          agent,
          ['named', number % 3 === 0 ? `a${number}@bahnhof.test` : `n${number}`],
          'k',
          1,
        ),
      path: () => 'notes/namespaces',
      body: { prefix: ['named'] },
      rows: 'namespaces',
    },
    {
      operation: 'POST /v1/notes/history',
      by: () => agent,
      make: (number) => putNote(agent, NOTE.namespace, NOTE.key, number),
      path: () => 'notes/history',
      body: NOTE,
      rows: 'versions',
      name: 'version',
    },
    {
      operation: 'GET /v1/sem/{scope}/{entity_type}/{entity_id}/{attribute}/history',
      by: () => agent,
      make: (number) =>
        admin.did('PUT', `sem/${CHANGED}`, { body: { value: number, timestamp: AT } }),
      path: () => `sem/${CHANGED}/history`,
      rows: 'events',
      name: 'version',
      place: 'before',
    },
    ...['skip=0', 'kind=input', 'types=ticked'].map(eventsWith),
    {
      operation: 'POST /v1/threads/list',
      by: () => agent,
      make: (number) =>
        agent.did('PUT', 'threads/checkpoints', {
          body: {
            ...{ thread_id: `pages-${number % 2}`, checkpoint_id: `c-${number}` },
            ...{ checkpoint: { ts: AT }, metadata: {}, channel_versions: {}, channel_values: {} },
          },
        }),
      path: () => 'threads/list',
      body: {},
      rows: 'checkpoints',
      name: 'checkpoint_id',
    },
  ];

  /** The only list whose rows need a full log. Writes without a key go to the file of the service. */
  const QUEUE: PagedList = {
    operation: 'GET /v1/admin/queue',
    by: () => admin,
    make: (number) =>
      admin.refused('STORAGE_FULL', 'PUT', `sem/world/full/e${number}/depth`, {
        body: { value: number },
        ...(number % 2 === 0 ? { key: `full-${number}` } : {}),
      }),
    path: () => 'admin/queue',
    rows: 'entries',
    name: 'id',
  };

  beforeAll(async () => {
    [eventStore, postgres] = await Promise.all([startOwnEventStore(), startTestPostgres()]);
    service = await TestService.start({ servers: { eventStore, postgres } });
    service.writesAreSeen = true;
    openApi = (await service.call<OpenApi>('GET', '/openapi.json')).body;
    admin = await Caller.of(service, 'admin');
    agent = await Caller.of(service, 'agent', { sub: 'walker', user_id: 'walker' });
    council = await Caller.of(service, 'council');
    auditor = await Caller.of(service, 'auditor');
    await admin.did('PUT', `sem/${FACT}`, { body: { value: 1 } });
    const user = await Caller.of(service, 'user', { sub: 'walker' });
    await user.post('consents', { text: 'Keep it.', scope: 'persistent' });
    ({ job_seed: job } = await agent.post<{ job_seed: string }>('jobs'));
    ({ episodic_id: episode } = await agent.post<{ episodic_id: string }>(`jobs/${job}/episodes`, {
      ...{ summary: 'Reached the user', payload: { to: EMAIL } },
    }));
  });
  afterAll(async () => {
    await service?.stop();
    await Promise.all([eventStore?.stop(), postgres?.stop()]);
  });

  it('has an entry here for every route that answers with a next page', () => {
    const paged = Object.entries(openApi.paths).flatMap(([pattern, methods]) =>
      Object.entries(methods)
        .filter(([, { responses }]) => isPaged(responses['200'] ?? {}))
        .map(([method]) => `${method.toUpperCase()} ${pattern}`),
    );
    const withCursor = requestFields(openApi)
      .filter(({ place }) => place === '?cursor' || place === 'cursor')
      .map(({ operation }) => operation);
    const known = [...LISTS, QUEUE].map(({ operation }) => operation);
    expect([...new Set(known)].sort()).toStrictEqual(
      [...new Set([...paged, ...withCursor])].sort(),
    );
  });

  /** True if the answer has a field that names the next page. */
  const isPaged = (answer: object): boolean =>
    [...JSON.stringify(answer).matchAll(/#\/components\/schemas\/(\w+)/g)].some(([, name = '']) =>
      Object.keys(openApi.components.schemas[name]?.['properties'] ?? {}).some((field) =>
        field.startsWith('next_'),
      ),
    );

  const nameOf = ({ name }: PagedList, row: Row | readonly string[]): string =>
    JSON.stringify(name === undefined ? row : (row as Row)[name]);

  async function pageOf(list: PagedList, path: string, limit: number, at: Place) {
    const { place = 'cursor' } = list;
    const asked = { limit, ...(at === null ? {} : { [place]: at }) };
    const query = new URLSearchParams(
      Object.entries(asked).map(([key, value]): [string, string] => [key, `${value}`]),
    );
    const page =
      list.body === undefined
        ? await list.by().get<Page>(`${path}${path.includes('?') ? '&' : '?'}${query.toString()}`)
        : await list.by().post<Page>(path, { ...list.body, ...asked });
    const rows = page[list.rows] as readonly (Row | readonly string[])[];
    return { names: rows.map((row) => nameOf(list, row)), next: page[`next_${place}`] as Place };
  }

  /** Reads a list page by page, and calls `between` after each page. */
  async function walked(
    list: PagedList,
    path: string,
    limit: number,
    between: (pages: number) => Promise<unknown>,
  ): Promise<readonly string[]> {
    const names: string[] = [];
    let cursor: Place = null;
    let pages = 0;
    do {
      const page = await pageOf(list, path, limit, cursor);
      expect(page.names.length).toBeLessThanOrEqual(limit);
      names.push(...page.names);
      cursor = page.next;
      pages += 1;
      await between(pages);
    } while (cursor !== null);
    return names;
  }

  /** Walks over a list while rows are added, and compares the walk with one whole page. */
  async function walks(list: PagedList): Promise<void> {
    let made = 0;
    const make = () => list.make((made += 1));
    await Promise.all(Array.from({ length: ROWS }, make));
    const path = await list.path();
    for (const limit of [1, 2]) {
      const whole = await pageOf(list, path, list.whole ?? 100, null);
      expect(whole.names.length).toBeGreaterThanOrEqual(ROWS);
      expect(whole.next).toBeNull();
      const names = await walked(list, path, limit, async (pages) => {
        if (pages <= ADDED) await make();
      });
      expect(names.filter((name) => whole.names.includes(name))).toStrictEqual(whole.names);
      expect(new Set(names).size).toBe(names.length);
    }
  }

  for (const list of LISTS)
    it(`${[list.operation, list.with].filter(Boolean).join(' with ')} shows each row once, in the order of one whole page, while rows are added`, () =>
      walks(list));

  describe('GET /v1/admin/queue', () => {
    beforeAll(async () => {
      await restartWithQuota(eventStore, service, 0);
      await admin.get('admin/queue');
      // The trigger raises the error of a full disk, so that the write stays in the file of the service.
      await queryAsSuperuser(
        postgres,
        `create function no_room() returns trigger language plpgsql as
           $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$;
         create trigger no_room before insert on admin_queue.refused_write
           for each row when (not new.keyed) execute function no_room()`,
      );
    });
    afterAll(() => restartWithQuota(eventStore, service, undefined));

    it('shows each write once, in the order of one whole page, while writes are refused', () =>
      walks(QUEUE));

    it('shows each write once, although writes move from the file to Postgres during the walk', async () => {
      const whole = await pageOf(QUEUE, 'admin/queue', 100, null);
      const names = await walked(QUEUE, 'admin/queue', 1, async (pages) => {
        if (pages !== ROWS / 2) return;
        await queryAsSuperuser(postgres, 'drop trigger no_room on admin_queue.refused_write');
        await until('the file is empty', async () => {
          const stored = await queryAsSuperuser(postgres, 'select from admin_queue.refused_write');
          return stored.length === whole.names.length;
        });
      });
      expect(names).toStrictEqual(whole.names);
    });
  });
});
