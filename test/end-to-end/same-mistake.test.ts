import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ErrorEnvelope } from '#domain/errors/envelope.js';
import type { JsonObject } from '#domain/json.js';
import { Caller } from '#test/support/caller.js';
import { EMAIL } from '#test/support/data-subject.js';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';

interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
}

/** One mistake, made in a request of its own and in each way that takes several things at once. */
interface Mistake {
  readonly what: string;
  readonly alone: Request;
  readonly others: readonly (Request & {
    /** The index of the wrong command among several. */
    readonly command_index?: number;
  })[];
}

const JOB = named('running');
const ENDED = named('ended');
const LARGE = 'x'.repeat(300 * 1024);
/** A text within the limit of its characters, and beyond that of its bytes. */
const WIDE = 'ü'.repeat(12_000);

/** A command of a job, and the job. */
type Command = JsonObject & { readonly op: string };

const ALONE: Readonly<Record<string, (command: JsonObject) => Request>> = {
  wm_insert: (body) => ({ method: 'POST', path: 'wm', body }),
  wm_reference: ({ wm_id }) => ({ method: 'POST', path: `wm/${idIn(wm_id)}/references`, body: {} }),
  wm_forget: ({ wm_id }) => ({ method: 'DELETE', path: `wm/${idIn(wm_id)}` }),
  cwm_reference: ({ item_id }) => ({
    ...{ method: 'POST', path: `cwm/${idIn(item_id)}/references`, body: {} },
  }),
  cwm_forget: ({ item_id }) => ({ method: 'DELETE', path: `cwm/${idIn(item_id)}` }),
  tick: (body) => ({ method: 'POST', path: 'ticks', body }),
  goal: (body) => ({ method: 'POST', path: 'goals', body }),
  episodic_write: (body) => ({ method: 'POST', path: 'episodes', body }),
  end: (body) => ({ method: 'POST', path: 'end', body }),
};

const idIn = (id: unknown): string => encodeURIComponent(String(id));

/** A mistake in a command: alone, in a batch of one, and in a batch after and before a right command. */
function inJob(what: string, { op, ...fields }: Command, job = JOB): Mistake {
  const { path, ...alone } = (ALONE[op] as (typeof ALONE)[string])(fields);
  const batch = (...commands: object[]) => ({
    ...{ method: 'POST', path: `jobs/${job}/commands`, body: { commands } },
  });
  const wrong = { op, ...fields };
  const right = { op: 'tick' };
  return {
    what,
    alone: { ...alone, path: `jobs/${job}/${path}` },
    others: [
      batch(wrong),
      ...(job === JOB
        ? [
            { ...batch(right, wrong), command_index: 1 },
            { ...batch(wrong, right), command_index: 0 },
          ]
        : []),
    ],
  };
}

/** A mistake in new items of a conversation: appended, and in a transaction. */
function inConversation(what: string, fields: object, id = named('talk')): Mistake {
  const path = `conversations/${encodeURIComponent(id)}`;
  const transaction = { operation_id: named('change'), from: 0, ...fields };
  return {
    what,
    alone: { method: 'POST', path: `${path}/items`, body: fields },
    others: [{ method: 'POST', path: `${path}/transactions`, body: transaction }],
  };
}

/** A mistake in a write of a task: the only one, and after a right one. */
function inWrites(what: string, fields: object): Mistake {
  const put = (...writes: object[]) => ({
    ...{ method: 'PUT', path: 'threads/writes' },
    body: { thread_id: named('thread'), checkpoint_id: 'c', task_id: 't', writes },
  });
  const right = { index: 0, channel: 'answer', value: 42 };
  const wrong = { ...right, index: 1, ...fields };
  return { what, alone: put(wrong), others: [put(right, wrong)] };
}

/** A mistake in the place of a checkpoint: put with its checkpoint, and with writes. */
function inThread(what: string, fields: object): Mistake {
  const place = { thread_id: named('thread'), checkpoint_id: 'c', ...fields };
  const parts = { checkpoint: {}, metadata: {}, channel_versions: {}, channel_values: {} };
  return {
    what,
    alone: { method: 'PUT', path: 'threads/checkpoints', body: { ...place, ...parts } },
    others: [
      { method: 'PUT', path: 'threads/writes', body: { ...place, task_id: 't', writes: [] } },
    ],
  };
}

