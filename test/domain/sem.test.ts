import fc from 'fast-check';
import { expect, test } from '@jest/globals';
import { resolveAlias } from '#domain/canonical-key/synonyms.js';
import type { JsonObject } from '#domain/json.js';
import type { Actor } from '#domain/recorded-event.js';
import { mayDelete, mayRead, mayWrite, sourceOf, trustedAgents } from '#domain/sem/access.js';
import { titleKey, type DeleteFact, type PutFact, type SemCommand } from '#domain/sem/decide.js';
import type { SemEvent } from '#domain/sem/events.js';
import { semDecider } from '#domain/sem/sem.decider.js';
import { snapshotLine } from '#domain/sem/snapshot.js';
import { currentFact } from '#domain/sem/state.js';
import { normalizeTimestamp } from '#domain/sem/timestamp.js';
import { semStream } from '#domain/stream-names.js';
import { BAD_TIMES, GOOD_TIMES } from '#test/support/times.js';
import { tries } from '#test/support/tries.js';
import { givenFor } from '#test/domain/given.js';
import { ensure } from '#test/support/ensure.js';

const KEY = 'user/profile/user_tuff/favorite_color';
const NOW = '2025-11-29T12:00:00.000Z';
const given = givenFor(semDecider, semStream(KEY));

const put = (value: JsonObject[string], more: Partial<PutFact> = {}): PutFact => ({
  type: 'put',
  value,
  source: 'user',
  notes: null,
  meta: null,
  now: NOW,
  ...more,
});
const deletion = (more: Partial<DeleteFact> = {}): DeleteFact => ({
  type: 'delete',
  source: 'system',
  now: NOW,
  ...more,
});
const factPut = (value: string, timestamp: string, source = 'user'): SemEvent => ({
  type: 'fact_put',
  data: { key: KEY, value, timestamp, source, notes: null, meta: null, superseded: false },
});
const current = (...events: readonly SemEvent[]) => {
  const fact = currentFact(
    given(...events)
      .when()
      .state(),
  );
  return fact && 'value' in fact ? fact.value : undefined;
};
const refused = (code: string) => expect.objectContaining({ name: 'Refusal', code });

test('a put records the whole fact, with the server’s time by default (SPEC S2)', () => {
  given()
    .when(put('blue', { notes: 'as told', meta: { trust: 0.5 } }))
    .then({
      type: 'fact_put',
      data: {
        key: KEY,
        value: 'blue',
        timestamp: NOW,
        source: 'user',
        notes: 'as told',
        meta: { trust: 0.5 },
        superseded: false,
      },
    });
});

test('a sealed value is stored sealed, and its sealed form is measured against the limits (SPEC P5)', () => {
  const sealed = { jwe: 'a.b.c', type: 'email' };
  const { value: _, ...bare } = put('x') as PutFact & { value: string };
  const [event] = given()
    .when({ ...bare, sealed })
    .events();
  ensure(event?.type === 'fact_put' && 'sealed' in event.data && !('value' in event.data));
  expect(event.data.sealed).toStrictEqual(sealed);
  given()
    .when({ ...bare, sealed: { jwe: 'a'.repeat(17_000), type: 'email' } })
    .thenRefused('INVALID_INPUT');
});

test('values, notes and rows are accepted up to their limits, and refused beyond them (SPEC S2)', () => {
  given()
    .when(put('a'.repeat(16_382)))
    .thenTypes('fact_put');
  given()
    .when(put('a'.repeat(16_383)))
    .thenRefused('INVALID_INPUT');
  given()
    .when(put('ü'.repeat(8 * 1024)))
    .thenRefused('INVALID_INPUT');
  given()
    .when(put(1, { notes: '🟦'.repeat(512) }))
    .thenTypes('fact_put');
  given()
    .when(put(1, { notes: 'n'.repeat(513) }))
    .thenRefused('INVALID_INPUT');
  given()
    .when(put(1, { meta: { m: 'm'.repeat(1_048_000) } }))
    .thenTypes('fact_put');
  given()
    .when(put(1, { meta: { m: 'm'.repeat(1_048_576) } }))
    .thenRefused('INVALID_INPUT');
});

test('a value that JCS or Postgres cannot store is refused, wherever it occurs in the fact (SPEC I5)', () => {
  for (const command of [
    put('a\u0000b'),
    put({ deep: ['\ud800'] }),
    put(2 ** 53),
    put(1, { notes: '\u0000' }),
    put(1, { meta: { '\u0000': 1 } }),
  ])
    given().when(command).thenRefused('INVALID_INPUT');
});

