import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import type { RequestListener } from 'node:http';
import { TokenVerifier } from '#apps/api/platform/auth/token-verifier.js';
import { HOSTILE, HostileServer } from '#test/support/hostile-server.js';
import { AUDIENCE, ISSUER } from '#test/support/token-issuer.js';

const KEYS_PATH = '/keys';

let server: HostileServer;
let token: string;
let published: JWK;

beforeAll(async () => {
  server = await HostileServer.start();
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  published = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' };
  token = await new SignJWT({ sub: 'me', roles: ['agent'] })
    .setProtectedHeader({ alg: 'ES256', kid: 'one' })
    .setAudience(AUDIENCE)
    .setIssuer(ISSUER)
    .setExpirationTime('5m')
    .sign(privateKey);
});
afterAll(() => server.stop());

const verifier = (): TokenVerifier => {
  const jwksUrl = server.url + KEYS_PATH;
  return new TokenVerifier({ jwksUrl, audience: AUDIENCE, issuer: ISSUER }, 500);
};
const says =
  (keys: unknown): RequestListener =>
  (_, response) =>
    response.end(typeof keys === 'string' ? keys : JSON.stringify({ keys }));
const many = (count: number): RequestListener => {
  const keys = Array.from({ length: count }, (_, n) => ({ kty: 'EC', kid: `k${n}` }));
  return says(keys);
};
const modulus = Buffer.alloc(120_000, 0xff).toString('base64url');

const UNREADABLE = expect.objectContaining({
  code: 'UNAUTHENTICATED',
  facts: {
    reason: expect.stringMatching(
      /^(the keys to check it with cannot be read|its key is unknown)$/,
    ),
  },
});

test.each<readonly [string, RequestListener]>([
  ...Object.entries(HOSTILE),
  [
    'a redirect to another service',
    (request, response) => {
      const location = request.url === KEYS_PATH ? '/elsewhere' : KEYS_PATH;
      response.writeHead(307, { location }).end('[]');
    },
  ],
  ['100,000 keys', many(100_000)],
  ['2,000 keys of which none is the right one', many(2_000)],
  ['keys that are no list', says('{"keys": {"kid": "one"}}')],
  ['keys that are no objects', says([null, 1, 'one'])],
  ['a list that repeats a name', says('{"keys": [], "keys": []}')],
  [
    'a key of a million bits',
    (_, response) =>
      says([{ kty: 'RSA', kid: 'one', alg: 'ES256', n: modulus, e: 'AQAB' }])(_, response),
  ],
  [
    'a key of another curve under the same id',
    (_, response) => says([{ ...published, crv: 'P-521' }])(_, response),
  ],
  ['a key without its point', (_, response) => says([{ ...published, x: undefined }])(_, response)],
])('a token is refused if the identity provider answers with %s', async (_, answer) => {
  const hostile = verifier();
  server.answers(answer);
  await expect(hostile.verified(token)).rejects.toStrictEqual(UNREADABLE);
  expect(new Set(server.paths)).toStrictEqual(new Set([KEYS_PATH]));
  await server.isLeft();
});

test('a token is accepted again once the identity provider answers as it should', async () => {
  const hostile = verifier();
  server.answers(HOSTILE['nothing at all']!);
  await expect(hostile.verified(token)).rejects.toStrictEqual(UNREADABLE);
  server.answers(says([published]));
  expect((await hostile.verified(token)).actor).toMatchObject({ sub: 'me', roles: ['agent'] });
});
