import { expect, test } from '@jest/globals';
import { actionRequestDecider } from '#domain/action-request/action-request.decider.js';
import type { ActionRequestCommand } from '#domain/action-request/commands.js';
import type { ReasonCode, Vote } from '#domain/action-request/events.js';
import { proposalHash, type ProposeAction } from '#domain/action-request/proposal.js';
import { sourcesIn } from '#domain/action-request/source-events.js';
import { approvedPut, mayReadRequest, requestView } from '#domain/action-request/view.js';
import { seededUuid } from '#domain/determinism/ids.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { JsonObject } from '#domain/json.js';
import type { Actor } from '#domain/recorded-event.js';
import { requestStream } from '#domain/stream-names.js';
import { givenFor } from '#test/domain/given.js';
import { ensure } from '#test/support/ensure.js';

const ID = '0193-request';
const STREAM = requestStream(ID);
const COLOR = 'user/profile/user_tuff/favorite_color';
const given = givenFor(actionRequestDecider, STREAM);

const proposal: ProposeAction = {
  value: 'cerulean',
  request_id: ID,
  kind: 'sem_put',
  episodic_id: 'ep:1',
  target_sem_key: COLOR,
  justification: 'The user said so twice.',
  evidence: [{ sem_keys: [COLOR] }],
  proposer: { sub: 'agent-1', user_id: null },
  made_for: 'TUFF',
  source: 'agent:agent-1',
  requested_at: '2025-11-29T12:00:00Z',
  expires_at: '2025-12-06T12:00:00Z',
  quorum: 1,
};
const HASH = proposalHash(proposal);
const ask = (more: Partial<ProposeAction> = {}) =>
  ({ type: 'request', ...proposal, ...more }) as ActionRequestCommand;
const cast = (
  sub: string,
  vote: Vote,
  more: {
    user_id?: string;
    at?: string;
    proposal_hash?: string;
    reason?: string;
    reason_code?: ReasonCode;
  } = {},
): ActionRequestCommand => ({
  type: 'vote',
  voter: { sub, user_id: more.user_id ?? null },
  vote,
  reason: more.reason ?? 'Checked.',
  ...(more.reason_code === undefined ? {} : { reason_code: more.reason_code }),
  proposal_hash: more.proposal_hash ?? HASH,
  at: more.at ?? '2025-11-30T09:00:00Z',
});
const AT = '2025-11-30T09:00:00.000Z';
const link: ActionRequestCommand = {
  type: 'link_execution',
  sem_stream: `sem-${COLOR}`,
  sem_event_number: 0,
  superseded: false,
};

test('a request is recorded with its hash and writes an episode of its own (SPEC G1, E1)', () => {
  const [requested, episode, ...rest] = given().when(ask()).events();
  expect(rest).toStrictEqual([]);
  ensure(requested?.type === 'action_requested' && episode?.type === 'episode_written');
  expect(requested.data.proposal_hash).toBe(HASH);
  expect(requested.data.requested_at).toBe('2025-11-29T12:00:00.000Z');
  expect(episode.data.episodic_id).toBe(`ep:${seededUuid([STREAM, 'episode', 1])}`);
  expect(episode.data.job_seed).toBe(STREAM);
  expect(episode.data.owner).toStrictEqual({ sub: 'agent-1', user_id: 'TUFF' });
  expect(episode.data.evidence).toStrictEqual([{ episodic_id: 'ep:1' }, { sem_keys: [COLOR] }]);
});

test('a changed part of a proposal always changes its hash, and nothing else does (SPEC G2)', () => {
  const changed: ProposeAction[] = [
    { ...proposal, value: 'red' },
    { ...proposal, episodic_id: 'ep:2' },
    { ...proposal, target_sem_key: 'world/fact/sky/color' },
    { ...proposal, justification: 'Another.' },
    { ...proposal, evidence: [] },
  ];
  expect(new Set([HASH, ...changed.map(proposalHash)]).size).toBe(changed.length + 1);
  expect(proposalHash({ ...proposal, quorum: 3, request_id: 'other' })).toBe(HASH);
});

test('a request cannot target policy or configuration (SPEC S4)', () => {
  for (const target_sem_key of [
    'mace/config/router/default_depth',
    'config/setting/a/b',
    'system/setting/a/b',
  ])
    given().when(ask({ target_sem_key })).thenRefused('PERMISSION_DENIED');
});

