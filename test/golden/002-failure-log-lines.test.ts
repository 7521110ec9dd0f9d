import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { keyedHashJson } from '#domain/determinism/hash.js';
import type { ErrorEnvelope } from '#domain/errors/envelope.js';
import type { ErrorCode } from '#domain/errors/error-table.js';
import { freePort } from '#embedded/supervisor.js';
import { Caller } from '#test/support/caller.js';
import { ensure } from '#test/support/ensure.js';
import { lineOf as lineIn, LOG_TEMPLATE, type LogLine } from '#test/support/failure.js';
import { LanguageModelServer } from '#test/support/language-model-server.js';
import { HASH, UUID } from '#test/support/matchers.js';
import type { QueryAnswer } from '#test/support/queries.js';
import { aLog } from '#test/support/reflective-logs.js';
import {
  type OwnEventStore,
  startOwnEventStore,
  startTestPostgres,
} from '#test/support/servers.js';
import { TestService } from '#test/support/service.js';
import { TEST_KEYS } from '#test/support/test-keys.js';
import { hanging, saying, TestParticipants, voting } from '#test/support/test-participants.js';
import { until } from '../faults/support/until.js';

const STACK = expect.stringMatching(/\n +at /);
const hmac = (value: unknown): string => keyedHashJson(TEST_KEYS.MACE_SIGNING_KEY, value);

/** Every text below is tried somewhere, and no log line may contain it (SPEC P6). */
const PRIVATE = {
  value: 'cerulean-at-night',
  question: 'Tell me about the hidden lighthouse',
  email: 'alice@example.com',
  secret: 'a secret that only the crash knows',
  suggestion: 'Mention the neighbour',
  user: 'zaphod',
  tag: 'is_melancholic',
};

const participants = new TestParticipants();
let model: LanguageModelServer;
let eventStore: OwnEventStore;
let service: TestService;
let user: Caller;
let admin: Caller;
let agent: Caller;

beforeAll(async () => {
  model = await LanguageModelServer.start();
  eventStore = await startOwnEventStore();
  const provider = { name: 'one', base_url: model.baseUrl, model: 'm', api_key: 'sk-test-4WyR' };
  service = await TestService.start({
    servers: { eventStore, postgres: await startTestPostgres() },
    more: participants.capabilities,
    environment: {
      MACE_LLM_PROVIDERS: JSON.stringify([provider]),
      MACE_REDIS_URL: `redis://127.0.0.1:${await freePort()}`,
    },
  });
  user = await Caller.of(service, 'user', { sub: 'z-sub', user_id: PRIVATE.user });
  admin = await Caller.of(service, 'admin');
  agent = await Caller.of(service, 'agent', { sub: 'line-agent' });
  // The process then knows an image of the facts.
  await agent.post('jobs', { job_seed: 'first' });
});
afterAll(async () => {
  await service?.stop();
  await Promise.all([eventStore?.stop(), service?.postgres.stop(), model?.stop()]);
});
afterEach(() => {
  participants.restore();
  model.always({ say: 'A fine answer.', tokens: 3 });
});

const key = `user/profile/user_${PRIVATE.user}/favorite_color`;

/** Returns the one line of a failure. The process knows the hash of the facts by now. */
function lineOf(envelope: ErrorEnvelope): LogLine {
  const line = lineIn(service, envelope);
  expect(line['sem_snapshot_hash']).toStrictEqual(HASH);
  return line;
}

const asked = (code: ErrorCode, query_text: string, more: object = {}): Promise<ErrorEnvelope> =>
  user.refused(code, 'POST', 'queries', { body: { query_text, ...more } });

/** A failure case of document 002: how it is provoked, and what its log line adds. */
interface Case {
  readonly number: number;
  readonly code: ErrorCode;
  readonly provoke: () => Promise<ErrorEnvelope>;
  readonly fields: () => object;
}

const votes = [
  {
    council_agent_id: 'no',
    approve: false,
    scores: { factuality: 0.2, coherence: 0.2, safety: 0.2 },
  },
];

