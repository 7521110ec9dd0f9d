import { Inject, Injectable } from '@nestjs/common';
import type { AgentAnswer } from '#agents/agent.js';
import { type Absence, collectVote } from '#agents/council/council.js';
import type { CouncilMember } from '#agents/council-member.js';
import { startedJob } from '#domain/job/state.js';
import type { QueryInput } from '#domain/query/events.js';
import type { Step } from '#domain/query/next-step.js';
import type { QueryState } from '#domain/query/state.js';
import type { CouncilVote } from '#domain/reflective-log/fields.js';
import { AGENTS } from '../platform/tokens.js';
import { callWithTimeout, type CallOutcome } from './call-with-timeout.js';
import type { Participants } from './participants.js';
import { OutputGate } from './output-gate.js';
import { QueryFailures } from './query-failures.js';
import { questionOf, type StepContext, type StepResult } from './step-context.js';

type JudgingStep = Extract<Step, { step: 'council' | 'verification' }>;

/**
 * Calls all members of the council at the same time, or only the verifier; each is called once. A member
 * that fails has no vote (SPEC A3, G5).
 */
@Injectable()
export class CouncilCall {
  constructor(
    @Inject(AGENTS) private readonly participants: Participants,
    private readonly gate: OutputGate,
    private readonly failures: QueryFailures,
  ) {}

  /** True if no member that votes on this query calls another process. */
  isLocal(query: QueryState): boolean {
    return this.membersFor('council', query).every((member) => member.isLocal === true);
  }

  /**
   * Returns the members that vote. A query for facts about the user is judged without a model, because
   * no model may see it (SPEC A1).
   */
  private membersFor(step: JudgingStep['step'], { asked }: QueryState): readonly CouncilMember[] {
    const { council, verifier } = this.participants;
    const members = step === 'council' ? council : [verifier];
    return asked.asks_for === undefined
      ? members
      : members.filter((member) => member.isLocal === true);
  }

  /** Returns the votes of the council, or of the verifier. Rejects if the facts cannot be read. */
  async run(context: StepContext, { step, round, answer }: JudgingStep): Promise<StepResult> {
    const { facts, raw } = context;
    const { agent_timeout_ms } = startedJob(context.job).constants;
    const question = questionOf(context);
    // The council judges the answer before redaction. After a crash, only the redacted answer is known.
    const judged = raw ?? recordedAnswer(answer);
    const members = this.membersFor(step, context.query);
    const outcomes = await Promise.all(
      members.map((member) =>
        callWithTimeout(agent_timeout_ms, (signal) =>
          collectVote(member, question, judged, {
            fact: facts.read,
            profile: facts.readProfile,
            signal,
          }),
        ),
      ),
    );
    if (facts.failure !== undefined) throw facts.failure;
    const { votes, redactions } = this.gate.votes(this.votesOf(members, outcomes, context));
    const input: QueryInput =
      step === 'council'
        ? { type: 'council_voted', data: { round, votes, redactions } }
        : { type: 'answer_verified', data: { round, vote: votes[0] ?? null, redactions } };
    return {
      commands: [...facts.evidence(), { op: 'query', input }],
      time_ms: Math.max(0, ...outcomes.map(({ time_ms }) => time_ms)),
      mustRecordNow: false,
    };
  }

  /** Returns the votes with their members' ids, and reports each member without a vote. */
  private votesOf(
    members: readonly CouncilMember[],
    outcomes: readonly CallOutcome<CouncilVote | Absence>[],
    { job, ids }: StepContext,
  ): CouncilVote[] {
    return members.flatMap(({ id: council_agent_id }, index) => {
      const outcome = outcomes[index];
      const vote = outcome?.kind === 'answered' ? outcome.answer : undefined;
      if (vote !== undefined && !('reason' in vote)) return [{ ...vote, council_agent_id }];
      // `collectVote` never rejects, so a call without a result has timed out.
      const reason = vote?.reason ?? 'out_of_time';
      this.failures.reportAbsentMember({ council_agent_id, reason }, job, ids);
      return [];
    });
  }
}

const recordedAnswer = ({
  proposal,
  missing_key: _,
  ...answer
}: JudgingStep['answer']): AgentAnswer => ({
  ...answer,
  ...(proposal === null ? {} : { proposal }),
});
