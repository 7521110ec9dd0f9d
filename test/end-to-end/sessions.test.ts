import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Caller } from '#test/support/caller.js';
import { LogReader } from '#test/support/read-log.js';
import { TestService } from '#test/support/service.js';
import { named } from '#test/support/named.js';

interface Job {
  readonly job_seed: string;
  readonly cwm: {
    readonly cwm_id: string;
    readonly topic: string;
    readonly items: readonly { readonly cwm_id_item: string; readonly value: unknown }[];
  };
  readonly snapshots: Readonly<Record<string, unknown>>;
}

describe('A session', () => {
  let service: TestService;
  let log: LogReader;
  let agent: Caller;

  beforeAll(async () => {
    service = await TestService.shared();
    log = new LogReader(service.eventStore.url);
    agent = await Caller.of(service, 'agent');
  });
  afterAll(async () => {
    await log?.close();
    await service?.stop();
  });

  /** Runs a job that promotes each value to CWM, and ends the job. */
  async function run(session_id: string, seed: string, ...values: string[]): Promise<Job> {
    const started = await agent.post<Job>('jobs', { job_seed: seed, session_id, goal: seed });
    for (const [index, value] of values.entries()) {
      const wm_id = `wm:${seed}:${index + 1}`;
      await agent.post(`jobs/${seed}/commands`, {
        commands: [
          { op: 'wm_insert', type: 'fact', value },
          { op: 'wm_reference', wm_id },
          { op: 'wm_reference', wm_id },
        ],
      });
    }
    await agent.post(`jobs/${seed}/ticks`);
    await agent.post(`jobs/${seed}/end`);
    return started;
  }
  const carriedInto = async (seed: string) =>
    (await log.events(`job-${seed}`))[0]?.data['carried_cwm'] as {
      from_job_seed: string;
      items: unknown[];
    } | null;

  it('J1 the first job of a session starts with no carried memory', async () => {
    const { cwm } = await run(named('s'), named('s-1'), 'alpha');
    expect(cwm.items).toStrictEqual([]);
    expect(await carriedInto(named('s-1'))).toBeNull();
  });

  it('J1 the first event of a session’s next job contains the CWM of the last ended job, with its items and ids', async () => {
    const started = await run(named('s'), named('s-2'), 'beta');
    expect(started.cwm.cwm_id).toBe(`cwm:${named('s')}`);
    expect(started.cwm.items.map(({ cwm_id_item, value }) => [cwm_id_item, value])).toStrictEqual([
      [`cwmi:wm:${named('s-1')}:1`, 'alpha'],
    ]);
    const carried = await carriedInto(named('s-2'));
    expect(carried?.from_job_seed).toBe(named('s-1'));
  });

  it('J1 a start carries the CWM of the job that ended last, never that of a running job', async () => {
    await agent.post('jobs', { job_seed: named('s-3'), session_id: named('s'), goal: 'alpha' });
    const { cwm } = await agent.post<Job>('jobs', {
      job_seed: named('s-4'),
      session_id: named('s'),
    });
    expect((await carriedInto(named('s-4')))?.from_job_seed).toBe(named('s-2'));
    expect(cwm.items.map(({ value }) => value)).toStrictEqual(['alpha', 'beta']);
    await agent.post(`jobs/${named('s-3')}/end`);
    await agent.post('jobs', { job_seed: named('s-5'), session_id: named('s') });
    expect((await carriedInto(named('s-5')))?.from_job_seed).toBe(named('s-3'));
  });

  it('J1 the session stream names a job before the job’s end is acknowledged', async () => {
    for (const seed of [named('now-1'), named('now-2'), named('now-3')]) {
      await agent.post('jobs', { job_seed: seed, session_id: named('now') });
      await agent.post(`jobs/${seed}/end`);
      expect((await log.events(`session-${named('now')}`)).at(-1)?.data['job_seed']).toBe(seed);
    }
    expect(await log.types(`session-${named('now')}`)).toStrictEqual([
      'session_claimed',
      'session_job_ended',
      'session_job_ended',
      'session_job_ended',
    ]);
  });

  it('J1 an end that is sent twice with one key names the job once in the session stream', async () => {
    await agent.post('jobs', { job_seed: named('once'), session_id: named('once') });
    const first = await agent.did('POST', `jobs/${named('once')}/end`, {
      body: {},
      key: 'end-once',
    });
    const again = await agent.did('POST', `jobs/${named('once')}/end`, {
      body: {},
      key: 'end-once',
    });
    expect(again.body).toStrictEqual(first.body);
    expect(await log.types(`session-${named('once')}`)).toStrictEqual([
      'session_claimed',
      'session_job_ended',
    ]);
  });

  it('J1 X1 a job with carried memory replays identically from its own stream alone', async () => {
    const report = await agent.post(`jobs/${named('s-2')}/replays`, { mode: 'strict' });
    expect(report['identical']).toBe(true);
  });

  it('I9 a session belongs to the caller that started it: another agent is refused, and so is the same agent on behalf of a user', async () => {
    await run(named('mine'), named('mine-1'));
    const other = await Caller.of(service, 'agent', { sub: named('agent-2') });
    const forUser = await Caller.of(service, 'agent', { user_id: named('somebody') });
    for (const caller of [other, forUser]) {
      await caller.refused('PERMISSION_DENIED', 'POST', 'jobs', {
        body: { job_seed: named('mine-2'), session_id: named('mine') },
      });
      expect(await log.types(`job-${named('mine-2')}`)).toStrictEqual([]);
    }
    await agent.post('jobs', { job_seed: named('mine-2'), session_id: named('mine') });
  });

  it('I9 an admin can use a session, and the session keeps its owner', async () => {
    const admin = await Caller.of(service, 'admin');
    await run(named('reached'), named('reached-1'), 'epsilon');
    const { cwm } = await admin.post<Job>('jobs', {
      job_seed: named('reached-2'),
      session_id: named('reached'),
    });
    expect(cwm.items).toHaveLength(1);
    await run(named('reached'), named('reached-3'));
  });
});
