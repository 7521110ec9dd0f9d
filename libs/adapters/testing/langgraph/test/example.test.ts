import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mintToken, serviceUrl } from '../../testing/connection.mjs';
import { runExample, runProgramOfPage } from '../../testing/example.mjs';
import { ModelServer, sendJson } from '../../testing/model-server.mjs';

interface ModelRequest {
  readonly messages: readonly { readonly content: string }[];
}

let model: ModelServer<ModelRequest>;

/** A model that knows one answer. */
beforeAll(async () => {
  const message = { role: 'assistant', content: 'Fly to Seattle on Friday, at the window.' };
  model = await ModelServer.start((_, outgoing) => sendJson(outgoing, { choices: [{ message }] }));
});
afterAll(() => model.stop());

it('the example waits for a person, goes on, and proves what it wrote', async () => {
  const output = await runExample('langgraph', 'agent.mjs', {
    MACE_URL: serviceUrl(),
    MACE_TOKEN: mintToken({ sub: `example-${randomUUID()}` }),
    MODEL_URL: model.url,
  });
  expect(model.requests).toHaveLength(1);
  expect(model.requests[0]?.messages[0]?.content).toContain('a seat at the window');
  expect(output.trim().split('\n')).toStrictEqual([
    'interrupted: Book this? Fly to Seattle on Friday, at the window.',
    'resumed: booked true',
    expect.stringMatching(/^recorded: note-[0-9a-f]{64} version 1 hash [0-9a-f]{64}$/),
    expect.stringMatching(
      /^recorded: thread-[0-9a-f]{64} event \d+ checkpoint_put hash [0-9a-f]{64}$/,
    ),
    expect.stringMatching(/^verified: \d+ events, identical true$/),
    expect.stringMatching(/^exported: \d+ events in a bundle, signed by key \S+$/),
  ]);
});

it('the program on the page "Give your agent memory" goes on with its thread', async () => {
  const output = await runProgramOfPage('langgraph.mjs', {
    MACE_URL: serviceUrl(),
    MACE_TOKEN: mintToken({ sub: `page-${randomUUID()}` }),
  });
  expect(output.trim().split('\n')).toStrictEqual([
    'Your first words: I fly to Rome.',
    'Your first words: I fly to Rome.',
  ]);
});