test('a timestamp is stored in one form, whatever its offset (SPEC S2)', () => {
  for (const [sent, stored] of GOOD_TIMES)
    expect([sent, normalizeTimestamp(sent)]).toStrictEqual([sent, stored]);
});

test('a text that is not an RFC 3339 time is refused, and a leap second by its name', () => {
  for (const bad of BAD_TIMES)
    expect(() => normalizeTimestamp(bad)).toThrow(refused('INVALID_INPUT'));
  expect(() => normalizeTimestamp('2016-12-31T23:59:60Z')).toThrow(
    expect.objectContaining({
      facts: { reason: 'a time must not be a leap second; send the second before or after it' },
    }),
  );
});

test('every time with every offset is stored as the same moment', () => {
  const offset = fc.tuple(fc.constantFrom('+', '-'), fc.nat(23), fc.nat(59));
  const two = (number: number): string => String(number).padStart(2, '0');
  const earliest = Date.UTC(1, 0, 1) - 60_000_000_000_000;
  fc.assert(
    fc.property(
      fc.date({
        min: new Date(earliest),
        max: new Date('9999-12-30T00:00:00Z'),
        noInvalidDate: true,
      }),
      offset,
      (time, [sign, hours, minutes]) => {
        const ahead = (sign === '+' ? 1 : -1) * (hours * 60 + minutes) * 60_000;
        const local = new Date(time.getTime() + ahead).toISOString();
        fc.pre(local.length === 24);
        const sent = `${local.slice(0, -1)}${sign}${two(hours)}:${two(minutes)}`;
        expect(normalizeTimestamp(sent)).toBe(time.toISOString());
        expect(normalizeTimestamp(sent.toLowerCase())).toBe(time.toISOString());
      },
    ),
    { numRuns: tries(500) },
  );
});

test('a fact’s timestamp may be at most five minutes ahead (SPEC S2)', () => {
  given()
    .when(put(1, { timestamp: '2025-11-29T12:05:00Z' }))
    .thenTypes('fact_put');
  given()
    .when(put(1, { timestamp: '2025-11-29T12:05:00.001Z' }))
    .thenRefused('INVALID_INPUT');
});

test('002-T9 [stage0] [golden] [high] of two puts, the put with the later timestamp is returned', () => {
  const green = put('green', { timestamp: '2025-11-29T10:00:00Z' });
  const red = put('red', { timestamp: '2025-11-29T11:00:00Z' });
  expect(current(...given().when(green, red).events())).toBe('red');
  expect(current(...given().when(red, green).events())).toBe('red');
});

test('a put that loses a conflict is recorded as superseded, and acknowledged (SPEC S3)', () => {
  const outcome = given(factPut('red', '2025-11-29T11:00:00.000Z')).when(
    put('green', { timestamp: '2025-11-29T10:00:00Z' }),
  );
  const [event] = outcome.events();
  ensure(event?.type === 'fact_put' && event.data.superseded);
  expect(semDecider.resultOf?.(event, outcome.state())).toStrictEqual({
    key: KEY,
    timestamp: '2025-11-29T10:00:00.000Z',
    source: 'user',
    superseded: true,
  });
});

test('at equal timestamps the put with the larger source wins, and at equal sources the later write wins (SPEC S3)', () => {
  const byAgent = put('agent', { source: 'agent:a1' });
  const byUser = put('user');
  expect(current(...given().when(byUser, byAgent).events())).toBe('user');
  expect(current(...given().when(byAgent, byUser).events())).toBe('user');
  expect(current(...given().when(byUser, put('again')).events())).toBe('again');
});

test('a deletion hides the fact, and competes with puts by its timestamp (SPEC S3, S5)', () => {
  const red = factPut('red', '2025-11-29T11:00:00.000Z');
  const deleted = given(red).when(deletion()).events();
  expect(current(red, ...deleted)).toBeUndefined();
  const late = put('late', { timestamp: '2025-11-29T11:30:00Z' });
  expect(current(red, ...given(red).when(deletion(), late).events())).toBeUndefined();
  const early = given(red).when(deletion({ timestamp: '2025-11-29T10:00:00Z' }));
  expect(early.events().every(({ data }) => 'superseded' in data && data.superseded)).toBe(true);
  expect(current(red, ...early.events())).toBe('red');
});

test('a missing fact cannot be deleted (SPEC S5)', () => {
  given().when(deletion()).thenRefused('SEM_NOT_FOUND');
  given(factPut('red', '2025-11-29T11:00:00.000Z'))
    .when(deletion(), deletion())
    .thenRefused('SEM_NOT_FOUND');
});