/** A mistake in the name of a note: in a put, a history and a replay. */
function inNote(what: string, fields: object): Mistake {
  const name = { namespace: ['n'], key: 'k', ...fields };
  return {
    what,
    alone: { method: 'PUT', path: 'notes', body: { ...name, value: 1 } },
    others: ['history', 'replays'].map((path) => ({
      ...{ method: 'POST', path: `notes/${path}`, body: name },
    })),
  };
}

const MISTAKES: readonly Mistake[] = [
  inJob('a WM entry of an unknown type', { op: 'wm_insert', type: 'dream', value: 1 }),
  inJob('a WM entry without a type', { op: 'wm_insert', value: 1 }),
  inJob('a WM entry without a value', { op: 'wm_insert', type: 'fact' }),
  inJob('a WM entry of 300 KB', { op: 'wm_insert', type: 'fact', value: LARGE }),
  inJob('a WM entry that lives no tick', {
    ...{ op: 'wm_insert', type: 'fact', value: 1, ttl_ticks: 0 },
  }),
  inJob('a WM entry that lives too long', {
    ...{ op: 'wm_insert', type: 'fact', value: 1, ttl_ticks: 10_001 },
  }),
  inJob('a WM entry that lives half a tick', {
    ...{ op: 'wm_insert', type: 'fact', value: 1, ttl_ticks: 0.5 },
  }),
  inJob('a WM entry with a text as its life', {
    ...{ op: 'wm_insert', type: 'fact', value: 1, ttl_ticks: '3' },
  }),
  inJob('a WM entry with an unknown field', {
    ...{ op: 'wm_insert', type: 'fact', value: 1, more: 1 },
  }),
  inJob('a reference to a WM entry that does not exist', { op: 'wm_reference', wm_id: 'wm:x:9' }),
  inJob('a reference to an ill-formed WM id', { op: 'wm_reference', wm_id: 'a b' }),
  inJob('a reference to a WM id of 257 characters', {
    ...{ op: 'wm_reference', wm_id: 'w'.repeat(257) },
  }),
  inJob('a removal of a WM entry that does not exist', { op: 'wm_forget', wm_id: 'wm:x:9' }),
  inJob('a removal of an ill-formed WM id', { op: 'wm_forget', wm_id: 'a/b' }),
  inJob('a reference to a CWM item that does not exist', {
    op: 'cwm_reference',
    item_id: 'cwmi:x',
  }),
  inJob('a removal of a CWM item that does not exist', { op: 'cwm_forget', item_id: 'cwmi:x' }),
  inJob('no tick', { op: 'tick', count: 0 }),
  inJob('too many ticks', { op: 'tick', count: 1_001 }),
  inJob('half a tick', { op: 'tick', count: 0.5 }),
  inJob('no goal', { op: 'goal' }),
  inJob('a goal that is a list', { op: 'goal', goal: ['a'] }),
  inJob('a goal of too many characters', { op: 'goal', goal: 'x'.repeat(16_001) }),
  inJob('a goal of too many bytes', { op: 'goal', goal: WIDE }),
  inJob('an episode without a summary', { op: 'episodic_write' }),
  inJob('an episode with a summary of 2,001 characters', {
    ...{ op: 'episodic_write', summary: 'x'.repeat(2_001) },
  }),
  inJob('an episode with a summary of 4,001 characters', {
    ...{ op: 'episodic_write', summary: 'x'.repeat(4_001) },
  }),
  inJob('an episode with a payload of 300 KB', {
    ...{ op: 'episodic_write', summary: 's', payload: LARGE },
  }),
  inJob('an episode with evidence of 300 KB', {
    ...{ op: 'episodic_write', summary: 's', evidence: [{ text: LARGE }] },
  }),
  inJob('an episode with evidence that is no list', {
    ...{ op: 'episodic_write', summary: 's', evidence: {} },
  }),
  inJob('an episode with evidence that is no object', {
    ...{ op: 'episodic_write', summary: 's', evidence: [1] },
  }),
  inJob('an episode of an unknown source', {
    ...{ op: 'episodic_write', summary: 's', source: 'dream' },
  }),
  inJob('an end with an invalid ReflectiveLog', { op: 'end', reflective_log: { more: 1 } }),
  inJob('an end with an unknown field', { op: 'end', more: 1 }),
  inJob('a WM entry for an ended job', { op: 'wm_insert', type: 'fact', value: 1 }, ENDED),
  inJob('an episode for an ended job', { op: 'episodic_write', summary: 's' }, ENDED),
  inJob('a tick for a job that does not exist', { op: 'tick' }, named('nowhere')),

  inConversation('no items', {}),
  inConversation('items that are no list', { items: 'a' }),
  inConversation('501 items', { items: Array.from({ length: 501 }, () => 1) }),
  inConversation('an item of 300 KB', { items: [LARGE] }),
  inConversation('a second item of 300 KB', { items: [1, LARGE] }),
  inConversation('an item at a version that the conversation has not', {
    ...{ items: [1], expected_version: 7 },
  }),
  inConversation('an item at a version below 0', { items: [1], expected_version: -1 }),
  inConversation('an item with an unknown field beside it', { items: [1], more: 1 }),
  inConversation('an item for a conversation with personal data in its id', { items: [1] }, EMAIL),

  inWrites('a write at a half index', { index: 0.5 }),
  inWrites('a write at an index that is too large', { index: 1_000_001 }),
  inWrites('a write to a channel without a name', { channel: '' }),
  inWrites('a write to a channel with a name of 257 characters', { channel: 'c'.repeat(257) }),
  inWrites('a write to a channel with personal data in its name', { channel: EMAIL }),
  inWrites('a write without a value', { value: undefined }),
  inWrites('a write with an unknown field', { more: 1 }),
  inThread('no thread', { thread_id: undefined }),
  inThread('a thread with a name of 257 characters', { thread_id: 't'.repeat(257) }),
  inThread('a thread with personal data in its name', { thread_id: EMAIL }),
  inThread('a namespace with 1,025 characters', { namespace: 'n'.repeat(1_025) }),
  inThread('a namespace with personal data', { namespace: EMAIL }),
  inThread('a checkpoint without an id', { checkpoint_id: '' }),
  inThread('a checkpoint with personal data in its id', { checkpoint_id: EMAIL }),

  inNote('a note without a namespace', { namespace: [] }),
  inNote('a note with a namespace that is a text', { namespace: 'n' }),
  inNote('a note with a namespace of 17 components', {
    namespace: Array.from({ length: 17 }, () => 'n'),
  }),
  inNote('a note with a component of 129 characters', { namespace: ['n'.repeat(129)] }),
  inNote('a note with an empty component', { namespace: ['n', ''] }),
  inNote('a note with a name of too many bytes', {
    namespace: Array.from({ length: 16 }, () => 'ü'.repeat(100)),
  }),
  inNote('a note with an empty key', { key: '' }),
  inNote('a note with a key of 257 characters', { key: 'k'.repeat(257) }),
];

