import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Json } from '#domain/json.js';
import { keyIdOf } from '#domain/privacy/key-id.js';
import { sealedIn } from '#domain/privacy/sealed-in.js';
import { Caller } from '#test/support/caller.js';
import { DataSubject, EMAIL, erased, type Receipt } from '#test/support/data-subject.js';
import { LogReader } from '#test/support/read-log.js';
import { startOwnEventStore, startTestPostgres, type TestServer } from '#test/support/servers.js';
import { TestService } from '#test/support/service.js';
import { AppendGate } from './support/append-gate.js';

interface Write {
  readonly category: string;
  readonly method: string;
  readonly path: string;
  readonly body: object;
  readonly as: keyof Callers;
}

/** The callers of one instance. The reviewer is the same for all subjects. */
interface Callers {
  readonly user: Caller;
  readonly agent: Caller;
  readonly council: Caller;
}

interface Kind {
  readonly what: string;
  /** Prepares the write, which an instance sends. */
  readonly write: (person: DataSubject) => Promise<Write>;
  /** Reads the value back. */
  readonly read: (person: DataSubject, answer: Record<string, string>) => Promise<unknown>;
  /** What the reader sees of a value that is not erased; by default the value. */
  readonly shows?: string;
}

const LATE = `late.${EMAIL}`;
const ITEM = { role: 'user', content: LATE };
const THREAD = { thread_id: 'late', checkpoint_id: 'c-1' };

const checkpoint = {
  ...THREAD,
  checkpoint: { v: 1 },
  metadata: { source: 'loop' },
  channel_versions: { messages: 1 },
  channel_values: { messages: [LATE] },
};
const readThread = ({ agent }: DataSubject) => agent.get('threads/checkpoints?thread_id=late');

const KINDS: readonly Kind[] = [
  {
    what: 'an entry of WM, at the version that the caller expects',
    write: async ({ job_seed, agent }) => {
      const { version } = await agent.get<{ version: number }>(`jobs/${job_seed}`);
      return {
        ...{ category: 'job', method: 'POST', as: 'agent' },
        path: `jobs/${job_seed}/commands`,
        body: {
          commands: [{ op: 'wm_insert', type: 'fact', value: LATE }],
          expected_version: version,
        },
      };
    },
    read: ({ agent, job_seed }) => agent.get(`jobs/${job_seed}`),
  },
  {
    what: 'an episode under a consent',
    write: async ({ job_seed }) => ({
      ...{ category: 'job', method: 'POST', as: 'agent' },
      path: `jobs/${job_seed}/episodes`,
      body: { summary: 'Late.', payload: { mail: LATE } },
    }),
    read: ({ agent }, { episodic_id }) => agent.get(`episodes/${episodic_id}`),
    shows: '"redacted":true',
  },
  {
    what: 'a fact',
    write: async ({ key }) => ({
      ...{ category: 'sem', method: 'PUT', as: 'user' },
      path: `sem/${key}`,
      body: { value: LATE },
    }),
    read: ({ user, key }) => user.get(`sem/${key}`),
  },
  {
    what: 'a note, at the version that the caller expects',
    write: async () => ({
      ...{ category: 'note', method: 'PUT', as: 'agent' },
      path: 'notes',
      body: { namespace: ['late'], key: 'note', value: LATE, if_version: 0 },
    }),
    read: ({ agent }) => agent.get('notes?namespace=late&key=note'),
  },
  {
    what: 'the items of a conversation',
    write: async () => ({
      ...{ category: 'conversation', method: 'POST', as: 'agent' },
      path: 'conversations/late/items',
      body: { items: [ITEM] },
    }),
    read: ({ agent }) => agent.get('conversations/late/items'),
  },
  {
    what: 'a transaction of a conversation',
    write: async ({ agent }) => {
      await agent.post('conversations/late/items', { items: ['First.', 'Second.'] });
      return {
        ...{ category: 'conversation', method: 'POST', as: 'agent' },
        path: 'conversations/late/transactions',
        body: { operation_id: 'op', expected_suffix: ['Second.'], items: [ITEM, ITEM] },
      };
    },
    read: async ({ agent }) => {
      const page = await agent.get<{ items: Json[] }>('conversations/late/items');
      expect(page.items).toHaveLength(3);
      return page;
    },
  },
  {
    what: 'a checkpoint',
    write: async () => ({
      ...{ category: 'thread', method: 'PUT', as: 'agent' },
      path: 'threads/checkpoints',
      body: checkpoint,
    }),
    read: readThread,
  },
  {
    what: 'the writes of a task',
    write: async ({ agent }) => {
      const clear = { ...checkpoint, channel_values: { messages: ['Hello.'] } };
      await agent.did('PUT', 'threads/checkpoints', { body: clear });
      return {
        ...{ category: 'thread', method: 'PUT', as: 'agent' },
        path: 'threads/writes',
        body: { ...THREAD, task_id: 't', writes: [{ index: 0, channel: 'messages', value: LATE }] },
      };
    },
    read: readThread,
  },
  {
    what: 'a proposal',
    write: async ({ agent, job_seed, key }) => {
      const { episodic_id } = await agent.post(`jobs/${job_seed}/episodes`, { summary: 'Said.' });
      return {
        ...{ category: 'request', method: 'POST', as: 'agent' },
        path: 'action-requests',
        body: { episodic_id, target_sem_key: key, value: LATE, justification: 'It was said.' },
      };
    },
    read: ({ user }, { request_id }) => user.get(`action-requests/${request_id}`),
    shows: '"redacted":true',
  },
  {
    what: 'a revision of a proposal',
    write: async ({ agent, job_seed, key }) => {
      const { episodic_id } = await agent.post(`jobs/${job_seed}/episodes`, { summary: 'Said.' });
      const { request_id } = await agent.post('action-requests', {
        ...{ episodic_id, target_sem_key: key, value: 'none', justification: 'It was said.' },
      });
      return {
        ...{ category: 'request', method: 'POST', as: 'council' },
        path: `action-requests/${String(request_id)}/revisions`,
        body: { value: LATE, reason: 'The episode says so.' },
      };
    },
    read: async ({ user }, { request_id }) => {
      const { value } = await user.get<{ value: Json }>(`action-requests/${request_id}`);
      return value;
    },
    shows: '"redacted":true',
  },
];

