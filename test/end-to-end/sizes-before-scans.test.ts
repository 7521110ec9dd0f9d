import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Caller } from '#test/support/caller.js';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';

let service: TestService;
let agent: Caller;
let admin: Caller;
const seed = named('sizes');
beforeAll(async () => {
  service = await TestService.start();
  agent = await Caller.of(service, 'agent', { user_id: named('user') });
  admin = await Caller.of(service, 'admin');
  await agent.post('jobs', { job_seed: seed });
});
afterAll(() => service?.stop());

/** A value with personal data, larger than the bytes. */
const larger = (bytes: number): readonly string[] =>
  Array.from({ length: Math.ceil(bytes / 10) }, () => 'a@bcd.com');

const CASES: readonly (readonly [string, 'agent' | 'admin', 'POST' | 'PUT', string, object])[] = [
  ['fact', 'admin', 'PUT', 'sem/world/size/of/fact', { value: larger(16_384) }],
  ['note', 'agent', 'PUT', 'notes', { namespace: ['n'], key: 'k', value: larger(65_536) }],
  ['item', 'agent', 'POST', 'conversations/sizes/items', { items: [larger(65_536)] }],
  ['WM value', 'agent', 'POST', `jobs/${seed}/wm`, { type: 'hint', value: larger(16_384) }],
  [
    'payload of an episode',
    'agent',
    'POST',
    `jobs/${seed}/episodes`,
    { summary: 's', payload: larger(262_144) },
  ],
  [
    'evidence of an episode',
    'agent',
    'POST',
    `jobs/${seed}/episodes`,
    { summary: 's', evidence: [{ of: larger(262_144) }] },
  ],
  [
    'batch',
    'agent',
    'POST',
    `jobs/${seed}/commands`,
    { commands: [{ op: 'wm_insert', type: 'hint', value: larger(16_384) }] },
  ],
];

test.each(CASES)(
  'a %s that is too large is refused for its size, and the privacy gate does not read it',
  async (_, role, method, path, body) => {
    const caller = role === 'agent' ? agent : admin;
    const { body: refusal } = await caller.ask(method, path, { body });
    expect(refusal.error_code).toBe('INVALID_INPUT');
  },
);