test('a request that could never be executed is refused at once', () => {
  for (const bad of [
    { target_sem_key: 'no key' },
    { value: 'a'.repeat(16_383) },
    { value: 'a\u0000' },
    { justification: '' },
    { justification: 'j'.repeat(4_001) },
    { evidence: [{ e: 'e'.repeat(262_144) }] },
    { quorum: 0 },
    { expires_at: '2025-11-29T12:00:00Z' },
  ])
    given().when(ask(bad)).thenRefused('INVALID_INPUT');
});

test('a request for a user’s key concerns that user unless the request names another user', () => {
  const [requested] = given()
    .when(ask({ made_for: null }))
    .events();
  ensure(requested?.type === 'action_requested');
  expect(requested.data.made_for).toBe('user_tuff');
  given()
    .when(ask({ made_for: null }), cast('c1', 'approve', { user_id: 'Tuff' }))
    .thenRefused('PERMISSION_DENIED');
});

test('with a quorum of one, one approval approves and one rejection rejects (SPEC G2)', () => {
  given()
    .when(ask(), cast('c1', 'approve'))
    .thenTypes('action_requested', 'episode_written', 'vote_cast', 'request_approved');
  const rejected = given().when(ask(), cast('c1', 'reject'));
  expect(rejected.events().at(-1)).toStrictEqual({
    type: 'request_rejected',
    data: { at: AT, reason: 'votes' },
  });
  expect(rejected.state().status).toBe('rejected');
});

test('the proposer and the user concerned cannot vote, whatever the case of their ids (SPEC G2)', () => {
  for (const voter of [
    cast('agent-1', 'approve'),
    cast('AGENT-1', 'approve'),
    cast('c1', 'approve', { user_id: 'agent-1' }),
    cast('user_tuff', 'approve'),
    cast('c1', 'approve', { user_id: 'tuff' }),
  ])
    given().when(ask(), voter).thenRefused('PERMISSION_DENIED');
});

test('a vote on an outdated proposal is refused (SPEC G2)', () => {
  given()
    .when(ask(), cast('c1', 'approve', { proposal_hash: '0'.repeat(64) }))
    .thenRefused('VERSION_CONFLICT');
});

test('a member votes once; the same vote again changes nothing (SPEC G2)', () => {
  const opened = given()
    .when(ask({ quorum: 3 }))
    .events();
  const once = given(...opened).when(cast('c1', 'approve'), cast('c1', 'approve'));
  once.thenTypes('vote_cast');
  const [member, person] = [cast('c1', 'approve'), cast('c2', 'approve', { user_id: 'C1' })];
  given(...opened)
    .when(member, cast('c1', 'reject'))
    .thenRefused('VERSION_CONFLICT');
  given(...opened)
    .when(member, cast('c1', 'approve', { reason: 'On second thoughts.' }))
    .thenRefused('VERSION_CONFLICT');
  given(...opened)
    .when(member, person)
    .thenTypes('vote_cast');
  given()
    .when(ask(), member, member)
    .thenTypes('action_requested', 'episode_written', 'vote_cast', 'request_approved');
});

test('abstentions do not count towards the quorum (SPEC G2)', () => {
  const outcome = given().when(
    ask({ quorum: 2 }),
    cast('c1', 'abstain'),
    cast('c2', 'abstain'),
    cast('c3', 'approve'),
  );
  expect(outcome.state().status).toBe('pending');
  const events = outcome.events();
  expect(
    given(...events)
      .when(cast('c4', 'approve'))
      .state().status,
  ).toBe('approved');
});

test('with enough votes for the quorum, a tie is a rejection and a majority decides (SPEC G2)', () => {
  const at = (quorum: number, ...votes: readonly Vote[]) =>
    given()
      .when(ask({ quorum }), ...votes.map((vote, index) => cast(`c${index}`, vote)))
      .state();
  expect(at(2, 'approve', 'reject').rejected_for).toBe('tie');
  expect(at(3, 'approve', 'reject', 'approve').status).toBe('approved');
  expect(at(3, 'approve', 'reject', 'reject').rejected_for).toBe('votes');
});

test('a decided or expired request accepts no further vote (SPEC G2)', () => {
  given().when(ask(), cast('c1', 'approve'), cast('c2', 'approve')).thenRefused('VERSION_CONFLICT');
  given()
    .when(ask(), cast('c1', 'approve', { at: '2025-12-06T12:00:00Z' }))
    .thenRefused('VERSION_CONFLICT');
});

