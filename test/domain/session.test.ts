import { expect, test } from '@jest/globals';
import { auditDecider } from '#domain/audit/audit.decider.js';
import { commandClaimDecider } from '#domain/command-claim/command-claim.decider.js';
import { lastEndedJob, sessionDecider } from '#domain/session/session.decider.js';
import { auditStream, commandStream, sessionStream } from '#domain/stream-names.js';
import { givenFor } from '#test/domain/given.js';

const given = givenFor(sessionDecider, sessionStream('s1'));
const owner = { sub: 'a', user_id: 'TUFF' };
const claim = (by: { sub: string; user_id: string | null }) =>
  ({ type: 'claim', owner: by }) as const;
const ended = (job_seed: string) => ({ type: 'job_ended', job_seed }) as const;

test('the first start in a session claims the session for its caller; later starts change nothing (SPEC I9)', () => {
  given()
    .when(claim(owner), claim(owner), claim({ sub: 'a', user_id: 'user_tuff' }))
    .then({ type: 'session_claimed', data: { session_id: 's1', owner } });
});

test('another caller, or the same caller for another user, cannot use the session (SPEC I9)', () => {
  given()
    .when(claim(owner), claim({ sub: 'b', user_id: 'TUFF' }))
    .thenRefused('PERMISSION_DENIED');
  given()
    .when(claim(owner), claim({ sub: 'a', user_id: 'bob' }))
    .thenRefused('PERMISSION_DENIED');
});

test('a session records each end of a job once, and knows the job that ended last (SPEC J1)', () => {
  const outcome = given().when(claim(owner), ended('j1'), ended('j2'), ended('j1'));
  outcome.thenTypes('session_claimed', 'session_job_ended', 'session_job_ended');
  expect(lastEndedJob(outcome.state())).toBe('j2');
  expect(lastEndedJob(given().when().state())).toBeUndefined();
});

test('a session that nobody has claimed has no jobs', () => {
  given().when(ended('j1')).thenRefused('NOT_FOUND');
});

test('a retry of a command goes to the same target as the first attempt, whatever was claimed in between (SPEC I7)', () => {
  const outcome = givenFor(commandClaimDecider, commandStream('c1'))().when(
    { type: 'claim', target_stream: 'job-1' },
    { type: 'claim', target_stream: 'job-2' },
  );
  outcome.then({ type: 'command_claimed', data: { target_stream: 'job-1' } });
  expect(outcome.state().target_stream).toBe('job-1');
});

test('the record of a refused command includes the number of earlier refusals that were counted but not recorded (SPEC I1)', () => {
  const refused = { code: 'PERMISSION_DENIED', route: 'PUT /v1/sem', stream: null };
  const outcome = givenFor(auditDecider, auditStream('a'))().when(
    { type: 'record_refusal', ...refused, uncounted_before: 0 },
    { type: 'record_refusal', ...refused, uncounted_before: 7 },
  );
  outcome.thenTypes('command_refused', 'command_refused');
  expect(outcome.state().refusals).toBe(9);
  expect(auditStream('a')).toMatch(/^audit-[0-9a-f]{16}$/);
});

test('in the session, claim and audit streams, a recorded event leads back to its command', () => {
  const data = { code: 'JOB_ENDED', route: 'POST /v1/jobs', stream: 'job-1', uncounted_before: 0 };
  const event = { type: 'command_refused', data } as const;
  expect(
    auditDecider.decide(auditDecider.commandOf(event), auditDecider.initialState('audit-1')),
  ).toStrictEqual([event]);
  const events = given().when(claim(owner), ended('j1')).events();
  given()
    .when(...events.map((recorded) => sessionDecider.commandOf(recorded)))
    .then(...events);
});
