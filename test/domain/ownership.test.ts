import { expect, test } from '@jest/globals';
import { mayReadJob, mayUseJob, sameOwner, userFor } from '#domain/ownership/access.js';
import { storeOwners } from '#domain/memory-contract/owners.js';
import { mayUseSlug, ownerDecider, sessionUserId } from '#domain/ownership/owner.decider.js';
import { ownerIn, ownsStream } from '#domain/ownership/stream-access.js';
import {
  readsWholeSpace,
  requireSessionRead,
  requireStoreUse,
  requireUserRead,
  sessionClaimStream,
  slugClaimStream,
  sessionOfUserId,
  type StoreClaims,
} from '#domain/ownership/store-access.js';
import type { Actor, RecordedEvent } from '#domain/recorded-event.js';
import { ownerStream } from '#domain/stream-names.js';
import { givenFor } from '#test/domain/given.js';

const given = givenFor(ownerDecider, ownerStream('TUFF'));
const claim = (raw_id: string) => ({ type: 'claim', raw_id }) as const;
const actor = (sub: string, roles: string, user_id?: string): Actor => ({
  sub,
  roles: roles.split(' '),
  ...(user_id === undefined ? {} : { user_id }),
});
const denied = expect.objectContaining({ name: 'Refusal', code: 'PERMISSION_DENIED' });

test('the first raw id with a slug owns the slug; claiming it again with the same id changes nothing (SPEC I9)', () => {
  given()
    .when(claim('TUFF'), claim('tuff'), claim('user_Tuff'))
    .then({ type: 'owner_claimed', data: { slug: 'tuff', raw_id: 'TUFF' } });
});

test('another raw id with the same slug is refused (SPEC I9)', () => {
  given().when(claim('TUFF'), claim('tuff!')).thenRefused('PERMISSION_DENIED');
  const state = given().when(claim('TUFF')).state();
  expect(mayUseSlug(state, 'User_tuff')).toBe(true);
  expect(mayUseSlug(state, 'tüff')).toBe(false);
});

test('an id can claim only its own slug', () => {
  given().when(claim('other')).thenRefused('INVALID_INPUT');
});

test('a token with a user acts for that user; an agent’s token without a user acts for the user that the request names (SPEC I9)', () => {
  expect(userFor(actor('a', 'agent', 'TUFF'), undefined)).toBe('TUFF');
  expect(userFor(actor('a', 'agent', 'TUFF'), 'user_tuff')).toBe('TUFF');
  expect(userFor(actor('a', 'agent'), 'bob')).toBe('bob');
  expect(userFor(actor('a', 'agent'), undefined)).toBeNull();
  expect(userFor(actor('tuff', 'user'), undefined)).toBe('tuff');
  expect(() => userFor(actor('a', 'agent', 'TUFF'), 'bob')).toThrow(denied);
  expect(() => userFor(actor('tuff', 'user'), 'bob')).toThrow(denied);
  expect(() => userFor(actor('x', 'admin'), 'bob')).toThrow(denied);
  expect(() => userFor(actor('x', 'council'), 'bob')).toThrow(denied);
});

test('a job can be used by the caller that started it, for the same user, and by admins (SPEC I9)', () => {
  const owner = { sub: 'a', user_id: 'TUFF' };
  expect(mayUseJob(actor('a', 'agent', 'tuff'), owner)).toBe(true);
  expect(mayUseJob(actor('a', 'agent'), owner)).toBe(true);
  expect(mayUseJob(actor('x', 'admin'), owner)).toBe(true);
  expect(mayUseJob(actor('a', 'agent', 'bob'), owner)).toBe(false);
  expect(mayUseJob(actor('b', 'agent', 'TUFF'), owner)).toBe(false);
  expect(mayUseJob(actor('a', 'agent', 'bob'), { sub: 'a', user_id: null })).toBe(false);
  expect(mayUseJob(actor('a', 'agent'), { sub: 'a', user_id: null })).toBe(true);
  expect(mayUseJob(actor('a', 'auditor'), { sub: 'b', user_id: null })).toBe(false);
});

test('auditors and the council can read every job and change no job (SPEC I9)', () => {
  const owner = { sub: 'a', user_id: null };
  for (const role of ['auditor', 'council']) {
    expect(mayReadJob(actor('x', role), owner)).toBe(true);
    expect(mayUseJob(actor('x', role), owner)).toBe(false);
  }
  expect(mayReadJob(actor('x', 'agent'), owner)).toBe(false);
});

test('two owners are equal if their sub and their user are equal (SPEC I9)', () => {
  expect(sameOwner({ sub: 'a', user_id: 'TUFF' }, { sub: 'a', user_id: 'user_tuff' })).toBe(true);
  expect(sameOwner({ sub: 'a', user_id: 'TUFF' }, { sub: 'a', user_id: null })).toBe(false);
  expect(sameOwner({ sub: 'a', user_id: null }, { sub: 'A', user_id: null })).toBe(false);
});

const notFound = expect.objectContaining({ name: 'Refusal', code: 'NOT_FOUND' });