test('a pending request expires at its expiry time and not earlier (SPEC G2)', () => {
  const at = (time: string) => ({ type: 'expire', at: time }) as const;
  const opened = given().when(ask()).events();
  given(...opened)
    .when(at('2025-12-06T11:59:59.999Z'))
    .then();
  given(...opened)
    .when(at('2025-12-06T12:00:00Z'), at('2025-12-07T12:00:00Z'))
    .then({ type: 'request_expired', data: { at: '2025-12-06T12:00:00.000Z' } });
  const approved = given().when(ask(), cast('c1', 'approve')).events();
  given(...approved)
    .when(at('2025-12-06T12:00:00Z'))
    .then();
});

test('commands for a missing request are refused', () => {
  given().when(cast('c1', 'approve')).thenRefused('NOT_FOUND');
  given().when({ type: 'expire', at: AT }).thenRefused('NOT_FOUND');
  given().when(link).thenRefused('NOT_FOUND');
});

test('an approval leads to one put with the approval’s time and the request’s id (SPEC G3)', () => {
  const approved = given().when(ask(), cast('c1', 'approve')).state();
  expect(approvedPut(approved)).toStrictEqual({
    type: 'put',
    value: 'cerulean',
    source: 'agent:agent-1',
    timestamp: AT,
    now: AT,
    notes: null,
    meta: { provenance_id: ID },
  });
  const pending = given().when(ask()).state();
  expect(() => approvedPut(pending)).toThrow(Refusal);
});

test('the same execution, reported several times, is recorded once (SPEC G3)', () => {
  const approved = given().when(ask(), cast('c1', 'approve')).events();
  const refusal: ActionRequestCommand = { type: 'refuse_execution', code: 'PRIVACY_BLOCKED' };
  const { sem_stream, sem_event_number } = { sem_stream: `sem-${COLOR}`, sem_event_number: 0 };
  given(...approved)
    .when(link, link, refusal)
    .then({ type: 'request_executed', data: { sem_stream, sem_event_number } });
  given(...approved)
    .when(refusal, link)
    .then({ type: 'execution_refused', data: { code: 'PRIVACY_BLOCKED', link: null } });
  given(...approved)
    .when({ ...link, superseded: true })
    .then({
      type: 'execution_refused',
      data: { code: 'SUPERSEDED', link: { sem_stream, sem_event_number } },
    });
  given().when(ask(), link).thenRefused('VERSION_CONFLICT');
});

const person = (sub: string) => ({ sub, user_id: null });
const revise = (sub: string, value: string, at = AT): ActionRequestCommand => ({
  ...{ type: 'revise', value, editor: person(sub), reason: 'More exact.', at },
});
const hashOf = (value: string, revision: number) => proposalHash({ ...proposal, value }, revision);

test('a revision replaces the value; earlier votes are kept and no longer count (SPEC G8)', () => {
  const revised = given().when(
    ask({ quorum: 2 }),
    cast('c1', 'approve'),
    revise('c2', 'sky blue'),
    cast('c1', 'approve', { proposal_hash: hashOf('sky blue', 1) }),
  );
  const state = revised.state();
  expect(state.status).toBe('pending');
  expect(state.votes).toHaveLength(1);
  expect(state.earlier?.map(({ held, votes }) => [held, votes.length])).toStrictEqual([
    [{ value: 'cerulean' }, 1],
  ]);
  const decided = given(...revised.events()).when(
    cast('c3', 'approve', { proposal_hash: hashOf('sky blue', 1) }),
  );
  expect(approvedPut(decided.state())).toMatchObject({
    value: 'sky blue',
    source: 'agent:agent-1',
    meta: { provenance_id: ID, editor: 'c2' },
  });
});

test('the editor of the current revision may not vote on it, but on a later one of another editor (SPEC G8)', () => {
  const own = { proposal_hash: hashOf('sky blue', 1) };
  given()
    .when(ask(), revise('c1', 'sky blue'), cast('c1', 'approve', own))
    .thenRefused('PERMISSION_DENIED');
  const later = { proposal_hash: hashOf('azure', 2) };
  const outcome = given().when(
    ask(),
    revise('c1', 'sky blue'),
    revise('c2', 'azure'),
    cast('c1', 'approve', later),
  );
  expect(outcome.state().status).toBe('approved');
});

