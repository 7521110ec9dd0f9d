import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mintToken } from '../../testing/connection.mjs';
import { runExample, runProgramOfPage } from '../../testing/example.mjs';
import { startModel } from './model-server.js';

let model: Awaited<ReturnType<typeof startModel>>;
beforeAll(async () => {
  model = await startModel(({ input }) =>
    input.length > 1 && JSON.stringify(input[0]).includes('Rome') ? 'To Rome.' : 'Hello, Ada.',
  );
});
afterAll(() => model.stop());

it('the second turn of the example sees the first, and its history is verified', async () => {
  const printed = await runExample('openai-agents', 'session.mjs', {
    MACE_TOKEN: mintToken({ sub: `agent-${randomUUID()}` }),
    OPENAI_API_KEY: 'none',
    OPENAI_BASE_URL: `${model.url}/v1`,
  });
  expect(printed.trim().split('\n')).toStrictEqual([
    '> My name is Ada, and I fly to Rome.',
    'Hello, Ada.',
    '> Where do I fly?',
    'To Rome.',
    expect.stringMatching(/^4 items in \d+ events; the first event added \d+$/),
    expect.stringMatching(/^Replayed \d+ events: identical$/),
    expect.stringMatching(/^Exported \d+ events, signed by \S+$/),
  ]);
  expect(model.requests).toHaveLength(2);
  expect(model.requests[1]?.input).toHaveLength(3);
});

it('the program on the page "Give your agent memory" remembers its first turn', async () => {
  const printed = await runProgramOfPage('openai-agents.mjs', {
    MACE_TOKEN: mintToken({ sub: `agent-${randomUUID()}` }),
    OPENAI_API_KEY: 'none',
    OPENAI_BASE_URL: `${model.url}/v1`,
    OPENAI_AGENTS_DISABLE_TRACING: '1',
  });
  expect(printed.trim().split('\n')).toStrictEqual(['Hello, Ada.', 'To Rome.']);
});
