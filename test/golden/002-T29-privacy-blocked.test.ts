import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { RULE_SET_VERSION } from '#domain/privacy/finding.js';
import { auditStream } from '#domain/stream-names.js';
import { connectEventStore } from '#event-store/event-store-db.js';
import type { EventStore } from '#event-store/event-store.js';
import { Caller } from '#test/support/caller.js';
import { assertReported, failureOf } from '#test/support/failure.js';
import { HASH } from '#test/support/matchers.js';
import { queryAsSuperuser } from '#test/support/reflective-logs.js';
import { TestService } from '#test/support/service.js';
import { eventsIn, streamsOf } from '../faults/support/log.js';

let service: TestService;
let log: EventStore;
let user: Caller;

beforeAll(async () => {
  service = await TestService.start({ ownLog: true });
  log = connectEventStore(service.eventStore.url);
  user = await Caller.of(service, 'user', { sub: 'tuff-sub', user_id: 'tuff' });
});
afterAll(async () => {
  await log.close();
  await service.stop();
});

const key = (attribute: string) => `user/profile/user_tuff/${attribute}`;
const PERSONAL = /alice|123-45|hunter2|1985|4111/;

const CASES: readonly {
  readonly what: string;
  readonly attribute: string;
  readonly body: object;
  readonly findings: readonly { readonly type: string; readonly category: string }[];
}[] = [
  {
    what: 'a social security number in the value',
    attribute: 'note',
    body: { value: 'My SSN is 123-45-6789' },
    findings: [{ type: 'us_ssn', category: 'high' }],
  },
  {
    what: 'a payment card in the value',
    attribute: 'card',
    body: { value: '4111 1111 1111 1111' },
    findings: [{ type: 'payment_card', category: 'high' }],
  },
  {
    what: 'an address deep in the value',
    attribute: 'contact',
    body: { value: { deep: ['alice@example.com'] } },
    findings: [{ type: 'email', category: 'medium' }],
  },
  {
    what: 'a password in the notes',
    attribute: 'login',
    body: { value: 'x', notes: 'password=hunter2' },
    findings: [{ type: 'password', category: 'high' }],
  },
  {
    what: 'an address as a key of meta',
    attribute: 'about',
    body: { value: 'x', meta: { 'alice@example.com': 1 } },
    findings: [{ type: 'email', category: 'medium' }],
  },
  {
    what: 'a date under the key of a birthday',
    attribute: 'birthday',
    body: { value: '1985-03-04' },
    findings: [{ type: 'date_of_birth', category: 'medium' }],
  },
];

for (const { what, attribute, body, findings } of CASES)
  test(`002-T29 [stage0] [golden] [critical] ${what} is PRIVACY_BLOCKED, nothing is written, and the log line has types and categories alone`, async () => {
    const answer = await user.ask('PUT', `sem/${key(attribute)}`, { body });
    const finding_types = findings.map(({ type }) => type).join(', ');
    const blocked = failureOf('PRIVACY_BLOCKED', { finding_types });
    expect(assertReported(service, answer, blocked)).toMatchObject({
      key: key(attribute),
      findings,
      rule_set_version: RULE_SET_VERSION,
      body_hash: HASH,
    });
    expect(await eventsIn(log, `sem-${key(attribute)}`)).toStrictEqual([]);
    await user.refused('SEM_NOT_FOUND', 'GET', `sem/${key(attribute)}`);
  });

test('002-T29 [stage0] [golden] [critical] a blocked put leaves the fact that was there before', async () => {
  await user.did('PUT', `sem/${key('motto')}`, { body: { value: 'carry on' } });
  const body = { value: 'write to alice@example.com' };
  await user.refused('PRIVACY_BLOCKED', 'PUT', `sem/${key('motto')}`, { body });
  expect((await user.get(`sem/${key('motto')}`))['value']).toBe('carry on');
  expect(await eventsIn(log, `sem-${key('motto')}`)).toHaveLength(1);
});

test('002-T29 [stage0] [golden] [critical] no event, no row and no log line contains what was blocked, and each refusal is in the caller’s audit stream', async () => {
  const audit = await eventsIn(log, auditStream('tuff-sub'));
  expect(audit.map(({ data }) => data['code'])).toStrictEqual(
    Array.from({ length: CASES.length + 1 }, () => 'PRIVACY_BLOCKED'),
  );
  const events = [...(await streamsOf(log)).values()].flat();
  expect(JSON.stringify(events.map(({ stream, data }) => [stream, data]))).not.toMatch(PERSONAL);
  const rows = await queryAsSuperuser(service.postgres, 'select * from sem.history');
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toMatch(PERSONAL);
  expect(JSON.stringify(service.log)).not.toMatch(PERSONAL);
});
