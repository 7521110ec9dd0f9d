import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { FACT_VALUE } from '#domain/sem/fact-limits.js';
import type { RequestListener } from 'node:http';
import { OutsideRecogniser } from '#apps/api/privacy/outside-recogniser.js';
import { PrivacyGate } from '#apps/api/privacy/privacy-gate.js';
import { DEFAULT_RULES } from '#domain/privacy/rule-set.js';
import type { SubjectKeys } from '#subject-keys/subject-keys.js';
import { HOSTILE, HostileServer } from '#test/support/hostile-server.js';

let server: HostileServer;
let gate: PrivacyGate;

beforeAll(async () => {
  server = await HostileServer.start();
  const keys = undefined as unknown as SubjectKeys;
  gate = new PrivacyGate(() => 'hash', keys, DEFAULT_RULES, new OutsideRecogniser(server.url, 500));
});

afterAll(() => server.stop());

const REFUSED = expect.objectContaining({
  code: 'PRIVACY_BLOCKED',
  facts: { finding_types: 'cannot_scan' },
});
const says =
  (answer: unknown): RequestListener =>
  (_, response) =>
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
const person = { entity_type: 'PERSON', start: 0, end: 3, score: 0.9 };

test.each<readonly [string, RequestListener]>([
  ...Object.entries(HOSTILE),
  [
    'a redirect to another service',
    (request, response) => {
      const location = request.url === '/analyze' ? '/elsewhere' : '/analyze';
      response.writeHead(307, { location }).end('[]');
    },
  ],
  [
    'findings that repeat a key',
    says('[{"entity_type":"PERSON","start":0,"start":1,"end":3,"score":1}]'),
  ],
  ['a finding that begins before the text', says([{ ...person, start: -1 }])],
  ['a finding that ends after the text', says([{ ...person, end: 4 }])],
  ['a finding that ends before it begins', says([{ ...person, start: 2, end: 1 }])],
  ['a finding without an extent', says([{ ...person, end: 0 }])],
  ['a finding at a fraction of a character', says([{ ...person, end: 2.5 }])],
  ['a finding at a place as a text', says([{ ...person, start: '0' }])],
  ['a finding whose score is a text', says([{ ...person, score: '0.9' }])],
  [
    'a finding whose score is no number',
    says('[{"entity_type":"A","start":0,"end":3,"score":1e999}]'),
  ],
  ['a finding with a type of another form', says([{ ...person, entity_type: 'PER SON' }])],
  ['a list in a list', says([[person]])],
  ['more findings than the gate takes', says(Array.from({ length: 20_000 }, () => person))],
])('a value is refused as not scanned if the recogniser answers with %s', async (_, answer) => {
  server.answers(answer);
  await expect(gate.inspect('Ada', FACT_VALUE)).rejects.toThrow(REFUSED);
  await expect(gate.beyondRules({ text: 'Ada' })).rejects.toThrow(REFUSED);
  expect(new Set(server.paths)).toStrictEqual(new Set(['/analyze']));
});

test('findings that overlap, also across the strings of a value, cut every character that they name', async () => {
  server.answers(
    says([
      { ...person, start: 8, end: 14 },
      { ...person, start: 1, end: 4 },
      { ...person, entity_type: 'PLACE', start: 2, end: 9 },
    ]),
  );
  const found: string[] = [];
  const clean = await new OutsideRecogniser(server.url).redacted(
    { a: '😀bcdef', b: ['ghij', 'klm'] },
    (type, text) => found.push(`${type} ${text}`),
  );
  expect(clean).toStrictEqual({
    a: '😀[REDACTED:person]',
    b: ['[REDACTED:place]', '[REDACTED:person]m'],
  });
  expect(found).toStrictEqual(['person bcd', 'place ef', 'place gh', 'person ij', 'person kl']);
});

test('many strings with many findings take one pass', async () => {
  const strings = Array.from({ length: 20_000 }, (_, n) => `name ${n % 10}`);
  const findings = Array.from({ length: 2_000 }, (_, n) => ({
    ...person,
    start: n * 70,
    end: n * 70 + 6,
  }));
  server.answers(says(findings));
  const clean = (await new OutsideRecogniser(server.url).redacted(
    strings,
    () => undefined,
  )) as string[];
  expect(clean.filter((text) => text === '[REDACTED:person]')).toHaveLength(2_000);
});
