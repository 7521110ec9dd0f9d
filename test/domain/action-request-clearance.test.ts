import { expect, test } from '@jest/globals';
import { actionRequestDecider } from '#domain/action-request/action-request.decider.js';
import { isAmongCleared, isCleared } from '#domain/action-request/clearance.js';
import { councilEventsOf } from '#domain/action-request/council-events.js';
import type { ActionRequestCommand } from '#domain/action-request/commands.js';
import { proposalHash, type ProposeAction } from '#domain/action-request/proposal.js';
import { valuesOf } from '#domain/action-request/view.js';
import type { Finding } from '#domain/privacy/finding.js';
import { requestStream } from '#domain/stream-names.js';
import { givenFor } from '#test/domain/given.js';

const STREAM = requestStream('0193-request');
const given = givenFor(actionRequestDecider, STREAM);

const finding = (type: Finding['type'], start: number): Finding => ({
  ...{ type, category: 'medium', path: ['build'], in_key: false, span: [start, start + 9] },
  rule_set_version: 'privacy-3',
});
const FINDINGS = [finding('phone', 0), finding('ip_address', 20)];

const proposal = {
  sealed: { jwe: 'a.b.c', type: 'ip_address,phone' },
  finding_category: 'medium',
  findings: FINDINGS,
  request_id: '0193-request',
  kind: 'sem_put',
  episodic_id: 'ep:1',
  target_sem_key: 'world/program/mace/build',
  justification: 'It is the version.',
  evidence: [],
  proposer: { sub: 'agent-1', user_id: null },
  made_for: null,
  source: 'agent:agent-1',
  requested_at: '2025-11-29T12:00:00Z',
  expires_at: '2025-12-06T12:00:00Z',
  quorum: 1,
} as const satisfies ProposeAction;
const HASH = proposalHash(proposal);
const AT = '2025-11-30T09:00:00.000Z';

const ask = (more: Partial<ProposeAction> = {}) =>
  ({ type: 'request', ...proposal, ...more }) as ActionRequestCommand;
const clear = (
  sub: string,
  number: number,
  more: { proposal_hash?: string; user_id?: string; reason?: string; at?: string } = {},
): ActionRequestCommand => {
  const { user_id = null, proposal_hash = HASH, reason = 'A version.', at = AT } = more;
  return {
    ...{ type: 'clear', cleared_by: { sub, user_id }, finding: number },
    ...{ proposal_hash, reason, at },
  };
};
const revise = (editor: string): ActionRequestCommand => ({
  ...{ type: 'revise', sealed: { jwe: 'd.e.f', type: 'phone' }, finding_category: 'medium' },
  ...{ findings: [finding('phone', 3)], editor: { sub: editor, user_id: null } },
  ...{ reason: 'Shorter.', at: AT },
});

test('W8 a clearance records who cleared which finding, its place and its type, and never the text', () => {
  const [, , cleared, ...rest] = given().when(ask(), clear('c1', 1)).events();
  expect(rest).toStrictEqual([]);
  expect(cleared).toStrictEqual({
    type: 'span_cleared',
    data: {
      ...{ cleared_by: { sub: 'c1', user_id: null }, proposal_hash: HASH, finding: 1 },
      ...{ span: FINDINGS[1], reason: 'A version.', at: AT },
    },
  });
});

test('W8 a value is cleared once two members have cleared each of its findings', () => {
  const all = [clear('c1', 0), clear('c1', 1), clear('c2', 0), clear('c2', 1)];
  for (const [count] of all.entries())
    expect([
      count,
      isCleared(
        given()
          .when(ask(), ...all.slice(0, count))
          .state(),
      ),
    ]).toStrictEqual([count, false]);
  const state = given()
    .when(ask(), ...all)
    .state();
  expect(isCleared(state)).toBe(true);
  expect(isAmongCleared(state, { ...FINDINGS[0]!, rule_set_version: 'privacy-4' })).toBe(true);
  expect(isAmongCleared(state, finding('phone', 40))).toBe(false);
  expect(isAmongCleared(state, finding('email', 0))).toBe(false);
});

test('W8 two clearances of one member count once, also under another sub of the same user', () => {
  given()
    .when(ask(), clear('c1', 0), clear('c1', 0))
    .thenTypes('action_requested', 'episode_written', 'span_cleared');
  given()
    .when(ask(), clear('c1', 0), clear('c1', 0, { reason: 'Another.' }))
    .thenRefused('VERSION_CONFLICT');
  given()
    .when(
      ask(),
      clear('c1', 0, { user_id: 'ann' }),
      clear('c1b', 0, { user_id: 'Ann', reason: 'B.' }),
    )
    .thenRefused('VERSION_CONFLICT');
});

