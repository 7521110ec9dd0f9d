import { randomUUID } from 'node:crypto';
import type { TortureClient } from '../client.js';
import type { Journal } from '../journal.js';
import type { Random } from '../random.js';

/** The codes of a vote that came after the decision. */
const DECIDED = ['VERSION_CONFLICT'];

/** Proposes facts; two council members vote at once, each on the instance of its choice. */
export async function proposeAndVote(
  agent: TortureClient,
  members: readonly [TortureClient, TortureClient],
  random: Random,
  journal: Journal,
): Promise<void> {
  const job = await agent.write({ kind: 'start', adds: { job_started: 1 } }, (mace, o) =>
    mace.jobs.start({ goal: 'proposals' }, o),
  );
  if (job === undefined) return;
  for (let round = 0; !agent.isClosing; round += 1) {
    const episode = await agent.write(
      { kind: 'episode', adds: { episode_written: 1 } },
      (mace, o) => mace.job(job.job_seed).writeEpisode({ summary: `Round ${round}` }, o),
    );
    if (episode === undefined) continue;
    const proposal = {
      ...{
        episodic_id: episode.episodic_id,
        value: { round, by: 'agent' },
        justification: 'It was said.',
      },
      target_sem_key: `world/fact/proposed_${randomUUID().slice(0, 8)}/value`,
    };
    const request = await agent.write(
      { kind: 'propose', adds: { action_requested: 1 } },
      (mace, o) => mace.actionRequests.propose(proposal, o),
    );
    if (request === undefined) continue;
    const { request_id } = request;
    await discuss(agent, members[0], request_id, random);
    const revision = random.chance(0.3) ? await revise(members[0], request_id, round) : undefined;
    const { proposal_hash } = revision ?? request;
    const votes = await Promise.all(
      members.map((member, index) => {
        const vote = random.chance(0.8) ? ('approve' as const) : ('reject' as const);
        const body = { vote, reason: `member ${index}`, proposal_hash };
        const adds = { vote_cast: 1 };
        // The editor of a value does not vote on it.
        const mayBeRefused = index === 0 ? [...DECIDED, 'PERMISSION_DENIED'] : DECIDED;
        return member.write({ kind: 'vote', adds, mayBeRefused }, (mace, o) =>
          mace.actionRequests.vote(request_id, body, o),
        );
      }),
    );
    const statuses = votes.flatMap((vote) => (vote === undefined ? [] : [vote.status]));
    if (statuses.includes('pending'))
      journal.mustNotBe(`request ${request_id} is pending after a vote with quorum 1`);
    await agent.pause(50, 500);
  }
}

/** A reviewer asks, and the proposer answers. */
async function discuss(
  agent: TortureClient,
  reviewer: TortureClient,
  request_id: string,
  random: Random,
): Promise<void> {
  if (!random.chance(0.4)) return;
  const asked = await reviewer.write({ kind: 'ask', adds: { question_asked: 1 } }, (mace, o) =>
    mace.actionRequests.ask(request_id, 'Who said it?', o),
  );
  if (asked === undefined) return;
  await agent.write({ kind: 'answer', adds: { question_answered: 1 } }, (mace, o) =>
    mace.actionRequests.answer(request_id, 'The user said it.', o),
  );
}

const revise = (editor: TortureClient, request_id: string, round: number) =>
  editor.write({ kind: 'revise', adds: { proposal_revised: 1 } }, (mace, o) =>
    mace.actionRequests.revise(
      request_id,
      { value: { round, by: 'editor' }, reason: 'It is clearer so.' },
      o,
    ),
  );