describe('A write that is sealed before an erasure and appended after it (SPEC P5, G6)', () => {
  const gate = new AppendGate();
  let servers: { eventStore: TestServer; postgres: TestServer };
  let log: LogReader;
  let first: TestService;
  let late: TestService;

  beforeAll(async () => {
    servers = { eventStore: await startOwnEventStore(), postgres: await startTestPostgres() };
    log = new LogReader(servers.eventStore.url);
    first = await TestService.start({ servers });
    late = await TestService.start({ servers, more: [gate.module] });
    for (const service of [first, late]) await service.caughtUp();
  });
  afterAll(async () => {
    await log?.close();
    await late?.stop();
    await first?.stop();
    await servers?.postgres.stop();
    await servers?.eventStore.stop();
  });

  /** The events before the order that hold values under the destroyed keys, which the manifest counts. */
  async function eventsUnder({ destroyed_keys, event }: Receipt): Promise<number> {
    let count = 0;
    for (const logged of await log.since(undefined)) {
      if (logged.stream === event.stream && logged.type === 'erasure_ordered') return count;
      if (sealedIn(logged).some((sealed) => destroyed_keys.includes(keyIdOf(sealed)))) count += 1;
    }
    throw new Error('the log has no order');
  }

  for (const [index, { what, write, read, shows = LATE }] of KINDS.entries())
    for (const dies of [false, true])
      it(`${what} is not acknowledged ${dies ? 'after a crash' : 'by the comparison'}, and the same key seals it anew`, async () => {
        const person = await DataSubject.of(first, `late-${index}-${dies}`);
        const { user_id } = person;
        const callers = async (service: TestService): Promise<Callers> => ({
          user: await Caller.of(service, 'user', { sub: user_id }),
          agent: await Caller.of(service, 'agent', { user_id }),
          council: await Caller.of(service, 'council', { sub: 'reviewer' }),
        });
        const key = `once-${index}-${dies}`;
        const { category, method, path, body, as } = await write(person);
        const held = gate.next(category, { dies });
        const lost = (await callers(late))[as].ask(method, path, { body, key });
        await held.arrived;
        const receipt = await erased(first, person);
        held.release();
        const { status, body: refusal } = await lost;
        expect([status, refusal.error_code]).toStrictEqual([
          500,
          dies ? 'INTERNAL' : category === 'sem' ? 'SEM_WRITE_FAIL' : 'MEMORY_WRITE_FAIL',
        ]);
        if (!dies) expect(refusal.developer_message).toMatch(/erasure.*Send the request again/);
        expect(receipt.manifest.events).toBe(await eventsUnder(receipt));

        const here = (await callers(first))[as];
        const answer = await here.did<Record<string, string>>(method, path, { body, key });
        expect(JSON.stringify(await read(person, answer.body))).toContain(shows);
        const repeated = await here.did<Record<string, string>>(method, path, { body, key });
        expect(repeated.body).toStrictEqual(answer.body);
        expect(JSON.stringify(await read(person, repeated.body))).toContain(shows);
      });
});
