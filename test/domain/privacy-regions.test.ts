import { expect, test } from '@jest/globals';
import { DEFAULT_RULES, ruleSetOf } from '#domain/privacy/rule-set.js';
import { RULE_SET_VERSION } from '#domain/privacy/finding.js';
import { scanJson } from '#domain/privacy/scan-json.js';
import { scanText } from '#domain/privacy/scan-text.js';

const JAPAN = ruleSetOf(['JP', 'US']);

test('national phone forms are those of the configured regions (SPEC P1)', () => {
  const text = 'Ask at 090-5555-1234 today.';
  expect(scanText(text).outcome).toBe('clear');
  expect(scanText(text, '', JAPAN).outcome).toBe('flagged');
  expect(scanJson({ text }, '', JAPAN).outcome).toBe('flagged');
  expect(scanText('Ask at 020 7946 0958 today.').outcome).toBe('flagged');
  expect(scanText('Ask at 202-555-0147.', '', ruleSetOf(['JP'])).outcome).toBe('clear');
});

test('the version of the rules names regions that are not the default', () => {
  expect(DEFAULT_RULES.version).toBe(RULE_SET_VERSION);
  expect(ruleSetOf(['US', 'GB', 'DE', 'FR', 'IN', 'US'])).toBe(DEFAULT_RULES);
  expect(JAPAN.version).toBe(`${RULE_SET_VERSION}:JP,US`);
  expect(scanText('a', '', JAPAN).rule_set_version).toBe(JAPAN.version);
  expect(() => ruleSetOf(['XX'])).toThrow(RangeError);
});

test('a name beside a value counts as the name of its field', () => {
  expect(scanJson({ key: 'user.birth_date', value: '1985-03-04' }).outcome).toBe('flagged');
  expect(scanJson({ key: 'release.date', value: '1985-03-04' }).outcome).toBe('clear');
});