test('W8 the proposer, the person concerned and the editor of the value may not clear it', () => {
  given().when(ask(), clear('agent-1', 0)).thenRefused('PERMISSION_DENIED');
  given()
    .when(ask({ made_for: 'ann' }), clear('c1', 0, { user_id: 'ann' }))
    .thenRefused('PERMISSION_DENIED');
  const revised = given().when(ask(), revise('c3')).state();
  const proposal_hash = revised.request?.proposal_hash ?? '';
  given()
    .when(ask(), revise('c3'), clear('c3', 0, { proposal_hash }))
    .thenRefused('PERMISSION_DENIED');
  given()
    .when(ask(), revise('c3'), clear('c2', 0, { proposal_hash }))
    .thenTypes('action_requested', 'episode_written', 'proposal_revised', 'span_cleared');
});

test('W8 nobody clears a fact of scope user, a value of category high, or one whose findings are not recorded', () => {
  const target_sem_key = 'user/profile/user_tuff/contact';
  const ofUser = { proposal_hash: proposalHash({ ...proposal, target_sem_key }) };
  given()
    .when(ask({ target_sem_key }), clear('c1', 0, ofUser))
    .thenRefused('PERMISSION_DENIED');
  given()
    .when(ask({ finding_category: 'high' }), clear('c1', 0))
    .thenRefused('PERMISSION_DENIED');
  const { findings: _, ...older } = proposal;
  given()
    .when({ type: 'request', ...older }, clear('c1', 0))
    .thenRefused('INVALID_INPUT');
  const { sealed: __, finding_category: ___, ...plain } = older;
  const clean: ActionRequestCommand = { type: 'request', ...plain, value: 'plain' };
  const proposal_hash = proposalHash({ ...plain, value: 'plain' });
  given()
    .when(clean, clear('c1', 0, { proposal_hash }))
    .thenRefused('NOT_FOUND');
});

test('W8 a clearance names a finding that is there, the current value, and a request that is open', () => {
  given().when(ask(), clear('c1', 2)).thenRefused('NOT_FOUND');
  given()
    .when(ask(), clear('c1', 0, { proposal_hash: '0'.repeat(64) }))
    .thenRefused('VERSION_CONFLICT');
  given()
    .when(ask(), clear('c1', 0, { at: '2025-12-06T12:00:00Z' }))
    .thenRefused('VERSION_CONFLICT');
  given()
    .when(ask(), clear('c1', 0, { reason: '' }))
    .thenRefused('INVALID_INPUT');
});

test('W8 a revision starts anew: earlier clearances do not count for the new value', () => {
  const all = [clear('c1', 0), clear('c1', 1), clear('c2', 0), clear('c2', 1)];
  const revised = given()
    .when(ask(), ...all, revise('c3'))
    .state();
  expect(revised.clearances).toBeUndefined();
  expect(isCleared(revised)).toBe(false);
  expect(revised.request?.findings).toStrictEqual([finding('phone', 3)]);
  expect(valuesOf(revised)).toHaveLength(2);
  given().when(ask(), revise('c3'), clear('c1', 0)).thenRefused('VERSION_CONFLICT');
});

test('W8 a revision without findings leaves none of the earlier value', () => {
  const plain: ActionRequestCommand = {
    ...{ type: 'revise', value: 'plain', editor: { sub: 'c3', user_id: null } },
    ...{ reason: 'Without the number.', at: AT },
  };
  const { request } = given().when(ask(), plain).state();
  expect(request).not.toHaveProperty('findings');
  expect(request).not.toHaveProperty('finding_category');
});

test('W8 the same command follows from the event, and the log of the job lists it', () => {
  const [asked, episode, cleared] = given().when(ask(), clear('c1', 1)).events();
  const past = [asked!, episode!];
  given(...past)
    .when(actionRequestDecider.commandOf(cleared!))
    .then(cleared!);
  expect(councilEventsOf({ ...cleared!, stream: STREAM, number: 2 })).toStrictEqual([
    { request_id: '0193-request', kind: 'span_cleared', stream: STREAM, event_number: 2 },
  ]);
});
