import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import * as inBrowsers from '#domain/determinism/sha.browser.js';
import * as inNode from '#domain/determinism/sha.js';

const text = fc.string({ unit: 'grapheme', maxLength: 300 });
const bytes = fc.uint8Array({ maxLength: 300 });
const input = fc.oneof(text, bytes);

/** Holds one implementation against the other: whatever one exports, the other one has. */
const inBoth = (hash: (sha: typeof inNode) => string): void => {
  const expected = hash(inNode);
  assert.match(expected, /^[0-9a-f]+$/);
  assert.equal(hash(inBrowsers), expected);
};

test('I5 SHA-256 and SHA-1 of any text or bytes are the same in Node and in a browser', () => {
  fc.assert(
    fc.property(input, (any) => {
      inBoth(({ sha256Hex }) => sha256Hex(any));
      inBoth(({ sha1Hex }) => sha1Hex(any));
    }),
  );
});

test('L2 an HMAC under any key is the same in Node and in a browser', () => {
  fc.assert(
    fc.property(input, text, (key, signed) =>
      inBoth(({ hmacSha256Hex }) => hmacSha256Hex(key, signed)),
    ),
  );
});

test('X1 a hash over pieces is the hash of the whole, and its copy goes on by itself', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 8 }), input, (pieces, last) => {
      for (const sha of [inNode, inBrowsers] satisfies (typeof inNode)[]) {
        const running = sha.runningSha256();
        for (const piece of pieces) running.update(piece);
        const copy = running.copy().update(last).digest('hex');
        assert.equal(running.digest('hex'), inNode.sha256Hex(pieces.join('')));
        const whole = Buffer.concat([Buffer.from(pieces.join('')), Buffer.from(last)]);
        assert.equal(copy, inNode.sha256Hex(whole));
      }
    }),
  );
});
