/**
 * Records a data directory of this release, which every later release must start on.
 *
 *   npm run build && node dist/test/upgrades/record.js <name>
 *
 * writes `test/upgrades/directories/<name>.br`, and what the service answers on it to `<name>.json`. The directory
 * contains keys that are used nowhere else, and no personal data of real people.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  peopleOf,
  type People,
  proposalsOf,
  recordAdditions,
  recordConversation,
  recordFact,
  recordForgetting,
  recordJob,
  recordNote,
  recordPrivacy,
  recordRequests,
  recordReview,
  recordSearches,
  recordThread,
  recordUse,
  SESSION,
} from '#test/golden/recorded-use.js';
import { Caller } from '#test/support/caller.js';
import { type ServiceClient } from '#test/support/service-client.js';
import { ServiceProcess } from '#test/support/service-process.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { verificationFindings } from '#test/support/verification.js';
import { pack } from './packed-directory.js';
import { answersTo, KEPT, readsOf } from './recorded-reads.js';

const FOLDER = fileURLToPath(new URL('../../../test/upgrades/directories/', import.meta.url));

/** What the golden streams do not contain: values that stay sealed, and jobs that go on. */
async function recordMore(service: ServiceClient, { agent }: People): Promise<void> {
  const kept = await Caller.of(service, 'user', { sub: KEPT });
  await kept.post('consents', { text: 'Keep my contact data.', scope: 'persistent' });
  const value = 'someone@example.com';
  await kept.did('PUT', 'sem/user/profile/user_kept/contact', { body: { value } });
  const items = [{ role: 'user', content: 'Write to someone@example.com.' }, 'Another item'];
  await agent.post('conversations/kept-chat/items', { items });
  const fact = { op: 'wm_insert', type: 'fact', value: 'The sky is blue.' };
  const use = { op: 'wm_reference', wm_id: 'wm:golden-carried:1' };
  for (const job_seed of ['golden-carried', 'golden-carrying']) {
    await agent.post('jobs', { job_seed, session_id: 'golden-carry', goal: 'Go on' });
    if (job_seed === 'golden-carrying') break;
    await agent.post(`jobs/${job_seed}/commands`, { commands: [fact, use, use, { op: 'tick' }] });
    await agent.post(`jobs/${job_seed}/end`);
  }
  // A promotion from the session to its user, as the user asks for it.
  await agent.post('memory/interactions', {
    ...{ assistant: 'helper', session_id: SESSION, user_id: 'golden', ai_text: 'Noted.' },
    memory: { short_term: 20, semantic: true, profile: true },
    user_text: 'I prefer trains over planes, remember this for me.',
  });
  // Queries that need no language model.
  for (const query_text of ['What is 12 * 12?', 'What is my favorite color?'])
    await kept.ask('POST', 'queries', {
      body: { query_text, job_seed: `golden-${query_text.length}` },
    });
  await agent.refused('PERMISSION_DENIED', 'PUT', 'sem/mace/config/router/enable', {
    body: { value: false },
  });
}

async function use(service: ServiceClient): Promise<void> {
  const people = await peopleOf(service);
  const proposalOf = await proposalsOf(people.agent);
  await recordConversation(people);
  await recordThread(people);
  await recordFact(people);
  await recordJob(people);
  await recordForgetting(people);
  await recordSearches(people);
  await recordAdditions(people);
  await recordRequests(people, proposalOf);
  await recordReview(people);
  await recordPrivacy(people);
  await recordUse(people);
  await recordNote(people);
  await recordMore(service, people);
}

const name = process.argv[2];
if (name === undefined || !/^[a-z0-9.-]+$/.test(name)) {
  console.error('Usage: node dist/test/upgrades/record.js <name>');
  process.exit(2);
}
const { path } = temporaryFolder('upgrade');
const started = ServiceProcess.spawn(join(path, 'data'), { MACE_COUNCIL_QUORUM: '2' });
const service = await started.ready();
await use(service);
await service.caughtUp();
const problems = await verificationFindings(service);
if (problems.length > 0) throw new Error(`The verification found ${JSON.stringify(problems)}`);
const reads = await answersTo(service, await readsOf(service));
await started.stop();
await pack(started.dataDir, join(FOLDER, `${name}.br`));
writeFileSync(join(FOLDER, `${name}.json`), `${JSON.stringify({ reads }, null, 1)}\n`, {
  flag: 'wx',
});
console.log(`${name}: ${reads.length} reads`);
