import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Caller } from '#test/support/caller.js';
import { LogReader } from '#test/support/read-log.js';
import { TestService } from '#test/support/service.js';

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

  before(async () => {
    service = await TestService.start();
    log = new LogReader(service.eventStore.url);
    agent = await Caller.of(service, 'agent');
  });
  after(async () => {
    await log?.close();
    await service?.stop();
  });

  /** Starts a job that brings each value into CWM, and ends it. */
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

  it('J1 its first job carries nothing', async () => {
    const { cwm } = await run('s', 's-1', 'alpha');
    assert.deepEqual(cwm.items, []);
    assert.equal(await carriedInto('s-1'), null);
  });

  it('J1 the next start copies the CWM that the last ended job left, items and ids, into its first event', async () => {
    const started = await run('s', 's-2', 'beta');
    assert.equal(started.cwm.cwm_id, 'cwm:s');
    assert.deepEqual(
      started.cwm.items.map(({ cwm_id_item, value }) => [cwm_id_item, value]),
      [['cwmi:wm:s-1:1', 'alpha']],
    );
    const carried = await carriedInto('s-2');
    assert.equal(carried?.from_job_seed, 's-1');
  });

  it('J4 carried items come first in the order of insertion', async () => {
    const { cwm } = await agent.post<Job>('jobs', {
      job_seed: 's-3',
      session_id: 's',
      goal: 'alpha',
    });
    assert.deepEqual(
      cwm.items.map(({ value }) => value),
      ['alpha', 'beta'],
    );
  });

  it('J1 a job that has not ended leaves nothing: the one that ended last is carried', async () => {
    const { cwm } = await agent.post<Job>('jobs', { job_seed: 's-4', session_id: 's' });
    assert.equal((await carriedInto('s-4'))?.from_job_seed, 's-2');
    assert.equal(cwm.items.length, 2);
    await agent.post('jobs/s-3/end');
    await agent.post('jobs', { job_seed: 's-5', session_id: 's' });
    assert.equal((await carriedInto('s-5'))?.from_job_seed, 's-3');
  });

  it('J1 an end is acknowledged only when the session names the job', async () => {
    for (const seed of ['now-1', 'now-2', 'now-3']) {
      await agent.post('jobs', { job_seed: seed, session_id: 'now' });
      await agent.post(`jobs/${seed}/end`);
      assert.equal((await log.events('session-now')).at(-1)?.data['job_seed'], seed);
    }
    assert.deepEqual(await log.types('session-now'), [
      'session_claimed',
      'session_job_ended',
      'session_job_ended',
      'session_job_ended',
    ]);
  });

  it('J1 a repeated end with its key names the job once', async () => {
    await agent.post('jobs', { job_seed: 'once', session_id: 'once' });
    const first = await agent.did('POST', 'jobs/once/end', { body: {}, key: 'end-once' });
    const again = await agent.did('POST', 'jobs/once/end', { body: {}, key: 'end-once' });
    assert.deepEqual(again.body, first.body);
    assert.deepEqual(await log.types('session-once'), ['session_claimed', 'session_job_ended']);
  });

  it('J1 X1 a job with carried memory replays identical from its own stream alone', async () => {
    const report = await agent.post('jobs/s-2/replays', { mode: 'strict' });
    assert.equal(report['identical'], true);
  });

  it('J6 a start’s goal ages what is carried and shares no word with it', async () => {
    await run('aging', 'aging-1', 'gamma rays', 'delta wing');
    const before = await agent.post<Job>('jobs', {
      job_seed: 'aging-2',
      session_id: 'aging',
      goal: 'More gamma',
    });
    assert.equal(before.cwm.topic, 'More gamma');
    assert.deepEqual(await log.types('job-aging-2'), ['job_started', 'cwm_aged']);
  });

  it('I9 belongs to whoever started it: another agent, and the same one for a user, are refused', async () => {
    await run('mine', 'mine-1');
    const other = await Caller.of(service, 'agent', { sub: 'agent-2' });
    const forUser = await Caller.of(service, 'agent', { user_id: 'somebody' });
    for (const caller of [other, forUser]) {
      await caller.refused('PERMISSION_DENIED', 'POST', 'jobs', {
        body: { job_seed: 'mine-2', session_id: 'mine' },
      });
      assert.deepEqual(await log.types('job-mine-2'), []);
    }
    await agent.post('jobs', { job_seed: 'mine-2', session_id: 'mine' });
  });

  it('I9 an admin reaches it, and it stays whose it was', async () => {
    const admin = await Caller.of(service, 'admin');
    await run('reached', 'reached-1', 'epsilon');
    const { cwm } = await admin.post<Job>('jobs', {
      job_seed: 'reached-2',
      session_id: 'reached',
    });
    assert.equal(cwm.items.length, 1);
    await run('reached', 'reached-3');
  });

  it('I9 a session id that cannot name a stream is refused', async () => {
    for (const session_id of ['a b', 'ä', 'x'.repeat(129), ''])
      await agent.refused('INVALID_INPUT', 'POST', 'jobs', { body: { session_id } });
  });
});
