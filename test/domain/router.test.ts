import { expect, test } from '@jest/globals';
import { DEFAULT_CONSTANTS } from '#domain/job/constants.js';
import { route } from '#domain/router/route.js';
import { ROUTE_REASONS, ROUTER_RULES } from '#domain/router/rules.js';
import { toggleKey, togglesFrom, type RouterToggles } from '#domain/router/toggles.js';
import { scanText } from '#test/support/default-scans.js';

const reason = (query_text: string, user_id?: string, toggles: RouterToggles = {}) =>
  route({ query_text, ...(user_id && { user_id }), toggles, verdict: scanText(query_text) })
    .route_reason;

test('the first matching rule wins (SPEC R1)', () => {
  expect(ROUTER_RULES.map((rule) => rule.route_reason)).toStrictEqual(ROUTE_REASONS);
  expect(reason('What is the sum of the angles?')).toBe('math_detect');
  expect(reason('Define entropy')).toBe('fact_lookup');
  expect(reason('Send a story to everybody')).toBe('command');
  expect(reason('Tell a story and plan a trip')).toBe('creative');
  expect(reason('A roadmap, with sources')).toBe('strategy');
  expect(reason('Links to cats')).toBe('search');
  expect(reason('Hello there')).toBe('fallback');
});

test('the router ignores case, and white space at the ends of a query (SPEC R1)', () => {
  expect(reason('  WHAT IS entropy?  ')).toBe('fact_lookup');
  expect(reason('\n Save the whales')).toBe('command');
  expect(reason('Please save the whales')).toBe('fallback');
});

test('a rule that is switched off is skipped, and a rule without a toggle is on (SPEC R1)', () => {
  const question = 'What is my favorite color?';
  expect(reason(question, 'tuff', { profile_lookup: true })).toBe('profile_lookup');
  expect(reason(question, 'tuff', { profile_lookup: false })).toBe('fact_lookup');
  expect(reason(question, '', {})).toBe('fact_lookup');
});

test('context tags do not change the route', () => {
  const query_text = 'Hello there';
  const verdict = scanText(query_text);
  const context_tags = { is_math: true };
  expect(route({ query_text, context_tags, toggles: {}, verdict }).route_reason).toBe('fallback');
});

test('a toggle is a fact, and only the value false switches a rule off (SPEC R1)', () => {
  expect(toggleKey('math_detect')).toBe('mace/config/router/enable_math_detect');
  const facts = new Map<string, string | boolean>([
    [toggleKey('math_detect'), false],
    [toggleKey('search'), 'false'],
    [toggleKey('creative'), true],
  ]);
  const off = Object.entries(togglesFrom((key) => facts.get(key)))
    .filter(([, enabled]) => !enabled)
    .map(([name]) => name);
  expect(off).toStrictEqual(['math_detect']);
});

test('a job can pin a toggle for each rule, and no other fact (SPEC J1)', () => {
  expect(Object.keys(DEFAULT_CONSTANTS.router_toggles)).toStrictEqual([...ROUTE_REASONS]);
});