test('a vote on the value before a revision is refused, also if a revision returns to that value (SPEC G8)', () => {
  given()
    .when(ask(), revise('c1', 'sky blue'), cast('c2', 'approve'))
    .thenRefused('VERSION_CONFLICT');
  given()
    .when(ask(), revise('c1', 'sky blue'), revise('c1', 'cerulean'), cast('c2', 'approve'))
    .thenRefused('VERSION_CONFLICT');
});

test('only a reviewer may revise or ask, and only while the request is pending (SPEC G8)', () => {
  const question = (sub: string, at = AT): ActionRequestCommand => ({
    ...{ type: 'ask', asked_by: person(sub), question: 'Since when?', at },
  });
  for (const sub of ['agent-1', 'user_tuff']) {
    given().when(ask(), revise(sub, 'sky blue')).thenRefused('PERMISSION_DENIED');
    given().when(ask(), question(sub)).thenRefused('PERMISSION_DENIED');
  }
  for (const late of [
    revise('c1', 'x', '2025-12-06T12:00:00Z'),
    question('c1', '2026-01-01T00:00:00Z'),
  ])
    given().when(ask(), late).thenRefused('VERSION_CONFLICT');
  given().when(ask(), cast('c1', 'reject'), revise('c2', 'x')).thenRefused('VERSION_CONFLICT');
  given().when(revise('c1', 'x')).thenRefused('NOT_FOUND');
  given()
    .when(ask(), revise('c1', 'x'.repeat(16_400)))
    .thenRefused('INVALID_INPUT');
});

test('a member revises, asks and comments a limited number of times, which leaves the others their share (SPEC G8)', () => {
  const asks = (sub: string, question: string): ActionRequestCommand => ({
    ...{ type: 'ask', asked_by: person(sub), question, at: AT },
  });
  const comments = (sub: string, text: string): ActionRequestCommand => ({
    ...{ type: 'comment', comment_by: person(sub), text, at: AT },
  });
  for (const [length, make] of [
    [20, revise],
    [200, asks],
    [200, comments],
  ] as const) {
    const by = (sub: string) => Array.from({ length }, (_, index) => make(sub, `word ${index}`));
    const full = given()
      .when(ask(), ...by('c1'))
      .events();
    given(...full)
      .when(make('c1', 'one more'))
      .thenRefused('INVALID_INPUT');
    expect(
      given(...full)
        .when(make('c2', 'mine'))
        .events(),
    ).toHaveLength(1);
    // There is an end to what all together add.
    const all = ['c1', 'c2', 'c3', 'c4', 'c5'].flatMap(by);
    given()
      .when(ask(), ...all, make('c6', 'one more'))
      .thenRefused('INVALID_INPUT');
  }
});

test('G6 one person does not vote on an erasure and execute it, under whatever sub', () => {
  const erasure = ask({
    ...{ kind: 'erasure', episodic_id: null, target_sem_key: null, made_for: null },
    value: { subject: 'user:tuff', reason_code: 'legal_erasure' },
  });
  const { proposal_hash } = given().when(erasure).state().request!;
  const approved = given()
    .when(erasure, cast('a1', 'approve', { user_id: 'bob', proposal_hash }))
    .events();
  const order = (ordered_by: string, user_id?: string | null): ActionRequestCommand => ({
    ...{ type: 'order_erasure', ordered_by, at: AT, kids: [] },
    ...(user_id === undefined ? {} : { user_id }),
  });
  for (const [sub, user_id] of [
    ['a1', null],
    ['a2', 'bob'],
    ['a2', 'user_BOB'],
    ['bob', null],
  ] as const)
    given(...approved)
      .when(order(sub, user_id))
      .thenRefused('PERMISSION_DENIED');
  given(...approved)
    .when(order('a2', 'eve'))
    .thenTypes('erasure_ordered');
  // An order of an earlier release names no user, and replays as it was decided.
  given(...approved)
    .when(order('bob'))
    .thenTypes('erasure_ordered');
});

test('G9 those who only propose do not see the risk that the votes recorded', () => {
  const risk = { level: 'high', reasons: ['contradiction'] } as const;
  const voted = { ...cast('c1', 'reject'), risk } as ActionRequestCommand;
  const state = given().when(ask(), voted).state();
  const seenBy = (sub: string, role: string) =>
    requestView(state, { viewer: { sub, roles: [role] } }) as { votes: { risk: unknown }[] };
  expect(seenBy('agent-1', 'agent').votes).toMatchObject([{ vote: 'reject', risk: null }]);
  for (const role of ['council', 'admin', 'auditor'])
    expect(seenBy('c2', role).votes).toMatchObject([{ risk }]);
});

