import type { CouncilVote } from '#domain/reflective-log/fields.js';
import type { AgentAnswer, AgentContext, Question } from './agent.js';

/**
 * A member of the council, which judges answers (SPEC A3). Votes are recorded as input, so a replay calls no
 * member.
 */
export interface CouncilMember {
  readonly id: string;
  /** Set for a member that votes within this process, as for an agent. */
  readonly isLocal?: true;
  vote(question: Question, answer: AgentAnswer, context: AgentContext): Promise<CouncilVote>;
}
