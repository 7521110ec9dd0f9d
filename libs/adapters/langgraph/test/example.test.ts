import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mintToken, serviceUrl } from '../../testing/connection.mjs';
import { runExample, runProgramOfPage } from '../../testing/example.mjs';

const asked: string[] = [];
let model: Server;

/** A model that knows one answer. */
beforeAll(async () => {
  model = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const { messages } = JSON.parse(body) as { messages: { content: string }[] };
      asked.push(messages[0]?.content ?? '');
      const message = { role: 'assistant', content: 'Fly to Seattle on Friday, at the window.' };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ choices: [{ message }] }));
    });
  }).listen(0, '127.0.0.1');
  await once(model, 'listening');
});
afterAll(() => model.close());

it('the example waits for a person, goes on, and proves what it wrote', async () => {
  const { port } = model.address() as AddressInfo;
  const output = await runExample('langgraph', 'agent.mjs', {
    MACE_URL: serviceUrl(),
    MACE_TOKEN: mintToken({ sub: `example-${randomUUID()}` }),
    MODEL_URL: `http://127.0.0.1:${port}`,
  });
  expect(asked).toHaveLength(1);
  expect(asked[0]).toContain('a seat at the window');
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