/** A position among several, which only a way that takes several things names. */
const POSITION = /\b(commands|writes)\.\d+\.?/g;

/** What the mistake is, apart from the position. */
const answerOf = ({ error_code, status, user_message, developer_message }: ErrorEnvelope) => ({
  ...{ error_code, status, user_message },
  developer_message: developer_message.replaceAll(POSITION, ''),
});

describe('The same mistake', () => {
  let service: TestService;
  let agent: Caller;

  beforeAll(async () => {
    service = await TestService.shared();
    agent = await Caller.of(service, 'agent');
    for (const job_seed of [JOB, ENDED]) await agent.post('jobs', { job_seed });
    await agent.post(`jobs/${ENDED}/end`);
  });
  afterAll(() => service?.stop());

  const send = ({ method, path, body }: Request) =>
    agent.ask(method, path, body === undefined ? {} : { body });

  for (const { what, alone, others } of MISTAKES)
    it(`gets the same answer in each way: ${what}`, async () => {
      const { status, body } = await send(alone);
      expect(status).toBeGreaterThanOrEqual(400);
      for (const { command_index, ...other } of others) {
        const answer = (await send(other)).body;
        expect(answerOf(answer)).toStrictEqual(answerOf(body));
        expect(answer['command_index']).toBe(command_index);
      }
    });
});
