import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MaceClient, personMemory } from '#client/index.js';
import { lastWordsOf } from '#client/last-words.js';
import { HARD_TEXTS } from '#test/support/hard-inputs.mjs';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';

describe('What a person says, for an agent in any framework', () => {
  let service: TestService;
  let mace: MaceClient;
  /** Returns a client of which every call of one route fails. */
  const failingAt = async (end: string): Promise<MaceClient> => {
    const token = await service.token('agent', { sub: named('agent') });
    const failing: typeof fetch = async (input, init) =>
      new Request(input).url.endsWith(end) ? Response.error() : fetch(input, init);
    return new MaceClient({ baseUrl: service.url, token, fetch: failing, retries: 0 });
  };
  beforeAll(async () => {
    service = await TestService.shared();
    const token = await service.token('agent', { sub: named('agent') });
    mace = new MaceClient({ baseUrl: service.url, token });
  });
  afterAll(() => service?.stop());

  it('is recalled at the next turn, which waits until it is kept', async () => {
    const user_id = named('waiting');
    const turn = await personMemory(mace, { user_id }).before('I live in Oslo. Is it cold?');
    expect(turn).toStrictEqual({
      userText: 'I live in Oslo. Is it cold?',
      ...{ isNew: true, recalled: [], prompt: '' },
    });
    const memory = personMemory(mace, { user_id }).after(turn);
    const next = await personMemory(mace, { user_id }).before([]);
    expect(next.prompt).toMatch(/^What you remember:\n- .*I live in Oslo\.$/);
    expect(await memory).toMatchObject({ kept: [{ text: 'I live in Oslo.' }] });
  });

  it.each(HARD_TEXTS)('$name costs no turn', async ({ text }) => {
    const person = personMemory(mace, { user_id: named('hard') });
    for (const said of [text, `I live in Oslo. ${text}`]) {
      const turn = await person.before([{ role: 'user', content: said }]);
      expect(await person.after(turn)).not.toHaveProperty('failed');
    }
  });

  it('a memory of the past turn never rejects, whatever the program’s functions throw', async () => {
    const thrown = new Error('of the program');
    const fail = () => {
      throw thrown;
    };
    const options = { user_id: named('throwing'), onMemory: fail, onMemoryError: fail };
    const person = personMemory(await failingAt('/v1/remember'), options);
    expect(await person.after(await person.before('I live in Oslo.'))).toMatchObject({
      kept: [],
      failed: [{ name: 'MaceUnreachable' }, thrown, thrown],
    });
    const other = personMemory(await failingAt('/v1/recall'), options);
    await expect(other.before('Hello')).rejects.toBe(thrown);
  });

  it('an option of another kind is named', () => {
    for (const [name, value] of [
      ['user_id', null],
      ['user_id', 7],
      ['onMemory', 'log'],
      ['onMemoryError', {}],
    ] as const)
      expect(() => personMemory(mace, { [name]: value })).toThrow(`options.${name} must`);
  });

  const HELLO = { userText: 'Hello', isNew: true };
  it.each<[string, unknown]>([
    ['Chat Completions', { role: 'user', content: 'Hello' }],
    ['Responses', { role: 'user', content: [{ type: 'input_text', text: 'Hello' }] }],
    ['the AI SDK', { role: 'user', content: [{ type: 'text', text: 'Hello' }, { type: 'file' }] }],
    ['LangChain', { getType: () => 'human', content: 'Hello' }],
    ['Mastra', { role: 'user', content: { format: 2, parts: [{ type: 'text', text: 'Hello' }] } }],
  ])('the latest words of the user are read in the form of %s', (_, message) => {
    const answer = { role: 'assistant', content: 'Hi' };
    expect(lastWordsOf([{ role: 'user', content: 'Before' }, answer, message])).toEqual(HELLO);
    expect(lastWordsOf([message, answer])).toEqual({ ...HELLO, isNew: false });
    const result = { role: 'user', content: [{ type: 'tool_result', content: 'soup' }] };
    expect(lastWordsOf([message, result])).toEqual({ ...HELLO, isNew: false });
    expect(lastWordsOf([null, 7, answer, result])).toEqual({ userText: '', isNew: false });
  });
});
