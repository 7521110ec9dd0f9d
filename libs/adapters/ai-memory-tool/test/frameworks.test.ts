import { randomUUID } from 'node:crypto';
import { createAnthropic } from '@ai-sdk/anthropic';
import Anthropic from '@anthropic-ai/sdk';
import { betaMemoryTool, type MemoryToolHandlers } from '@anthropic-ai/sdk/helpers/beta/memory';
import { generateText, stepCountIs } from 'ai';
import { afterEach, describe, expect, it } from 'vitest';
import { mintToken } from '../../testing/connection.mjs';
import { runExample, runProgramOfPage } from '../../testing/example.mjs';
import { aiSdkMemoryTool } from '../src/ai-sdk.js';
import { anthropicMemoryTool } from '../src/anthropic.js';
import { type Block, resultsOf, startModel } from './model-server.js';
import { type Memory, newMemory } from './support.js';

const FILE = '/memories/preferences.md';
const call = (input: object): Block => ({ type: 'tool_use', input });
const say = (text: string): Block => ({ type: 'text', text });

/** A conversation in which the model uses every command, and makes mistakes. */
const EVERY_COMMAND: readonly Block[] = [
  call({ command: 'view', path: '/memories' }),
  call({ command: 'view', path: FILE }),
  call({ command: 'create', path: FILE, file_text: 'color: blue' }),
  call({ command: 'create', path: FILE, file_text: 'color: red' }),
  call({ command: 'str_replace', path: FILE, old_str: 'blue', new_str: 'green' }),
  call({ command: 'insert', path: FILE, insert_line: 1, insert_text: 'food: soup' }),
  call({ command: 'rename', old_path: FILE, new_path: '/memories/mira/preferences.md' }),
  call({ command: 'view', path: '/memories/mira/preferences.md', view_range: [1, 2] }),
  call({ command: 'delete', path: '/memories/../etc' }),
  call({ command: 'delete', path: '/memories/mira' }),
  say('I will remember it.'),
];

const TOLD = [
  { is_error: false, content: expect.stringMatching(/^Here're the files .*\n0B\t\/memories$/) },
  { is_error: true, content: `The path ${FILE} does not exist. Please provide a valid path.` },
  { is_error: false, content: `File created successfully at: ${FILE}` },
  { is_error: true, content: `Error: File ${FILE} already exists` },
  {
    is_error: false,
    content: expect.stringMatching(/^The memory file has been edited\. .*\n {5}1\tcolor: green$/),
  },
  { is_error: false, content: `The file ${FILE} has been edited.` },
  { is_error: false, content: `Successfully renamed ${FILE} to /memories/mira/preferences.md` },
  {
    is_error: false,
    content:
      "Here's the content of /memories/mira/preferences.md with line numbers:\n     1\tcolor: green\n     2\tfood: soup",
  },
  { is_error: true, content: 'Error: Path /memories/../etc would escape /memories directory' },
  { is_error: false, content: 'Successfully deleted /memories/mira' },
];

let model: Awaited<ReturnType<typeof startModel>> | undefined;
afterEach(() => model?.stop());

const withAnthropicSdk = async ({ tool }: Memory, url: string): Promise<string> => {
  const answer = await new Anthropic({ apiKey: 'none', baseURL: url }).beta.messages.toolRunner({
    model: 'scripted',
    max_tokens: 1_024,
    tools: [anthropicMemoryTool(tool)],
    messages: [{ role: 'user', content: 'I like green.' }],
  });
  return answer.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
};

const withAiSdk = async ({ tool }: Memory, url: string): Promise<string> => {
  const { text } = await generateText({
    model: createAnthropic({ apiKey: 'none', baseURL: `${url}/v1` })('scripted'),
    tools: { memory: aiSdkMemoryTool(tool) },
    stopWhen: stepCountIs(20),
    prompt: 'I like green.',
  });
  return text;
};

describe.each([
  ['The tool runner of the Anthropic SDK', withAnthropicSdk],
  ['generateText of the AI SDK', withAiSdk],
])('%s', (_, ask) => {
  it('gives the model the memory tool, and the answers to its commands word by word', async () => {
    model = await startModel(...EVERY_COMMAND);
    const memory = newMemory();
    expect(await ask(memory, model.url)).toBe('I will remember it.');
    expect(model.requests[0]?.tools).toMatchObject([{ type: 'memory_20250818', name: 'memory' }]);
    expect(resultsOf(model.requests)).toStrictEqual(TOLD);
    const history = await memory.mace.notes.history(memory.tool.noteOf(FILE));
    expect(history?.versions.map(({ type }) => type)).toStrictEqual([
      'note_put',
      'note_put',
      'note_put',
      'note_deleted',
    ]);
  });
});

it('the handlers are also those of betaMemoryTool, whose runner puts Error: before a failure', async () => {
  model = await startModel(call({ command: 'view', path: FILE }));
  const handlers: MemoryToolHandlers = newMemory().tool;
  await new Anthropic({ apiKey: 'none', baseURL: model.url }).beta.messages.toolRunner({
    model: 'scripted',
    max_tokens: 1_024,
    tools: [betaMemoryTool(handlers)],
    messages: [{ role: 'user', content: 'I like green.' }],
  });
  expect(resultsOf(model.requests)).toMatchObject([
    { is_error: true, content: expect.stringMatching(/^Error: The path .* does not exist\./) },
  ]);
});

it.each(['anthropic.mjs', 'ai-sdk.mjs'])(
  'the example %s remembers, and shows what is recorded',
  async (file) => {
    model = await startModel(
      call({ command: 'view', path: '/memories' }),
      call({ command: 'create', path: FILE, file_text: 'Favorite color: blue' }),
      call({ command: 'str_replace', path: FILE, old_str: 'blue', new_str: 'green' }),
      say('I will remember it.'),
    );
    const printed = await runExample('ai-memory-tool', file, {
      MACE_TOKEN: mintToken({ sub: `agent-${randomUUID()}` }),
      ANTHROPIC_API_KEY: 'none',
      ANTHROPIC_BASE_URL: file === 'ai-sdk.mjs' ? `${model.url}/v1` : model.url,
    });
    expect(printed.trim().split('\n')).toStrictEqual([
      'I will remember it.',
      `${FILE}: 2 versions`,
      expect.stringMatching(/^The last event is note_put [0-9a-f]{64}$/),
      'Replayed 2 events: identical',
      expect.stringMatching(/^Exported 2 events, signed by \S+$/),
    ]);
  },
);

it.each(['anthropic.mjs', 'ai-sdk.mjs'])(
  'the program %s on the page "Give your agent memory" remembers',
  async (file) => {
    model = await startModel(
      call({ command: 'create', path: FILE, file_text: 'Favorite color: green' }),
      say('I will remember it.'),
    );
    const printed = await runProgramOfPage(file, {
      MACE_TOKEN: mintToken({ sub: `agent-${randomUUID()}` }),
      ANTHROPIC_API_KEY: 'none',
      ANTHROPIC_BASE_URL: file === 'ai-sdk.mjs' ? `${model.url}/v1` : model.url,
    });
    expect(printed.trim()).toBe('I will remember it.');
    expect(resultsOf(model.requests)).toStrictEqual([
      { is_error: false, content: `File created successfully at: ${FILE}` },
    ]);
  },
);
