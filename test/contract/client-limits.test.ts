import { expect, test } from '@jest/globals';
import { MAX_VALUES } from '#apps/api/platform/http/strict-json.js';
import { BODY_LIMIT } from '#apps/api/platform/http/http-server.js';
import * as client from '#client/limits.js';
import { ITEM_BYTES, REQUEST_ITEMS } from '#domain/conversation/limits.js';
import { MAX_COMMANDS } from '#domain/job/constants.js';
import { MAX_QUERY, MAX_SAID } from '#domain/memories/limits.js';
import { TOOL_EVENTS, TURN_TEXT } from '#domain/memory-contract/utterance/utterance.js';
import { MAX_VALUE_BYTES } from '#domain/note/limits.js';
import { keyId } from '#domain/privacy/key-id.js';
import { APPEND_LIMIT } from '#event-store/draft.js';

test('the limits that the SDK keeps to are those of the service', () => {
  expect(client.MAX_COMMANDS).toBe(MAX_COMMANDS);
  expect(client.RECORD_BYTES).toBe(ITEM_BYTES);
  expect(client.RECORD_BYTES).toBe(MAX_VALUE_BYTES);
  expect(client.REQUEST.items).toBe(REQUEST_ITEMS);
  expect(client.TEXT_LENGTH).toBe(TURN_TEXT);
  expect(client.TEXT_LENGTH).toBe(MAX_SAID);
  expect(client.QUERY_LENGTH).toBe(MAX_QUERY);
  expect(client.TOOL_EVENTS).toStrictEqual(TOOL_EVENTS);
});

test('where the SDK leaves room, it leaves some and not much', () => {
  const shares = {
    commands: client.MAX_BYTES / APPEND_LIMIT,
    bytes: client.REQUEST.bytes / BODY_LIMIT,
    values: client.REQUEST.values / MAX_VALUES,
    sealed: sealedLength(client.SEALED_RECORD_BYTES) / ITEM_BYTES,
  };
  for (const [limit, share] of Object.entries(shares))
    expect([limit, share > 0.5 && share < 1]).toStrictEqual([limit, true]);
});

/** The length of the compact JWE of so many bytes, for the longest name of a subject that is common. */
function sealedLength(bytes: number): number {
  const header = JSON.stringify({
    alg: 'dir',
    enc: 'A256GCM',
    kid: keyId(`user:${'u'.repeat(64)}`, 1),
  });
  const parts = [header.length, 12, bytes, 16].map((size) => Math.ceil((size * 4) / 3));
  return parts.reduce((sum, part) => sum + part + 1, 0);
}
