import { generateKey } from '#domain/canonical-key/canonical-key.js';
import { slug } from '#domain/canonical-key/slug.js';
import { resolveAlias } from '#domain/canonical-key/synonyms.js';
import type { Agent, AgentAnswer, AgentContext, FactRead, Question } from '../agent.js';
import { factsAnswer } from '../memory/answers.js';
import type { PromptedAgent } from './prompted.agent.js';

const QUESTION_WORDS =
  /^(what is|what are|who is|who was|when was|where is|define|explain (?:what|who|why)|look up|find|search for)\b/i;
const ARTICLE = /^(a|an|the) /i;

/**
 * Returns the subject of a question as a title: "What is the speed of light?" → "speed of light"; '' if
 * the question has no subject.
 */
function topicOf(text: string): string {
  const folded = text.replace(/\s+/g, ' ').trim();
  const rest = folded.replace(QUESTION_WORDS, '').trim();
  return rest
    .replace(ARTICLE, '')
    .replace(/[?.!]$/, '')
    .trim();
}

/** The attributes under which the agent looks for a fact about the world. */
const ATTRIBUTES = ['definition', 'value'];

/** Answers from facts, and calls the language model only if no fact exists (SPEC A1). */
export class KnowledgeAgent implements Agent {
  readonly id = 'knowledge_agent';

  constructor(private readonly otherwise: PromptedAgent) {}

  async answer(question: Question, context: AgentContext): Promise<AgentAnswer> {
    // Without a user, only phrases for facts about the world lead to a key.
    const alias = resolveAlias(question.query_text);
    const known = alias && (await context.fact(alias.key));
    if (known) return factsAnswer([known]);
    const found = await worldFact(topicOf(question.query_text), context);
    return found ? factsAnswer([found]) : this.otherwise.answer(question, context);
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
