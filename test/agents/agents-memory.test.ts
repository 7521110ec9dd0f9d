import { describe, expect, it } from '@jest/globals';
import type { AgentAnswer, AgentContext, Question } from '#agents/agent.js';
import { OrderedProviders } from '#agents/language-model/ordered-providers.js';
import { agentsOf } from '#agents/registry.js';
import { ERROR_TABLE } from '#domain/errors/error-table.js';
import type { Json } from '#domain/json.js';
import { asksFor } from '#domain/personal-fact/asks-for.js';
import type { AgentId } from '#domain/router/rules.js';

const agents = agentsOf({ languageModel: new OrderedProviders([]) });

/** Makes a context with these facts; `read` lists the keys that the agent has read. */
function contextWith(
  facts: Readonly<Record<string, Json>> = {},
): AgentContext & { read: string[] } {
  const read: string[] = [];
  return {
    read,
    signal: new AbortController().signal,
    fact: async (key) => {
      read.push(key);
      return Object.hasOwn(facts, key) ? { key, value: facts[key] as Json } : undefined;
    },
    profile: async () => Object.entries(facts).map(([key, value]) => ({ key, value })),
  };
}

const question = (query_text: string, user_id: string | null = 'TUFF'): Question => {
  const asks_for = asksFor(query_text);
  return {
    query_text,
    user_id,
    context_tags: {},
    route_reason: 'fallback',
    ...(asks_for === null ? {} : { asks_for }),
  };
};

const ask = (
  agent: AgentId,
  query_text: string,
  facts: Readonly<Record<string, Json>> = {},
  user_id: string | null = 'TUFF',
): Promise<AgentAnswer> => agents[agent].answer(question(query_text, user_id), contextWith(facts));

const COLOR = 'user/profile/user_tuff/favorite_color';

describe('The profile agent', () => {
  it('002-T7 004-G1 [stage0] [golden] [critical] the profile agent states a stored favourite colour in a sentence, whichever way the question spells “colour”', async () => {
    for (const text of [
      'What is my favourite colour?',
      'what is my favorite color',
      'My fav colour?',
    ]) {
      const answer = await ask('profile_agent', text, { [COLOR]: 'blue' });
      expect(answer.text).toBe('Your favorite color is blue.');
      expect(answer.sem_keys).toStrictEqual([COLOR]);
      expect([answer.confidence, answer.tokens]).toStrictEqual([1, 0]);
    }
  });

  it('the profile agent states any stored attribute of the profile that a question asks for, even if its value is not a string', async () => {
    const facts = {
      'user/profile/user_tuff/shoe_size': 44,
      'user/profile/user_tuff/pets': ['Ada', 'Bob'],
    };
    expect((await ask('profile_agent', 'What is my shoe size?', facts)).text).toBe(
      'Your shoe size is 44.',
    );
    expect((await ask('profile_agent', 'Who are my pets?', facts)).text).toBe(
      'Your pets is ["Ada","Bob"].',
    );
  });

  it('002-T8 [stage0] [golden] [critical] the profile agent names the key of a missing fact and invents no value', async () => {
    const answer = await ask('profile_agent', 'What is my favorite color?');
    expect(answer.missing_key).toBe(COLOR);
    expect(answer.text).toBe(ERROR_TABLE.SEM_NOT_FOUND.user_message);
    expect(answer.sem_keys).toStrictEqual([]);
    expect((await ask('profile_agent', 'What is my shoe size?')).missing_key).toBe(
      'user/profile/user_tuff/shoe_size',
    );
  });

  it('the profile agent answers a question for several facts with those that exist, and names the others', async () => {
    const text = 'What is my favorite color? And what is my hobby?';
    const answer = await ask('profile_agent', text, { [COLOR]: 'blue' });
    expect(answer.text).toBe('Your favorite color is blue. I don’t have your hobby stored yet.');
    expect(answer.also_missing).toStrictEqual(['user/profile/user_tuff/hobby']);
    expect(answer.missing_key).toBeUndefined();
  });

  it('the profile agent answers with all facts of the profile if a question asks for everything', async () => {
    const facts = { [COLOR]: 'blue', 'user/profile/user_tuff/pets': 2 };
    const text = 'What do you know about me?';
    expect((await ask('profile_agent', text, facts)).text).toBe(
      'Your favorite color is blue. Your pets is 2.',
    );
    expect((await ask('profile_agent', text)).missing_key).toBe('user/profile/user_tuff/');
  });

  it('the profile agent limits an answer with all facts to a length that the council accepts', async () => {
    const facts = Object.fromEntries(
      ['a', 'b', 'c'].map((name) => [`user/profile/user_tuff/${name}`, 'x'.repeat(7_000)]),
    );
    const answer = await ask('profile_agent', 'What do you know about me?', facts);
    expect(answer.sem_keys).toHaveLength(2);
  });

  it('the profile agent reads nothing for a caller without a user_id, and names the fact by its template', async () => {
    const answer = await ask('profile_agent', 'What is my hobby?', {}, null);
    expect(answer.missing_key).toBe('user/profile/{user}/hobby');
    expect((await ask('profile_agent', 'What is my 猫?')).missing_key).toBe(
      'user/profile/user_tuff/',
    );
  });

  it('the profile agent answers with low confidence if it cannot tell which fact is meant', async () => {
    const answer = await ask('profile_agent', 'Write a profile for my');
    expect(answer.missing_key).toBeUndefined();
    expect(answer.confidence).toBeLessThan(0.5);
  });
});

