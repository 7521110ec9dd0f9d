import { generateKey, parseKey } from '#domain/canonical-key/canonical-key.js';
import { resolveAlias } from '#domain/canonical-key/synonyms.js';
import { slug } from '#domain/canonical-key/slug.js';
import type { Agent, AgentAnswer, AgentContext, FactRead, Question } from '../agent.js';
import { saidFact, saidMissing } from '../memory/answers.js';
import type { PromptedAgent } from './prompted.agent.js';
import { topicOf } from './topic.js';

/** Where a fact about the world that a question names may stand. */
const ATTRIBUTES = ['definition', 'value'];

/** Answers from the facts, and only where they are silent from the language model (SPEC A1). */
export class KnowledgeAgent implements Agent {
  readonly id = 'knowledge_agent';

  constructor(private readonly otherwise: PromptedAgent) {}

  async answer(question: Question, context: AgentContext): Promise<AgentAnswer> {
    const alias = resolveAlias(question.query_text, question.user_id ?? undefined);
    const known = alias && (await context.fact(alias.key));
    if (known) return saidFact(known);
    // What a person is asked about themselves is never made up (004 §7).
    if (alias && !alias.only_if_exists && parseKey(alias.key).scope === 'user')
      return saidMissing(alias.key);
    const found = await worldFact(topicOf(question.query_text), context);
    return found ? saidFact(found) : this.otherwise.answer(question, context);
  }
}

async function worldFact(topic: string, { fact }: AgentContext): Promise<FactRead | undefined> {
  if (slug(topic) === '') return undefined;
  for (const attribute of ATTRIBUTES) {
    const key = generateKey({ scope: 'world', entity_type: 'fact', entity_id: topic, attribute });
    const found = await fact(key);
    if (found) return found;
  }
  return undefined;
}
