import { SystemMessage } from '@langchain/core/messages';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import type { PersonMemoryOptions, TurnMemory } from '@mace-memory/client';
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { mintToken, serviceUrl } from '../../testing/connection.mjs';
import { runProgramOfReadme } from '../../testing/example.mjs';
import { failingAt } from '../../testing/failing.mjs';
import { MaceSaver, rememberingUser } from '../src/index.js';
import { newClient } from './support.js';

const ALLERGIC = 'I am allergic to peanuts.';

/** Returns a graph with one node, which asks a model that says “Noted.”, and the system prompts that it was asked with. */
function newAgent(options: PersonMemoryOptions = {}, mace = newClient()) {
  const prompts: string[] = [];
  const memories: Promise<TurnMemory>[] = [];
  const model = new FakeListChatModel({ responses: ['Noted.'] });
  const answer = rememberingUser(
    mace,
    async ({ messages }: typeof MessagesAnnotation.State, config, { prompt }) => {
      prompts.push(prompt);
      return { messages: await model.invoke([new SystemMessage(prompt), ...messages], config) };
    },
    { onMemory: (memory) => memories.push(memory), ...options },
  );
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('answer', answer)
    .addEdge(START, 'answer')
    .addEdge('answer', END)
    .compile({ checkpointer: new MaceSaver(mace) });
  const say = async (content: string, configurable: object = {}) => {
    const thread = { thread_id: randomUUID(), ...configurable };
    const { messages } = await graph.invoke(
      { messages: [{ role: 'user', content }] },
      { configurable: thread },
    );
    return messages.at(-1)?.content;
  };
  return { graph, say, prompts, memories };
}

it('what a user says of themselves in a thread is known in the next one, and what was kept is told', async () => {
  const user_id = `ada-${randomUUID()}`;
  const { say, prompts, memories } = newAgent();
  await say(`${ALLERGIC} What can I eat?`, { user_id });
  await say('Is satay a good idea?', { user_id });
  expect(prompts[0]).toBe('');
  expect(prompts[1]).toContain(ALLERGIC);
  const [first, second] = await Promise.all(memories);
  expect(first).toMatchObject({ kept: [{ text: ALLERGIC }], not_kept: [{ reason: 'question' }] });
  expect(second).toMatchObject({ recalled: [{ text: ALLERGIC }], kept: [] });
});

it('without a user, nothing is recalled and nothing is kept', async () => {
  const mace = newClient();
  const { say, prompts, memories } = newAgent({}, mace);
  for (const words of [ALLERGIC, 'Is satay a good idea?']) await say(words);
  expect(prompts).toStrictEqual(['', '']);
  expect(await memories[0]).toStrictEqual({ recalled: [], kept: [], not_kept: [] });
  expect((await mace.memories.list()).memories).toStrictEqual([]);
});

it('a streamed answer comes piece by piece, and its turn is remembered', async () => {
  const user_id = `ada-${randomUUID()}`;
  const { graph, memories } = newAgent({ user_id });
  const stream = await graph.stream(
    { messages: [{ role: 'user', content: ALLERGIC }] },
    { configurable: { thread_id: randomUUID() }, streamMode: 'messages' },
  );
  const pieces: unknown[] = [];
  for await (const [piece] of stream) pieces.push(piece.content);
  expect(pieces.join('')).toContain('Noted.');
  expect(await memories[0]).toMatchObject({ kept: [{ text: ALLERGIC }] });
});

it('a memory that fails after the model costs no answer', async () => {
  const mace = newClient({}, { fetch: failingAt('/v1/remember'), retries: 0 });
  const { say, memories } = newAgent({ user_id: `ada-${randomUUID()}` }, mace);
  expect(await say(ALLERGIC)).toBe('Noted.');
  expect(await memories[0]).toMatchObject({ kept: [], failed: [{ name: 'MaceUnreachable' }] });
});

it('a recall that fails ends the turn before the model, unless the program takes the error', async () => {
  const mace = newClient({}, { fetch: failingAt('/v1/recall'), retries: 0 });
  const user_id = `ada-${randomUUID()}`;
  const { say, prompts } = newAgent({ user_id }, mace);
  await expect(say(ALLERGIC)).rejects.toMatchObject({ name: 'MaceUnreachable' });
  expect(prompts).toStrictEqual([]);
  const errors: unknown[] = [];
  const going = newAgent({ user_id, onMemoryError: (error) => errors.push(error) }, mace);
  expect(await going.say(ALLERGIC)).toBe('Noted.');
  expect(errors).toMatchObject([{ name: 'MaceUnreachable' }]);
});

it('the program of the README knows at its second call what was said in the first one', async () => {
  const printed = await runProgramOfReadme('remembering-user.mjs', {
    MACE_URL: serviceUrl(),
    MACE_TOKEN: mintToken({ sub: `readme-${randomUUID()}` }),
  });
  expect(printed).toMatch(/: I am allergic to peanuts\.\n$/);
});
