import type { PersonMemoryOptions, TurnMemory } from '@mace-memory/client';
import { Agent } from '@mastra/core/agent';
import { InMemoryStore, MastraCompositeStore } from '@mastra/core/storage';
import { Memory } from '@mastra/memory';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { mintToken } from '../../testing/connection.mjs';
import { runProgramOfReadme } from '../../testing/example.mjs';
import { failingAt } from '../../testing/failing.mjs';
import { MaceMemoryStorage, rememberingUser } from '../src/index.js';
import { startModel } from './model-server.js';
import { newClient } from './support.js';

const ALLERGIC = 'I am allergic to peanuts.';

let model: Awaited<ReturnType<typeof startModel>>;
beforeEach(async () => {
  model = await startModel(() => 'Noted.');
});
afterEach(() => model.stop());

/** Returns an agent that knows its user, and the system prompts that its model was given. */
function newAgent(options: PersonMemoryOptions = {}, mace = newClient()) {
  const memories: Promise<TurnMemory>[] = [];
  const user = rememberingUser(mace, { onMemory: (memory) => memories.push(memory), ...options });
  const storage = new MastraCompositeStore({
    id: 'mace',
    domains: { memory: new MaceMemoryStorage(mace) },
    default: new InMemoryStore(),
  });
  const agent = new Agent({
    id: 'cook',
    name: 'Cook',
    instructions: 'Answer in one sentence.',
    model: { id: 'local/model', url: `${model.url}/v1`, apiKey: 'none' },
    memory: new Memory({ storage }),
    inputProcessors: [user],
    outputProcessors: [user],
  });
  const inThread = (resource: string) => ({ memory: { thread: randomUUID(), resource } });
  const prompts = () =>
    model.requests.map(({ messages }) =>
      messages
        .filter(({ role }) => role === 'system')
        .map(({ content }) => JSON.stringify(content))
        .join(),
    );
  return { agent, inThread, memories, prompts };
}

it('what a user says of themselves in a thread is known in the next one, and what was kept is told', async () => {
  const resource = `ada-${randomUUID()}`;
  const { agent, inThread, memories, prompts } = newAgent();
  const { text } = await agent.generate(`${ALLERGIC} What can I eat?`, inThread(resource));
  expect(text).toBe('Noted.');
  await agent.generate('Is satay a good idea?', inThread(resource));
  expect(prompts()[0]).not.toContain(ALLERGIC);
  expect(prompts()[1]).toContain('Answer in one sentence.');
  expect(prompts()[1]).toContain(ALLERGIC);
  const [first, second] = await Promise.all(memories);
  expect(first).toMatchObject({ kept: [{ text: ALLERGIC }], not_kept: [{ reason: 'question' }] });
  expect(second).toMatchObject({ recalled: [{ text: ALLERGIC }], kept: [] });
});

it('a streamed answer comes piece by piece, and its turn is remembered', async () => {
  const { agent, inThread, memories } = newAgent();
  const { textStream } = await agent.stream(ALLERGIC, inThread(`ada-${randomUUID()}`));
  let text = '';
  for await (const piece of textStream) text += piece;
  expect(text).toBe('Noted.');
  await expect.poll(() => memories.length).toBe(1);
  expect(await memories[0]).toMatchObject({ kept: [{ text: ALLERGIC }] });
});

it('without a user, nothing is recalled and nothing is kept', async () => {
  const mace = newClient();
  const { agent, memories, prompts } = newAgent({}, mace);
  for (const said of [ALLERGIC, 'Is satay a good idea?']) await agent.generate(said);
  expect(prompts().join()).not.toContain(ALLERGIC);
  expect(await memories[0]).toStrictEqual({ recalled: [], kept: [], not_kept: [] });
  expect((await mace.memories.list()).memories).toStrictEqual([]);
});

it('a memory that fails after the model costs no answer', async () => {
  const mace = newClient(undefined, { fetch: failingAt('/v1/remember'), retries: 0 });
  const { agent, inThread, memories } = newAgent({}, mace);
  const { text } = await agent.generate(ALLERGIC, inThread(`ada-${randomUUID()}`));
  expect(text).toBe('Noted.');
  expect(await memories[0]).toMatchObject({ kept: [], failed: [{ name: 'MaceUnreachable' }] });
});

it('a recall that fails ends the turn before the model, unless the program takes the error', async () => {
  const mace = newClient(undefined, { fetch: failingAt('/v1/recall'), retries: 0 });
  const resource = `ada-${randomUUID()}`;
  const { agent, inThread } = newAgent({}, mace);
  await expect(agent.generate(ALLERGIC, inThread(resource))).rejects.toThrow(
    /Input processor error/,
  );
  expect(model.requests).toHaveLength(0);
  const errors: unknown[] = [];
  const going = newAgent({ onMemoryError: (error) => errors.push(error) }, mace);
  expect((await going.agent.generate(ALLERGIC, inThread(resource))).text).toBe('Noted.');
  expect(errors).toMatchObject([{ name: 'MaceUnreachable' }]);
});

it('the program of the README knows at its second call what was said in the first one', async () => {
  const printed = await runProgramOfReadme('remembering-user.mjs', {
    MACE_TOKEN: mintToken({ sub: `readme-${randomUUID()}` }),
    MODEL_URL: `${model.url}/v1`,
    MODEL_KEY: 'none',
    MASTRA_TELEMETRY_DISABLED: '1',
  });
  expect(printed).toBe('Noted.\nNoted.\n');
  expect(JSON.stringify(model.requests[1]?.messages[0])).toContain('Answer in one sentence.');
  expect(JSON.stringify(model.requests[1]?.messages)).toContain(ALLERGIC);
});
