import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Caller } from '#test/support/caller.js';
import { TestService } from '#test/support/service.js';

const VANISHING = ['.', '..'];
const MEMORY = { short_term: 20, semantic: true, profile: true };

describe('An attacker who chooses ids that a URL normalises away', () => {
  let service: TestService;
  let agent: Caller;

  beforeAll(async () => {
    service = await TestService.start({ ownLog: true });
    agent = await Caller.of(service, 'agent');
  });
  afterAll(() => service?.stop());

  it('cannot name a job or a session by them', async () => {
    for (const id of [...VANISHING, '%2e', '%2e%2e'])
      for (const body of [{ job_seed: id }, { session_id: id }])
        await agent.refused('INVALID_INPUT', 'POST', 'jobs', { body });
    const body = { query_text: 'What is 1 + 1?', job_seed: '..' };
    await agent.refused('INVALID_INPUT', 'POST', 'queries', { body });
    const { jobs } = await agent.get<{ jobs: unknown[] }>('jobs');
    expect(jobs).toStrictEqual([]);
  });

  it('cannot name a store of the Memory Contract by them, even with white space around them', async () => {
    const turn = {
      assistant: 'helper',
      memory: MEMORY,
      user_text: 'I prefer tea',
      ai_text: 'Noted.',
    };
    for (const id of [...VANISHING, ' .. '])
      for (const ids of [{ session_id: id }, { session_id: 's', user_id: id }]) {
        const body = { ...turn, ...ids };
        await agent.refused('INVALID_INPUT', 'POST', 'memory/interactions', { body });
      }
  });

  it('can still use ids that only contain dots', async () => {
    for (const job_seed of ['...', '.hidden', 'a.b']) {
      await agent.post('jobs', { job_seed });
      expect((await agent.get(`jobs/${job_seed}`))['job_seed']).toBe(job_seed);
    }
  });
});
