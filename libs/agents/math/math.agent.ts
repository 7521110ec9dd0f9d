import type { Agent, AgentAnswer, AgentContext, Question } from '../agent.js';
import { ruleAnswer } from '../memory/answers.js';
import type { Calculator } from './calculator.js';
import { readTask } from './reading.js';
import { ABILITIES } from './task.js';

/** The confidence of an answer that says “I can’t”; it is low enough for LOW_CONFIDENCE. */
const UNSOLVED_CONFIDENCE = 0.2;

/** Answers mathematical questions by computing, and says so if it cannot compute the answer (SPEC A1). */
export class MathAgent implements Agent {
  readonly id = 'math_agent';
  readonly isLocal = true;

  constructor(private readonly calculator: Calculator) {}

  async answer({ query_text }: Question, { signal }: AgentContext): Promise<AgentAnswer> {
    const task = readTask(query_text);
    if (!task) return ruleAnswer(ABILITIES, UNSOLVED_CONFIDENCE, ['no formula']);
    const { text, solved } = await this.calculator.workOut(task, signal);
    return ruleAnswer(text, solved ? 1 : UNSOLVED_CONFIDENCE, [
      `${task.kind}: ${solved ? 'worked out' : 'not worked out'}`,
    ]);
  }
}
