import Anthropic from '@anthropic-ai/sdk';
import { type PersonMemoryOptions, type TurnMemory } from '@mace-memory/client';
import {
  generateText,
  simulateReadableStream,
  stepCountIs,
  streamText,
  tool,
  wrapLanguageModel,
} from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { mintToken } from '../../testing/connection.mjs';
import { runProgramOfReadme } from '../../testing/example.mjs';
import { failingAt } from '../../testing/failing.mjs';
import { ModelServer, sendJson } from '../../testing/model-server.mjs';
import { rememberingUser } from '../src/anthropic.js';
import { rememberingUser as middlewareFor } from '../src/middleware.js';
import { startModel } from './model-server.js';
import { newClient } from './support.js';

const ALLERGIC = 'I am allergic to peanuts.';
const SYSTEM = 'Answer in one sentence.';
const newUser = () => `ada-${randomUUID()}`;

/** Returns options that collect what is told of the turns. */
function told(options: PersonMemoryOptions) {
  const memories: Promise<TurnMemory>[] = [];
  return {
    memories,
    options: { onMemory: (one: Promise<TurnMemory>) => memories.push(one), ...options },
  };
}

describe('A model of the AI SDK with the middleware', () => {
  type Part = { readonly type: string } & Record<string, unknown>;
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  const finish = (unified: string) => ({ unified, raw: unified });

  /** Returns a model that says “Noted.”, or calls a tool once if it is asked for the menu, and what it was asked. */
  function newModel(options: PersonMemoryOptions = {}, mace = newClient()) {
    const isAsked = (prompt: unknown) =>
      /menu/.test(JSON.stringify(prompt)) && !/soup/.test(JSON.stringify(prompt));
    const chunks: Part[] = [
      { type: 'stream-start', warnings: [] },
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: 'Noted.' },
      { type: 'text-end', id: '1' },
      { type: 'finish', finishReason: finish('stop'), usage },
    ];
    const call = { type: 'tool-call', toolCallId: 'call-1', toolName: 'menu', input: '{}' };
    const scripted = new MockLanguageModelV4({
      doGenerate: async ({ prompt }) =>
        ({
          content: [isAsked(prompt) ? call : { type: 'text', text: 'Noted.' }],
          finishReason: finish(isAsked(prompt) ? 'tool-calls' : 'stop'),
          usage,
          warnings: [],
        }) as never,
      doStream: async () => ({ stream: simulateReadableStream({ chunks }) }) as never,
    });
    const { memories, options: all } = told(options);
    const model = wrapLanguageModel({ model: scripted, middleware: middlewareFor(mace, all) });
    const systems = () =>
      scripted.doGenerateCalls.map(({ prompt }) =>
        prompt.filter(({ role }) => role === 'system').map(({ content }) => content),
      );
    return { mace, model, memories, systems };
  }

  it('knows in a later chat what the user said of themselves, and tells what was kept', async () => {
    const user_id = newUser();
    const mace = newClient();
    const first = newModel({ user_id }, mace);
    const second = newModel({ user_id }, mace);
    const prompt = `${ALLERGIC} What can I eat?`;
    await generateText({ model: first.model, system: SYSTEM, prompt });
    await generateText({ model: second.model, system: SYSTEM, prompt: 'Is satay a good idea?' });
    expect(first.systems()).toStrictEqual([[SYSTEM]]);
    expect(second.systems()).toStrictEqual([[SYSTEM, expect.stringContaining(ALLERGIC)]]);
    expect(await first.memories[0]).toMatchObject({ kept: [{ text: ALLERGIC }], not_kept: [{}] });
    expect(await second.memories[0]).toMatchObject({ recalled: [{ text: ALLERGIC }], kept: [] });
  });

  it('remembers a message once, however many steps it takes', async () => {
    const { model, memories, systems } = newModel({ user_id: newUser() });
    const menu = tool({ inputSchema: z.object({}), execute: () => 'soup' });
    const prompt = `${ALLERGIC} Show me the menu.`;
    const { text } = await generateText({
      model,
      prompt,
      tools: { menu },
      stopWhen: stepCountIs(3),
    });
    expect(text).toBe('Noted.');
    expect(systems()).toHaveLength(2);
    expect(memories).toHaveLength(1);
    expect(await memories[0]).toMatchObject({ kept: [{ text: ALLERGIC }] });
  });

  it('streams, and remembers the turn at the end of the stream', async () => {
    const { model, memories } = newModel({ user_id: newUser() });
    const { textStream } = streamText({ model, prompt: ALLERGIC });
    let text = '';
    for await (const piece of textStream) text += piece;
    expect(text).toBe('Noted.');
    expect(await memories[0]).toMatchObject({ kept: [{ text: ALLERGIC }] });
  });

  it('recalls and keeps nothing without a user', async () => {
    const { mace, model, memories, systems } = newModel();
    for (const prompt of [ALLERGIC, 'Is satay a good idea?']) await generateText({ model, prompt });
    expect(systems()).toStrictEqual([[], []]);
    expect(await memories[0]).toStrictEqual({ recalled: [], kept: [], not_kept: [] });
    expect((await mace.memories.list()).memories).toStrictEqual([]);
  });

  it('answers although the memory fails afterwards', async () => {
    const mace = newClient(undefined, { fetch: failingAt('/v1/remember'), retries: 0 });
    const { model, memories } = newModel({ user_id: newUser() }, mace);
    expect((await generateText({ model, prompt: ALLERGIC })).text).toBe('Noted.');
    expect(await memories[0]).toMatchObject({ kept: [], failed: [{ name: 'MaceUnreachable' }] });
  });

  it('is not asked if the recall fails, unless the program takes the error', async () => {
    const mace = newClient(undefined, { fetch: failingAt('/v1/recall'), retries: 0 });
    const user_id = newUser();
    const { model, systems } = newModel({ user_id }, mace);
    const asked = generateText({ model, prompt: ALLERGIC });
    await expect(asked).rejects.toMatchObject({ name: 'MaceUnreachable' });
    expect(systems()).toStrictEqual([]);
    const errors: unknown[] = [];
    const going = newModel({ user_id, onMemoryError: (error) => errors.push(error) }, mace);
    expect((await generateText({ model: going.model, prompt: ALLERGIC })).text).toBe('Noted.');
    expect(errors).toMatchObject([{ name: 'MaceUnreachable' }]);
  });
});

