import { Inject, Injectable } from '@nestjs/common';
import type { AgentAnswer } from '#agents/agent.js';
import type { CouncilMember } from '#agents/council-member.js';
import { startedJob, type JobState } from '#domain/job/state.js';
import type { Step } from '#domain/query/next-step.js';
import type { QueryState } from '#domain/query/state.js';
import type { CouncilVote } from '#domain/reflective-log/fields.js';
import { SemQueries } from '#projections/sem/queries.js';
import { AGENTS } from '../platform/tokens.js';
import { questionOf, type Hearing } from './agent-hearing.js';
import { hear, type Heard } from './hearing.js';
import type { Minds } from './minds.js';
import { OutputGate } from './output-gate.js';
import { PinnedFacts } from './pinned-facts.js';

type Judged = Extract<Step, { step: 'council' | 'verification' }>;

/** Asks the members of the council, all at once and each once; who fails has no vote (SPEC A3, G5). */
@Injectable()
export class CouncilHearing {
  constructor(
    @Inject(AGENTS) private readonly minds: Minds,
    private readonly facts: SemQueries,
    private readonly gate: OutputGate,
  ) {}

  /**
   * @param raw the answer before the gate: the council judges what was said. After a crash there is but the
   * redacted one. Fails with what kept the facts from being read.
   */
  async hear(
    job: JobState,
    query: QueryState,
    { step, round, answer }: Judged,
    raw: AgentAnswer | undefined,
  ): Promise<Hearing> {
    const started = startedJob(job);
    const facts = new PinnedFacts(this.facts, started);
    const question = questionOf(query, job);
    const judged = raw ?? recordedAnswer(answer);
    const members = step === 'council' ? this.minds.council : [this.minds.verifier];
    const heard = await Promise.all(
      members.map((member) =>
        hear(started.constants.agent_timeout_ms, (signal) =>
          member.vote(question, judged, { fact: facts.read, signal }),
        ),
      ),
    );
    if (facts.failure !== undefined) throw facts.failure;
    const { said: votes, redactions } = this.gate.votes(heard.flatMap(voteOf(members)));
    const evidence = { [`${step}_time_ms`]: Math.max(0, ...heard.map(({ time_ms }) => time_ms)) };
    const input =
      step === 'council'
        ? ({ type: 'council_voted', data: { round, votes, redactions } } as const)
        : ({
            type: 'answer_verified',
            data: { round, vote: votes[0] ?? null, redactions },
          } as const);
    return { commands: [...facts.evidence(), { op: 'query', input }], evidence, atOnce: false };
  }
}

const recordedAnswer = ({ proposal, missing_key: _, ...said }: Judged['answer']): AgentAnswer => ({
  ...said,
  ...(proposal === null ? {} : { proposal }),
});

/** A member votes under its own id, whatever it says. */
const voteOf =
  (members: readonly CouncilMember[]) =>
  (heard: Heard<CouncilVote>, index: number): CouncilVote[] => {
    const member = members[index];
    if (heard.outcome !== 'said' || member === undefined) return [];
    return [{ ...heard.said, council_agent_id: member.id }];
  };
