import { expect, test } from '@jest/globals';
import { sha256Hex } from '#domain/determinism/hash.js';
import { DEFAULT_RULES } from '#domain/privacy/rule-set.js';
import { toEnvelope } from '#domain/errors/envelope.js';
import {
  ERROR_CODES,
  ERROR_TABLE,
  type ErrorCode,
  type FactsOf,
} from '#domain/errors/error-table.js';
import type { Teaching } from '#domain/errors/help.js';
import { permit } from '#domain/errors/permit.js';
import { Refusal } from '#domain/errors/refusal.js';

/** For each of the fifteen failures of SPEC §10: the first 16 hex digits of the sha256 of its message. */
const FIFTEEN = {
  SEM_NOT_FOUND: '11f1d2bd3ebc9273',
  SEM_WRITE_FAIL: '991110e3ea089519',
  ROUTER_NO_MATCH: '1d76818e4bb5cc42',
  AGENT_TIMEOUT: '162dca6f5befa0b5',
  AGENT_ERROR: '81a73a8d453b1157',
  LLM_SERVICE_DOWN: '1a063aafc67a991c',
  COUNCIL_DEADLOCK: 'f7c99ed3180a5e19',
  LOW_CONFIDENCE: '48e21d96830bec2b',
  REPAIR_LIMIT_EXCEEDED: 'ab97afc6205396cb',
  INVALID_INPUT: '49814d8fb45157e0',
  PRIVACY_BLOCKED: 'c3c745f44dc19ee0',
  CACHE_ERROR: 'e3b0c44298fc1c14',
  LOG_INVALID: '75715049f885b00e',
  STORAGE_FULL: 'c4e4c420246b32e1',
  PERMISSION_DENIED: 'fa3365ec08979845',
} as const satisfies Partial<Record<ErrorCode, string>>;

/** For each code, a value for each placeholder of its messages. */
const FACTS: { readonly [Code in ErrorCode]: FactsOf<Code> } = {
  SEM_NOT_FOUND: { key: 'x' },
  SEM_WRITE_FAIL: { stream: 'x' },
  MEMORY_WRITE_FAIL: { stream: 'x' },
  ROUTER_NO_MATCH: {},
  AGENT_TIMEOUT: { agent_id: 'x', timeout_ms: 'x' },
  AGENT_ERROR: { agent_id: 'x' },
  LLM_SERVICE_DOWN: { reason: 'x' },
  COUNCIL_DEADLOCK: { score: 'x', threshold: 'x' },
  LOW_CONFIDENCE: { confidence: 'x', min_confidence: 'x' },
  REPAIR_LIMIT_EXCEEDED: { max_repair_loops: 'x' },
  INVALID_INPUT: { reason: 'x' },
  PRIVACY_BLOCKED: { finding_types: 'x' },
  PII_BLOCKED: { finding_types: 'x' },
  CACHE_ERROR: { reason: 'x' },
  LOG_INVALID: { reason: 'x' },
  STORAGE_FULL: { stream: 'x' },
  PERMISSION_DENIED: { action: 'x', rule: 'x' },
  PROMOTION_LOOP: { wm_id: 'x' },
  UNAUTHENTICATED: { reason: 'x' },
  NOT_FOUND: { what: 'x', id: 'x' },
  JOB_EXISTS: { job_seed: 'x' },
  JOB_ENDED: { job_seed: 'x' },
  LOG_EXISTS: { log_id: 'x' },
  VERSION_CONFLICT: { what: 'x', expected: 'x', actual: 'x' },
  IDEMPOTENCY_MISMATCH: { command_id: 'x' },
  IMMUTABLE_FIELD: { field: 'x', what: 'x' },
  METHOD_NOT_ALLOWED: { method: 'x', allowed: 'x' },
  REPLAY_DIVERGENCE: { number: 'x', stream: 'x' },
  INTEGRITY_FAILURE: { number: 'x', stream: 'x', reason: 'x' },
  PROJECTION_LAG: { projection: 'x', position: 'x' },
  READ_UNAVAILABLE: { reason: 'x' },
  RATE_LIMITED: { limit: 'x' },
  INTERNAL: {},
};

const META = { query_id: 'q-1', timestamp: '2025-11-29T12:00:00.000Z', trace_id: 'trace-1' };
const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);

test('the messages of the fifteen failure cases equal the specification byte for byte', () => {
  for (const [code, hash] of Object.entries(FIFTEEN)) {
    const { user_message } = ERROR_TABLE[code as ErrorCode];
    expect([code, sha256Hex(user_message).slice(0, 16)]).toStrictEqual([code, hash]);
  }
});

test('messages use the typographic apostrophe U+2019 and never the straight one', () => {
  const messages = ERROR_CODES.map((code) => ERROR_TABLE[code].user_message);
  expect(messages.every((message) => !message.includes("'"))).toBe(true);
  expect(messages.filter((message) => message.includes('\u2019'))).toHaveLength(13);
});

