import { expect, test } from '@jest/globals';
import { DEFAULT_RULES, ruleSetOf } from '#domain/privacy/rule-set.js';
import { RULE_SET_VERSION } from '#domain/privacy/finding.js';
import { scanJson } from '#domain/privacy/scan-json.js';
import { scanText } from '#domain/privacy/scan-text.js';

const NORWAY = ruleSetOf(['NO', 'US']);

test('national phone forms are those of the configured regions (SPEC P1)', () => {
  const text = 'Ask at 22 55 51 23 today.';
  expect(scanText(text, DEFAULT_RULES).outcome).toBe('clear');
  expect(scanText(text, NORWAY).outcome).toBe('flagged');
  expect(scanJson({ text }, NORWAY).outcome).toBe('flagged');
  expect(scanText('Ask at 020 7946 0958 today.', DEFAULT_RULES).outcome).toBe('flagged');
  expect(scanText('Ask at 202-555-0147.', ruleSetOf(['NO'])).outcome).toBe('clear');
});

test('the version of the rules names regions that are not the default', () => {
  expect(DEFAULT_RULES.version).toBe(RULE_SET_VERSION);
  expect(ruleSetOf(['US', 'GB', 'DE', 'FR', 'IN', 'US'])).toBe(DEFAULT_RULES);
  expect(NORWAY.version).toBe(`${RULE_SET_VERSION}:NO,US`);
  expect(scanText('a', NORWAY).rule_set_version).toBe(NORWAY.version);
  expect(() => ruleSetOf(['XX'])).toThrow(RangeError);
});

test('a name beside a value counts as the name of its field', () => {
  expect(scanJson({ key: 'user.birth_date', value: '1985-03-04' }, DEFAULT_RULES).outcome).toBe(
    'flagged',
  );
  expect(scanJson({ key: 'release.date', value: '1985-03-04' }, DEFAULT_RULES).outcome).toBe(
    'clear',
  );
});
