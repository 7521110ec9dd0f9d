import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as inBrowsers from '#domain/determinism/sha.browser.js';
import * as inNode from '#domain/determinism/sha.js';

const text = fc.string({ unit: 'grapheme', maxLength: 300 });
const bytes = fc.uint8Array({ maxLength: 300 });
const input = fc.oneof(text, bytes);

/** Runs the assertion with the implementation for Node and with the one for browsers. */
const inBoth = (hash: (sha: typeof inNode) => string): void => {
  const expected = hash(inNode);
  expect(expected).toMatch(/^[0-9a-f]+$/);
  expect(hash(inBrowsers)).toBe(expected);
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

test('X1 a hash over pieces equals the hash of the whole, and a copy of a hash in progress continues independently', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 8 }), input, (pieces, last) => {
      for (const sha of [inNode, inBrowsers] satisfies (typeof inNode)[]) {
        const running = sha.runningSha256();
        for (const piece of pieces) running.update(piece);
        const copy = running.copy().update(last).digest('hex');
        expect(running.digest('hex')).toBe(inNode.sha256Hex(pieces.join('')));
        const whole = Buffer.concat([Buffer.from(pieces.join('')), Buffer.from(last)]);
        expect(copy).toBe(inNode.sha256Hex(whole));
      }
    }),
  );
});

test('I5 the UTF-8 bytes of a text and their number are the same in Node and in a browser', () => {
  fc.assert(
    fc.property(text, (any) => {
      expect([...inNode.utf8Bytes(any)]).toStrictEqual([...inBrowsers.utf8Bytes(any)]);
      expect(inNode.utf8Length(any)).toBe(inBrowsers.utf8Length(any));
      expect(inNode.utf8Length(any)).toBe(inNode.utf8Bytes(any).length);
    }),
  );
});
