import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Caller } from '#test/support/caller.js';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';
import { TEST_KEYS } from '#test/support/test-keys.js';
import { mace } from '#test/support/cli-run.js';

const EMAIL = 'lotte.brandsma@ziggo.test';

interface Report {
  readonly retention_days: number;
  readonly subjects: readonly {
    readonly subject: string;
    readonly events: number;
    readonly is_due: boolean;
    readonly erased: boolean;
  }[];
  readonly requests: readonly string[];
}

describe('mace retention (SPEC G6)', () => {
  let service: TestService;
  let agent: Caller;
  const job = named('retained-job');
  const subject = `job:${job}`;

  beforeAll(async () => {
    service = await TestService.start({
      environment: { MACE_RETENTION_DAYS: '0' },
      ownLog: true,
    });
    agent = await Caller.of(service, 'agent');
    await agent.post('jobs', { job_seed: job });
    for (const value of [EMAIL, `2.${EMAIL}`])
      await agent.post(`jobs/${job}/wm`, { type: 'fact', value });
    // The command is a program of its own, which does not wait for these writes.
    await service.caughtUp();
  });
  afterAll(async () => {
    await service?.stop();
  });

  const retention = async (...options: string[]): Promise<Report> => {
    const ended = await mace(['retention', '--json', ...options, '--url', service.url], {
      ...TEST_KEYS,
    });
    expect(ended.code).toBe(0);
    return JSON.parse(ended.stdout) as Report;
  };

  it('reports each subject with its events, and whether its retention period is over', async () => {
    const { retention_days, subjects, requests } = await retention();
    expect([retention_days, requests]).toStrictEqual([0, []]);
    expect(subjects).toMatchObject([{ subject, events: 2, is_due: true, erased: false }]);
  });

  it('asks the council once to erase what is due, and shows it as erased afterwards', async () => {
    const [id] = (await retention('--request')).requests;
    expect((await retention('--request')).requests).toStrictEqual([id]);
    const council = await Caller.of(service, 'council');
    const admin = await Caller.of(service, 'admin');
    const path = `action-requests/${id}`;
    const { proposal_hash } = await council.get<{ proposal_hash: string }>(path);
    await council.post(`${path}/votes`, { vote: 'approve', reason: 'It is due.', proposal_hash });
    await admin.post(`erasures/${id}/execution`);
    const after = await retention('--request');
    expect(after.subjects).toMatchObject([{ subject, events: 2, erased: true }]);
    expect(after.requests).toStrictEqual([]);
  });

  it('agents and users do not see the report', async () => {
    const user = await Caller.of(service, 'user');
    for (const caller of [agent, user])
      await caller.refused('PERMISSION_DENIED', 'GET', 'retention');
  });
});
