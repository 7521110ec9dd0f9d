import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import type { ErrorEnvelope } from '#domain/errors/envelope.js';
import { Caller, positionOf } from '#test/support/caller.js';
import { startTestEventStore, startTestPostgres, type TestServer } from '#test/support/servers.js';
import { TestService } from '#test/support/service.js';
import { type Answered } from '#test/support/service-client.js';
import { named } from '#test/support/named.js';

interface Found {
  readonly results: readonly { readonly summary: string }[];
}

describe('C1 Reading one’s own writes', () => {
  let service: TestService;
  let agent: Caller;

  beforeAll(async () => {
    service = await TestService.shared();
    agent = await Caller.of(service, 'agent');
  });
  afterAll(() => service?.stop());

  it('C1 a caller’s next read shows the episodes of a job that the caller has just ended', async () => {
    for (let count = 0; count < 20; count += 1) {
      const word = named(`cerulean${count}`).replace('_', '');
      const seed = named(`hello-${count}`);
      await agent.post('jobs', { job_seed: seed, goal: `Learn ${word}` });
      const { wm_id } = await agent.post(`jobs/${seed}/wm`, { type: 'fact', value: word });
      await agent.post(`jobs/${seed}/wm/${String(wm_id)}/references`);
      await agent.post(`jobs/${seed}/wm/${String(wm_id)}/references`);
      await agent.post(`jobs/${seed}/ticks`);
      await agent.post(`jobs/${seed}/end`);
      const { results } = await agent.post<Found>('episodes/query', { query_terms: word });
      expect(results.length).toBeGreaterThan(0);
    }
  });

  it('C1 a caller’s next read shows the ReflectiveLog of a job that the caller has just ended', async () => {
    await agent.post('jobs', { job_seed: named('logged') });
    await agent.post(`jobs/${named('logged')}/end`);
    const { reflective_logs } = await agent.get<{ reflective_logs: unknown[] }>(
      `reflective-logs?job_seed=${named('logged')}`,
    );
    expect(reflective_logs).toHaveLength(1);
  });

  /** Runs `write`, and then `read` while the projection of memories is held up for 200 ms. */
  async function whileProjectionWaits<Answer>(
    write: () => Promise<Answer>,
    read: () => Promise<void>,
  ): Promise<Answer> {
    const holder = new pg.Client({ connectionString: service.postgres.url });
    await holder.connect();
    await holder.query('begin; lock table memories.memory in share row exclusive mode');
    const answer = await write();
    service.writesAreSeen = false;
    const reading = read();
    await setTimeout(200);
    await holder.end();
    await reading.finally(() => {
      service.writesAreSeen = true;
    });
    return answer;
  }

  it('C1 W2 what one caller remembers about a person, each other caller of the person recalls, lists and forgets at once', async () => {
    const user_id = named('ada').toLowerCase();
    const unbound = await Caller.of(service, 'agent', { sub: named('unbound') });
    const bound = await Caller.of(service, 'agent', { sub: named('bound'), user_id });
    const herself = await Caller.of(service, 'user', { sub: user_id });
    const recalled = async (by: Caller, body: object): Promise<string> =>
      (await by.post<{ text: string }>('recall', body)).text;
    const text = 'My cat is grey';
    const { kept } = await whileProjectionWaits(
      () => unbound.post<{ kept: { id: string }[] }>('remember', { user_id, text }),
      async () => {
        expect(await recalled(bound, { query: 'cat' })).toContain(text);
      },
    );
    await whileProjectionWaits(
      () => bound.did('DELETE', `memories/${kept[0]!.id}`),
      async () => {
        const { memories } = await herself.get<{ memories: unknown[] }>('memories');
        expect(memories).toStrictEqual([]);
      },
    );
    expect(await recalled(unbound, { user_id, query: 'cat' })).toBe('');
  });

  it('C1 L7 the position of an end and of a query covers the ReflectiveLog, for every reader', async () => {
    const auditor = await Caller.of(service, 'auditor');
    const logsOf = async (job_seed: string, after: string): Promise<number> =>
      (
        await auditor.get<{ reflective_logs: unknown[] }>(`reflective-logs?job_seed=${job_seed}`, {
          after,
        })
      ).reflective_logs.length;
    for (let count = 0; count < 25; count += 1) {
      const job_seed = named(`covered-${count}`);
      await agent.post('jobs', { job_seed, session_id: named('covered') });
      const ended = await agent.did('POST', `jobs/${job_seed}/end`);
      expect([count, await logsOf(job_seed, positionOf(ended))]).toStrictEqual([count, 1]);
    }
    const body = { job_seed: named('asked'), query_text: 'What is 6 * 7?' };
    const answered = await agent.did('POST', 'queries', { body });
    expect(await logsOf(named('asked'), positionOf(answered))).toBe(1);
  });

  it('C1 nothing counts as not found while the log ends before Mace-Min-Position: the caller is asked to try again', async () => {
    const seed = named('behind');
    await agent.post('jobs', { job_seed: seed });
    const entry = await agent.did('POST', `jobs/${seed}/wm`, { body: { type: 'fact', value: 1 } });
    const missing = [
      ['GET', `/v1/jobs/${named('none')}`, 'READ_UNAVAILABLE'],
      ['POST', `/v1/jobs/${seed}/wm/wm:${seed}:99/references`, 'MEMORY_WRITE_FAIL'],
    ] as const;
    for (const [method, path, code] of missing)
      for (const [position, expected] of [
        [undefined, 'NOT_FOUND'],
        [positionOf(entry), 'NOT_FOUND'],
        ['999999999999999', code],
      ] as const) {
        const headers: Record<string, string> =
          position === undefined ? {} : { 'mace-min-position': position };
        const sent = method === 'POST' ? { body: {} } : {};
        const { body } = await service.call(method, path, { token: agent.token, headers, ...sent });
        expect([path, position, body.error_code]).toStrictEqual([path, position, expected]);
        if (expected === 'READ_UNAVAILABLE')
          expect(body.developer_message).toMatch(
            /the log ends at \d+, before Mace-Min-Position 9+/,
          );
      }
  });

  it('C1 a list that is read from the log alone is refused while the log ends before Mace-Min-Position', async () => {
    const seed = named('stale');
    await agent.post('jobs', { job_seed: seed });
    const items = { items: [{ role: 'user', content: 'Hello.' }] };
    const written = await agent.did('POST', `conversations/${seed}/items`, { body: items });
    const position = positionOf(written);
    for (const path of [
      `conversations/${seed}/items`,
      `jobs/${seed}`,
      `jobs/${seed}/events`,
      'consents',
      `memory/session/${seed}/phases`,
      'threads/checkpoints?thread_id=none',
    ]) {
      const code = async (after: string) =>
        (await agent.ask<Partial<ErrorEnvelope>>('GET', path, { after })).body?.error_code;
      expect([path, await code('999999999999999')]).toStrictEqual([path, 'READ_UNAVAILABLE']);
      expect([path, await code(position)]).not.toStrictEqual([path, 'READ_UNAVAILABLE']);
    }
  });

  it('C1 a caller’s next list of proposals and of jobs shows what the caller has just written', async () => {
    await agent.post('jobs', { job_seed: named('listed') });
    const { jobs } = await agent.get<{ jobs: { job_seed: string }[] }>('jobs');
    expect(jobs[0]?.job_seed).toBe(named('listed'));
    const { episodic_id } = await agent.post(`jobs/${named('listed')}/episodes`, {
      summary: 'It was said.',
    });
    const { request_id } = await agent.post('action-requests', {
      episodic_id,
      target_sem_key: `world/colour/${named('sky')}/name`,
      value: 'cerulean',
      justification: 'It was said.',
    });
    const listed = await agent.get<{ action_requests: { request_id: string }[] }>(
      'action-requests',
    );
    expect(listed.action_requests.some((request) => request.request_id === request_id)).toBe(true);
  });
});

