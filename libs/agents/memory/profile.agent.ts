import { resolveAlias, profileKey } from '#domain/canonical-key/synonyms.js';
import type { Agent, AgentAnswer, AgentContext, Question } from '../agent.js';
import { confirmationRequest, ruleAnswer, factAnswer, missingFactAnswer } from './answers.js';
import { statedAbout, toRemember } from './statement.js';

/**
 * Answers questions about the user from the user's facts, and offers to store new facts that the user states
 * (SPEC A1, K5).
 */
export class ProfileAgent implements Agent {
  readonly id = 'profile_agent';
  readonly isLocal = true;

  async answer(question: Question, { fact }: AgentContext): Promise<AgentAnswer> {
    const { query_text, user_id } = question;
    const statement = toRemember(query_text) ?? statedAbout(query_text);
    if (statement && user_id !== null)
      return confirmationRequest(profileKey(statement.attribute, user_id), statement.value);
    const alias = resolveAlias(query_text, user_id ?? undefined);
    if (!alias)
      return ruleAnswer('I can’t tell which of your facts you mean.', 0.2, [
        'no phrase, no attribute',
      ]);
    const found = await fact(alias.key);
    return found ? factAnswer(found) : missingFactAnswer(alias.key);
  }
}
