import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mintToken } from '../../testing/connection.mjs';
import { runExample, runProgramOfPage } from '../../testing/example.mjs';
import { startModel } from './model-server.js';

let model: Awaited<ReturnType<typeof startModel>>;
beforeAll(async () => {
  model = await startModel(({ messages }) => {
    const said = messages.filter(({ role }) => role === 'user');
    return said.length > 1 && JSON.stringify(said[0]).includes('Rome') ? 'To Rome.' : 'Hello, Ada.';
  });
});
afterAll(() => model.stop());

it('the second turn of the example sees the first, and its messages are verified', async () => {
  const printed = await runExample('mastra', 'memory.mjs', {
    MACE_TOKEN: mintToken({ sub: `agent-${randomUUID()}` }),
    MODEL_URL: `${model.url}/v1`,
    MODEL_KEY: 'none',
    MASTRA_TELEMETRY_DISABLED: '1',
  });
  expect(printed.trim().split('\n')).toStrictEqual([
    '> My name is Ada, and I fly to Rome.',
    'Hello, Ada.',
    '> Where do I fly?',
    'To Rome.',
    expect.stringMatching(/^4 messages in \d+ events, in 1 thread$/),
    expect.stringMatching(/^Replayed \d+ events: identical$/),
    expect.stringMatching(/^Exported \d+ events, signed by \S+$/),
  ]);
});

it('the program on the page "Give your agent memory" remembers its first turn', async () => {
  const printed = await runProgramOfPage('mastra.mjs', {
    MACE_TOKEN: mintToken({ sub: `agent-${randomUUID()}` }),
    MODEL_URL: `${model.url}/v1`,
    MODEL_KEY: 'none',
    MASTRA_TELEMETRY_DISABLED: '1',
  });
  expect(printed.trim().split('\n')).toStrictEqual(['Hello, Ada.', 'To Rome.']);
});
