import { expect, test } from '@jest/globals';
import { route } from '#domain/router/route.js';
import type { RouterToggles } from '#domain/router/toggles.js';
import { scanText } from '#test/support/default-scans.js';

const routed = (query_text: string, user_id?: string, toggles: RouterToggles = {}) =>
  route({ query_text, ...(user_id && { user_id }), toggles, verdict: scanText(query_text) });
const to = (agent_id: string, route_reason: string) => ({ agent_id, route_reason, depth: 1 });
const refused = (code: 'PRIVACY_BLOCKED' | 'ROUTER_NO_MATCH') =>
  expect.objectContaining({ name: 'Refusal', code });

test('002-R-T1 [stage0] [golden] [high] mathematics goes to the math agent', () => {
  expect(routed('Integrate x^2 dx')).toStrictEqual(to('math_agent', 'math_detect'));
});

test('002-R-T2 [stage0] [golden] [high] a question for a fact goes to the knowledge agent', () => {
  expect(routed("What is Ohm's law?")).toStrictEqual(to('knowledge_agent', 'fact_lookup'));
});

test('002-R-T3 [stage0] [golden] [high] a question about oneself goes to the profile agent', () => {
  const question = 'What is my favorite color?';
  expect(routed(question, 'tuff')).toStrictEqual(to('profile_agent', 'profile_lookup'));
  expect(routed(question)).toStrictEqual(to('knowledge_agent', 'fact_lookup'));
});

test('002-R-T4 [stage0] [golden] [medium] a poem goes to the creative agent', () => {
  expect(routed('Write a short poem about rains')).toStrictEqual(to('creative_agent', 'creative'));
});

test('002-R-T5 [stage0] [golden] [medium] a command goes to the operational agent', () => {
  const command = 'Remember my favorite food is pizza';
  expect(routed(command)).toStrictEqual(to('operational_agent', 'command'));
  // With a user_id the first rule matches. It asks for the same confirmation as the rule for commands (SPEC §14).
  expect(routed(command, 'tuff')).toStrictEqual(to('profile_agent', 'profile_lookup'));
});

test('002-R-T6 [stage0] [golden] [medium] a text that no rule matches goes to the generic agent', () => {
  expect(routed('Colorless green ideas sleep furiously')).toStrictEqual(
    to('generic_agent', 'fallback'),
  );
});

test('002-R-T7 [stage0] [golden] [critical] a social security number is blocked and not routed', () => {
  const blocked = refused('PRIVACY_BLOCKED');
  const off: RouterToggles = { math_detect: false, fact_lookup: false, fallback: false };
  expect(() => routed('My SSN is 123-45-6789', 'tuff')).toThrow(blocked);
  expect(() => routed('What is 123-45-6789 plus 1?')).toThrow(blocked);
  expect(() => routed('My SSN is 123-45-6789', 'tuff', off)).toThrow(blocked);
});

test('002-T12 [stage0] [golden] [high] mathematics is detected', () => {
  expect(routed('Integrate x^2 dx').agent_id).toBe('math_agent');
});

test('002-T13 [stage0] [golden] [high] a fact is looked up by the knowledge agent', () => {
  expect(routed("What is Ohm's law?").agent_id).toBe('knowledge_agent');
});

test('002-T14 [stage0] [golden] [high] a personal memory is looked up by the profile agent', () => {
  expect(routed('What is my favorite color?', 'user_tuff').agent_id).toBe('profile_agent');
});

test('002-T15 [stage0] [golden] [medium] a text that no rule matches goes to the generic agent, or is reported as no match', () => {
  const unknown = 'Do something weird and unknown';
  expect(routed(unknown)).toStrictEqual(to('generic_agent', 'fallback'));
  expect(() => routed(unknown, undefined, { fallback: false })).toThrow(refused('ROUTER_NO_MATCH'));
});
