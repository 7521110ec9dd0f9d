import { afterEach, expect, test } from '@jest/globals';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { OutsideRecogniser } from '#apps/api/privacy/outside-recogniser.js';
import { PrivacyGate } from '#apps/api/privacy/privacy-gate.js';
import { DEFAULT_RULES } from '#domain/privacy/rule-set.js';
import type { SubjectKeys } from '#subject-keys/subject-keys.js';
import { Caller } from '#test/support/caller.js';
import { named } from '#test/support/named.js';
import { LogReader } from '#test/support/read-log.js';
import { limitOf } from '#domain/size-limit.js';
import { TestService } from '#test/support/service.js';

const LIMIT = limitOf('value', 1_000);

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
  expect(await gate.inspect(value, LIMIT)).toMatchObject({
    types: 'email,person',
    category: 'medium',
  });
  const found = await gate.inspect('Ada was here', LIMIT);
  expect(found).toMatchObject({ types: 'person', category: 'medium' });
  expect(found?.blocked().facts).toStrictEqual({ finding_types: 'person' });
  expect(asked[1]).toBe('POST /analyze {"text":"Ada was here","language":"en"}');
  expect(await gate.inspect(42, LIMIT)).toBeUndefined();
});

test.each<readonly [string, RequestListener]>([
  ['is slow', () => undefined],
  ['answers with an error', (_, response) => response.writeHead(500).end('[]')],
  ['answers no JSON', (_, response) => response.end('<html>')],
  ['answers no list', (_, response) => response.end('{}')],
  ['answers findings of another form', (_, response) => response.end('[{"start":1}]')],
])('a write is refused if the recogniser %s', async (_, answer) => {
  const gate = await gateWith(answer);
  await expect(gate.inspect('Ada', LIMIT)).rejects.toThrow(REFUSED);
});

test('a write is refused if the recogniser is down', async () => {
  const gate = await gateWith(() => undefined);
  await new Promise((resolve) => server?.close(resolve));
  await expect(gate.held('user:x', 'Ada', LIMIT)).rejects.toThrow(REFUSED);
});

test('its findings are replaced in texts, at every depth, and counted in code points', async () => {
  const gate = await gateWith(namesIn('Ada'));
  const words = {
    summary: '😀 Ada wrote to Ada',
    payload: { by: ['Ada', 7], about: null, note: 'nobody' },
    redactions: [{ field: 'summary', type: 'email', hash: 'h', redaction_reason: 'PII_DETECTED' }],
  };
  const { redactions, ...clean } = await gate.beyondRules(words);
  expect(clean).toStrictEqual({
    summary: '😀 [REDACTED:person] wrote to [REDACTED:person]',
    payload: { by: ['[REDACTED:person]', 7], about: null, note: 'nobody' },
  });
  expect(redactions?.map(({ field, type }) => `${field} ${type}`)).toStrictEqual([
    'summary email',
    'summary person',
    'summary person',
    'payload person',
  ]);
});

test('the service stores no name that the recogniser finds, and refuses texts while it is down', async () => {
  server = createServer(namesIn('Ada')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const service = await TestService.start({
    environment: { MACE_PRIVACY_RECOGNISER_URL: `http://127.0.0.1:${port}` },
  });
  const log = new LogReader(service.eventStore.url);
  try {
    const agent = await Caller.of(service, 'agent');
    const council = await Caller.of(service, 'council');
    const job = named('recognised');
    await agent.post('jobs', { job_seed: job, goal: 'Help Ada' });
    await agent.post(`jobs/${job}/wm`, { type: 'fact', value: 'Ada likes tea' });
    const { episodic_id } = await agent.post<{ episodic_id: string }>(`jobs/${job}/episodes`, {
      summary: 'Met Ada',
      payload: { guest: 'Ada' },
      evidence: [{ who: 'Ada' }],
    });
    const { request_id, proposal_hash } = await agent.post<Record<string, string>>(
      'action-requests',
      {
        episodic_id,
        target_sem_key: `world/guest/${named('today')}/name`,
        value: 'Ada',
        justification: 'Ada said so.',
      },
    );
    const vote = { vote: 'abstain', reason: 'I know Ada.', proposal_hash };
    await council.post(`action-requests/${request_id}/votes`, vote);
    const stored = JSON.stringify([
      (await log.events(`job-${job}`)).map(({ data }) => data),
      (await log.events(`request-${request_id}`)).map(({ data }) => data),
    ]);
    expect(stored).not.toContain('Ada');
    const admin = await Caller.of(service, 'admin');
    const path = `sem/world/place/${named('harbour')}/name`;
    for (const around of [{ notes: 'Ada said so.' }, { meta: { said: { by: 'Ada' } } }])
      await admin.refused('PRIVACY_BLOCKED', 'PUT', path, {
        body: { value: 'Bryggen', ...around },
      });
    await admin.did('PUT', path, {
      body: { value: 'Bryggen', notes: 'It is old.', meta: { n: 1 } },
    });
    expect(await agent.get(`jobs/${job}`)).toMatchObject({ wm: [{ value: 'Ada likes tea' }] });
    const report = await (
      await Caller.of(service, 'auditor')
    ).post(`jobs/${job}/replays`, {
      mode: 'strict',
    });
    expect(report).toMatchObject({ identical: true });
    server.closeAllConnections();
    await new Promise((resolve) => server?.close(resolve));
    await agent.refused('PRIVACY_BLOCKED', 'POST', `jobs/${job}/goals`, { body: { goal: 'Rest' } });
  } finally {
    await log.close();
    await service.stop();
  }
});

/** Answers as Presidio does, with every place at which a name stands. */
const namesIn =
  (name: string): RequestListener =>
  (request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      const points = [...(JSON.parse(body) as { text: string }).text];
      const found = points.flatMap((_, start) => {
        const end = start + name.length;
        const isHere = points.slice(start, end).join('') === name;
        return isHere ? [{ entity_type: 'PERSON', start, end, score: 0.9 }] : [];
      });
      response.end(JSON.stringify(found));
    });
  };
