import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ActionRequested } from '#domain/action-request/events.js';
import {
  consentStanding,
  recheck,
  RECHECK_CODES,
  type RecheckFacts,
} from '#domain/action-request/recheck.js';
import type { Consent, ConsentState } from '#domain/consent/state.js';
import type { Json } from '#domain/json.js';
import type { Winner } from '#domain/sem/state.js';

const NOW = '2026-01-01T12:00:00.000Z';
const REQUEST: ActionRequested = {
  request_id: 'r1',
  kind: 'sem_put',
  value: 'blue',
  episodic_id: 'ep:1',
  target_sem_key: 'world/sky/earth/color',
  justification: 'It was said.',
  evidence: [],
  proposer: { sub: 'agent-1', user_id: null },
  made_for: null,
  source: 'agent:agent-1',
  requested_at: '2026-01-01T00:00:00.000Z',
  expires_at: '2026-01-02T00:00:00.000Z',
  quorum: 1,
  proposal_hash: 'h',
};
const STANDING: RecheckFacts = {
  now: NOW,
  winnerThen: null,
  winnerNow: null,
  episode: 'present',
  evidence: [],
  isValueErased: false,
  consent: 'not_needed',
  isFlaggedNow: false,
};
const put = (value: Json, timestamp = '2026-01-01T06:00:00.000Z', source = 'user'): Winner =>
  ({
    deleted: false,
    fact: { value, timestamp, source, notes: null, meta: null, superseded: false },
  }) as unknown as Winner;
const DELETED = {
  deleted: true,
  fact: { timestamp: '2026-01-01T06:00:00.000Z', source: 'user', superseded: false },
} as unknown as Winner;
const codes = (facts: Partial<RecheckFacts>): readonly string[] =>
  recheck(REQUEST, { ...STANDING, ...facts }).map(({ code }) => code);

test('a request about which nothing has changed has no finding', () => {
  expect(codes({})).toStrictEqual([]);
  expect(codes({ winnerThen: put('grey'), winnerNow: put('grey') })).toStrictEqual([]);
});

test('a fact that appeared, changed or was deleted since the proposal is named', () => {
  expect(codes({ winnerNow: put('grey') })).toStrictEqual(['fact_appeared']);
  expect(codes({ winnerThen: put('grey'), winnerNow: put('red') })).toStrictEqual(['fact_changed']);
  expect(codes({ winnerThen: put('grey'), winnerNow: DELETED })).toStrictEqual(['fact_deleted']);
  expect(codes({ winnerThen: put('grey'), winnerNow: put('blue') })).toStrictEqual([
    ...['fact_changed', 'already_true'],
  ]);
});

test('S3 an approval that a later write would supersede is named', () => {
  const later = '2026-01-01T12:00:00.001Z';
  expect(codes({ winnerThen: put('grey', later), winnerNow: put('grey', later) })).toStrictEqual([
    'would_be_superseded',
  ]);
  const tie = put('grey', NOW, 'user');
  expect(codes({ winnerThen: tie, winnerNow: tie })).toStrictEqual(['would_be_superseded']);
});

test('S7 what privacy would refuse, and erased or missing evidence, are named', () => {
  expect(codes({ consent: 'missing' })).toStrictEqual(['consent_missing']);
  expect(codes({ consent: 'revoked', isValueErased: true })).toStrictEqual([
    ...['value_erased', 'consent_revoked'],
  ]);
  expect(codes({ isFlaggedNow: true })).toStrictEqual(['personal_data_found']);
  expect(codes({ episode: 'erased' })).toStrictEqual(['episode_erased']);
  const evidence = ['present', 'erased', 'missing', 'erased'] as const;
  expect(recheck(REQUEST, { ...STANDING, episode: 'missing', evidence })).toMatchObject([
    { code: 'episode_missing' },
    { code: 'evidence_missing', evidence: [2] },
    { code: 'evidence_erased', evidence: [1, 3] },
  ]);
  expect(codes({ now: '2026-01-02T00:00:00.000Z' })).toStrictEqual(['overdue']);
});

test('P4 a consent that was revoked is not the same as one that never covered the need', () => {
  const consent = { scope: 'persistent', revoked_at: null, approved_by: null } as Consent;
  const state = (...consents: readonly Consent[]): ConsentState => ({ stream: 's', consents });
  const need = { category: 'low', job_seed: null } as const;
  const revoked = { ...consent, revoked_at: NOW };
  expect(consentStanding(null, need)).toBe('missing');
  expect(consentStanding(state(consent), need)).toBe('covered');
  expect(consentStanding(state(revoked), need)).toBe('revoked');
  expect(consentStanding(state(revoked, consent), need)).toBe('covered');
  expect(consentStanding(state(revoked), { ...need, category: 'high' })).toBe('missing');
});

test('each finding is named once, and trouble with the evidence hides no other finding', () => {
  const value = fc.option(
    fc.constantFrom('grey', 'blue').map((text) => put(text)),
    { nil: null },
  );
  const cited = fc.constantFrom('none', 'present', 'missing', 'erased');
  fc.assert(
    fc.property(
      value,
      value,
      cited,
      fc.array(cited),
      (winnerThen, winnerNow, episode, evidence) => {
        const found = codes({ winnerThen, winnerNow, episode, evidence });
        expect(new Set(found).size).toBe(found.length);
        expect(RECHECK_CODES).toEqual(expect.arrayContaining([...found]));
        const without = codes({ winnerThen, winnerNow });
        expect(found).toEqual(expect.arrayContaining([...without]));
      },
    ),
  );
});
