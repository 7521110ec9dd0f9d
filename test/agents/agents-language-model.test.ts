import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Agent, AgentContext, Question } from '#agents/agent.js';
import { OrderedProviders } from '#agents/language-model/ordered-providers.js';
import type { Provider } from '#agents/language-model/provider.js';
import { LanguageModelDown } from '#agents/language-model-down.js';
import { agentsOf, type Agents } from '#agents/registry.js';
import { AGENT_IDS, type AgentId } from '#domain/router/rules.js';
import { LanguageModelServer } from '#test/support/language-model-server.js';

const PROMPTED: readonly AgentId[] = [
  'knowledge_agent',
  'creative_agent',
  'strategy_agent',
  'generic_agent',
  'verification_agent',
];

const question = (query_text: string, more: Partial<Question> = {}): Question => ({
  query_text,
  user_id: null,
  context_tags: {},
  route_reason: 'fallback',
  ...more,
});
const contextWith = (signal = new AbortController().signal): AgentContext => ({
  signal,
  fact: async () => undefined,
  profile: async () => [],
});

describe('The agents that ask a language model', () => {
  let server: LanguageModelServer;
  let agents: Agents;
  const providerAt = (more: Partial<Provider> = {}): Provider => ({
    name: 'one',
    base_url: server.baseUrl,
    model: 'm',
    key: 'none',
    timeout_ms: 10_000,
    ...more,
  });
  beforeAll(async () => {
    server = await LanguageModelServer.start();
    agents = agentsOf({ languageModel: new OrderedProviders([providerAt()]) });
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    server.requests.length = 0;
    server.always({ say: 'A fine answer.', tokens: 7 });
  });
  const ask = (agent: Agent, asked: Question): ReturnType<Agent['answer']> =>
    agent.answer(asked, contextWith());

  it('the registry holds an agent for every agent id', () => {
    expect(Object.keys(agents).sort()).toStrictEqual([...AGENT_IDS].sort());
    for (const id of AGENT_IDS) expect(agents[id].id).toBe(id);
  });

  it('each agent sends its own fixed prompt and the question, and nothing else', async () => {
    const prompts = new Set<string | undefined>();
    for (const id of PROMPTED) {
      const answer = await ask(agents[id], question('What is a fjord?', { user_id: 'TUFF' }));
      expect([answer.text, answer.tokens, answer.sem_keys]).toStrictEqual([
        'A fine answer.',
        7,
        [],
      ]);
      const messages = server.requests.at(-1)?.body.messages;
      expect(messages?.map(({ role }) => role)).toStrictEqual(['system', 'user']);
      expect(messages?.[1]?.content).toBe('What is a fjord?');
      expect(JSON.stringify(messages)).not.toContain('TUFF');
      prompts.add(messages?.[0]?.content);
    }
    expect(prompts.size).toBe(PROMPTED.length);
  });

  it('a model’s answer without evidence has confidence 0.7, whatever the model claims', async () => {
    server.always({ say: 'I am 100% certain. Confidence: 1.0' });
    const { confidence, tokens } = await ask(agents.generic_agent, question('Hm?'));
    expect(confidence).toBe(0.7);
    // The client estimates the tokens if the provider does not count them.
    expect(tokens).toBeGreaterThan(0);
  });

  it('a repair shows the model the rejected answer and the suggested changes', async () => {
    const repair = {
      rejected: 'The moon is cheese.',
      suggested_changes: ['Cite a source', 'Be brief'],
    };
    await ask(agents.generic_agent, question('What is the moon?', { repair }));
    const [, , rejected, request] = server.requests[0]?.body.messages ?? [];
    expect(rejected).toStrictEqual({ role: 'assistant', content: 'The moon is cheese.' });
    expect(request?.role).toBe('user');
    expect(request?.content ?? '').toMatch(/- Cite a source\n- Be brief/);
  });

  it('002-T16 [stage0] [golden] [high] if its signal aborts, an agent rejects with the reason of the signal and does not ask the model again', async () => {
    server.always('hang');
    const agent = new AbortController();
    const answer = agents.creative_agent.answer(
      question('Write a poem'),
      contextWith(agent.signal),
    );
    const timeIsUp = new Error('agent_timeout_ms');
    setImmediate(() => agent.abort(timeIsUp));
    await expect(answer).rejects.toBe(timeIsUp);
    expect(server.requests.length).toBeLessThanOrEqual(1);
  });

  it('002-T18 [stage0] [golden] [critical] each agent throws LanguageModelDown if its provider answers 500 or 401 or has no key', async () => {
    for (const [status, key, failure] of [
      [500, 'none', 'status'],
      [401, { secret: 'sk-wrong' }, 'auth'],
      [200, 'missing', 'auth'],
    ] as const) {
      server.always(status === 200 ? { say: 'never asked' } : { status });
      const down = agentsOf({ languageModel: new OrderedProviders([providerAt({ key })]) });
      for (const id of PROMPTED)
        await expect(ask(down[id], question('What is a fjord?'))).rejects.toMatchObject({
          name: 'LanguageModelDown',
          attempts: [{ provider: 'one', failure }],
        });
    }
  });

  it('002-T18 [stage0] [golden] [critical] an agent answers through the second provider if the first one is down', async () => {
    const second = await LanguageModelServer.start();
    second.always({ say: 'From the second.' });
    server.always({ status: 500 });
    const providers = [providerAt(), providerAt({ name: 'two', base_url: second.baseUrl })];
    const both = agentsOf({ languageModel: new OrderedProviders(providers) });
    expect((await ask(both.generic_agent, question('Hm?'))).text).toBe('From the second.');
    await second.stop();
  });

  it('without a configured model these agents throw LanguageModelDown, and the other agents answer', async () => {
    const none = agentsOf({ languageModel: new OrderedProviders([]) });
    for (const id of PROMPTED)
      await expect(ask(none[id], question('What is a fjord?'))).rejects.toThrow(LanguageModelDown);
    expect((await ask(none.math_agent, question('2 + 2'))).text).toBe('2 + 2 = 4');
    expect((await ask(none.operational_agent, question('Open it'))).text).toMatch(/^I can only/);
  });
});