describe('C1 Reads while the projector is stopped', () => {
  let servers: { eventStore: TestServer; postgres: TestServer };
  let service: TestService;
  let writer: Caller;
  let reader: Caller;

  beforeAll(async () => {
    servers = { eventStore: await startTestEventStore(), postgres: await startTestPostgres() };
    const first = await TestService.start({ servers });
    await first.caughtUp();
    const starter = await Caller.of(first, 'admin', { sub: named('writer') });
    await starter.post('jobs', { job_seed: named('running') });
    await first.stop();
    service = await TestService.start({ servers, environment: { MACE_PROJECTIONS: 'external' } });
    writer = await Caller.of(service, 'admin', { sub: named('writer') });
    reader = await Caller.of(service, 'admin', { sub: named('reader') });
    await writer.did('PUT', `sem/world/fact/${named('sky')}/value`, {
      body: { value: 'cerulean' },
    });
  });
  afterAll(async () => {
    await service?.stop();
    await servers.eventStore.stop();
    await servers.postgres.stop();
  });

  const timed = async <Body>(
    asked: Promise<Answered<Body>>,
  ): Promise<Answered<Body> & { readonly ms: number }> => {
    const began = performance.now();
    return { ...(await asked), ms: performance.now() - began };
  };
  const listWith = (caller: Caller, headers: Readonly<Record<string, string>> = {}) =>
    timed(service.call<ErrorEnvelope>('GET', '/v1/jobs', { token: caller.token, headers }));

  it('C1 a read by the writer fails with PROJECTION_LAG after two seconds', async () => {
    const { status, body, ms } = await listWith(writer);
    expect(body.error_code).toBe('PROJECTION_LAG');
    expect(status).toBe(503);
    expect(ms).toBeGreaterThan(1_900);
    expect(ms).toBeLessThan(4_000);
  });

  it('C1 a read by another subject does not wait', async () => {
    const { status, ms } = await listWith(reader);
    expect(status).toBe(200);
    expect(ms).toBeLessThan(1_000);
  });

  it('C1 a read with Mace-Consistency: eventual answers at once, even with Mace-Min-Position', async () => {
    const eventual = { 'mace-consistency': 'eventual' };
    for (const headers of [eventual, { ...eventual, 'mace-min-position': '99999999999' }]) {
      const { status, ms } = await listWith(writer, headers);
      expect(status).toBe(200);
      expect(ms).toBeLessThan(1_000);
    }
  });

  it('C1 any other value of Mace-Consistency is INVALID_INPUT', async () => {
    for (const value of ['strong', '', 'Eventual'])
      expect((await listWith(writer, { 'mace-consistency': value })).body.error_code).toBe(
        'INVALID_INPUT',
      );
  });

  it('C1 a read that needs only the log does not wait', async () => {
    await writer.post(`jobs/${named('running')}/ticks`);
    const { body, ms } = await timed(writer.did('GET', `jobs/${named('running')}`));
    expect(body['tick']).toBe(1);
    expect(ms).toBeLessThan(1_000);
  });
});
