import type { AgentId } from '#domain/router/rules.js';
import type { Agent } from './agent.js';
import type { LanguageModel } from './language-model/language-model.js';
import { Calculator } from './math/calculator.js';
import { MathAgent } from './math/math.agent.js';
import { OperationalAgent } from './memory/operational.agent.js';
import { ProfileAgent } from './memory/profile.agent.js';
import { KnowledgeAgent } from './prompted/knowledge.agent.js';
import { PromptedAgent } from './prompted/prompted.agent.js';

export type Agents = Readonly<Record<AgentId, Agent>>;

/** Returns all agents that the router can choose (SPEC A1). A process makes them once. */
export const agentsOf = ({ languageModel }: { readonly languageModel: LanguageModel }): Agents => ({
  math_agent: new MathAgent(new Calculator()),
  knowledge_agent: new KnowledgeAgent(new PromptedAgent('knowledge_agent', languageModel)),
  profile_agent: new ProfileAgent(),
  creative_agent: new PromptedAgent('creative_agent', languageModel),
  strategy_agent: new PromptedAgent('strategy_agent', languageModel),
  operational_agent: new OperationalAgent(),
  generic_agent: new PromptedAgent('generic_agent', languageModel),
  verification_agent: new PromptedAgent('verification_agent', languageModel),
});
