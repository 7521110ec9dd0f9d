import type { CouncilVote } from '#domain/reflective-log/fields.js';
import type { AgentAnswer, AgentContext, Question } from './agent.js';

/** Who judges answers (SPEC A3). Votes are recorded as input, so that a replay never asks again. */
export interface CouncilMember {
  readonly id: string;
  /** As an agent's. */
  readonly isLocal?: true;
  vote(question: Question, answer: AgentAnswer, context: AgentContext): Promise<CouncilVote>;
}
