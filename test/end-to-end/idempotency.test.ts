import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Caller, positionOf } from '#test/support/caller.js';
import { LogReader } from '#test/support/read-log.js';
import { TestService } from '#test/support/service.js';
import { type Answered } from '#test/support/service-client.js';
import { named } from '#test/support/named.js';

interface Written {
  readonly [name: string]: unknown;
}

const ASKED = { query_text: 'What is my name?' };

describe('I7 Idempotency-Key', () => {
  let service: TestService;
  let log: LogReader;
  let agent: Caller;
  let admin: Caller;
  let council: Caller;

  beforeAll(async () => {
    service = await TestService.shared();
    log = new LogReader(service.eventStore.url);
    agent = await Caller.of(service, 'agent');
    admin = await Caller.of(service, 'admin');
    council = await Caller.of(service, 'council');
  });
  afterAll(async () => {
    await log?.close();
    await service?.stop();
  });

  /**
   * Sends the same request twice. Both answers have the same status and body, and the second request
   * adds no event.
   */
  async function sameTwice(
    caller: Caller,
    method: string,
    path: string,
    body: object | undefined,
    stream: string,
    between: () => Promise<unknown> = () => Promise.resolve(),
  ): Promise<Answered<Written>> {
    const key = `key ${method} ${path}`.replaceAll(/[^!-~]/g, '_');
    const first = await caller.did<Written>(method, path, { ...(body && { body }), key });
    await between();
    const events = (await log.events(stream)).length;
    const again = await caller.did<Written>(method, path, { ...(body && { body }), key });
    expect([path, again.status]).toStrictEqual([path, first.status]);
    // The texts are compared, because the order of the keys must be the same as well.
    expect([path, JSON.stringify(again.body)]).toStrictEqual([path, JSON.stringify(first.body)]);
    expect([path, positionOf(again)]).toStrictEqual([path, positionOf(first)]);
    expect([path, (await log.events(stream)).length]).toStrictEqual([path, events]);
    return first;
  }

  it('I7 a retried job command gets the first answer and adds nothing, even after other events', async () => {
    await agent.post('jobs', { job_seed: named('retry') });
    await agent.post(`jobs/${named('retry')}/commands`, {
      commands: [
        { op: 'wm_insert', type: 'fact', value: 'consolidated', ttl_ticks: 100 },
        { op: 'wm_reference', wm_id: `wm:${named('retry')}:1` },
        { op: 'wm_reference', wm_id: `wm:${named('retry')}:1` },
        { op: 'tick' },
        { op: 'wm_insert', type: 'fact', value: 'stays', ttl_ticks: 100 },
      ],
    });
    const later = () => agent.post(`jobs/${named('retry')}/wm`, { type: 'temp', value: 'later' });
    for (const [path, body] of [
      ['wm', { type: 'hint', value: 'h' }],
      [`wm/wm:${named('retry')}:2/references`, {}],
      [`cwm/cwmi:wm:${named('retry')}:1/references`, {}],
      ['ticks', { count: 3 }],
      ['goals', { goal: 'consolidated memory' }],
      ['episodes', { summary: 'noted' }],
      ['commands', { commands: [{ op: 'tick' }, { op: 'wm_insert', type: 'fact', value: 2 }] }],
      ['wm/find', { equals: { '/type': 'temp' } }],
      ['cwm/find', {}],
    ] as const)
      await sameTwice(
        agent,
        'POST',
        `jobs/${named('retry')}/${path}`,
        body,
        `job-${named('retry')}`,
        later,
      );
    for (const path of [`cwm/cwmi:wm:${named('retry')}:1`, `wm/wm:${named('retry')}:2`])
      await sameTwice(
        agent,
        'DELETE',
        `jobs/${named('retry')}/${path}`,
        undefined,
        `job-${named('retry')}`,
        later,
      );
    const asked = { body: { absent: ['/never'] }, key: 'before the end'.replaceAll(' ', '-') };
    const first = await agent.did('POST', `jobs/${named('retry')}/wm/find`, asked);
    await sameTwice(agent, 'POST', `jobs/${named('retry')}/end`, {}, `job-${named('retry')}`);
    const again = await agent.did('POST', `jobs/${named('retry')}/wm/find`, asked);
    expect(JSON.stringify(again.body)).toBe(JSON.stringify(first.body));
  });

  it('I7 a retried start with a seed returns the job as it was at its start, even if the job has gone on', async () => {
    await sameTwice(
      agent,
      'POST',
      'jobs',
      { job_seed: named('seeded') },
      `job-${named('seeded')}`,
      () => agent.post(`jobs/${named('seeded')}/ticks`),
    );
  });

  it('I7 a start without a seed creates one job, however often it is sent with its key', async () => {
    const key = 'no-seed';
    const bodies = await Promise.all(
      Array.from({ length: 8 }, () => agent.did('POST', 'jobs', { body: { goal: 'g' }, key })),
    );
    const seeds = new Set(bodies.map(({ body }) => body['job_seed']));
    expect(seeds.size).toBe(1);
    const [seed] = seeds;
    expect(await log.types(`job-${String(seed)}`)).toStrictEqual(['job_started']);
  });

  it('I7 a used key with another body is IDEMPOTENCY_MISMATCH, and writes nothing', async () => {
    await agent.post('jobs', { job_seed: named('mismatch') });
    await agent.did('POST', 'jobs', { body: { job_seed: named('mismatch-1') }, key: 'start' });
    for (const body of [
      { job_seed: named('mismatch-2') },
      { job_seed: named('mismatch-1'), goal: 'g' },
      {},
    ])
      await agent.refused('IDEMPOTENCY_MISMATCH', 'POST', 'jobs', { body, key: 'start' });
    expect(await log.types(`job-${named('mismatch-2')}`)).toStrictEqual([]);
    const wm = `jobs/${named('mismatch')}/wm`;
    await agent.did('POST', wm, { body: { type: 'fact', value: 1 }, key: 'k' });
    await agent.refused('IDEMPOTENCY_MISMATCH', 'POST', wm, {
      body: { type: 'fact', value: 2 },
      key: 'k',
    });
    expect(await log.events(`job-${named('mismatch')}`)).toHaveLength(2);
  });

  it('I7 the same key can be used by another caller or for another route', async () => {
    await agent.post('jobs', { job_seed: named('routes') });
    const key = 'shared';
    await agent.did('POST', `jobs/${named('routes')}/ticks`, { body: {}, key });
    await agent.did('POST', `jobs/${named('routes')}/wm/find`, { body: {}, key });
    await admin.did('POST', `jobs/${named('routes')}/ticks`, { body: {}, key });
    expect(await log.types(`job-${named('routes')}`)).toStrictEqual([
      'job_started',
      'ticked',
      'memory_read',
      'ticked',
    ]);
  });

  it('I7 I9 the users of one agent, and the agent alone, do not share keys: none gets the answer of another, and no write is lost', async () => {
    const sub = named('shared-agent');
    const [ada, bea] = [named('ada'), named('bea')];
    const callers = await Promise.all([
      Caller.of(service, 'agent', { sub, user_id: ada }),
      Caller.of(service, 'agent', { sub, user_id: bea }),
      Caller.of(service, 'user', { sub }),
      Caller.of(service, 'agent', { sub }),
    ]);
    const key = 'of-several-users';
    await callers[0].did('PUT', `sem/user/profile/user_${ada}/name`, { body: { value: 'Ada' } });
    const note = { namespace: ['tea'], key: 'kind', value: 'green' };
    const checkpoint = {
      ...{ thread_id: 'tea', checkpoint_id: 'c1', checkpoint: {}, metadata: {} },
      ...{ channel_versions: { kind: 1 }, channel_values: { kind: 'green' } },
    };
    const jobs = new Set<unknown>();
    for (const caller of callers) {
      await caller.did('PUT', 'notes', { body: note, key });
      expect(await caller.get('notes?namespace=tea&key=kind')).toMatchObject(note);
      await caller.did('PUT', 'threads/checkpoints', { body: checkpoint, key });
      expect(await caller.get('threads/checkpoints?thread_id=tea')).toMatchObject({
        checkpoint_id: 'c1',
      });
      jobs.add(
        (await caller.ask<Written>('POST', 'queries', { body: ASKED, key })).body['job_seed'],
      );
    }
    expect(jobs.size).toBe(callers.length);
    const other = await callers[1].ask('POST', 'queries', { body: ASKED, key });
    expect(JSON.stringify(other.body)).not.toContain('Ada');
    const sameUser = await Caller.of(service, 'agent', { sub, user_id: ada.toUpperCase() });
    const { body: own } = await sameUser.did('POST', 'queries', { body: ASKED, key });
    expect(jobs).toContain(own['job_seed']);
  });

  it('I7 a retry may order the JSON fields of its body differently', async () => {
    await agent.post('jobs', { job_seed: named('order') });
    const send = (body: string) =>
      agent.did('POST', `jobs/${named('order')}/wm`, { body, key: 'order' });
    const first = await send('{"type":"fact","value":{"a":1,"b":2}}');
    const again = await send('{ "value": {"b": 2, "a": 1.0}, "type": "fact" }');
    expect(JSON.stringify(again.body)).toBe(JSON.stringify(first.body));
  });

  it('I7 S2 a fact that is put twice with the same idempotency key, as a header or as idempotency_token, is written once', async () => {
    const path = `sem/world/fact/${named('water')}/state`;
    await sameTwice(
      admin,
      'PUT',
      path,
      { value: 'liquid' },
      `sem-world/fact/${named('water')}/state`,
      () => admin.did('PUT', path, { body: { value: 'ice' } }),
    );
    expect((await admin.get(path))['value']).toBe('ice');
    const token = { value: 'steam', idempotency_token: 'steam-1' };
    const first = await admin.did('PUT', path, { body: token });
    const again = await admin.did('PUT', path, { body: token });
    const header = await admin.did('PUT', path, { body: { value: 'steam' }, key: 'steam-1' });
    expect([again.body, header.body]).toStrictEqual([first.body, first.body]);
    await admin.refused('IDEMPOTENCY_MISMATCH', 'PUT', path, {
      body: { value: 'gas', idempotency_token: 'steam-1' },
    });
    await admin.refused('INVALID_INPUT', 'PUT', path, { body: token, key: 'another' });
    expect(await log.events(`sem-world/fact/${named('water')}/state`)).toHaveLength(3);
  });

  it('I7 K4 a title that is claimed twice with one key is one claim; another title under that key is a mismatch', async () => {
    const body = {
      scope: 'world',
      entity_type: 'fact',
      entity_id: named('Boyle'),
      attribute: 'law',
    };
    await sameTwice(admin, 'POST', 'sem-keys', body, `sem-world/fact/${named('boyle')}/law`);
    await admin.refused('IDEMPOTENCY_MISMATCH', 'POST', 'sem-keys', {
      body: { ...body, entity_id: named('Charles') },
      key: 'key_POST_sem-keys',
    });
    expect(await log.types(`sem-world/fact/${named('charles')}/law`)).toStrictEqual([]);
  });

  it('I7 a proposal that is sent twice, and votes that are sent twice, count once', async () => {
    await agent.post('jobs', { job_seed: named('proposes') });
    const { episodic_id } = await agent.post(`jobs/${named('proposes')}/episodes`, {
      summary: 's',
    });
    const body = {
      episodic_id,
      target_sem_key: `world/fact/${named('gas')}/law`,
      value: 'pV = nRT',
      justification: 'known',
    };
    const proposal = { body, key: 'proposal' };
    const first = await agent.did('POST', 'action-requests', proposal);
    expect(await agent.did('POST', 'action-requests', proposal).then((a) => a.body)).toStrictEqual(
      first.body,
    );
    const id = String(first.body['request_id']);
    const stream = `request-${id}`;
    expect(first.body['status']).toBe('pending');
    const { proposal_hash } = first.body;
    const votes = `action-requests/${id}/votes`;
    const abstains = { vote: 'abstain', reason: 'unsure', proposal_hash };
    const approves = { vote: 'approve', reason: 'fine', proposal_hash };
    const second = await Caller.of(service, 'council', { sub: named('council-2') });
    const vote = await sameTwice(council, 'POST', votes, abstains, stream, () =>
      second.post(votes, approves),
    );
    expect(vote.body['status']).toBe('pending');
    const afterwards = await agent.did('POST', 'action-requests', proposal);
    expect(JSON.stringify(afterwards.body)).toBe(JSON.stringify(first.body));
    expect((await log.types(stream)).filter((type) => type === 'vote_cast')).toHaveLength(2);
  });

  it('I7 an approving vote that is sent twice returns the execution, and the fact is written once', async () => {
    const { episodic_id } = await agent.post(`jobs/${named('proposes')}/episodes`, {
      summary: 's',
    });
    const target_sem_key = `world/fact/${named('gas')}/constant`;
    const request = await agent.post('action-requests', {
      ...{ episodic_id, target_sem_key, value: 8.314, justification: 'known' },
    });
    const { request_id, proposal_hash } = request;
    const body = { vote: 'approve', reason: 'fine', proposal_hash };
    const path = `action-requests/${String(request_id)}/votes`;
    const answer = await sameTwice(council, 'POST', path, body, `sem-${target_sem_key}`);
    expect(answer.body['status']).toBe('executed');
    expect(await log.types(`sem-${target_sem_key}`)).toStrictEqual(['fact_put']);
  });

  it('I7 J10 a read that names a job and is sent twice with one key is recorded once, and the key is refused for another job', async () => {
    await agent.post('jobs', { job_seed: named('asks-1') });
    await agent.post('jobs', { job_seed: named('asks-2') });
    const body = { query_terms: 'noted', job_seed: named('asks-1') };
    await sameTwice(agent, 'POST', 'episodes/query', body, `job-${named('asks-1')}`, () =>
      agent.post(`jobs/${named('asks-1')}/ticks`),
    );
    await agent.refused('IDEMPOTENCY_MISMATCH', 'POST', 'episodes/query', {
      body: { ...body, job_seed: named('asks-2') },
      key: 'key_POST_episodes/query',
    });
    expect(await log.types(`job-${named('asks-2')}`)).toStrictEqual(['job_started']);
  });

  it('I7 a refused command does not use up its key', async () => {
    await agent.post('jobs', { job_seed: named('free') });
    const wm = `jobs/${named('free')}/wm`;
    await agent.refused('INVALID_INPUT', 'POST', wm, {
      body: { type: 'fact', value: 'x'.repeat(20_000) },
      key: 'free',
    });
    await agent.did('POST', wm, { body: { type: 'fact', value: 'x' }, key: 'free' });
  });

  it('I7 an event carries the id of its command: one id for a batch, and the same id for a retry', async () => {
    await agent.post('jobs', { job_seed: named('commands') });
    const body = { commands: [{ op: 'tick' }, { op: 'tick' }] };
    await agent.did('POST', `jobs/${named('commands')}/commands`, { body, key: 'batch' });
    await agent.did('POST', `jobs/${named('commands')}/ticks`, { body: {} });
    const ids = (await log.events(`job-${named('commands')}`)).map(
      ({ metadata }) => metadata.command_id,
    );
    expect(ids[1]).toBe(ids[2]);
    expect(new Set(ids).size).toBe(3);
    expect(String(ids[1])).toMatch(/^[0-9a-f]{64}$/);
  });
});
