import { ERROR_TABLE } from '#domain/errors/error-table.js';
import type { AgentAnswer, FactRead } from '../agent.js';
import { spokenAttribute, spokenFact, spokenValue } from './spoken.js';

/** Makes an answer that comes from rules and facts alone. */
export const ruleAnswer = (
  text: string,
  confidence: number,
  reasoning_trace: readonly string[],
): AgentAnswer => ({ text, confidence, reasoning_trace, tokens: 0, sem_keys: [] });

/** Makes the answer that a fact gives. */
export const factAnswer = (fact: FactRead): AgentAnswer => ({
  ...ruleAnswer(spokenFact(fact), 1, [`read ${fact.key}`]),
  sem_keys: [fact.key],
});

/** Makes the answer for a requested fact that does not exist: SEM_NOT_FOUND (SPEC A1). */
export const missingFactAnswer = (key: string): AgentAnswer => ({
  ...ruleAnswer(ERROR_TABLE.SEM_NOT_FOUND.user_message, 1, [`found nothing at ${key}`]),
  missing_key: key,
});

/**
 * Makes the answer that asks whether to store a fact. The user confirms it with a second request (SPEC
 * A1).
 */
export const confirmationRequest = (key: string, value: string): AgentAnswer => ({
  ...ruleAnswer(
    `Shall I remember that your ${spokenAttribute(key)} is ${spokenValue(value)}? Please confirm.`,
    1,
    [`proposed ${key}`],
  ),
  proposal: { key, value },
});
