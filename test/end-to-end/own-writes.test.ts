import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ErrorEnvelope } from '#domain/errors/envelope.js';
import { Caller } from '#test/support/caller.js';
import { startTestEventStore, startTestPostgres, type TestServer } from '#test/support/servers.js';
import { type Answered, TestService } from '#test/support/service.js';

interface Found {
  readonly results: readonly { readonly summary: string }[];
}

describe('C1 A caller’s own writes', () => {
  let service: TestService;
  let agent: Caller;

  before(async () => {
    service = await TestService.start();
    agent = await Caller.of(service, 'agent');
  });
  after(() => service?.stop());

  it('are in its next read: the episodes of a job that has just ended', async () => {
    for (let count = 0; count < 20; count += 1) {
      const word = `cerulean${count}`;
      const seed = `hello-${count}`;
      await agent.post('jobs', { job_seed: seed, goal: `Learn ${word}` });
      const { wm_id } = await agent.post(`jobs/${seed}/wm`, { type: 'fact', value: word });
      await agent.post(`jobs/${seed}/wm/${String(wm_id)}/references`);
      await agent.post(`jobs/${seed}/wm/${String(wm_id)}/references`);
      await agent.post(`jobs/${seed}/ticks`);
      await agent.post(`jobs/${seed}/end`);
      const { results } = await agent.post<Found>('episodes/query', { query_terms: word });
      assert.ok(results.length > 0, `the episode with ${word} is found`);
    }
  });

  it('are in its next read with what followed from them: the ReflectiveLog of an ended job', async () => {
    await agent.post('jobs', { job_seed: 'logged' });
    await agent.post('jobs/logged/end');
    const { reflective_logs } = await agent.get<{ reflective_logs: unknown[] }>(
      'reflective-logs?job_seed=logged',
    );
    assert.equal(reflective_logs.length, 1);
  });

  it('are in its next list of proposals and of jobs', async () => {
    await agent.post('jobs', { job_seed: 'listed' });
    const { jobs } = await agent.get<{ jobs: { job_seed: string }[] }>('jobs');
    assert.equal(jobs[0]?.job_seed, 'listed');
    const { episodic_id } = await agent.post('jobs/listed/episodes', { summary: 'It was said.' });
    const { request_id } = await agent.post('action-requests', {
      episodic_id,
      target_sem_key: 'world/colour/sky/name',
      value: 'cerulean',
      justification: 'It was said.',
    });
    const listed = await agent.get<{ action_requests: { request_id: string }[] }>(
      'action-requests',
    );
    assert.ok(listed.action_requests.some((request) => request.request_id === request_id));
  });
});

describe('C1 While nothing is projected', () => {
  let servers: { eventStore: TestServer; postgres: TestServer };
  let service: TestService;
  let writer: Caller;
  let reader: Caller;

  before(async () => {
    servers = { eventStore: await startTestEventStore(), postgres: await startTestPostgres() };
    const first = await TestService.start({ servers });
    const starter = await Caller.of(first, 'admin', { sub: 'writer' });
    await starter.post('jobs', { job_seed: 'running' });
    await first.stop();
    service = await TestService.start({ servers, environment: { MACE_PROJECTIONS: 'external' } });
    writer = await Caller.of(service, 'admin', { sub: 'writer' });
    reader = await Caller.of(service, 'admin', { sub: 'reader' });
    await writer.did('PUT', 'sem/world/fact/sky/value', { body: { value: 'cerulean' } });
  });
  after(async () => {
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

  it('a read by the writer is PROJECTION_LAG after two seconds', async () => {
    const { status, body, ms } = await listWith(writer);
    assert.equal(body.error_code, 'PROJECTION_LAG');
    assert.equal(status, 503);
    assert.ok(ms > 1_900 && ms < 4_000, `it took ${ms} ms`);
  });

  it('another subject is not made to wait', async () => {
    const { status, ms } = await listWith(reader);
    assert.equal(status, 200);
    assert.ok(ms < 1_000, `it took ${ms} ms`);
  });

  it('Mace-Consistency: eventual reads at once, also past Mace-Min-Position', async () => {
    const eventual = { 'mace-consistency': 'eventual' };
    for (const headers of [eventual, { ...eventual, 'mace-min-position': '99999999999' }]) {
      const { status, ms } = await listWith(writer, headers);
      assert.equal(status, 200);
      assert.ok(ms < 1_000, `it took ${ms} ms`);
    }
  });

  it('any other Mace-Consistency is INVALID_INPUT', async () => {
    for (const value of ['strong', '', 'Eventual'])
      assert.equal(
        (await listWith(writer, { 'mace-consistency': value })).body.error_code,
        'INVALID_INPUT',
      );
  });

  it('what is read from the log alone is read at once', async () => {
    await writer.post('jobs/running/ticks');
    const { body, ms } = await timed(writer.did('GET', 'jobs/running'));
    assert.equal(body['tick'], 1);
    assert.ok(ms < 1_000, `it took ${ms} ms`);
  });
});
