import type { PersonMemoryOptions, TurnMemory } from '@mace-memory/client';
import {
  Agent,
  type Model,
  type ModelRequest,
  type ModelResponse,
  tool,
  Usage,
} from '@openai/agents';
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { mintToken } from '../../testing/connection.mjs';
import { runProgramOfReadme } from '../../testing/example.mjs';
import { failingAt } from '../../testing/failing.mjs';
import { MaceSession, rememberingUser } from '../src/index.js';
import { startModel } from './model-server.js';
import { assistantSaid, functionCall, newClient } from './support.js';

const ALLERGIC = 'I am allergic to peanuts.';
const INSTRUCTIONS = 'Answer in one sentence.';
const usage = { requests: 1, inputTokens: 1, outputTokens: 1, totalTokens: 2 };

/** A model that calls a tool once if it is asked for the menu, and says “Noted.”. */
class ScriptedModel implements Model {
  readonly requests: ModelRequest[] = [];

  async getResponse(request: ModelRequest): Promise<ModelResponse> {
    this.requests.push(request);
    return { output: this.#output(request), usage: new Usage(usage) };
  }

  async *getStreamedResponse(request: ModelRequest) {
    this.requests.push(request);
    const output = this.#output(request);
    yield { type: 'output_text_delta', delta: 'Noted.' } as const;
    yield { type: 'response_done', response: { id: randomUUID(), output, usage } } as const;
  }

  #output({ input }: ModelRequest) {
    const text = JSON.stringify(input);
    const isAsked = text.includes('menu') && !text.includes('soup');
    return [isAsked ? functionCall('call-1', 'menu') : assistantSaid('Noted.')] as never[];
  }
}

/** Returns a run for a user, and the instructions that its model was given. */
function newAgent(options: PersonMemoryOptions = {}, mace = newClient()) {
  const memories: Promise<TurnMemory>[] = [];
  const model = new ScriptedModel();
  const menu = tool({
    name: 'menu',
    description: 'The menu of today.',
    parameters: z.object({}),
    execute: () => 'soup',
  });
  const agent = new Agent({ name: 'Cook', instructions: INSTRUCTIONS, model, tools: [menu] });
  const run = rememberingUser(mace, { onMemory: (memory) => memories.push(memory), ...options });
  const say = async (said: string) => (await run(agent, said)).finalOutput;
  const instructions = () => model.requests.map(({ systemInstructions }) => systemInstructions);
  return { mace, agent, run, say, memories, instructions };
}

it('what a user says of themselves in a session is known in the next one, and what was kept is told', async () => {
  const { mace, agent, run, memories, instructions } = newAgent({ user_id: `ada-${randomUUID()}` });
  for (const said of [`${ALLERGIC} What can I eat?`, 'Is satay a good idea?'])
    await run(agent, said, { session: new MaceSession(mace) });
  expect(instructions()[0]).toBe(INSTRUCTIONS);
  expect(instructions()[1]).toMatch(/^Answer in one sentence\.\n\n[^]*I am allergic to peanuts\./);
  const [first, second] = await Promise.all(memories);
  expect(first).toMatchObject({ kept: [{ text: ALLERGIC }], not_kept: [{ reason: 'question' }] });
  expect(second).toMatchObject({ recalled: [{ text: ALLERGIC }], kept: [] });
});

it('a run with tools recalls and remembers once', async () => {
  const { say, memories, instructions } = newAgent({ user_id: `ada-${randomUUID()}` });
  expect(await say(`${ALLERGIC} Show me the menu.`)).toBe('Noted.');
  expect(instructions()).toStrictEqual([INSTRUCTIONS, INSTRUCTIONS]);
  expect(memories).toHaveLength(1);
  expect(await memories[0]).toMatchObject({ kept: [{ text: ALLERGIC }] });
});

it('the program’s own filter of the input still applies', async () => {
  const { agent, run, instructions } = newAgent({ user_id: `ada-${randomUUID()}` });
  const more = { instructions: 'Answer in French.' };
  await run(agent, ALLERGIC, {
    callModelInputFilter: ({ modelData }) => ({ ...modelData, ...more }),
  });
  expect(instructions()).toStrictEqual(['Answer in French.']);
});

it('a streamed run comes piece by piece, and is remembered at its end', async () => {
  const { agent, run, memories } = newAgent({ user_id: `ada-${randomUUID()}` });
  const result = await run(agent, ALLERGIC, { stream: true });
  let text = '';
  for await (const piece of result.toTextStream()) text += piece;
  await result.completed;
  expect(text).toBe('Noted.');
  await expect.poll(() => memories.length).toBe(1);
  expect(await memories[0]).toMatchObject({ kept: [{ text: ALLERGIC }] });
});

it('without a user, nothing is recalled and nothing is kept', async () => {
  const { mace, say, instructions, memories } = newAgent();
  for (const said of [ALLERGIC, 'Is satay a good idea?']) await say(said);
  expect(instructions()).toStrictEqual([INSTRUCTIONS, INSTRUCTIONS]);
  expect(await memories[0]).toStrictEqual({ recalled: [], kept: [], not_kept: [] });
  expect((await mace.memories.list()).memories).toStrictEqual([]);
});

it('a memory that fails after the run costs no answer', async () => {
  const mace = newClient(undefined, { fetch: failingAt('/v1/remember'), retries: 0 });
  const { say, memories } = newAgent({ user_id: `ada-${randomUUID()}` }, mace);
  expect(await say(ALLERGIC)).toBe('Noted.');
  expect(await memories[0]).toMatchObject({ kept: [], failed: [{ name: 'MaceUnreachable' }] });
});

it('a recall that fails ends the run before the model, unless the program takes the error', async () => {
  const mace = newClient(undefined, { fetch: failingAt('/v1/recall'), retries: 0 });
  const user_id = `ada-${randomUUID()}`;
  const { say, instructions } = newAgent({ user_id }, mace);
  await expect(say(ALLERGIC)).rejects.toMatchObject({ name: 'MaceUnreachable' });
  expect(instructions()).toStrictEqual([]);
  const errors: unknown[] = [];
  const going = newAgent({ user_id, onMemoryError: (error) => errors.push(error) }, mace);
  expect(await going.say(ALLERGIC)).toBe('Noted.');
  expect(errors).toMatchObject([{ name: 'MaceUnreachable' }]);
});

it('the program of the README knows at its second run what was said in the first one', async () => {
  const model = await startModel(() => 'Noted.');
  const printed = await runProgramOfReadme('remembering-user.mjs', {
    MACE_TOKEN: mintToken({ sub: `readme-${randomUUID()}` }),
    OPENAI_API_KEY: 'none',
    OPENAI_BASE_URL: `${model.url}/v1`,
    OPENAI_AGENTS_DISABLE_TRACING: '1',
  });
  expect(printed).toBe('Noted.\nNoted.\n');
  expect(model.requests[1]).toMatchObject({ instructions: expect.stringContaining(ALLERGIC) });
  await model.stop();
});
