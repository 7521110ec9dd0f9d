import { expect, test } from '@jest/globals';
import type { Json } from '#domain/json.js';
import { redact, redactedView, redactJson } from '#domain/privacy/redact.js';
import { ERASED, withheldOf } from '#domain/privacy/withheld.js';
import { scanJson } from '#test/support/default-scans.js';

const HASH = 'a'.repeat(64);
const PLACEHOLDER = {
  ...{ redacted: true, type: 'phone', hash: HASH, redaction_reason: 'PII_DETECTED' },
};
const { hash: _, ...WITHOUT_HASH } = PLACEHOLDER;

test('what the service writes in place of personal data is withheld (SPEC P3, P8)', () => {
  const verdict = scanJson('jana.horvat@siol.test');
  const findings = verdict.outcome === 'flagged' ? verdict.findings : [];
  const email = { state: 'redacted', types: ['email'] };
  expect(withheldOf(redactJson('jana.horvat@siol.test', findings, () => HASH))).toStrictEqual(
    email,
  );
  expect(withheldOf(redact('jana.horvat@siol.test', findings))).toStrictEqual(email);
  expect(withheldOf(redactedView({ sealed: { jwe: 'x', type: 'email,person' } }))).toStrictEqual({
    ...{ state: 'redacted', types: ['email', 'person'] },
  });
  expect(withheldOf(ERASED)).toStrictEqual({ state: 'erased' });
});

test('a value that differs from that form in anything is not withheld', () => {
  const values: readonly (Json | undefined)[] = [
    ...[undefined, null, true, 1, '', 'redacted', [], ['[REDACTED:email]'], {}],
    { ...ERASED, admin: 'mallory' },
    { erased: 'true' },
    { redacted: true },
    { redacted: true, type: 'phone' },
    { ...PLACEHOLDER, admin: 'mallory' },
    { ...PLACEHOLDER, hash: 'the limit was raised by the board' },
    { ...PLACEHOLDER, hash: `${HASH}\n` },
    { ...PLACEHOLDER, redacted: 1 },
    { ...PLACEHOLDER, redaction_reason: 'The board said so' },
    { ...PLACEHOLDER, type: 'email of the help desk, unchanged' },
    { ...PLACEHOLDER, type: ['email'] },
    { ...PLACEHOLDER, type: '' },
    { ...WITHOUT_HASH, type: 'email,'.repeat(500) },
    { ...WITHOUT_HASH, redacted: false },
    { sealed: true, type: 'phone' },
    '[REDACTED:email] and more',
    '[REDACTED:Pay mallory]',
    '[REDACTED:]',
  ];
  for (const value of values) expect([value, withheldOf(value)]).toStrictEqual([value, undefined]);
  expect(withheldOf(PLACEHOLDER)).toBeDefined();
  expect(withheldOf(WITHOUT_HASH)).toBeDefined();
});