const nothingClaimed: StoreClaims = {
  session: null,
  names: { session: null, user: null },
  slug_holder: null,
};
const ids = (session_id: string, user_id: string | null) => ({
  session_id,
  user_id,
  owners: storeOwners({ session_id, user_id, project_root: null }),
});

test('a request may use stores that nobody has claimed, and stores that its caller has claimed (SPEC I9)', () => {
  const use = { actor: actor('a', 'agent'), ...ids('s 1', 'tuff') };
  requireStoreUse(use, nothingClaimed);
  requireStoreUse(use, {
    session: { sub: 'a', user_id: 'tuff' },
    names: { session: 's 1', user: 'Tuff' },
    slug_holder: null,
  });
});

test('a request cannot use another owner’s store; admins can use every session (SPEC I9)', () => {
  const use = { actor: actor('a', 'agent'), ...ids('s 1', 'tuff') };
  const { names } = nothingClaimed;
  const session = { sub: 'b', user_id: null };
  for (const claims of [
    { ...nothingClaimed, session },
    { ...nothingClaimed, names: { ...names, session: 's_1' } },
    { ...nothingClaimed, names: { ...names, user: sessionUserId('tuff') } },
  ])
    expect(() => requireStoreUse(use, claims)).toThrow(denied);
  requireStoreUse({ ...use, actor: actor('x', 'admin') }, { ...nothingClaimed, session });
});

test('in a session without a user, the user store has the session’s name, unless a user has that name (SPEC M2)', () => {
  const use = { actor: actor('a', 'agent'), ...ids('tuff', null) };
  const names = { session: 'tuff', user: sessionUserId('tuff') };
  requireStoreUse(use, { ...nothingClaimed, names });
  for (const claims of [
    { ...nothingClaimed, slug_holder: 'tuff' },
    { ...nothingClaimed, names: { ...names, user: 'tuff' } },
  ])
    expect(() => requireStoreUse(use, claims)).toThrow(denied);
  expect(sessionOfUserId(sessionUserId('s:1'))).toBe('s:1');
  expect(sessionOfUserId('tuff')).toBeUndefined();
  expect(sessionOfUserId(null)).toBeUndefined();
});

test('a claimed session’s store can be read by every caller that may read the session’s jobs (SPEC I9)', () => {
  const claimed = { sub: 'a', user_id: null };
  requireSessionRead(actor('a', 'agent'), 's1', claimed);
  requireSessionRead(actor('x', 'auditor'), 's1', claimed);
  expect(() => requireSessionRead(actor('b', 'agent'), 's1', claimed)).toThrow(denied);
  expect(() => requireSessionRead(actor('x', 'auditor'), 's1', null)).toThrow(notFound);
});

test('a user’s store can be read by that user, and by agents whose token names no user (SPEC I9)', () => {
  requireUserRead(actor('tuff', 'user'), 'tuff', 'tuff');
  requireUserRead(actor('a', 'agent'), 'tuff', 'tuff');
  expect(() => requireUserRead(actor('bob', 'user'), 'tuff', 'tuff')).toThrow(denied);
  expect(() => requireUserRead(actor('t uff', 'user'), 't_uff', 't_uff')).toThrow(denied);
});

test('the council, auditors and admins can read every user, project and system store; others cannot read a project store (SPEC I9)', () => {
  for (const role of ['admin', 'auditor', 'council'])
    for (const space of ['user', 'project', 'system'] as const)
      expect(readsWholeSpace(actor('x', role), space, 'o')).toBe(true);
  expect(readsWholeSpace(actor('x', 'admin'), 'session', 'o')).toBe(false);
  expect(readsWholeSpace(actor('a', 'agent'), 'user', 'o')).toBe(false);
  for (const space of ['project', 'system'] as const)
    expect(() => readsWholeSpace(actor('a', 'agent'), space, 'o')).toThrow(denied);
});

test('a session of the Memory Contract whose id is also valid for a session of jobs is claimed in the same stream (SPEC I4, M2)', () => {
  expect(sessionClaimStream('s:1')).toBe('session-s:1');
  expect(sessionClaimStream('s 1')).toBe('session-s_1');
  expect(slugClaimStream('Tuff')).toBe('owner-tuff');
  expect(slugClaimStream('!!!')).toBeUndefined();
});

test('what is kept of the owner of a stream is small, however large its first event is', () => {
  const proposer = { sub: 'ada', user_id: 'ada' };
  const data = { proposer, made_for: null, value: 'x'.repeat(100_000), owner: proposer };
  for (const type of ['action_requested', 'job_started']) {
    const metadata = { schema_version: 1 };
    const owner = ownerIn({ type, data, metadata } as unknown as RecordedEvent);
    expect(JSON.stringify(owner).length).toBeLessThan(200);
    expect(ownsStream(actor('ada', 'user', 'ada'), owner)).toBe(true);
    expect(ownsStream(actor('grace', 'user', 'grace'), owner)).toBe(false);
  }
});
