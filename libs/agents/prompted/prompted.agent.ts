import type { Agent, AgentAnswer, AgentContext, Question } from '../agent.js';
import type { LanguageModel, Message } from '../language-model/language-model.js';
import { PROMPTS, type PromptedAgentId } from './prompts.js';

/**
 * The confidence of an answer that comes only from a language model. The model's own claim about its
 * confidence is not used.
 */
const MODEL_CONFIDENCE = 0.7;

/** Asks the language model with a fixed system prompt (SPEC A1). */
export class PromptedAgent implements Agent {
  constructor(
    readonly id: PromptedAgentId,
    private readonly languageModel: LanguageModel,
  ) {}

  async answer(question: Question, { signal }: AgentContext): Promise<AgentAnswer> {
    const { text, tokens } = await this.languageModel.complete(
      messagesFor(PROMPTS[this.id], question),
      signal,
    );
    return {
      text,
      confidence: MODEL_CONFIDENCE,
      reasoning_trace: [
        question.repair ? 'asked the language model again' : 'asked the language model',
      ],
      tokens,
      sem_keys: [],
    };
  }
}

function messagesFor(system: string, { query_text, repair }: Question): readonly Message[] {
  const asked: readonly Message[] = [
    { role: 'system', content: system },
    { role: 'user', content: query_text },
  ];
  if (!repair) return asked;
  const changes = repair.suggested_changes.map((change) => `- ${change}`).join('\n');
  return [
    ...asked,
    { role: 'assistant', content: repair.rejected },
    {
      role: 'user',
      content: `That answer was rejected by its reviewers.${changes && `\n${changes}`}\nAnswer the question again, whole.`,
    },
  ];
}
