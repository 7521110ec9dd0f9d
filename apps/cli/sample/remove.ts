import type { ActionRequestListing } from '#client/action-requests.js';
import type { MaceClient } from '#client/mace-client.js';
import { pagesOf } from '#client/pages.js';
import type { Cast } from './cast.js';
import { erase } from './requests.js';
import { CONVERSATION, GOVERNANCE, JOBS, PEOPLE, PROPOSALS } from './story.js';

/** What a removal has done. */
export interface Removal {
  readonly facts: number;
  readonly notes: number;
  readonly memories: number;
  readonly rejected: number;
  readonly erased: number;
}

const REASON = 'The sample is removed.';
const AT_ONCE = 100;

/** Removes the sample: its jobs, and the events of everything else, stay in the log. */
export async function removeSample(cast: Cast): Promise<Removal> {
  const rejected = await rejectOpen(cast);
  const facts = await deleteFacts(cast);
  const notes = await deleteNotes(cast);
  const memories = await forgetMemories(cast);
  await endJobs(cast);
  const erased = await erasePeople(cast);
  return { facts, notes, memories, rejected, erased };
}

/** Rejects what waits, with as many reviewers as the quorum needs. */
async function rejectOpen(cast: Cast): Promise<number> {
  let first: number | undefined;
  for await (const { client } of cast.reviewers()) {
    const open = await openRequests(cast, client);
    first ??= open.length;
    if (open.length === 0) return first;
    for (let from = 0; from < open.length; from += AT_ONCE)
      await client.actionRequests.rejectMany({
        requests: open.slice(from, from + AT_ONCE),
        reason: REASON,
        reason_code: 'other',
      });
  }
  return first ?? 0;
}

async function openRequests({ names }: Cast, { actionRequests }: MaceClient) {
  const proposers = new Set([
    ...PROPOSALS.map(({ by }) => by),
    ...GOVERNANCE.map(({ user }) => user),
  ]);
  const open: Pick<ActionRequestListing, 'request_id' | 'proposal_hash'>[] = [];
  for (const name of proposers) {
    const filter = { proposer: names.of(name), status: 'pending', voted: 'false' } as const;
    const pages = pagesOf((next) => actionRequests.list({ ...filter, ...next }));
    for await (const { action_requests } of pages)
      for (const { request_id, proposal_hash } of action_requests)
        open.push({ request_id, proposal_hash });
  }
  return open;
}

async function deleteFacts(cast: Cast): Promise<number> {
  const { sem } = await cast.admin();
  const keys = [
    ...PROPOSALS.map(({ key }) => key),
    ...PEOPLE.flatMap(({ facts }) => facts.map(([key]) => key)),
  ];
  let deleted = 0;
  for (const key of new Set(keys.map((each) => cast.names.key(each)))) {
    if (!(await sem.get(key)).exists) continue;
    await sem.delete(key);
    deleted += 1;
  }
  return deleted;
}

/** Deletes the notes, and clears the conversation. */
async function deleteNotes(cast: Cast): Promise<number> {
  let deleted = 0;
  for (const { name, notes } of PEOPLE)
    for (const key of Object.keys(notes)) {
      const note = await (await cast.user(name)).notes.delete(cast.names.notesAbout(name), key);
      if (note !== undefined) deleted += 1;
    }
  const user = await cast.user(CONVERSATION.user);
  await user.conversation(cast.names.of(CONVERSATION.name)).clear(cast.names.once('clear'));
  return deleted;
}

async function forgetMemories(cast: Cast): Promise<number> {
  let forgotten = 0;
  for (const { name } of PEOPLE) {
    const user = await cast.user(name);
    for await (const { id } of user.memories.all()) if (await user.forget(id)) forgotten += 1;
  }
  return forgotten;
}

async function endJobs(cast: Cast): Promise<void> {
  for (const { name, agent, outcome } of JOBS)
    if (outcome === 'running')
      await (
        await cast.agent(agent)
      )
        .job(cast.names.of(name))
        .end(cast.names.once('job', name, 'end'));
}

/** Revokes the consents of the people, and erases those that the story has not erased. */
async function erasePeople(cast: Cast): Promise<number> {
  let erased = 0;
  const gone = GOVERNANCE.filter(
    ({ kind, approved }) => kind === 'erasure' && approved !== undefined,
  );
  for (const { name } of PEOPLE) {
    const { privacy } = await cast.user(name);
    for (const { consent_id, revoked_at } of await privacy.consents())
      if (revoked_at === null) await privacy.revokeConsent(consent_id);
    if (gone.some(({ user }) => user === name)) continue;
    const step = `${name}-removal`;
    const request = await (
      await cast.admin()
    ).actionRequests.propose(
      {
        kind: 'erasure',
        subject: `user:${cast.names.of(name)}`,
        reason_code: 'legal_erasure',
        justification: REASON,
      },
      cast.names.once('request', step),
    );
    await cast.decide(step, request, { vote: 'approve', reason: REASON });
    await erase(cast, step, request.request_id);
    erased += 1;
  }
  return erased;
}