const CASES: readonly Case[] = [
  {
    number: 1,
    code: 'SEM_NOT_FOUND',
    provoke: () => user.refused('SEM_NOT_FOUND', 'GET', `sem/${key}`),
    fields: () => ({ event: 'sem_miss', key, user_hash: hmac(PRIVATE.user) }),
  },
  {
    number: 2,
    code: 'SEM_WRITE_FAIL',
    provoke: () =>
      whileLogIsDown(() =>
        user.refused('SEM_WRITE_FAIL', 'PUT', `sem/${key}`, { body: { value: PRIVATE.value } }),
      ),
    fields: () => ({
      key,
      stream: expect.any(String),
      body_hash: hmac({ value: PRIVATE.value }),
      stack: STACK,
    }),
  },
  {
    number: 3,
    code: 'ROUTER_NO_MATCH',
    provoke: () =>
      asked('ROUTER_NO_MATCH', PRIVATE.question, {
        constants: { router_toggles: { fallback: false } },
        context_tags: { [PRIVATE.tag]: true },
      }),
    fields: () => ({ query_hash: hmac(PRIVATE.question), body_hash: HASH }),
  },
  {
    number: 4,
    code: 'AGENT_TIMEOUT',
    provoke: () => {
      participants.agent('generic_agent', hanging);
      return asked('AGENT_TIMEOUT', PRIVATE.question, { constants: { agent_timeout_ms: 50 } });
    },
    fields: () => ({
      event: 'agent_timeout',
      agent_id: 'generic_agent',
      timeout_ms: 50,
      degraded: ['generic_agent'],
    }),
  },
  {
    number: 5,
    code: 'AGENT_ERROR',
    provoke: () => {
      participants.agent('generic_agent', async () => {
        throw new TypeError(PRIVATE.secret);
      });
      return asked('AGENT_ERROR', PRIVATE.question);
    },
    fields: () => ({
      agent_id: 'generic_agent',
      query_hash: hmac(PRIVATE.question),
      degraded: ['generic_agent'],
    }),
  },
  {
    number: 6,
    code: 'LLM_SERVICE_DOWN',
    provoke: () => {
      model.always({ status: 401 });
      return asked('LLM_SERVICE_DOWN', PRIVATE.question);
    },
    fields: () => ({
      cause: 'AUTH_ERROR',
      api_key_status: 'missing_or_refused',
      attempts: [{ provider: 'one', failure: 'auth' }],
    }),
  },
  {
    number: 7,
    code: 'COUNCIL_DEADLOCK',
    provoke: () => {
      participants.council(voting('yes', true, 0.9), voting('no', false, 0.2));
      return asked('COUNCIL_DEADLOCK', PRIVATE.question, {
        constants: { council_weights: { no: 1, yes: 1 } },
      });
    },
    fields: () => ({
      score: expect.any(Number),
      threshold: 0.6,
      votes: [expect.objectContaining({ council_agent_id: 'yes', approve: true }), ...votes],
      weights: { no: 1, yes: 1 },
    }),
  },
  {
    number: 8,
    code: 'LOW_CONFIDENCE',
    provoke: async () => {
      participants.agent('generic_agent', saying('perhaps', { confidence: 0.3 }));
      const { notices } = await user.post<QueryAnswer>('queries', {
        query_text: PRIVATE.question,
      });
      ensure(notices[0]);
      return notices[0];
    },
    fields: () => ({
      confidence: 0.3,
      min_confidence: 0.5,
      agent_confidences: [{ agent_id: 'generic_agent', confidence: 0.3 }],
    }),
  },
  {
    number: 9,
    code: 'REPAIR_LIMIT_EXCEEDED',
    provoke: () => {
      participants.agent('generic_agent', saying('again'));
      participants.council(voting('no', false, 0.2, PRIVATE.suggestion));
      return asked('REPAIR_LIMIT_EXCEEDED', PRIVATE.question);
    },
    fields: () => ({
      max_repair_loops: 3,
      repair_attempts: 3,
      suggestions_applied: 3,
      votes,
      weights: {},
    }),
  },
  {
    number: 10,
    code: 'INVALID_INPUT',
    provoke: () =>
      agent.refused('INVALID_INPUT', 'POST', 'jobs', { body: { seeded_epoch: PRIVATE.value } }),
    fields: () => ({
      field: 'seeded_epoch',
      rule: 'must be an RFC 3339 time, such as 2025-11-29T12:00:00Z or 2025-11-29T14:00:00+02:00',
      body_hash: hmac({ seeded_epoch: PRIVATE.value }),
    }),
  },
  {
    number: 11,
    code: 'PRIVACY_BLOCKED',
    provoke: () =>
      user.refused('PRIVACY_BLOCKED', 'PUT', `sem/${key}`, { body: { value: PRIVATE.email } }),
    fields: () => ({
      key,
      finding_types: 'email',
      findings: [{ type: 'email', category: 'medium' }],
      body_hash: hmac({ value: PRIVATE.email }),
    }),
  },
  {
    number: 13,
    code: 'LOG_INVALID',
    provoke: () =>
      agent.refused('LOG_INVALID', 'POST', 'reflective-logs', {
        body: { ...aLog(), final_confidence: PRIVATE.value },
      }),
    fields: () => ({
      quarantine_id: UUID,
      rule: expect.stringContaining('final_confidence'),
      body_hash: HASH,
    }),
  },
  {
    number: 14,
    code: 'STORAGE_FULL',
    provoke: () =>
      whileLogIsFull(() =>
        user.refused('STORAGE_FULL', 'PUT', `sem/${key}`, { body: { value: PRIVATE.value } }),
      ),
    fields: () => ({
      key,
      stream: `sem-${key}`,
      body_hash: hmac({ value: PRIVATE.value }),
      // The event store is not on this machine’s disk, as far as the service knows.
      storage_used_bytes: null,
      storage_free_bytes: null,
      policy: 'more disk space or a higher quota for the event store in MACE_EVENTSTORE_URL',
      stack: STACK,
    }),
  },
  {
    number: 15,
    code: 'PERMISSION_DENIED',
    provoke: () =>
      user.refused('PERMISSION_DENIED', 'PUT', 'sem/mace/config/router/default_depth', {
        body: { value: PRIVATE.value },
      }),
    fields: () => ({
      action: 'write mace/config/router/default_depth',
      rule: 'who writes a fact',
      caller: expect.stringMatching(/^[0-9a-f]{16}$/),
      user_hash: hmac(PRIVATE.user),
      body_hash: hmac({ value: PRIVATE.value }),
    }),
  },
];

