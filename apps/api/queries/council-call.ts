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
import { callWithTimeout, type CallOutcome } from './call-with-timeout.js';
import type { Participants } from './participants.js';
import { OutputGate } from './output-gate.js';
import { QueryFailures } from './query-failures.js';
import { questionOf, type StepContext, type StepResult } from './step-context.js';

type JudgingStep = Extract<Step, { step: 'council' | 'verification' }>;

/**
 * Calls all members of the council, or the verifier, at the same time and once. A member that fails has no
 * vote (SPEC A3, G5).
 */
@Injectable()
export class CouncilCall {
  constructor(
    @Inject(AGENTS) private readonly participants: Participants,
    private readonly gate: OutputGate,
    private readonly failures: QueryFailures,
  ) {}

  /** Whether all members vote without a call to another process. */
  get isLocal(): boolean {
    return this.participants.council.every((member) => member.isLocal === true);
  }

  /** Returns the votes of the council, or of the verifier. Rejects if the facts cannot be read. */
  async run(context: StepContext, { step, round, answer }: JudgingStep): Promise<StepResult> {
    const { job, facts, raw } = context;
    const { agent_timeout_ms } = startedJob(job).constants;
    const question = questionOf(context);
    // The council judges the original answer; after a crash only its redacted form is known.
    const judged = raw ?? recordedAnswer(answer);
    const members = step === 'council' ? this.participants.council : [this.participants.verifier];
    const outcomes = await Promise.all(
      members.map((member) =>
        callWithTimeout(agent_timeout_ms, (signal) =>
          member.vote(question, judged, { fact: facts.read, signal }),
        ),
      ),
    );
    if (facts.failure !== undefined) throw facts.failure;
    const { votes, redactions } = this.gate.votes(this.votesOf(members, outcomes, job));
    const input: QueryInput =
      step === 'council'
        ? { type: 'council_voted', data: { round, votes, redactions } }
        : { type: 'answer_verified', data: { round, vote: votes[0] ?? null, redactions } };
    return {
      commands: [...facts.evidence(), { op: 'query', input }],
      time_ms: Math.max(0, ...outcomes.map(({ time_ms }) => time_ms)),
      atOnce: false,
    };
  }

  /** Returns the votes with their members' ids, and reports each member without a vote. */
  private votesOf(
    members: readonly CouncilMember[],
    outcomes: readonly CallOutcome<CouncilVote>[],
    job: JobState,
  ): CouncilVote[] {
    return members.flatMap(({ id: council_agent_id }, index) => {
      const outcome = outcomes[index];
      if (outcome?.kind === 'answered') return [{ ...outcome.answer, council_agent_id }];
      this.failures.memberAbsent({ council_agent_id, reason: absenceOf(outcome) }, job);
      return [];
    });
  }
}

function absenceOf(
  outcome: Exclude<CallOutcome<CouncilVote>, { kind: 'answered' }> | undefined,
): string {
  if (outcome?.kind !== 'failed') return 'out_of_time';
  if (outcome.cause instanceof LanguageModelDown) return 'language_model_down';
  return outcome.cause instanceof MalformedVote ? 'malformed_vote' : 'crashed';
}

const recordedAnswer = ({
  proposal,
  missing_key: _,
  ...answer
}: JudgingStep['answer']): AgentAnswer => ({
  ...answer,
  ...(proposal === null ? {} : { proposal }),
});
