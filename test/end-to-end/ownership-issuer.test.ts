import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JWTPayload } from 'jose';
import type { ErrorEnvelope } from '#domain/errors/envelope.js';
import { mintToken } from '#platform/auth/mint-token.js';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';
import { TEST_KEYS } from '#test/support/test-keys.js';
import { AUDIENCE, ISSUER, TokenIssuer, unsigned } from '#test/support/token-issuer.js';

/** Claims that name another service or another issuer, or none. */
const WRONG_PARTIES: readonly JWTPayload[] = [
  { aud: 'https://another.test' },
  { aud: `${AUDIENCE}/` },
  { aud: [] },
  { aud: undefined },
  { iss: 'https://another.test' },
  { iss: undefined },
];

describe('I9 Tokens of an issuer that publishes its keys', () => {
  let issuer: TokenIssuer;
  let service: TestService;

  beforeAll(async () => {
    issuer = await TokenIssuer.start();
    await issuer.addKey('first', 'ES256');
    await issuer.addKey('second', 'RS256');
    service = await TestService.start({ environment: issuer.environment });
  });
  afterAll(async () => {
    await service?.stop();
    issuer?.stop();
  });

  const signed = (kid: string, claims: JWTPayload): Promise<string> =>
    issuer.sign(kid, { sub: named('agent-1'), roles: ['agent'], ...claims });
  const list = (token: string) => service.call('GET', '/v1/jobs', { token });
  const statusOf = async (token: string): Promise<number> => (await list(token)).status;

  async function isRefused(token: string): Promise<ErrorEnvelope> {
    const { status, body } = await list(token);
    expect([status, body.error_code]).toStrictEqual([401, 'UNAUTHENTICATED']);
    return body;
  }

  it('I9 a token that is signed with any of the issuer’s keys is accepted, and carries sub, roles and user_id', async () => {
    expect(await statusOf(await signed('first', {}))).toBe(200);
    expect(await statusOf(await signed('second', {}))).toBe(200);
    const user = await signed('first', {
      sub: named('u'),
      roles: ['user'],
      user_id: named('tuff'),
    });
    const path = `/v1/sem/user/profile/user_${named('tuff')}/name`;
    const body = { value: 'Tuff' };
    expect((await service.call('PUT', path, { token: user, body })).status).toBe(200);
    expect((await service.call('POST', '/v1/jobs', { token: user, body: {} })).status).toBe(403);
  });

  it('I9 a token that is signed with an unpublished key or another secret is refused', async () => {
    await issuer.addKey('unknown', 'ES256', { isPublished: false });
    await isRefused(await signed('unknown', {}));
    const admin = { sub: 'a', roles: ['admin'] };
    await isRefused(await issuer.forge('first', TEST_KEYS.MACE_JWT_SECRET, admin));
    await isRefused(unsigned(admin));
  });

  it('I9 a token that is signed with the published key as a shared secret is refused', async () => {
    const admin = { sub: 'a', roles: ['admin'] };
    for (const kid of ['first', 'second']) {
      const pem = await issuer.publicKeyOf(kid);
      for (const secret of [pem, pem.trim(), JSON.stringify(issuer.published[0])])
        await isRefused(await issuer.forge(kid, secret, admin));
    }
  });

  it('I9 a token that names another service or another issuer is refused, and the failure names the claim', async () => {
    for (const claims of WRONG_PARTIES) {
      const { developer_message } = await isRefused(await signed('first', claims));
      expect(developer_message).toContain(`its claim ${'aud' in claims ? 'aud' : 'iss'} is not`);
    }
    const several = { aud: ['https://another.test', AUDIENCE] };
    expect(await statusOf(await signed('first', several))).toBe(200);
  });

  it('I9 a token that has expired, or has no sub, roles or valid user_id, is refused', async () => {
    const now = Math.floor(Date.now() / 1000);
    for (const claims of [
      { exp: now - 60 },
      { exp: undefined },
      { nbf: now + 60 },
      { sub: '' },
      { sub: 'x'.repeat(257) },
      { roles: 'agent' },
      { roles: undefined },
      { user_id: 7 },
      { user_id: '' },
    ])
      await isRefused(await signed('first', claims));
    expect(await statusOf(await signed('first', { roles: ['made-up'] }))).toBe(403);
  });
});

describe('I9 Tokens with a shared secret that name an audience and an issuer', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.start({
      environment: { MACE_JWT_AUDIENCE: AUDIENCE, MACE_JWT_ISSUER: ISSUER },
    });
  });
  afterAll(() => service?.stop());

  it('I9 a token is accepted only if it names the audience and the issuer that are set', async () => {
    const claims = { sub: named('agent-1'), roles: ['agent'] as const, ttl: 60 };
    const jwtSecret = TEST_KEYS.MACE_JWT_SECRET;
    const statusOf = async (parties: { audience?: string; issuer?: string }): Promise<number> => {
      const token = await mintToken({ jwtSecret, ...parties }, claims);
      return (await service.call('GET', '/v1/jobs', { token })).status;
    };
    expect(await statusOf({ audience: AUDIENCE, issuer: ISSUER })).toBe(200);
    expect(await statusOf({ audience: AUDIENCE })).toBe(401);
    expect(await statusOf({ issuer: ISSUER })).toBe(401);
    expect(await statusOf({ audience: ISSUER, issuer: AUDIENCE })).toBe(401);
    expect(await statusOf({})).toBe(401);
  });

  it('I9 a token with another algorithm than HS256 is refused', async () => {
    const admin = { sub: 'a', roles: ['admin'] };
    const other = await TokenIssuer.start();
    await other.addKey('k', 'RS256');
    const tokens = [
      await other.sign('k', admin),
      unsigned(admin),
      unsigned(admin, { alg: 'None' }),
      unsigned(admin, { alg: 'HS256' }),
    ];
    other.stop();
    for (const token of tokens) {
      const { status } = await service.call('GET', '/v1/jobs', { token });
      expect(status).toBe(401);
    }
  });
});
