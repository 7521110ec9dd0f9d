import type { ActionRequest } from '#client/action-requests.js';
import type { Cast } from './cast.js';
import { GOVERNANCE, PROPOSALS, type SampleGovernance, type SampleProposal } from './story.js';

/** Makes the requests of the story, and what becomes of them. Returns the ids, by name. */
export async function makeRequests(
  cast: Cast,
  episodes: ReadonlyMap<string, string>,
  consents: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  for (const proposal of PROPOSALS)
    ids.set(proposal.name, await propose(cast, proposal, episodes.get(proposal.cites)!));
  for (const request of GOVERNANCE)
    ids.set(request.name, await ask(cast, request, consents.get(request.user)));
  return ids;
}

async function propose(cast: Cast, proposal: SampleProposal, episodic_id: string): Promise<string> {
  const { names } = cast;
  const { name, by, key, value, because: justification, evidence } = proposal;
  const agent = await cast.agent(by);
  const request = await agent.actionRequests.propose(
    { episodic_id, target_sem_key: names.key(key), value, justification, evidence },
    names.once('request', name),
  );
  await carryOn(cast, proposal, request);
  return request.request_id;
}

async function carryOn(
  cast: Cast,
  { name, by, then }: SampleProposal,
  request: ActionRequest,
): Promise<void> {
  if (then === undefined) return;
  const { request_id } = request;
  const key = (part: string) => cast.names.once('request', name, part);
  if ('approved' in then)
    return cast.decide(name, request, { vote: 'approve', reason: then.approved });
  if ('rejected' in then) {
    const { rejected: reason, code: reason_code } = then;
    return cast.decide(name, request, { vote: 'reject', reason, reason_code });
  }
  const editor = (await cast.editor()).actionRequests;
  if ('revised' in then) {
    await editor.revise(request_id, { value: then.revised, reason: then.reason }, key('revision'));
    return;
  }
  await editor.ask(request_id, then.asked, key('question'));
  if (then.answered === undefined) return;
  const proposer = (await cast.agent(by)).actionRequests;
  await proposer.answer(request_id, then.answered, key('answer'));
}

async function ask(
  cast: Cast,
  { name, kind, user, because: justification, approved }: SampleGovernance,
  consent_id: string | undefined,
): Promise<string> {
  const about =
    kind === 'erasure'
      ? { subject: `user:${cast.names.of(user)}`, reason_code: 'legal_erasure' as const }
      : { consent_id: consent_id! };
  const request = await (
    await cast.user(user)
  ).actionRequests.propose({ kind, justification, ...about }, cast.names.once('request', name));
  const { request_id } = request;
  if (approved === undefined) return request_id;
  await cast.decide(name, request, { vote: 'approve', reason: approved });
  if (kind === 'erasure') await erase(cast, name, request_id);
  return request_id;
}

/** Executes an approved erasure. */
export async function erase(cast: Cast, name: string, requestId: string): Promise<void> {
  const admin = await cast.admin();
  await admin.privacy.executeErasure(requestId, cast.names.once('request', name, 'execution'));
}
