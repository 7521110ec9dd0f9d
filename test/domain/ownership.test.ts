import { expect, test } from '@jest/globals';
import { mayReadJob, mayUseJob, sameOwner, userFor } from '#domain/ownership/access.js';
import { mayUseSlug, ownerDecider, ownerStream } from '#domain/ownership/owner.decider.js';
import type { Actor } from '#domain/recorded-event.js';
import { givenFor } from '#test/domain/given.js';

const given = givenFor(ownerDecider, ownerStream('TUFF'));
const claim = (raw_id: string) => ({ type: 'claim', raw_id }) as const;
const actor = (sub: string, roles: string, user_id?: string): Actor => ({
  sub,
  roles: roles.split(' '),
  ...(user_id === undefined ? {} : { user_id }),
});
const denied = expect.objectContaining({ name: 'Refusal', code: 'PERMISSION_DENIED' });

test('the first raw id of a slug owns it; the same id again changes nothing (SPEC I9)', () => {
  given()
    .when(claim('TUFF'), claim('tuff'), claim('user_Tuff'))
    .then({ type: 'owner_claimed', data: { slug: 'tuff', raw_id: 'TUFF' } });
});

test('another raw id that gives the same slug is refused (SPEC I9)', () => {
  given().when(claim('TUFF'), claim('tuff!')).thenRefused('PERMISSION_DENIED');
  const state = given().when(claim('TUFF')).state();
  expect(mayUseSlug(state, 'User_tuff')).toBe(true);
  expect(mayUseSlug(state, 'tüff')).toBe(false);
});

test('an id claims only the slug that it leads to', () => {
  given().when(claim('other')).thenRefused('INVALID_INPUT');
});

test('a token with a user acts for that user, an agent’s without one for whom it names (SPEC I9)', () => {
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

test('a job is used by who started it, for the same user, and by admins (SPEC I9)', () => {
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

test('auditors and the council read every job and use none (SPEC I9)', () => {
  const owner = { sub: 'a', user_id: null };
  for (const role of ['auditor', 'council']) {
    expect(mayReadJob(actor('x', role), owner)).toBe(true);
    expect(mayUseJob(actor('x', role), owner)).toBe(false);
  }
  expect(mayReadJob(actor('x', 'agent'), owner)).toBe(false);
});

test('owners are the same if sub and user are (SPEC I9)', () => {
  expect(sameOwner({ sub: 'a', user_id: 'TUFF' }, { sub: 'a', user_id: 'user_tuff' })).toBe(true);
  expect(sameOwner({ sub: 'a', user_id: 'TUFF' }, { sub: 'a', user_id: null })).toBe(false);
  expect(sameOwner({ sub: 'a', user_id: null }, { sub: 'A', user_id: null })).toBe(false);
});
