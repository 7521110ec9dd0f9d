import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Caller } from '#test/support/caller.js';
import { named } from '#test/support/named.js';
import { aLog } from '#test/support/reflective-logs.js';
import { TestService } from '#test/support/service.js';

/** A phone number of Norway, in no form of the default regions. */
const PHONE = '22 55 51 23';
const ID = 'desk_22_55_51_23';

const turn = (session_id: string) => ({
  assistant: 'helper',
  session_id,
  memory: { short_term: 4, semantic: true, profile: true },
});
const checkpoint = (changes: object) => ({
  ...{ thread_id: named('regions'), checkpoint_id: 'one', checkpoint: { v: 4 } },
  ...{ metadata: { step: 0 }, channel_versions: {}, channel_values: {} },
  ...changes,
});
const writes = (changes: object) => ({
  ...{ thread_id: named('regions'), checkpoint_id: 'one', task_id: 'task', writes: [] },
  ...changes,
});

/** The requests with a number of a region in an id or a short text, which is never sealed. */
const BLOCKED: Readonly<Record<string, readonly [string, string, unknown?]>> = {
  'the seed of a job': ['POST', 'jobs', { job_seed: ID }],
  'the session of a job': ['POST', 'jobs', { session_id: ID }],
  'the user of a job': ['POST', 'jobs', { user_id: ID }],
  'the seed of a query': ['POST', 'queries', { query_text: 'What is 2 + 2?', job_seed: ID }],
  'the id of a conversation that is read': ['GET', `conversations/${ID}/items`],
  'the id of a conversation': ['POST', `conversations/${ID}/items`, { items: [{ text: 'Hi.' }] }],
  'the id of a transaction': [
    ...['POST', 'conversations/regions/transactions'],
    { operation_id: ID, from: 0, items: [] },
  ] as const,
  'the id of a thread that is read': ['GET', `threads/checkpoints?thread_id=${ID}`],
  'the id of a thread that is listed': ['POST', 'threads/list', { thread_id: ID }],
  'the id of a thread': ['PUT', 'threads/checkpoints', checkpoint({ thread_id: ID })],
  'the id of a checkpoint': ['PUT', 'threads/checkpoints', checkpoint({ checkpoint_id: ID })],
  'a channel of a checkpoint': [
    ...['PUT', 'threads/checkpoints'],
    checkpoint({ channel_versions: { [ID]: 1 } }),
  ] as const,
  'a version of a channel': [
    ...['PUT', 'threads/checkpoints'],
    checkpoint({ channel_versions: { answer: PHONE } }),
  ] as const,
  'the id of a task': ['PUT', 'threads/writes', writes({ task_id: ID })],
  'the title of a key': [
    ...['POST', 'sem-keys'],
    { scope: 'world', entity_type: 'desk', entity_id: PHONE, attribute: 'colour' },
  ] as const,
  'a session of the Memory Contract': ['POST', 'memory/recall', { ...turn(PHONE), query: 'tea' }],
  'the policy of the Memory Contract': [
    ...['POST', 'memory/recall'],
    { ...turn('regions'), query: 'tea', policy: { privacy: { deny_patterns: [PHONE] } } },
  ] as const,
  'the subject of an erasure': [
    ...['POST', 'action-requests'],
    { kind: 'erasure', subject: `user:${ID}`, justification: 'They asked for it.' },
  ] as const,
  'the reason of a closed collision': [
    ...['POST', 'collisions/none/closure'],
    { reason: `Call ${PHONE}.` },
  ] as const,
};

describe('MACE_PRIVACY_REGIONS holds for everything that is scanned (SPEC P1)', () => {
  let service: TestService;
  let caller: Caller;

  beforeAll(async () => {
    service = await TestService.start({
      ownLog: true,
      environment: { MACE_PRIVACY_REGIONS: 'NO', MACE_LOG_LEVEL: 'trace' },
    });
    caller = await Caller.of(service, ['admin', 'agent', 'user', 'council']);
  });
  afterAll(async () => {
    await service?.stop();
  });

  it.each(Object.keys(BLOCKED))('%s with a number of a region is refused', async (name) => {
    const [method, path, body] = BLOCKED[name]!;
    await caller.refused('PRIVACY_BLOCKED', method, path, body === undefined ? {} : { body });
  });

  it('a caller whose user id has a number of a region cannot write', async () => {
    const user = await Caller.of(service, 'user', { user_id: ID });
    const body = { items: [{ text: 'Hi.' }] };
    await user.refused('PRIVACY_BLOCKED', 'POST', 'conversations/own/items', { body });
  });

  it('a turn of the Memory Contract with a number of a region is not remembered', async () => {
    const session = named('regions-turn');
    const said = { ...turn(session), user_text: `Call me at ${PHONE}.`, ai_text: 'Noted.' };
    await caller.post('memory/interactions', said);
    expect(JSON.stringify(await caller.get(`memory/session/${session}`))).not.toContain(PHONE);
  });

  it('a posted log has numbers of a region redacted, and so has what is quarantined', async () => {
    const job_seed = named('regions-log');
    await caller.post('jobs', { job_seed });
    const log = aLog({ job_seed, final_answer: `Call ${PHONE}.` });
    await caller.post('reflective-logs', log);
    const kept = await caller.get(`reflective-logs/${String(log['log_id'])}`);
    expect(kept).toMatchObject({ final_answer: 'Call [REDACTED:phone].' });
    const invalid = { ...aLog({ job_seed, final_answer: `Call ${PHONE}.` }), [ID]: 1 };
    const refused = await caller.refused('LOG_INVALID', 'POST', 'reflective-logs', {
      body: invalid,
    });
    expect(JSON.stringify(refused)).not.toContain(ID);
    const { quarantine } = await caller.get<{ quarantine: [{ reason: string }] }>('quarantine');
    expect(JSON.stringify(quarantine)).not.toContain(PHONE);
    expect(quarantine[0].reason).not.toContain(ID);
  });

  it('no answer to a refusal, and no log line, has a number of a region', async () => {
    const seed = PHONE.replaceAll(' ', '-');
    const answers = [
      await caller.refused('INVALID_INPUT', 'POST', 'jobs', { body: { [ID]: 1 } }),
      await caller.refused('NOT_FOUND', 'GET', `jobs/${seed}`),
    ];
    for (const text of [JSON.stringify(answers), JSON.stringify(service.log)]) {
      expect(text).not.toContain(seed);
      expect(text).not.toContain(ID);
    }
  });
});