describe('A request to remember a fact', () => {
  const proposals: readonly (readonly [string, string, string])[] = [
    ['Remember my favorite food is pizza', 'favorite_food', 'pizza'],
    ['remember that my favourite colour is dark blue.', 'favorite_color', 'dark blue'],
    ['Please remember my shoe size: 44', 'shoe_size', '44'],
    ['Set my time zone to Europe/Oslo', 'timezone', 'Europe/Oslo'],
    ['save my editor as "Helix"', 'editor', 'Helix'],
    ['Save my way to work is the bus!', 'way_to_work', 'the bus'],
    ['set my units = metric', 'units', 'metric'],
    ['Remember my favorite color scheme is dark', 'favorite_color_scheme', 'dark'],
    ['Remember   my\nfavorite food  is   fish and chips', 'favorite_food', 'fish and chips'],
    ['Remember my motto is to be or not to be', 'motto', 'to be or not to be'],
  ];
  for (const [text, attribute, value] of proposals)
    it(`a request to remember a fact becomes a proposal and is not executed: ${JSON.stringify(text)}`, async () => {
      const key = `user/profile/user_tuff/${attribute}`;
      for (const agent of ['operational_agent', 'profile_agent'] as const) {
        const answer = await ask(agent, text, { [key]: 'something else' });
        expect(answer.proposal).toStrictEqual({ key, value });
        const words = attribute.replaceAll('_', ' ');
        expect(answer.text).toBe(
          `Shall I remember that your ${words} is ${value}? Please confirm.`,
        );
        expect(answer.sem_keys).toStrictEqual([]);
      }
    });

  it('a request to remember a fact may be a statement without a command, but not a question', async () => {
    const stated = await ask('profile_agent', 'My favorite color is green.');
    expect(stated.proposal).toStrictEqual({ key: COLOR, value: 'green' });
    const asked = await ask('profile_agent', 'My favorite color is what?', { [COLOR]: 'blue' });
    expect(asked.proposal).toBeUndefined();
    expect(asked.text).toBe('Your favorite color is blue.');
  });

  it('a request to remember a fact needs a user_id', async () => {
    const answer = await ask('operational_agent', 'Remember my favorite food is pizza', {}, null);
    expect(answer.proposal).toBeUndefined();
    expect(answer.text).toMatch(/user_id/);
  });

  it('the operational agent accepts only requests to remember a fact, and refuses every other command', async () => {
    for (const text of [
      'Schedule a meeting',
      'Send it',
      'Remember',
      'Set my',
      'set my x is ',
      'Remember my ??? is odd',
      'Delete my color',
    ]) {
      const answer = await ask('operational_agent', text);
      expect([text, answer.proposal]).toStrictEqual([text, undefined]);
      expect(answer.text).toMatch(/^I can only remember facts about you so far\./);
    }
  });

  it('a request to remember a fact is parsed in linear time', async () => {
    for (const part of ['my ', ' is', ' ', ':', 'remember my ', '"', ' to']) {
      const text = `remember my ${part.repeat(16_000 / part.length)}`;
      await ask('operational_agent', text);
      await ask('profile_agent', `my ${part.repeat(16_000 / part.length)}`);
    }
  });
});

describe('The knowledge agent', () => {
  const OHM = 'world/fact/ohms_law/definition';

  it('the knowledge agent looks for an answer in the facts before it asks a model', async () => {
    const answer = await ask(
      'knowledge_agent',
      'What is Ohm’s law?',
      {
        [OHM]: 'Voltage is current times resistance.',
      },
      null,
    );
    expect(answer.text).toBe('Voltage is current times resistance.');
    expect(answer.sem_keys).toStrictEqual([OHM]);
    expect(answer.tokens).toBe(0);
  });

  it('the knowledge agent finds a definition, or a value, by the title that a question names', async () => {
    const facts = {
      'world/fact/speed_of_light/value': '299792458 m/s',
      'world/fact/entropy/definition': 'A measure of disorder.',
    };
    for (const text of [
      'What is the speed of light?',
      'define speed of light',
      'look up the speed of light',
    ])
      expect([text, (await ask('knowledge_agent', text, facts)).text]).toStrictEqual([
        text,
        '299792458 m/s',
      ]);
    expect((await ask('knowledge_agent', 'Define entropy.', facts)).text).toBe(
      'A measure of disorder.',
    );
  });
});