describe('A turn with the Messages API', () => {
  interface Asked {
    readonly system?: unknown;
    readonly stream?: boolean;
  }

  let server: ModelServer<Asked>;
  let anthropic: Anthropic;
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'scripted',
    content: [{ type: 'text', text: 'Noted.' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  };
  beforeEach(async () => {
    server = await ModelServer.start<Asked>(({ stream }, outgoing) =>
      stream === true ? sendStream(outgoing) : sendJson(outgoing, message),
    );
    anthropic = new Anthropic({ apiKey: 'none', baseURL: server.url });
  });
  afterEach(() => server.stop());

  function sendStream(outgoing: ServerResponse) {
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
    const delta = { type: 'text_delta', text: 'Noted.' };
    for (const event of [
      { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } },
      { type: 'message_stop' },
    ])
      outgoing.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    outgoing.end();
  }

  const paramsOf = (content: string) => ({
    model: 'scripted',
    max_tokens: 64,
    messages: [{ role: 'user' as const, content }],
  });
  const systems = () => server.requests.map(({ system }) => system);
  const text = ({ content }: Anthropic.Message) =>
    content.map((block) => (block.type === 'text' ? block.text : '')).join('');

  it('knows in a later chat what the user said of themselves, and tells what was kept', async () => {
    const turn = rememberingUser(newClient(), { user_id: newUser() });
    const create = (params: Anthropic.MessageCreateParamsNonStreaming) =>
      anthropic.messages.create(params);
    const first = await turn(
      { ...paramsOf(`${ALLERGIC} What can I eat?`), system: SYSTEM },
      create,
    );
    expect(text(first.answer)).toBe('Noted.');
    const satay = paramsOf('Is satay a good idea?');
    const second = await turn({ ...satay, system: SYSTEM }, create);
    await turn({ ...satay, system: [{ type: 'text', text: SYSTEM }] }, create);
    await turn(satay, create);
    const known = expect.stringContaining(ALLERGIC);
    expect(systems()).toStrictEqual([
      SYSTEM,
      expect.stringMatching(/^Answer in one sentence\.\n\n[^]*I am allergic to peanuts\./),
      [
        { type: 'text', text: SYSTEM },
        { type: 'text', text: known },
      ],
      known,
    ]);
    expect(await first.memory).toMatchObject({ kept: [{ text: ALLERGIC }], not_kept: [{}] });
    expect(await second.memory).toMatchObject({ recalled: [{ text: ALLERGIC }], kept: [] });
  });

  it('streams, and is remembered at the end of the stream', async () => {
    const turn = rememberingUser(newClient(), { user_id: newUser() });
    const { answer, memory } = await turn(paramsOf(ALLERGIC), (params) =>
      anthropic.messages.stream(params),
    );
    const pieces: string[] = [];
    answer.on('text', (piece) => pieces.push(piece));
    expect(text(await answer.finalMessage())).toBe('Noted.');
    expect(pieces).toStrictEqual(['Noted.']);
    expect(await memory).toMatchObject({ kept: [{ text: ALLERGIC }] });
  });

  it('may be that of a tool runner, and is remembered when the runner is done', async () => {
    const turn = rememberingUser(newClient(), { user_id: newUser() });
    const { answer, memory } = await turn(paramsOf(ALLERGIC), (params) =>
      anthropic.beta.messages.toolRunner({ ...params, tools: [] }),
    );
    expect(answer.content).toMatchObject([{ text: 'Noted.' }]);
    expect(await memory).toMatchObject({ kept: [{ text: ALLERGIC }] });
  });

  it('is not remembered if the stream fails', async () => {
    const mace = newClient();
    const user_id = newUser();
    const { answer, memory } = await rememberingUser(mace, { user_id })(
      paramsOf(ALLERGIC),
      (params) => anthropic.messages.stream(params),
    );
    answer.abort();
    expect(await memory).toMatchObject({ kept: [], failed: [expect.any(Error)] });
    expect((await mace.memories.list({ user_id })).memories).toStrictEqual([]);
  });

  it('recalls and keeps nothing without a user', async () => {
    const mace = newClient();
    const turn = rememberingUser(mace);
    for (const said of [ALLERGIC, 'Is satay a good idea?']) {
      const { memory } = await turn(paramsOf(said), (params) => anthropic.messages.create(params));
      expect(await memory).toStrictEqual({ recalled: [], kept: [], not_kept: [] });
    }
    expect(systems()).toStrictEqual([undefined, undefined]);
    expect((await mace.memories.list()).memories).toStrictEqual([]);
  });

  it('has its answer although the memory fails afterwards', async () => {
    const mace = newClient(undefined, { fetch: failingAt('/v1/remember'), retries: 0 });
    const turn = rememberingUser(mace, { user_id: newUser() });
    const create = (params: Anthropic.MessageCreateParamsNonStreaming) =>
      anthropic.messages.create(params);
    const { answer, memory } = await turn(paramsOf(ALLERGIC), create);
    expect(text(answer)).toBe('Noted.');
    expect(await memory).toMatchObject({ kept: [], failed: [{ name: 'MaceUnreachable' }] });
  });
});

it.each([
  ['middleware.mjs', '/v1', 'Noted.\nNoted.\n'],
  ['turn.mjs', '', 'Noted. 1\nNoted. 0\n'],
])('the program %s of the README knows the user at its second call', async (file, path, output) => {
  const said = { type: 'text', text: 'Noted.' } as const;
  const model = await startModel(said, said);
  const printed = await runProgramOfReadme(file, {
    MACE_TOKEN: mintToken({ sub: `readme-${randomUUID()}` }),
    ANTHROPIC_API_KEY: 'none',
    ANTHROPIC_BASE_URL: `${model.url}${path}`,
  });
  expect(printed).toBe(output);
  expect(JSON.stringify(model.requests[1])).toContain(ALLERGIC);
  await model.stop();
});