async function whileLogIsDown(ask: () => Promise<ErrorEnvelope>): Promise<ErrorEnvelope> {
  await eventStore.kill();
  try {
    return await ask();
  } finally {
    await back();
  }
}

async function whileLogIsFull(ask: () => Promise<ErrorEnvelope>): Promise<ErrorEnvelope> {
  eventStore.limit(0);
  await eventStore.kill();
  await back();
  try {
    return await ask();
  } finally {
    eventStore.limit(undefined);
    await eventStore.kill();
    await back();
  }
}

async function back(): Promise<void> {
  await eventStore.restart();
  await until('the service is ready again', async () => {
    return (await service.call('GET', '/health/ready')).status === 200;
  });
}

describe('The log lines of document 002’s failure cases (SPEC F3)', () => {
  for (const { number, code, provoke, fields } of CASES)
    test(`002 failure ${number} [stage0] [golden] the log line of ${code} has the fields that its case names`, async () => {
      expect(lineOf(await provoke())).toMatchObject(fields());
    });

  test('002 failure 2 [stage0] [golden] the log line of MEMORY_WRITE_FAIL has the stream, the HMAC of what was tried and the stack', async () => {
    const body = { value: PRIVATE.value, type: 'fact' };
    const envelope = await whileLogIsDown(() =>
      agent.refused('MEMORY_WRITE_FAIL', 'POST', 'jobs/first/wm', { body }),
    );
    const fields = { stream: expect.any(String), body_hash: hmac(body), stack: STACK };
    expect(lineOf(envelope)).toMatchObject(fields);
  });

  test('002 failure 3 [stage0] [golden] a routing miss is a line of its own, with keyed hashes of the text and of each tag', () => {
    const miss = service.log.find(({ type, agent_id }) => type === 'router_miss' && !agent_id);
    expect(miss).toMatchObject({ query_hash: HASH, context_tags: [hmac([PRIVATE.tag, true])] });
  });

  test('002 failure 5 [stage0] [golden] the line of an agent’s crash has its stack, under the trace id of the query', () => {
    const failed = service.log.find(({ error_code }) => error_code === 'AGENT_ERROR');
    expect(failed).toMatchObject({ type: 'agent_failed', agent_id: 'generic_agent', stack: STACK });
    const line = service.log.find(
      ({ type, error_code }) => type === 'error' && error_code === 'AGENT_ERROR',
    );
    expect(failed?.['trace_id']).toBe(line?.['trace_id']);
  });

  test('002 failure 10 [stage0] [golden] the log line of a body that is not JSON has the HMAC of its bytes', async () => {
    const body = `{"value": "${PRIVATE.value}`;
    const envelope = await agent.refused('INVALID_INPUT', 'POST', 'jobs', { body });
    expect(lineOf(envelope)).toMatchObject({
      reason: 'the body is not JSON',
      body_hash: hmac(Buffer.from(body).toString('base64')),
    });
  });

  test('002 failure 12 [stage0] [golden] the log line of CACHE_ERROR has the reason and the hash of the facts', () => {
    const line = service.log.find(({ error_code }) => error_code === 'CACHE_ERROR');
    for (const field of LOG_TEMPLATE) expect(line).toHaveProperty([field]);
    expect(line).toMatchObject({ type: 'error', reason: 'ECONNREFUSED' });
  });

  test('the line of a failure in a job has the hash of the facts that the job reads, not of the latest facts', async () => {
    const { snapshots } = await agent.post<{ snapshots: { sem_snapshot_hash: string } }>('jobs', {
      job_seed: 'early',
    });
    await agent.post('jobs/early/end');
    await admin.did('PUT', 'sem/world/fact/later/value', { body: { value: 1 } });
    await agent.post('jobs', { job_seed: 'late' });
    const envelope = await agent.refused('JOB_ENDED', 'POST', 'jobs/early/ticks');
    const line = lineOf(envelope);
    expect(line['sem_snapshot_hash']).toBe(snapshots.sem_snapshot_hash);
    const other = await agent.refused('NOT_FOUND', 'GET', 'jobs/never-started');
    expect(lineOf(other)['sem_snapshot_hash']).not.toBe(snapshots.sem_snapshot_hash);
  });

  test('no log line contains a value, a question, a tag, an error’s message or personal data', () => {
    const { user: _, ...texts } = PRIVATE;
    for (const text of Object.values(texts))
      expect(JSON.stringify(service.log)).not.toContain(text);
    const users = service.log.filter((line) =>
      JSON.stringify({ ...line, key: '', stream: '', action: '' }).includes(PRIVATE.user),
    );
    expect(users).toStrictEqual([]);
  });
});
