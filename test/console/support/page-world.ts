import { MaceClient } from '#client/index.js';
import { ROLES } from '#platform/auth/roles.js';
import { aLog } from '#test/support/reflective-logs.js';
import type { TestService } from '#test/support/service.js';
import type { PageWorld } from './page-examples.js';

/** The names of a memory in which nothing is stored. */
export const emptyWorld: PageWorld = {
  job: 'page-job',
  request: '00000000-0000-7000-8000-000000000000',
  fact: 'world/page/sky/colour',
  session: 'page-session',
  memory: 'mem:00000000-0000-5000-8000-000000000000',
  log: '00000000-0000-7000-8000-000000000000',
};

/** Script, directions and invisible characters that a page must show as text. */
const HOSTILE = `the sky is "><script>document.title = 'hacked'</script><img src=x onerror="document.title = 'hacked'"> \u202Egnp.exe\u202C a\u200Bb раypal`;
/** As long as a fact may be, and as an episode's payload is allowed to be. */
const LONG = 'x'.repeat(16_000);
const VERY_LONG = 'x'.repeat(64 * 1024);
const withKeys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, number) => [`k${number}`, number]));

/** Fills the memory through the SDK, so that every list has rows. */
export async function fullWorld(service: TestService, token: string): Promise<PageWorld> {
  const everybody = new MaceClient({ baseUrl: service.url, token });
  const proposer = new MaceClient({
    baseUrl: service.url,
    token: await service.token(ROLES, { sub: 'proposer', user_id: 'somebody' }),
  });
  const world = emptyWorld;
  await everybody.sem.put(world.fact, { value: HOSTILE });
  await everybody.sem.put(world.fact, { value: LONG });
  await everybody.sem.put(`${world.fact}s`, { value: withKeys(1_000) });
  await everybody.jobs.start({ job_seed: world.job, goal: HOSTILE });
  const job = everybody.job(world.job);
  const { wm_id } = await job.insert({ type: 'fact', value: withKeys(1_000) });
  await job.insert({ type: 'hint', value: HOSTILE });
  await job.referenceWm(wm_id);
  await job.referenceWm(wm_id);
  await job.tick();
  const { episodic_id } = await job.writeEpisode({
    summary: HOSTILE,
    payload: { text: VERY_LONG, keys: withKeys(10_000) },
  });
  const request = await proposer.actionRequests.propose({
    ...{ episodic_id, target_sem_key: world.fact, value: HOSTILE, justification: HOSTILE },
    evidence: [{ text: HOSTILE }],
  });
  await everybody.actionRequests.ask(request.request_id, HOSTILE);
  await everybody.actionRequests.propose({
    ...{ kind: 'erasure', subject: 'user:everybody', reason_code: 'legal_erasure' },
    justification: HOSTILE,
  });
  await everybody.privacy.giveConsent({ text: HOSTILE, scope: 'persistent' });
  await everybody.memory.interactions({
    ...{ assistant: 'test', session_id: world.session, user_text: HOSTILE, ai_text: 'Noted.' },
    memory: { short_term: 2, semantic: true, profile: true },
  });
  const { kept } = await everybody.remember('I always prefer tea over coffee.');
  await everybody.notes.put(['page', HOSTILE.slice(0, 40)], 'sky', { text: HOSTILE });
  const { log_id } = await everybody.reflectiveLogs.post(aLog());
  // A log that is refused goes to quarantine.
  const body = { log_id: 'none', note: HOSTILE };
  await service.call('POST', '/v1/reflective-logs', { token, body });
  await job.get({ unredacted: 'true' });
  await everybody.integrity.verify({ decisions: true });
  return { ...world, request: request.request_id, memory: kept[0]!.id, log: log_id };
}
