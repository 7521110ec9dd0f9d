import { profileKey } from '#domain/canonical-key/synonyms.js';
import type { Agent, AgentAnswer, Question } from '../agent.js';
import { confirmationRequest, ruleAnswer } from './answers.js';
import { toRemember } from '#domain/personal-fact/statement.js';

const ABLE =
  'I can only remember facts about you so far. Say, for example: “remember my favorite food is pizza”.';
const FOR_WHOM = 'I can only remember that for a user I know. Please ask again with a user_id.';

/**
 * Carries out commands: it stores facts after a confirmation, and reports commands that it cannot carry out
 * (SPEC A1).
 */
export class OperationalAgent implements Agent {
  readonly id = 'operational_agent';
  readonly isLocal = true;

  async answer({ query_text, user_id }: Question): Promise<AgentAnswer> {
    const statement = toRemember(query_text);
    if (!statement) return ruleAnswer(ABLE, 1, ['no command that it knows']);
    if (user_id === null) return ruleAnswer(FOR_WHOM, 1, ['no user to remember it for']);
    return confirmationRequest(profileKey(statement.attribute, user_id), statement.value);
  }
}
