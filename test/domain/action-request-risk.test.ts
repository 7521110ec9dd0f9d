import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ActionRequested } from '#domain/action-request/events.js';
import { RISK_LEVELS, RISK_REASON_CODES, riskFrom } from '#domain/action-request/risk-reasons.js';
import { citedEpisodes, type RequestSurroundings, riskOf } from '#domain/action-request/risk.js';
import type { JsonObject } from '#domain/json.js';

const REQUEST: ActionRequested = {
  request_id: 'r1',
  kind: 'sem_put',
  value: 'blue',
  episodic_id: 'ep:1',
  target_sem_key: 'world/sky/earth/color',
  justification: 'It was said.',
  evidence: [{ quote: 'The sky is blue.' }],
  proposer: { sub: 'agent-1', user_id: null },
  made_for: null,
  source: 'agent:agent-1',
  requested_at: '2026-01-01T00:00:00.000Z',
  expires_at: '2026-01-02T00:00:00.000Z',
  quorum: 1,
  proposal_hash: 'h',
};
const KNOWN: RequestSurroundings = {
  presentFact: null,
  executedAreas: new Set(['world/sky']),
  citesExecutor: false,
};
const risk = (more: Partial<ActionRequested> = {}, around: Partial<RequestSurroundings> = {}) =>
  riskOf({ ...REQUEST, ...more }, { ...KNOWN, ...around });
const because = (...reasons: readonly string[]) => expect.objectContaining({ reasons });

test('a known proposer’s new fact with evidence has low risk and no reason', () => {
  expect(risk()).toStrictEqual({ level: 'low', reasons: [] });
});

test('personal data in the value, the justification or the evidence is a high risk', () => {
  const { value: _, ...bare } = REQUEST as ActionRequested & { value: string };
  const sealed = { ...bare, sealed: { jwe: 'a.b.c', type: 'email' } };
  expect(riskOf(sealed, KNOWN)).toStrictEqual({ level: 'high', reasons: ['personal_data'] });
  const redaction = { type: 'email', hash: 'h', redaction_reason: 'PII_DETECTED' };
  expect(risk({ redactions: [{ ...redaction, field: 'justification' }] })).toStrictEqual({
    level: 'high',
    reasons: ['personal_data'],
  });
  // A revision has replaced the value in which this was found.
  expect(risk({ redactions: [{ ...redaction, field: 'value.color' }] })).toMatchObject({
    level: 'low',
  });
});

test('another present value is a contradiction, the same value is not', () => {
  expect(risk({}, { presentFact: { value: 'grey' } })).toStrictEqual({
    level: 'high',
    reasons: ['contradiction'],
  });
  expect(risk({}, { presentFact: { value: 'blue' } }).reasons).toStrictEqual([]);
  expect(risk({}, { presentFact: { sealed: { jwe: 'a', type: 'email' } } })).toEqual(
    because('contradiction'),
  );
});

test('a proposer without an executed request, or with none for such keys, is a medium risk', () => {
  expect(risk({}, { executedAreas: new Set() })).toStrictEqual({
    level: 'medium',
    reasons: ['first_time_proposer'],
  });
  expect(risk({}, { executedAreas: new Set(['user/profile']) })).toStrictEqual({
    level: 'medium',
    reasons: ['unusual_target'],
  });
});

test('evidence from a tool is a medium risk, whether it is named or an executor wrote the episode', () => {
  const entries: JsonObject[] = [
    { tool: 'search' },
    { tool_call_id: 'c1' },
    { type: 'tool_result' },
  ];
  for (const entry of entries)
    expect(risk({ evidence: [entry] })).toEqual(because('tool_evidence'));
  expect(risk({}, { citesExecutor: true })).toEqual(because('tool_evidence'));
  expect(risk({ evidence: [] })).toEqual(because('no_evidence'));
  expect(
    citedEpisodes({ episodic_id: 'ep:1', evidence: [{ episodic_id: 'ep:2' }, { episodic_id: 3 }] }),
  ).toStrictEqual(['ep:1', 'ep:2']);
});

test('a request that is not about a fact is a high risk', () => {
  expect(risk({ kind: 'erasure', target_sem_key: null })).toEqual(because('governance'));
});

test('the risk never falls when a reason is added, and neither order nor repetition matters', () => {
  const reason = fc.constantFrom(...RISK_REASON_CODES);
  const rank = (reasons: readonly (typeof RISK_REASON_CODES)[number][]) =>
    RISK_LEVELS.indexOf(riskFrom(reasons).level);
  fc.assert(
    fc.property(fc.array(reason), reason, (reasons, more) => {
      expect(rank([...reasons, more])).toBeGreaterThanOrEqual(rank(reasons));
      expect(riskFrom([...reasons].reverse().concat(reasons))).toStrictEqual(riskFrom(reasons));
    }),
  );
});
