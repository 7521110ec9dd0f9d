import {
  keyOfTemplate,
  profileKey,
  PROFILE_TEMPLATE,
  resolveAlias,
} from '#domain/canonical-key/synonyms.js';
import type { AsksFor } from '#domain/personal-fact/asks-for.js';
import { statedAbout, toRemember } from '#domain/personal-fact/statement.js';
import type { Agent, AgentAnswer, AgentContext, FactRead, Question } from '../agent.js';
import { confirmationRequest, factsAnswer, missingFactAnswer, ruleAnswer } from './answers.js';
import { spokenFact } from './spoken.js';

/**
 * Answers questions for facts about the user from these facts alone, and offers to store new facts that
 * the user states (SPEC A1, K5).
 */
export class ProfileAgent implements Agent {
  readonly id = 'profile_agent';
  readonly isLocal = true;

  async answer(question: Question, context: AgentContext): Promise<AgentAnswer> {
    const { query_text, user_id, asks_for } = question;
    if (asks_for !== undefined) return answerTo(asks_for, user_id, context);
    const statement = toRemember(query_text) ?? statedAbout(query_text);
    if (statement && user_id !== null)
      return confirmationRequest(profileKey(statement.attribute, user_id), statement.value);
    const alias = resolveAlias(query_text, user_id ?? undefined);
    if (!alias)
      return ruleAnswer('I can’t tell which of your facts you mean.', 0.2, [
        'no phrase, no attribute',
      ]);
    const found = await context.fact(alias.key);
    return found ? factsAnswer([found]) : missingFactAnswer(alias.key);
  }
}

async function answerTo(
  asks_for: AsksFor,
  user_id: string | null,
  context: AgentContext,
): Promise<AgentAnswer> {
  if (asks_for === 'everything') {
    const facts = fitting(await context.profile());
    return facts.length > 0
      ? factsAnswer(facts)
      : missingFactAnswer(keyOfTemplate(PROFILE_TEMPLATE, user_id));
  }
  const found: FactRead[] = [];
  const missing: string[] = [];
  for (const templates of typeof asks_for === 'string' ? [] : asks_for) {
    const keys = templates.map((template) => keyOfTemplate(template, user_id));
    const fact = user_id === null ? undefined : await firstOf(keys, context);
    if (fact !== undefined) found.push(fact);
    else missing.push(...keys.slice(0, 1));
  }
  return found.length === 0
    ? missingFactAnswer(missing[0] ?? keyOfTemplate(PROFILE_TEMPLATE, user_id))
    : factsAnswer(found, missing);
}

/** The maximum length of an answer with all facts, which leaves room within the council's limit. */
const MAX_CHARACTERS = 15_000;

/** Returns the first facts whose sentences fit into one answer. */
function fitting(facts: readonly FactRead[]): readonly FactRead[] {
  let length = 0;
  return facts.filter((fact) => (length += spokenFact(fact).length + 1) <= MAX_CHARACTERS);
}

async function firstOf(
  keys: readonly string[],
  { fact }: AgentContext,
): Promise<FactRead | undefined> {
  for (const key of keys) {
    const found = await fact(key);
    if (found !== undefined) return found;
  }
  return undefined;
}
