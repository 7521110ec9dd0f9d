import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULT_CONSTANTS } from '#domain/job/constants.js';
import { scanText } from '#domain/privacy/scan-text.js';
import { route } from '#domain/router/route.js';
import { ROUTE_REASONS, ROUTER_RULES } from '#domain/router/rules.js';
import { toggleKey, togglesFrom, type RouterToggles } from '#domain/router/toggles.js';

const reason = (query_text: string, user_id?: string, toggles: RouterToggles = {}) =>
  route({ query_text, ...(user_id && { user_id }), toggles, verdict: scanText(query_text) })
    .route_reason;

test('rules are asked in their order, the first that matches wins (SPEC R1)', () => {
  assert.deepEqual(
    ROUTER_RULES.map((rule) => rule.route_reason),
    ROUTE_REASONS,
  );
  assert.equal(reason('What is the sum of the angles?'), 'math_detect');
  assert.equal(reason('Define entropy'), 'fact_lookup');
  assert.equal(reason('Send a story to everybody'), 'command');
  assert.equal(reason('Tell a story and plan a trip'), 'creative');
  assert.equal(reason('A roadmap, with sources'), 'strategy');
  assert.equal(reason('Links to cats'), 'search');
  assert.equal(reason('Hello there'), 'fallback');
});

test('case and white space at the ends make no difference (SPEC R1)', () => {
  assert.equal(reason('  WHAT IS entropy?  '), 'fact_lookup');
  assert.equal(reason('\n Save the whales'), 'command');
  assert.equal(reason('Please save the whales'), 'fallback');
});

test('a rule that is switched off is passed over, one that is not named is on (SPEC R1)', () => {
  const question = 'What is my favorite color?';
  assert.equal(reason(question, 'tuff', { profile_lookup: true }), 'profile_lookup');
  assert.equal(reason(question, 'tuff', { profile_lookup: false }), 'fact_lookup');
  assert.equal(reason(question, '', {}), 'fact_lookup');
});

test('context tags do not change where a query goes', () => {
  const query_text = 'Hello there';
  const verdict = scanText(query_text);
  const context_tags = { is_math: true };
  assert.equal(route({ query_text, context_tags, toggles: {}, verdict }).route_reason, 'fallback');
});

test('toggles are facts, and only the value false switches off (SPEC R1)', () => {
  assert.equal(toggleKey('math_detect'), 'mace/config/router/enable_math_detect');
  const facts = new Map<string, string | boolean>([
    [toggleKey('math_detect'), false],
    [toggleKey('search'), 'false'],
    [toggleKey('creative'), true],
  ]);
  const off = Object.entries(togglesFrom((key) => facts.get(key)))
    .filter(([, enabled]) => !enabled)
    .map(([name]) => name);
  assert.deepEqual(off, ['math_detect']);
});

test('a job can pin a toggle for each rule, and for nothing else (SPEC J1)', () => {
  assert.deepEqual(Object.keys(DEFAULT_CONSTANTS.router_toggles), [...ROUTE_REASONS]);
});
