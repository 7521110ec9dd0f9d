import { createSecretKey, randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CompactEncrypt, compactDecrypt } from 'jose';
import { openText, sealText } from '#subject-keys/sealed-text.js';

const bytes = randomBytes(32);
const key = createSecretKey(bytes);
const text = fc.string({ unit: 'grapheme', maxLength: 200 });

test('a sealed text is opened by jose, and opens what jose has sealed', () =>
  fc.assert(
    fc.asyncProperty(text, async (said) => {
      const { plaintext, protectedHeader } = await compactDecrypt(
        sealText(said, key, 'user:ada#1'),
        bytes,
      );
      expect(Buffer.from(plaintext).toString()).toBe(said);
      expect(protectedHeader).toEqual({ alg: 'dir', enc: 'A256GCM', kid: 'user:ada#1' });
      const sealed = await new CompactEncrypt(Buffer.from(said))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: 'user:ada#1' })
        .encrypt(bytes);
      expect(openText(sealed, key)).toBe(said);
    }),
  ));

test('a sealed text is refused after any change of one character, and under another key', () =>
  fc.assert(
    fc.property(text, fc.nat(), fc.string({ minLength: 1, maxLength: 1 }), (said, at, other) => {
      const sealed = sealText(said, key, 'user:ada#1');
      const place = at % sealed.length;
      const changed = sealed.slice(0, place) + other + sealed.slice(place + 1);
      fc.pre(changed !== sealed);
      expect(() => openText(changed, key)).toThrow();
      expect(() => openText(sealed, createSecretKey(randomBytes(32)))).toThrow();
    }),
  ));

test('a sealed text is refused with a part left out, cut or added', () => {
  const sealed = sealText('peanuts', key, 'user:ada#1');
  const parts = sealed.split('.');
  for (let place = 0; place < parts.length; place += 1) {
    expect(() => openText(parts.toSpliced(place, 1).join('.'), key)).toThrow();
    expect(() => openText(parts.toSpliced(place, 0, 'AAAA').join('.'), key)).toThrow();
    const cut = parts.with(place, (parts[place] ?? '').slice(0, -2));
    if (cut[place] !== parts[place]) expect(() => openText(cut.join('.'), key)).toThrow();
  }
});