test('the proposer, and nobody else, answers the last question once (SPEC G8)', () => {
  const question: ActionRequestCommand = {
    ...{ type: 'ask', asked_by: person('c1'), question: 'Since when?', at: AT },
  };
  const answer = (sub: string): ActionRequestCommand => ({
    ...{ type: 'answer', answered_by: person(sub), answer: 'Since May.', at: AT },
  });
  const asked = given().when(ask(), question);
  expect(requestView(asked.state())).toMatchObject({ awaits_answer: true });
  const past = asked.events();
  given(...past)
    .when(answer('agent-2'))
    .thenRefused('PERMISSION_DENIED');
  given(...past)
    .when(answer('agent-1'), answer('agent-1'))
    .thenRefused('VERSION_CONFLICT');
  given().when(ask(), answer('agent-1')).thenRefused('VERSION_CONFLICT');
  const answered = given(...past)
    .when(answer('agent-1'))
    .state();
  expect(requestView(answered)).toMatchObject({
    awaits_answer: false,
    discussion: [
      { kind: 'question', by: person('c1'), text: 'Since when?', at: AT },
      { kind: 'answer', by: person('agent-1'), text: 'Since May.', at: AT },
    ],
  });
});

test('a view names the event of each of its parts, and of a vote only where it shows the vote', () => {
  const later = { proposal_hash: hashOf('azure', 1) };
  const question: ActionRequestCommand = {
    ...{ type: 'ask', asked_by: person('c1'), question: 'Since when?', at: AT },
  };
  const commands = [
    ...[ask({ quorum: 2 }), cast('c1', 'reject'), question, cast('c2', 'abstain')],
    ...[revise('c3', 'azure'), cast('c1', 'approve', later)],
  ];
  const voted = given().when(...commands);
  const closed = given().when(...commands, cast('c2', 'approve', later), link);
  const shownTo = (sub: string, { state, events }: typeof closed) => {
    const numbered = events().map(({ type }, number) => ({ type, number }));
    const sources = sourcesIn(numbered, ({ type, number }) => `${number} ${type}`);
    const viewer: Actor = { sub, roles: ['council'] };
    return requestView(state(), { viewer, sources });
  };
  expect(shownTo('c1', voted)).toMatchObject({
    source_event: '0 action_requested',
    discussion: [{ source_event: '3 question_asked' }],
    ...{ decision_event: null, execution_event: null },
    earlier_versions: [
      { votes: [{ source_event: '2 vote_cast' }, { source_event: '4 vote_cast' }] },
    ],
    revised: { source_event: '5 proposal_revised' },
    votes: [{ source_event: '6 vote_cast' }],
  });
  // The second member has not voted on the present value, and sees its own vote alone.
  const hidden = shownTo('c2', voted);
  expect(hidden).toMatchObject({
    earlier_versions: [{ votes: [{ source_event: '4 vote_cast' }] }],
    votes: [],
  });
  expect(JSON.stringify(hidden)).not.toMatch(/[26] vote_cast/);
  expect(shownTo('c2', closed)).toMatchObject({
    votes: [{ source_event: '6 vote_cast' }, { source_event: '7 vote_cast' }],
    decision_event: '8 request_approved',
    execution_event: '9 request_executed',
  });
});

test('only a rejection has a reason code (SPEC G8)', () => {
  const rejected = given().when(ask(), cast('c1', 'reject', { reason_code: 'unsupported' }));
  expect(rejected.state().votes[0]?.reason_code).toBe('unsupported');
  given()
    .when(ask(), cast('c1', 'approve', { reason_code: 'untrue' }))
    .thenRefused('INVALID_INPUT');
});

test('a large change is recorded with the value, which a revision replaces, and no view shows it', () => {
  const command: ActionRequestCommand = {
    ...{ type: 'revise', value: 'blue', editor: { sub: 'c1', user_id: null } },
    ...{ reason: 'Simpler.', at: AT },
  };
  const made = given().when(ask({ large_change: true }));
  expect(made.events()[0]?.data).toMatchObject({ large_change: true });
  expect(made.state().request).toMatchObject({ large_change: true });
  expect(requestView(made.state())).not.toHaveProperty('large_change');
  const revised = given().when(ask({ large_change: true }), command);
  expect(revised.state().request).not.toHaveProperty('large_change');
  const again = given().when(ask(), { ...command, large_change: true });
  expect(again.state().request).toMatchObject({ value: 'blue', large_change: true });
  expect(requestView(again.state())).toMatchObject({ revised: { revision: 1 } });
  expect(JSON.stringify(requestView(again.state()))).not.toContain('large_change');
});