test('a caller that may not claim keys gets an unclaimed key or the key already claimed for the title, never the key of another title (SPEC K4)', () => {
  const stream = semStream('world/article/c/summary');
  const claims = givenFor(semDecider, stream);
  const free = claims().when().state();
  expect(titleKey(free, 'C')).toStrictEqual({ key: 'world/article/c/summary', claimed: false });
  const claimed = claims().when({ type: 'claim', title: 'C' }).state();
  expect(titleKey(claimed, ' c ')).toStrictEqual({ key: 'world/article/c/summary', claimed: true });
  expect(() => titleKey(claimed, 'C++')).toThrow(refused('VERSION_CONFLICT'));
});

test('a collision is closed once, and closing it changes no claim (SPEC K4)', () => {
  const claims = givenFor(semDecider, 'sem-world/article/c/summary');
  const collided = claims().when({ type: 'claim', title: 'C' }, { type: 'claim', title: 'C++' });
  const key = collided.state().claims.get('c++') ?? '';
  const close = (more: object = {}): SemCommand => ({
    ...{ type: 'close_collision', key, reason: 'Two languages.' },
    ...{ closed_by: { sub: 'c1', user_id: null }, closed_at: '2025-11-29T12:00:00Z', ...more },
  });
  const past = collided.events();
  claims(...past)
    .when(close())
    .thenTypes('collision_closed');
  const state = claims(...past)
    .when(close())
    .state();
  expect(state.claims).toStrictEqual(collided.state().claims);
  const withFact = claims(...past)
    .when(put('a language'), close())
    .state();
  expect(currentFact(withFact)).toMatchObject({ value: 'a language' });
  claims(...past)
    .when(close(), close())
    .thenRefused('VERSION_CONFLICT');
  for (const other of ['world/article/c/summary', 'world/article/d/summary'])
    claims(...past)
      .when(close({ key: other }))
      .thenRefused('NOT_FOUND');
  claims(...past)
    .when(close({ reason: '' }))
    .thenRefused('INVALID_INPUT');
});

test('another value under a claimed key is an overwrite, never a collision (SPEC K4)', () => {
  const stream = 'sem-world/article/c/summary';
  givenFor(semDecider, stream)()
    .when({ type: 'claim', title: 'C' }, put('a language'), put('a letter'))
    .thenTypes('key_claimed', 'fact_put', 'fact_put');
});

test('a text that names a user’s fact has no key without a user, and a text that names none has none at all (SPEC K5)', () => {
  expect(resolveAlias('my fav color')).toBeNull();
  expect(resolveAlias('when is my dentist appointment?')).toBeNull();
  expect(resolveAlias('the weather', 'Dan')).toBeNull();
  expect(resolveAlias('when is my dentist appointment?', 'Dan')).toStrictEqual({
    key: 'user/profile/user_dan/dentist_appointment',
    only_if_exists: true,
  });
});

test('a key in scope user cannot be claimed with a title (SPEC K4)', () => {
  given().when({ type: 'claim', title: 'TUFF' }).thenRefused('INVALID_INPUT');
});

const actor = (sub: string, roles: string, user_id?: string): Actor => ({
  sub,
  roles: roles.split(' '),
  ...(user_id === undefined ? {} : { user_id }),
});
const TUFF_KEY = KEY;
const OTHER_KEY = 'user/profile/user_other/favorite_color';
const WORLD_KEY = 'world/fact/ohms_law/definition';
const CONFIG_KEY = 'mace/config/router/default_depth';

test('a user’s facts can be read by the user, its agents, admins, council and auditors (SPEC S1)', () => {
  const readers = [
    actor('x', 'user', 'TUFF'),
    actor('tuff', 'user'),
    actor('a', 'agent', 'user_Tuff'),
    actor('a', 'agent'),
    actor('x', 'admin'),
    actor('x', 'council'),
    actor('x', 'auditor'),
  ];
  expect(readers.every((reader) => mayRead(reader, TUFF_KEY))).toBe(true);
  expect(mayRead(actor('x', 'user', 'other'), TUFF_KEY)).toBe(false);
  expect(mayRead(actor('a', 'agent', 'other'), TUFF_KEY)).toBe(false);
  expect(mayRead(actor('a', 'agent', '???'), TUFF_KEY)).toBe(false);
  expect(mayRead(actor('x', 'user', 'other'), WORLD_KEY)).toBe(true);
});

