import { Inject, Injectable } from '@nestjs/common';
import type { AgentAnswer } from '#agents/agent.js';
import { MalformedVote } from '#agents/council/read-vote.js';
import type { CouncilMember } from '#agents/council-member.js';
import { LanguageModelDown } from '#agents/language-model-down.js';
import { startedJob, type JobState } from '#domain/job/state.js';
import type { QueryInput } from '#domain/query/events.js';
import type { Step } from '#domain/query/next-step.js';
import type { CouncilVote } from '#domain/reflective-log/fields.js';
import { AGENTS } from '../platform/tokens.js';
import { hear, type Heard } from './hearing.js';
import type { Minds } from './minds.js';
import { OutputGate } from './output-gate.js';
import { QueryFailures } from './query-failures.js';
import { questionOf, type Hearer, type Hearing } from './query-hearing.js';

type Judged = Extract<Step, { step: 'council' | 'verification' }>;

/**
 * Calls all members of the council at the same time, each once; a member that fails has no vote (SPEC A3,
 * G5).
 */
@Injectable()
export class CouncilHearing {
  constructor(
    @Inject(AGENTS) private readonly minds: Minds,
    private readonly gate: OutputGate,
    private readonly failures: QueryFailures,
  ) {}

  /** Whether all members vote without calls to other processes. */
  get isLocal(): boolean {
    return this.minds.council.every((member) => member.isLocal === true);
  }

  /** Rejects if the facts cannot be read. */
  async hear(hearer: Hearer, { step, round, answer }: Judged): Promise<Hearing> {
    const { job, facts, raw } = hearer;
    const { agent_timeout_ms } = startedJob(job).constants;
    const question = questionOf(hearer);
    // The council judges the original answer; after a crash only its redacted form is known.
    const judged = raw ?? recordedAnswer(answer);
    const members = step === 'council' ? this.minds.council : [this.minds.verifier];
    const heard = await Promise.all(
      members.map((member) =>
        hear(agent_timeout_ms, (signal) =>
          member.vote(question, judged, { fact: facts.read, signal }),
        ),
      ),
    );
    if (facts.failure !== undefined) throw facts.failure;
    const { said: votes, redactions } = this.gate.votes(this.votesOf(members, heard, job));
    const input: QueryInput =
      step === 'council'
        ? { type: 'council_voted', data: { round, votes, redactions } }
        : { type: 'answer_verified', data: { round, vote: votes[0] ?? null, redactions } };
    return {
      commands: [...facts.evidence(), { op: 'query', input }],
      time_ms: Math.max(0, ...heard.map(({ time_ms }) => time_ms)),
      atOnce: false,
    };
  }

  /** Records each vote under its member's id; a member without a vote is reported. */
  private votesOf(
    members: readonly CouncilMember[],
    heard: readonly Heard<CouncilVote>[],
    job: JobState,
  ): CouncilVote[] {
    return members.flatMap(({ id: council_agent_id }, index) => {
      const said = heard[index];
      if (said?.outcome === 'said') return [{ ...said.said, council_agent_id }];
      this.failures.memberAbsent({ council_agent_id, reason: absenceOf(said) }, job);
      return [];
    });
  }
}

function absenceOf(heard: Exclude<Heard<CouncilVote>, { outcome: 'said' }> | undefined): string {
  if (heard?.outcome !== 'failed') return 'out_of_time';
  if (heard.cause instanceof LanguageModelDown) return 'language_model_down';
  return heard.cause instanceof MalformedVote ? 'malformed_vote' : 'crashed';
}

const recordedAnswer = ({ proposal, missing_key: _, ...said }: Judged['answer']): AgentAnswer => ({
  ...said,
  ...(proposal === null ? {} : { proposal }),
});
