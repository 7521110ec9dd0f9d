import type { Agent, AgentAnswer, AgentContext, Question } from '../agent.js';
import type { LanguageModel, Message } from '../language-model/language-model.js';

/** The beginning of every agent's system prompt. */
const COMMON = [
  'You are one agent of an assistant with an audited memory.',
  'Answer the question itself, in the language it was asked in, without a preamble.',
  'You see one question and nothing else: no earlier turns, no stored facts about the person.',
  'Never invent facts about the person, and never claim to remember, store, send or schedule anything.',
  'If you do not know, say so. Do not repeat personal data such as phone numbers or passwords.',
];

const prompt = (...own: readonly string[]): string => [...COMMON, ...own].join(' ');

/** The fixed system prompt of each agent (SPEC A1). */
const PROMPTS = {
  knowledge_agent: prompt(
    'State well-established facts, briefly. Name what is disputed as disputed.',
  ),
  creative_agent: prompt('Write what is asked for, original and complete, in the form asked for.'),
  strategy_agent: prompt(
    'Give a plan: the goal in one sentence, then numbered steps in order, then the largest risk.',
  ),
  generic_agent: prompt(
    'Be brief and helpful. Ask back in one sentence if the request is unclear.',
  ),
  verification_agent: prompt(
    'You are given a claim or an answer. Say whether it holds, step by step, and what would have to change.',
  ),
} as const;

type PromptedAgentId = keyof typeof PROMPTS;

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
