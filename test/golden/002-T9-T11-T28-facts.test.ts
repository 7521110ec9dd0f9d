import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ErrorEnvelope } from '#domain/errors/envelope.js';
import { connectEventStore } from '#event-store/event-store-db.js';
import type { EventStore } from '#event-store/event-store.js';
import { Caller } from '#test/support/caller.js';
import { assertReported } from '#test/support/failure.js';
import { TestService } from '#test/support/service.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { mace } from '#test/support/cli-run.js';
import { eventsIn } from '../faults/support/log.js';

interface Fact {
  readonly exists: boolean;
  readonly value: unknown;
  readonly source: string;
}

let service: TestService;
let user: string;
let caller: Caller;
let log: EventStore;

beforeAll(async () => {
  service = await TestService.start({ ownLog: true });
  user = await service.token('user', { user_id: 'tuff' });
  caller = await Caller.of(service, 'user', { user_id: 'tuff' });
  log = connectEventStore(service.eventStore.url);
});
afterAll(async () => {
  await log.close();
  await service.stop();
});

const put = (attribute: string, body: object, token = user) =>
  service.call<{ superseded: boolean }>('PUT', `/v1/sem/user/profile/user_tuff/${attribute}`, {
    token,
    body,
  });
const get = <Body = Fact>(attribute: string) =>
  service.call<Body>('GET', `/v1/sem/user/profile/user_tuff/${attribute}`, { token: user });

test('002-T9 [stage0] [golden] [high] a read returns the put with the later timestamp', async () => {
  await put('favorite_color', { value: 'green', timestamp: '2025-11-29T12:00:00Z' });
  await put('favorite_color', { value: 'red', timestamp: '2025-11-29T12:00:01Z' });
  const { status, body } = await get('favorite_color');
  expect(status).toBe(200);
  expect(body.exists).toBe(true);
  expect(body.value).toBe('red');
  expect(body.source).toBe('user');
});

test('S3 a put with an earlier timestamp is acknowledged as superseded, and reads do not return it', async () => {
  await put('city', { value: 'Oslo', timestamp: '2025-11-29T12:00:01Z' });
  const late = await put('city', { value: 'Rome', timestamp: '2025-11-29T12:00:00Z' });
  expect(late.status).toBe(200);
  expect(late.body.superseded).toBe(true);
  expect((await get('city')).body.value).toBe('Oslo');
});

test('002-T11 [stage0] [golden] [medium] a slightly different key is a miss, never a fuzzy hit', async () => {
  await put('favorite_color', { value: 'blue' });
  const { status, body } = await get<ErrorEnvelope & { result: unknown }>('favourite_colour');
  expect(status).toBe(400);
  expect(body.error_code).toBe('SEM_NOT_FOUND');
  expect(body.result).toStrictEqual({ exists: false, value: null });
});

test('002-key-T5 [stage0] [golden] a key that was never put does not exist', async () => {
  const { body } = await get<ErrorEnvelope & { result: { exists: boolean } }>('never_put');
  expect(body.result.exists).toBe(false);
});

test('002-key-T6 [stage0] [golden] putting twice keeps the last value', async () => {
  await put('nickname', { value: 'first' });
  await put('nickname', { value: 'second' });
  expect((await get('nickname')).body.value).toBe('second');
});

describe('002-T28', () => {
  const path = 'sem/user/profile/user_tuff/big';
  const MALFORMED =
    'Your request looks malformed or too large. Please shorten it or fix the format.';
  const wrong: readonly {
    readonly why: string;
    readonly body: unknown;
    readonly reason: string;
    /** False if the body was not read to its end, so that nothing can be hashed. */
    readonly hashed?: boolean;
  }[] = [
    { why: 'malformed JSON', body: '{"value": ', reason: 'the body is not JSON' },
    {
      why: 'a body of more than 1 MB',
      body: { value: 'x'.repeat(2 * 1024 * 1024) },
      reason: 'the body is larger than 1 MB',
      hashed: false,
    },
    {
      why: 'a value of more than 16 KB',
      body: { value: 'x'.repeat(17 * 1024) },
      reason: 'a value has at most 16 KB canonical',
    },
    {
      why: 'bytes that are not UTF-8',
      body: new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
      reason: 'the body is not UTF-8',
    },
    {
      why: 'an unknown field',
      body: { value: 'x', hidden: true },
      reason: 'hidden is not a known field',
    },
  ];

  for (const { why, body, reason, hashed = true } of wrong)
    test(`002-T28 [stage0] [golden] [medium] ${why} gets the fixed message with status 400, a log line with the reason, and writes nothing`, async () => {
      const answer = await caller.ask('PUT', path, { body });
      expect(answer.status).toBe(400);
      assertReported(service, answer, {
        code: 'INVALID_INPUT',
        user_message: MALFORMED,
        developer_message: `Validation refused the request: ${reason}.`,
      });
      const { query_id } = answer.body.meta;
      const line = service.log.find((one) => one['query_id'] === query_id);
      expect(line).toMatchObject({ reason, status: 400, severity: 'info' });
      expect(line?.['body_hash']).toStrictEqual(
        hashed ? expect.stringMatching(/^[0-9a-f]{64}$/) : null,
      );
      // Only a hash of the payload is logged.
      expect(JSON.stringify(service.log)).not.toMatch(/xxxx/);
      expect(await eventsIn(log, 'sem-user/profile/user_tuff/big')).toStrictEqual([]);
    });

  test('002-T28 [stage0] [golden] [medium] a question that is too long gets the fixed message', async () => {
    const body = { query_text: 'x'.repeat(16_001) };
    const { user_message, status } = await caller.refused('INVALID_INPUT', 'POST', 'queries', {
      body,
    });
    expect([user_message, status]).toStrictEqual([MALFORMED, 400]);
  });

  test('002-T28 [stage0] [golden] [medium] the command line refuses malformed lines of a file with the fixed message, code and line, and exits with 1', async () => {
    const folder = temporaryFolder('malformed-import');
    const file = join(folder.path, 'runs.jsonl');
    const good = { job_seed: 'well-formed', messages: [{ role: 'user', content: 'Hello.' }] };
    const tooLong = { ...good, job_seed: 'x'.repeat(200) };
    writeFileSync(file, `{"job_seed": \n${JSON.stringify(tooLong)}\n${JSON.stringify(good)}\n`);
    const token = await service.token('agent');
    const run = await mace(['import', file, '--url', service.url, '--token', token]);
    expect([run.stderr, run.code]).toStrictEqual([`${MALFORMED}\n`, 1]);
    expect(run.stdout).toMatch(/^Refused +line 1: INVALID_INPUT: not JSON$/m);
    expect(run.stdout).toMatch(/^Refused +line 2: INVALID_INPUT: job_seed is missing, or is not /m);
    expect(run.stdout).toMatch(/^Imported 1 run /m);
    folder.remove();
  });

  test('002-T28 [stage0] [golden] [medium] the command line prints the message, the code and the trace id of what the service refuses', async () => {
    const token = await service.token('admin');
    const args = ['queue', 'retry', 'NOT AN ID', '--url', service.url, '--token', token];
    const { stderr, code } = await mace(args);
    expect(stderr).toMatch(
      /^Your request looks malformed or too large\. Please shorten it or fix the format\.\nINVALID_INPUT: Validation refused the request: id .+\ntrace id: [0-9a-f]{32}\n$/,
    );
    expect(code).toBe(2);
  });
});
