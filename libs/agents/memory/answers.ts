import { ERROR_TABLE } from '#domain/errors/error-table.js';
import type { AgentAnswer, FactRead } from '../agent.js';
import { spokenAttribute, spokenFact, spokenValue } from './spoken.js';

/** Makes an answer that comes from rules and facts alone. */
export const ruleAnswer = (
  text: string,
  confidence: number,
  reasoning_trace: readonly string[],
): AgentAnswer => ({ text, confidence, reasoning_trace, tokens: 0, sem_keys: [] });

/**
 * Makes the answer that several facts give; `missing` are the keys of the facts that the question asks
 * for as well and that do not exist.
 */
export const factsAnswer = (
  facts: readonly FactRead[],
  missing: readonly string[] = [],
): AgentAnswer => ({
  ...ruleAnswer(
    [
      ...facts.map(spokenFact),
      ...missing.map((key) => `I don’t have your ${spokenAttribute(key)} stored yet.`),
    ].join(' '),
    1,
    [...facts.map(({ key }) => `read ${key}`), ...missing.map((key) => `found nothing at ${key}`)],
  ),
  sem_keys: facts.map(({ key }) => key),
  ...(missing.length === 0 ? {} : { also_missing: missing }),
});

/** Makes the answer for a requested fact that does not exist: SEM_NOT_FOUND (SPEC A1). */
export const missingFactAnswer = (key: string): AgentAnswer => ({
  ...ruleAnswer(ERROR_TABLE.SEM_NOT_FOUND.user_message, 1, [`found nothing at ${key}`]),
  missing_key: key,
});

/** Makes the answer that asks whether to store a fact. The user confirms it with a second request (SPEC A1). */
export const confirmationRequest = (key: string, value: string): AgentAnswer => ({
  ...ruleAnswer(
    `Shall I remember that your ${spokenAttribute(key)} is ${spokenValue(value)}? Please confirm.`,
    1,
    [`proposed ${key}`],
  ),
  proposal: { key, value },
});
