import { test } from 'node:test';
import assert from 'node:assert/strict';
import { Refusal } from '#domain/errors/refusal.js';
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
const denied = (error: unknown) => error instanceof Refusal && error.code === 'PERMISSION_DENIED';

test('the first raw id of a slug owns it; the same id again changes nothing (SPEC I9)', () => {
  given()
    .when(claim('TUFF'), claim('tuff'), claim('user_Tuff'))
    .then({ type: 'owner_claimed', data: { slug: 'tuff', raw_id: 'TUFF' } });
});

test('another raw id that gives the same slug is refused (SPEC I9)', () => {
  given().when(claim('TUFF'), claim('tuff!')).thenRefused('PERMISSION_DENIED');
  const state = given().when(claim('TUFF')).state();
  assert.ok(mayUseSlug(state, 'User_tuff'));
  assert.ok(!mayUseSlug(state, 'tüff'));
});

test('an id claims only the slug that it leads to', () => {
  given().when(claim('other')).thenRefused('INVALID_INPUT');
});

test('a token with a user acts for that user, an agent’s without one for whom it names (SPEC I9)', () => {
  assert.equal(userFor(actor('a', 'agent', 'TUFF'), undefined), 'TUFF');
  assert.equal(userFor(actor('a', 'agent', 'TUFF'), 'user_tuff'), 'TUFF');
  assert.equal(userFor(actor('a', 'agent'), 'bob'), 'bob');
  assert.equal(userFor(actor('a', 'agent'), undefined), null);
  assert.equal(userFor(actor('tuff', 'user'), undefined), 'tuff');
  assert.throws(() => userFor(actor('a', 'agent', 'TUFF'), 'bob'), denied);
  assert.throws(() => userFor(actor('tuff', 'user'), 'bob'), denied);
  assert.throws(() => userFor(actor('x', 'admin'), 'bob'), denied);
  assert.throws(() => userFor(actor('x', 'council'), 'bob'), denied);
});

test('a job is used by who started it, for the same user, and by admins (SPEC I9)', () => {
  const owner = { sub: 'a', user_id: 'TUFF' };
  assert.ok(mayUseJob(actor('a', 'agent', 'tuff'), owner));
  assert.ok(mayUseJob(actor('a', 'agent'), owner));
  assert.ok(mayUseJob(actor('x', 'admin'), owner));
  assert.ok(!mayUseJob(actor('a', 'agent', 'bob'), owner));
  assert.ok(!mayUseJob(actor('b', 'agent', 'TUFF'), owner));
  assert.ok(!mayUseJob(actor('a', 'agent', 'bob'), { sub: 'a', user_id: null }));
  assert.ok(mayUseJob(actor('a', 'agent'), { sub: 'a', user_id: null }));
  assert.ok(!mayUseJob(actor('a', 'auditor'), { sub: 'b', user_id: null }));
});

test('auditors and the council read every job and use none (SPEC I9)', () => {
  const owner = { sub: 'a', user_id: null };
  for (const role of ['auditor', 'council']) {
    assert.ok(mayReadJob(actor('x', role), owner));
    assert.ok(!mayUseJob(actor('x', role), owner));
  }
  assert.ok(!mayReadJob(actor('x', 'agent'), owner));
});

test('owners are the same if sub and user are (SPEC I9)', () => {
  assert.ok(sameOwner({ sub: 'a', user_id: 'TUFF' }, { sub: 'a', user_id: 'user_tuff' }));
  assert.ok(!sameOwner({ sub: 'a', user_id: 'TUFF' }, { sub: 'a', user_id: null }));
  assert.ok(!sameOwner({ sub: 'a', user_id: null }, { sub: 'A', user_id: null }));
});
