import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROLES, type Role } from '#platform/auth/roles.js';
import { Caller, positionOf } from '#test/support/caller.js';
import { aLog } from '#test/support/reflective-logs.js';
import { TestService } from '#test/support/service.js';

interface Resource {
  readonly name: string;
  /** Returns the ids in the list that the caller gets; undefined if the list is refused. */
  readonly list: (caller: Caller) => Promise<readonly string[] | undefined>;
  readonly item: (id: string) => string;
  readonly ids: string[];
}

type Page = Readonly<Record<string, readonly Readonly<Record<string, string>>[]>>;

const MANY = 100;

/** The callers who may be strangers to each other: agents with and without a user, users, and every role. */
const OWNERS: readonly (readonly [Role, { sub: string; user_id?: string }])[] = [
  ['agent', { sub: 'ada' }],
  ['agent', { sub: 'ada', user_id: 'uma' }],
  ['agent', { sub: 'ada', user_id: 'vic' }],
  ['agent', { sub: 'ben' }],
  ['agent', { sub: 'ben', user_id: 'uma' }],
  ['user', { sub: 'uma' }],
  ['user', { sub: 'vic' }],
];

describe('An attacker who asks for lists', () => {
  let service: TestService;
  let after = '0';
  const callers = new Map<string, Caller>();

  const listOf =
    (path: string, field: string, id: string) =>
    async (caller: Caller): Promise<readonly string[] | undefined> => {
      const joint = path.includes('?') ? '&' : '?';
      const limited = path.startsWith('sem') ? path : `${path}${joint}limit=${MANY}`;
      const { status, body } = await caller.ask<Page>('GET', limited, { after });
      return status === 200 ? (body[field] ?? []).map((row) => row[id] ?? '') : undefined;
    };

  const factsOf = (path: string) => listOf(path, 'facts', 'key');

  const resources: readonly Resource[] = [
    {
      name: 'jobs',
      list: listOf('jobs', 'jobs', 'job_seed'),
      item: (id) => `jobs/${id}`,
      ids: [],
    },
    {
      name: 'reflective-logs',
      list: listOf('reflective-logs', 'reflective_logs', 'log_id'),
      item: (id) => `reflective-logs/${id}`,
      ids: [],
    },
    {
      name: 'action-requests',
      list: listOf('action-requests', 'action_requests', 'request_id'),
      item: (id) => `action-requests/${id}`,
      ids: [],
    },
    {
      name: 'sem',
      // An agent without a user sees the facts of the user that it names.
      list: async (caller) => {
        const found = new Set<string>();
        for (const named of ['', '&user_id=uma', '&user_id=vic'])
          for (const key of (await factsOf(`sem?prefix=user/${named}`)(caller)) ?? [])
            found.add(key);
        return [...found];
      },
      item: (id) => `sem/${id}`,
      ids: [],
    },
    {
      name: 'episodes/query',
      // An agent without a user sees the episodes of the user that it names.
      list: async (caller) => {
        const found = new Set<string>();
        for (const named of [{}, { user_id: 'uma' }, { user_id: 'vic' }]) {
          const body = { query_terms: 'secret', max_results: MANY, ...named };
          const answer = await caller.ask<Page>('POST', 'episodes/query', { body, after });
          for (const row of answer.body['results'] ?? []) found.add(row['episodic_id'] ?? '');
        }
        return [...found];
      },
      item: (id) => `episodes/${id}`,
      ids: [],
    },
  ];
  const [jobs, logs, requests, facts, episodes] = resources as [
    Resource,
    Resource,
    Resource,
    Resource,
    Resource,
  ];

  /** Writes one of everything that an owner can write. A read at the last write's position shows all of it. */
  async function write(owner: Caller, name: string, user_id?: string): Promise<void> {
    const job_seed = `job-of-${name}`;
    const start = { job_seed, ...(user_id === undefined ? {} : { user_id }) };
    jobs.ids.push(job_seed);
    await owner.post('jobs', start);
    const written = await owner.post<{ episodic_id: string }>(`jobs/${job_seed}/episodes`, {
      summary: `secret of ${name}`,
    });
    episodes.ids.push(written.episodic_id);
    const proposed = await owner.post<{ request_id: string }>('action-requests', {
      episodic_id: written.episodic_id,
      target_sem_key: user_id === undefined ? 'world/fact/x/y' : `user/profile/user_${user_id}/pet`,
      value: name,
      justification: 'said so',
    });
    requests.ids.push(proposed.request_id);
    await owner.post(`jobs/${job_seed}/end`);
    const { log_id } = await owner.post<{ log_id: string }>('reflective-logs', { ...aLog() });
    logs.ids.push(log_id);
  }

  beforeAll(async () => {
    service = await TestService.start({ ownLog: true });
    for (const [role, options] of OWNERS) {
      const name = [role, options.sub, options.user_id].filter(Boolean).join('-');
      const caller = await Caller.of(service, role, options);
      callers.set(name, caller);
      if (role === 'agent') await write(caller, name, options.user_id);
    }
    const ada = await Caller.of(service, 'agent', { sub: 'ada' });
    await write(ada, 'agent-ada-naming-uma', 'uma');
    // The same subjects without their role, and every role under a name of its own.
    for (const sub of ['ada', 'uma'])
      callers.set(`no role, ${sub}`, await Caller.of(service, [], { sub }));
    for (const role of ROLES) {
      callers.set(`stranger, ${role}`, await Caller.of(service, role, { sub: `stranger-${role}` }));
      callers.set(`ada under ${role}`, await Caller.of(service, role, { sub: 'ada' }));
      callers.set(
        `ada for wim under ${role}`,
        await Caller.of(service, role, { sub: 'ada', user_id: 'wim' }),
      );
    }
    const admin = await Caller.of(service, 'admin');
    for (const user of ['uma', 'vic']) {
      const key = `user/profile/user_${user}/name`;
      after = positionOf(await admin.did('PUT', `sem/${key}`, { body: { value: user } }));
      facts.ids.push(key);
    }
  });
  afterAll(() => service.stop());

  for (const { name, list, item, ids } of resources)
    it(`gets from the list ${name} exactly what the caller may read one by one`, async () => {
      for (const [who, caller] of callers) {
        const listed = await list(caller);
        const readable: string[] = [];
        for (const id of ids) {
          const { status } = await caller.ask('GET', item(id), { after });
          expect([200, 403, 404]).toContain(status);
          if (status === 200) readable.push(id);
        }
        const found = listed?.filter((id) => ids.includes(id)).sort();
        expect([who, found ?? []]).toStrictEqual([who, readable.sort()]);
      }
    });
});