test('a user’s fact can be written only by tokens with that user’s id, and by admins (SPEC S4)', () => {
  const allowed = (who: Actor, key: string) => mayWrite(who, key, []);
  expect(allowed(actor('x', 'user', 'TUFF'), TUFF_KEY)).toBe(true);
  expect(allowed(actor('a', 'agent', 'TUFF'), TUFF_KEY)).toBe(true);
  expect(allowed(actor('x', 'admin'), TUFF_KEY)).toBe(true);
  expect(allowed(actor('x', 'user', 'TUFF'), OTHER_KEY)).toBe(false);
  expect(allowed(actor('a', 'agent', 'TUFF'), OTHER_KEY)).toBe(false);
  expect(allowed(actor('a', 'agent'), TUFF_KEY)).toBe(false);
  expect(allowed(actor('x', 'council', 'TUFF'), TUFF_KEY)).toBe(false);
  for (const key of [WORLD_KEY, CONFIG_KEY, 'agent/note/a/b', 'system/a/b/c', 'config/a/b/c']) {
    expect(allowed(actor('x', 'user', 'TUFF'), key)).toBe(false);
    expect(allowed(actor('x', 'auditor'), key)).toBe(false);
    expect(allowed(actor('x', 'council'), key)).toBe(false);
    expect(allowed(actor('x', 'admin'), key)).toBe(true);
  }
});

test('trusted agents can write agent and world facts, and no others (SPEC S4)', () => {
  const trusted = trustedAgents(['a1', 7, 'a2']);
  expect(trusted).toStrictEqual(['a1', 'a2']);
  expect(mayWrite(actor('a1', 'agent'), WORLD_KEY, trusted)).toBe(true);
  expect(mayWrite(actor('a1', 'agent'), 'agent/meta/logic_v1/capabilities', trusted)).toBe(true);
  expect(mayWrite(actor('A1', 'agent'), WORLD_KEY, trusted)).toBe(false);
  expect(mayWrite(actor('a1', 'agent'), CONFIG_KEY, trusted)).toBe(false);
  expect(mayWrite(actor('a1', 'user'), WORLD_KEY, trusted)).toBe(false);
  expect(mayWrite(actor('x', 'admin'), CONFIG_KEY, [])).toBe(true);
  expect(trustedAgents('a1')).toStrictEqual([]);
});

test('only admins can delete a fact (SPEC S5)', () => {
  expect(mayDelete(actor('x', 'admin'))).toBe(true);
  expect(mayDelete(actor('x', 'user', 'TUFF'))).toBe(false);
});

test('the source comes from the token, and a body that names another source is refused (SPEC S2)', () => {
  expect(sourceOf(actor('a1', 'agent', 'TUFF'))).toBe('agent:a1');
  expect(sourceOf(actor('x', 'user', 'TUFF'), 'user')).toBe('user');
  expect(sourceOf(actor('x', 'admin'))).toBe('system');
  expect(() => sourceOf(actor('x', 'user'), 'system')).toThrow(refused('PERMISSION_DENIED'));
  expect(() => sourceOf(actor('x', 'auditor'))).toThrow(refused('PERMISSION_DENIED'));
});

test('a line of a snapshot is the key, the canonical value and the timestamp, separated by tabs (SPEC S8)', () => {
  const value = { b: 1, a: 'x\ty' };
  expect(snapshotLine(KEY, { value }, NOW)).toBe(`${KEY}\t{"a":"x\\ty","b":1}\t${NOW}`);
});

test('W8 a put is cleared only if its value is sealed under the key of its own fact', () => {
  const headed = (kid: string) => ({
    jwe: `${Buffer.from(JSON.stringify({ kid })).toString('base64url')}....`,
    type: 'phone',
  });
  const { value: _, ...bare } = put('x') as PutFact & { value: string };
  const cleared = { ...bare, cleared_in: '0193-request' };
  const own: PutFact = { ...cleared, sealed: headed(`fact:${KEY}#2`) };
  const [event] = given().when(own).events();
  expect(event?.data).toMatchObject({ cleared_in: '0193-request', sealed: own.sealed });
  given(event!).when(semDecider.commandOf(event!)).then(event!);
  for (const kid of [`fact:${KEY}x#1`, 'user:tuff#1', 'job:j#1'])
    given()
      .when({ ...cleared, sealed: headed(kid) })
      .thenRefused('INVALID_INPUT');
  given()
    .when({ ...cleared, value: 'in clear' })
    .thenRefused('INVALID_INPUT');
  given()
    .when({ ...cleared, sealed: { jwe: 'a.b.c', type: 'phone' } })
    .thenRefused('INVALID_INPUT');
});