test('codes of the same failure share one message', () => {
  const messageOf = (code: ErrorCode) => ERROR_TABLE[code].user_message;
  expect(messageOf('MEMORY_WRITE_FAIL')).toBe(messageOf('SEM_WRITE_FAIL'));
  expect(messageOf('PII_BLOCKED')).toBe(messageOf('PRIVACY_BLOCKED'));
  expect(messageOf('REPLAY_DIVERGENCE')).toBe(messageOf('LOG_INVALID'));
  expect(messageOf('INTEGRITY_FAILURE')).toBe(messageOf('LOG_INVALID'));
});

test('the table has an entry for exactly the codes of the type ErrorCode, and each entry has all fields', () => {
  expect([...ERROR_CODES].sort()).toStrictEqual(Object.keys(FACTS).sort());
  for (const code of ERROR_CODES) {
    const { status, severity, audited, developer_message } = ERROR_TABLE[code];
    expect(Number.isInteger(status)).toBe(true);
    expect(status).toBeGreaterThanOrEqual(200);
    expect(status).toBeLessThan(600);
    expect(['info', 'warning', 'error', 'critical']).toContain(severity);
    expect([code, typeof audited]).toStrictEqual([code, 'boolean']);
    expect([code, placeholders(developer_message).sort()]).toStrictEqual([
      code,
      Object.keys(FACTS[code]).sort(),
    ]);
  }
});

test('refusals that are only logged leave no audit event (SPEC I1)', () => {
  const logged: ErrorCode[] = [
    'INVALID_INPUT',
    'UNAUTHENTICATED',
    'NOT_FOUND',
    'VERSION_CONFLICT',
    'IDEMPOTENCY_MISMATCH',
    'PROJECTION_LAG',
    'READ_UNAVAILABLE',
    'SEM_NOT_FOUND',
  ];
  const audited: ErrorCode[] = [
    'PERMISSION_DENIED',
    'PRIVACY_BLOCKED',
    'JOB_ENDED',
    'IMMUTABLE_FIELD',
    'LOG_INVALID',
    'STORAGE_FULL',
  ];
  expect(logged.every((code) => !ERROR_TABLE[code].audited)).toBe(true);
  expect(audited.every((code) => ERROR_TABLE[code].audited)).toBe(true);
});

test('an error envelope fills in the developer message and includes the refusal’s extra fields', () => {
  const key = 'user/profile/user_tuff/favorite_color';
  const result = { exists: false, value: null };
  const envelope = toEnvelope(
    new Refusal('SEM_NOT_FOUND', { key }, { result }),
    META,
    DEFAULT_RULES,
  );
  expect(envelope).toStrictEqual({
    error_code: 'SEM_NOT_FOUND',
    status: 400,
    severity: 'info',
    user_message: ERROR_TABLE.SEM_NOT_FOUND.user_message,
    developer_message: `SEM lookup for key ${key} returned empty.`,
    meta: { ...META, help: { instead: ERROR_TABLE.SEM_NOT_FOUND.instead } },
    result,
  });
});

test('an envelope has no help if there is nothing to teach', () => {
  expect(toEnvelope(new Refusal('INTERNAL'), META, DEFAULT_RULES).meta).toStrictEqual(META);
});

test('help shows no personal data: not in the name of a field, and neither what a caller wrote nor its correction', () => {
  const helpFor = (help: Teaching) =>
    toEnvelope(new Refusal('INTERNAL').teaching(help), META, DEFAULT_RULES).meta.help;
  const address = 'alice.miller@example.com';
  const instead = 'A key has four parts.';
  const fields = [{ field: address, problem: 'is not a known field' }];
  expect(JSON.stringify(helpFor({ fields }))).not.toContain('alice');
  const to = 'world/fact/alice_miller_example_com/name';
  expect(helpFor({ instead, corrected: { from: address, to } })).toStrictEqual({ instead });
  expect(helpFor({ instead, corrected: { from: 'x', to: address } })).toStrictEqual({ instead });
  expect(helpFor({ instead, corrected: { from: 'A/b', to: 'a/b' } })).toStrictEqual({
    instead: `${instead} For example: a/b`,
  });
});

test('a refusal’s extra fields never replace fields of the envelope', () => {
  const refusal = new Refusal('INTERNAL', {}, { status: 200, error_code: 'NOT_FOUND' });
  const { status, error_code } = toEnvelope(refusal, META, DEFAULT_RULES);
  expect({ status, error_code }).toStrictEqual({ status: 500, error_code: 'INTERNAL' });
});

test('a forbidden action is refused with the id of the rule that forbids the action', () => {
  permit(true, 'do this', 'S4');
  expect(() => permit(false, 'do this', 'S4')).toThrow(
    expect.objectContaining({ name: 'Refusal', code: 'PERMISSION_DENIED' }),
  );
});
