import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import messages from '#domain/errors/golden_messages.json' with { type: 'json' };
import { connectEventStore } from '#event-store/event-store-db.js';
import type { EventStore } from '#event-store/event-store.js';
import { Caller } from '#test/support/caller.js';
import { assertReported, failureOf, missOf } from '#test/support/failure.js';
import { HASH, INSTANT } from '#test/support/matchers.js';
import { TestService } from '#test/support/service.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { mace } from '#test/support/cli-run.js';
import { eventsIn } from '../faults/support/log.js';

/** What a command says of the request, after the line that names the service. */
const answerIn = (stderr: string): string => stderr.replace(/^Using [^\n]*\n/, '');

let service: TestService;
let user: Caller;
let log: EventStore;

beforeAll(async () => {
  service = await TestService.start({ ownLog: true });
  user = await Caller.of(service, 'user', { user_id: 'tuff' });
  log = connectEventStore(service.eventStore.url);
});
afterAll(async () => {
  await log.close();
  await service.stop();
});

const keyOf = (attribute: string) => `user/profile/user_tuff/${attribute}`;
const put = async (attribute: string, body: object) =>
  (await user.did('PUT', `sem/${keyOf(attribute)}`, { body })).body;
const get = (attribute: string) => user.get(`sem/${keyOf(attribute)}`);
const written = async (attribute: string) =>
  (await eventsIn(log, `sem-${keyOf(attribute)}`)).map(({ type, data }) => ({ type, data }));

/** What is the same in each put of this file, in its event and in its answer. */
const BY_USER = { source: 'user', notes: null, meta: null };
const factPut = (attribute: string, value: string, more: object = {}) => ({
  type: 'fact_put',
  data: {
    ...BY_USER,
    key: keyOf(attribute),
    value,
    timestamp: INSTANT,
    superseded: false,
    ...more,
  },
});
const fact = (value: string, version: number, last_updated: unknown = INSTANT) => ({
  ...BY_USER,
  exists: true,
  value,
  version,
  last_updated,
});

/** Asserts that a read of the key is a miss, is one log line, and has written nothing. */
async function assertMissing(attribute: string): Promise<void> {
  const key = keyOf(attribute);
  const line = assertReported(service, await user.ask('GET', `sem/${key}`), missOf(key));
  expect(line).toMatchObject({ event: 'sem_miss', key, agent_id: null });
  expect(await written(attribute)).toStrictEqual([]);
}

test('002-T9 [stage0] [golden] [high] a read returns the put with the later timestamp, and the log keeps both puts', async () => {
  const [first, second] = ['2025-11-29T12:00:00.000Z', '2025-11-29T12:00:01.000Z'];
  await put('favorite_color', { value: 'green', timestamp: first });
  await put('favorite_color', { value: 'red', timestamp: second });
  expect(await get('favorite_color')).toStrictEqual(fact('red', 1, second));
  expect(await written('favorite_color')).toStrictEqual([
    factPut('favorite_color', 'green', { timestamp: first }),
    factPut('favorite_color', 'red', { timestamp: second }),
  ]);
});

test('S3 a put with an earlier timestamp is acknowledged as superseded, and reads do not return it', async () => {
  await put('city', { value: 'Oslo', timestamp: '2025-11-29T12:00:01Z' });
  const late = await put('city', { value: 'Rome', timestamp: '2025-11-29T12:00:00Z' });
  expect(late['superseded']).toBe(true);
  expect((await get('city'))['value']).toBe('Oslo');
});

test('002-T11 [stage0] [golden] [medium] a slightly different key is a miss, never a fuzzy hit, and only the synonyms lead to the stored key', async () => {
  await put('favorite_color', { value: 'blue' });
  await assertMissing('favourite_colour');
  expect((await get('favorite_color'))['value']).toBe('blue');
  expect(await user.post('sem-aliases/resolve', { text: 'favourite colour' })).toStrictEqual({
    key: keyOf('favorite_color'),
  });
});

test('002-key-T5 [stage0] [golden] [high] a read of a key that was never put says that it does not exist, and writes nothing', async () => {
  await assertMissing('never_put');
});

test('002-key-T6 [stage0] [golden] [high] putting twice keeps the last value', async () => {
  const answers = [
    await put('nickname', { value: 'first' }),
    await put('nickname', { value: 'second' }),
  ];
  expect(answers).toStrictEqual(
    [0, 1].map((version) => ({
      key: keyOf('nickname'),
      version,
      timestamp: INSTANT,
      source: 'user',
      superseded: false,
    })),
  );
  expect(await get('nickname')).toStrictEqual(fact('second', 1));
  expect(await written('nickname')).toStrictEqual([
    factPut('nickname', 'first'),
    factPut('nickname', 'second'),
  ]);
});

describe('Malformed and oversized input', () => {
  const path = `sem/${keyOf('big')}`;
  const MALFORMED = messages.INVALID_INPUT.user_message;
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
      const answer = await user.ask('PUT', path, { body });
      const line = assertReported(service, answer, failureOf('INVALID_INPUT', { reason }));
      expect([line['reason'], line['body_hash']]).toStrictEqual([reason, hashed ? HASH : null]);
      // Only a hash of the payload is logged.
      expect(JSON.stringify(service.log)).not.toMatch(/xxxx/);
      expect(await written('big')).toStrictEqual([]);
    });

  test('002-T28 [stage0] [golden] [medium] a question that is too long gets the fixed message', async () => {
    const body = { query_text: 'x'.repeat(16_001) };
    const reason = 'query_text must be shorter than or equal to 16000 characters';
    assertReported(
      service,
      await user.ask('POST', 'queries', { body }),
      failureOf('INVALID_INPUT', { reason }),
    );
  });

  test('002-T28 [stage0] [golden] [medium] the command line refuses malformed lines of a file with the fixed message, code and line, and exits with 1', async () => {
    const folder = temporaryFolder('malformed-import');
    const file = join(folder.path, 'runs.jsonl');
    const good = { job_seed: 'well-formed', messages: [{ role: 'user', content: 'Hello.' }] };
    const tooLong = { ...good, job_seed: 'x'.repeat(200) };
    writeFileSync(file, `{"job_seed": \n${JSON.stringify(tooLong)}\n${JSON.stringify(good)}\n`);
    const token = await service.token('agent');
    const run = await mace(['import', file, '--url', service.url, '--token', token]);
    expect([answerIn(run.stderr), run.code]).toStrictEqual([`${MALFORMED}\n`, 1]);
    expect(run.stdout).toMatch(/^Refused +line 1: INVALID_INPUT: not JSON$/m);
    expect(run.stdout).toMatch(/^Refused +line 2: INVALID_INPUT: job_seed is missing, or is not /m);
    expect(run.stdout).toMatch(/^Imported 1 run /m);
    folder.remove();
  });

  test('002-T28 [stage0] [golden] [medium] the command line prints the message, the code and the trace id of what the service refuses', async () => {
    const token = await service.token('admin');
    const args = ['queue', 'retry', 'NOT AN ID', '--url', service.url, '--token', token];
    const { stderr, code } = await mace(args);
    expect(answerIn(stderr).split('\n')).toStrictEqual([
      MALFORMED,
      expect.stringMatching(/^INVALID_INPUT: Validation refused the request: id .+$/),
      expect.stringMatching(/^trace id: [0-9a-f]{32}$/),
      '',
    ]);
    expect(code).toBe(2);
  });
});
