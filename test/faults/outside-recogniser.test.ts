import { afterEach, expect, test } from '@jest/globals';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { OutsideRecogniser } from '#apps/api/privacy/outside-recogniser.js';
import { PrivacyGate } from '#apps/api/privacy/privacy-gate.js';
import { DEFAULT_RULES } from '#domain/privacy/rule-set.js';
import type { SubjectKeys } from '#subject-keys/subject-keys.js';

let server: Server | undefined;

/** Starts a recogniser on the loopback interface, and returns a gate that asks it. */
async function gateWith(answer: RequestListener): Promise<PrivacyGate> {
  server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const outside = new OutsideRecogniser(`http://127.0.0.1:${port}`, 300);
  const keys = undefined as unknown as SubjectKeys;
  return new PrivacyGate(() => 'hash', keys, DEFAULT_RULES, outside);
}

afterEach(async () => {
  server?.closeAllConnections();
  if (server?.listening) await new Promise((resolve) => server?.close(resolve));
});

const REFUSED = expect.objectContaining({
  code: 'PRIVACY_BLOCKED',
  facts: { finding_types: 'cannot_scan' },
});

test('the findings of the recogniser join those of the rules', async () => {
  const asked: string[] = [];
  const gate = await gateWith((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      asked.push(`${request.method} ${request.url} ${body}`);
      const person = { entity_type: 'PERSON', start: 0, end: 3, score: 0.9 };
      const unsure = { entity_type: 'LOCATION', start: 0, end: 3, score: 0.2 };
      response.end(JSON.stringify([person, unsure]));
    });
  });
  const value = { note: 'Ada wrote to bob@example.com' };
  expect(await gate.inspect(value)).toMatchObject({ types: 'email,person', category: 'medium' });
  const found = await gate.inspect('Ada was here');
  expect(found).toMatchObject({ types: 'person', category: 'medium', byRecogniser: true });
  expect(found?.blocked().facts).toStrictEqual({ finding_types: 'person' });
  expect(asked[1]).toBe('POST /analyze {"text":"Ada was here","language":"en"}');
  expect(await gate.inspect(42)).toBeUndefined();
});

test.each<readonly [string, RequestListener]>([
  ['is slow', () => undefined],
  ['answers with an error', (_, response) => response.writeHead(500).end('[]')],
  ['answers no JSON', (_, response) => response.end('<html>')],
  ['answers no list', (_, response) => response.end('{}')],
  ['answers findings of another form', (_, response) => response.end('[{"start":1}]')],
])('a write is refused if the recogniser %s', async (_, answer) => {
  const gate = await gateWith(answer);
  await expect(gate.inspect('Ada')).rejects.toThrow(REFUSED);
});

test('a write is refused if the recogniser is down', async () => {
  const gate = await gateWith(() => undefined);
  await new Promise((resolve) => server?.close(resolve));
  await expect(gate.held('user:x', 'Ada')).rejects.toThrow(REFUSED);
});
