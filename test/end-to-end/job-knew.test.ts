import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { MaceClient } from '#client/mace-client.js';
import type { Role } from '#platform/auth/roles.js';
import { Caller } from '#test/support/caller.js';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';

const SEED = named('knowing');
const USER = named('ada');
const key = (name: string): string => `world/tower/${named(name)}/height`;

describe('What a job knew', () => {
  let service: TestService;
  let admin: Caller;
  let auditor: Caller;
  let agent: MaceClient;
  let mace: MaceClient;
  /** A time at which the job had read the approved fact alone. */
  let early: string;
  let approval: string;

  const put = (name: string, value: unknown) =>
    admin.did('PUT', `sem/${key(name)}`, { body: { value } });

  beforeAll(async () => {
    service = await TestService.shared();
    const clientOf = async (role: Role, claims: object = {}) =>
      new MaceClient({ baseUrl: service.url, token: await service.token([role], claims) });
    [admin, auditor] = [await Caller.of(service, 'admin'), await Caller.of(service, 'auditor')];
    [agent, mace] = [await clientOf('agent', { user_id: USER }), await clientOf('auditor')];
    const council = await Caller.of(service, 'council', { sub: named('judge') });
    await put('found', 1);
    await put('late', 'before');
    await agent.jobs.start({ job_seed: named('asking') });
    const { episodic_id } = await agent.job(named('asking')).writeEpisode({ summary: 'Seen.' });
    const { request_id, proposal_hash } = await agent.actionRequests.propose({
      ...{ episodic_id, target_sem_key: key('approved'), value: 12, justification: 'Measured.' },
    });
    approval = request_id;
    await council.post(`action-requests/${request_id}/votes`, {
      ...{ vote: 'approve', reason: 'I measured it.', proposal_hash },
    });
    await service.caughtUp();
    await agent.jobs.start({ job_seed: SEED, goal: 'Compare towers' });
    await put('approved', 99);
    const job = agent.job(SEED);
    await job.insert({ type: 'fact', value: 'It looks tall' });
    await agent.sem.get(key('approved'), { job_seed: SEED });
    await delay(5);
    early = new Date().toISOString();
    await delay(5);
    await put('late', 'zebrafish');
    await service.caughtUp();
    await agent.search({ query: 'zebrafish', record_in: SEED, kinds: ['fact'] });
    await agent.sem.get(key('approved'), { job_seed: SEED });
    await agent.sem.get(key('never'), { job_seed: SEED }).catch(() => undefined);
  });
  afterAll(() => service?.stop());

  it('has each fact that it read once, with the value that it saw, how often, and who approved it', async () => {
    const { job, read, user_id, left_out } = await mace.job(SEED).knew();
    expect(job.wm.map(({ value }) => value)).toStrictEqual(['It looks tall']);
    expect([user_id, left_out]).toStrictEqual([USER, 0]);
    const seen = read.map(({ id, times, last, fact }) => [id, times, last.kind, fact?.value]);
    expect(seen).toStrictEqual([
      [key('approved'), 2, 'sem_get', 12],
      [key('late'), 1, 'search', 'zebrafish'],
      [key('never'), 1, 'sem_get', undefined],
    ]);
    expect(read[0]?.fact?.approved_by).toMatchObject({ request_id: approval });
    expect(read[1]?.fact?.approved_by).toBeUndefined();
  });

  it('is asked for at a time, at a position and after an event', async () => {
    const then = await mace.job(SEED).knew({ at: early });
    expect(then.read.map(({ id, times }) => [id, times])).toStrictEqual([[key('approved'), 1]]);
    const { position } = await mace.positionAt(early);
    expect(await mace.job(SEED).knew({ at: position! })).toStrictEqual(then);
    expect(await mace.job(SEED).knew({ version: then.job.version })).toStrictEqual(then);
    const atStart = await mace.job(SEED).knew({ version: 0 });
    expect([atStart.read, atStart.job.wm]).toStrictEqual([[], []]);
    expect(atStart.recorded_at < then.recorded_at).toBe(true);
  });

  it('its snapshot lists what it could have read, under a prefix and for its user', async () => {
    const { job } = await mace.job(SEED).knew();
    const listed = async (query: string) =>
      (
        await auditor.get<{ facts: { key: string; value: unknown }[] }>(
          `sem-snapshots/${job.snapshots.sem_snapshot_id}?${query}`,
        )
      ).facts.map(({ key: found, value }) => [found, value]);
    expect(await listed(`prefix=${key('late')}`)).toStrictEqual([[key('late'), 'before']]);
    expect(await listed('prefix=user/&user_id=nobody-here')).toStrictEqual([]);
  });

  it('is for those who may read the job', async () => {
    const other = await Caller.of(service, 'agent', { sub: named('other') });
    await other.refused('PERMISSION_DENIED', 'GET', `jobs/${SEED}/knew`);
    await auditor.refused('NOT_FOUND', 'GET', `jobs/${named('never')}/knew`);
    await auditor.refused('INVALID_INPUT', 'GET', `jobs/${SEED}/knew?version=1&at=${early}`);
  });
});
