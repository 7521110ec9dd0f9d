import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ErrorEnvelope } from '#domain/errors/envelope.js';
import { ERROR_TABLE } from '#domain/errors/error-table.js';
import { TestService } from '#test/support/service.js';

interface Fact {
  readonly exists: boolean;
  readonly value: unknown;
  readonly source: string;
}

let service: TestService;
let user: string;

beforeAll(async () => {
  service = await TestService.start({ ownLog: true });
  user = await service.token('user', { user_id: 'tuff' });
});
afterAll(() => service.stop());

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

test('002-T28 [stage0] [golden] [medium] malformed and oversized payloads get the fixed message', async () => {
  const wrong: { body: string | Uint8Array; why: string }[] = [
    { body: '{"value": ', why: 'malformed JSON' },
    { body: JSON.stringify({ value: 'x'.repeat(2 * 1024 * 1024) }), why: 'more than 1 MB' },
    { body: JSON.stringify({ value: 'x'.repeat(17 * 1024) }), why: 'a value over 16 KB' },
    { body: new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), why: 'bytes that are not UTF-8' },
  ];
  for (const { body, why } of wrong) {
    const answer = await service.call('PUT', '/v1/sem/user/profile/user_tuff/big', {
      token: user,
      body,
    });
    expect([why, answer.status]).toStrictEqual([why, 400]);
    expect([why, answer.body.error_code]).toStrictEqual([why, 'INVALID_INPUT']);
    expect([why, answer.body.user_message]).toStrictEqual([
      why,
      ERROR_TABLE.INVALID_INPUT.user_message,
    ]);
  }
});