test('a view shows the request, its votes and its status, but no sealed value (SPEC P3)', () => {
  const view = requestView(given().when(ask(), cast('c1', 'approve')).state());
  expect(view).not.toBeNull();
  expect(typeof view).toBe('object');
  expect(Array.isArray(view)).toBe(false);
  const shown = view as Readonly<Record<string, unknown>>;
  expect(shown.status).toBe('approved');
  expect(shown.value).toBe('cerulean');
  expect(shown.proposal_hash).toBe(HASH);
  expect(shown.votes).toStrictEqual([
    {
      ...{ voter: { sub: 'c1', user_id: null }, vote: 'approve', reason: 'Checked.' },
      ...{ reason_code: null, risk: null, at: AT, source_event: null },
    },
  ]);
  const { value: _, ...bare } = proposal as ProposeAction & { value: string };
  const sealed = { type: 'request', ...bare, sealed: { jwe: 'a.b.c', type: 'email' } } as const;
  const redacted = JSON.stringify(requestView(given().when(sealed).state()));
  expect(redacted).toContain('"redacted":true,"type":"email"');
  expect(redacted).not.toContain('a.b.c');
});

test('a request can be read by its proposer, the user concerned, council, auditors and admins (SPEC I9)', () => {
  const state = given().when(ask()).state();
  const may = (sub: string, role: string, user_id?: string) =>
    mayReadRequest({ sub, roles: [role], ...(user_id ? { user_id } : {}) } satisfies Actor, state);
  expect(may('agent-1', 'agent')).toBe(true);
  expect(may('x', 'user', 'tuff')).toBe(true);
  expect(may('x', 'council')).toBe(true);
  expect(may('x', 'admin')).toBe(true);
  expect(may('x', 'auditor')).toBe(true);
  expect(may('agent-2', 'agent')).toBe(false);
  expect(may('agent-1', 'agent', 'other')).toBe(false);
  expect(may('x', 'user', 'other')).toBe(false);
});

test('a snooze belongs to the person, whichever token made it', () => {
  const until = '2025-12-01T09:00:00.000Z';
  const snooze = (sub: string, user_id: string | null, to: string | null) =>
    ({ type: 'snooze', snoozed_by: { sub, user_id }, until: to, at: AT }) as const;
  const untilOf = (made: ReturnType<ReturnType<typeof given>['when']>, viewer: Actor) =>
    (requestView(made.state(), { viewer }) as JsonObject)['snoozed_until'];
  const ann = (sub: string): Actor => ({ sub, user_id: 'ann', roles: ['council'] });
  const off = given().when(ask(), snooze('laptop', 'ann', until));
  expect(untilOf(off, ann('phone'))).toBe(until);
  expect(untilOf(off, { sub: 'laptop', user_id: 'bob', roles: ['council'] })).toBeNull();
  const back = given().when(ask(), snooze('laptop', 'ann', until), snooze('phone', 'ann', null));
  expect(untilOf(back, ann('laptop'))).toBeNull();
  const bare = given().when(ask(), snooze('laptop', null, until));
  expect(untilOf(bare, { sub: 'laptop', roles: ['council'] })).toBe(until);
});

test('the state counts who assigned a request and who put it off, outside of its hash', () => {
  const by = { sub: 'member', user_id: null };
  const until = '2025-12-01T09:00:00.000Z';
  const made = given().when(
    ask(),
    { type: 'assign', assigned_to: 'member', assigned_by: by, at: AT },
    { type: 'assign', assigned_to: null, assigned_by: by, at: AT },
    { type: 'snooze', snoozed_by: by, until, at: AT },
  );
  expect(made.state()).toMatchObject({ assigners: [by, by], snoozers: [by] });
  const hashed = actionRequestDecider.stateJson?.(made.state());
  expect(hashed).not.toHaveProperty('assigners');
  expect(hashed).not.toHaveProperty('snoozers');
  expect(hashed).toHaveProperty('snoozes', [{ sub: 'member', until }]);
});
