import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { TEST_KEYS, TestService } from '#test/support/service.js';
import { ensure } from '#test/support/ensure.js';
import { named } from '#test/support/named.js';

type PrivateKey = Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];

describe('I9 Tokens of an issuer that publishes its keys', () => {
  let issuer: Server;
  let service: TestService;
  const published: JWK[] = [];
  const privates = new Map<string, PrivateKey>();

  beforeAll(async () => {
    issuer = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ keys: published }));
    });
    await new Promise<void>((resolve) => issuer.listen(0, '127.0.0.1', resolve));
    const { port } = issuer.address() as AddressInfo;
    await makeKey('ES256', 'first');
    await makeKey('RS256', 'second');
    service = await TestService.start({
      environment: {
        MACE_JWT_SECRET: '',
        MACE_JWKS_URL: `http://127.0.0.1:${port}/.well-known/jwks.json`,
      },
    });
  });
  afterAll(async () => {
    await service?.stop();
    issuer?.closeAllConnections();
    issuer?.close();
  });

  async function makeKey(alg: string, kid: string, isPublished = true): Promise<void> {
    const { publicKey, privateKey } = await generateKeyPair(alg);
    privates.set(kid, privateKey);
    if (isPublished) published.push({ ...(await exportJWK(publicKey)), kid, alg, use: 'sig' });
  }
  function token(kid: string, alg: string, claims: Record<string, unknown>): Promise<string> {
    const key = privates.get(kid);
    ensure(key);
    return new SignJWT({ sub: named('agent-1'), roles: ['agent'], ...claims })
      .setProtectedHeader({ alg, kid })
      .setExpirationTime('5m')
      .sign(key);
  }
  const statusOf = async (bearer: string): Promise<number> =>
    (await service.call('GET', '/v1/jobs', { token: bearer })).status;

  it('I9 a token that is signed with any of the issuer’s keys is accepted, and carries sub, roles and user_id', async () => {
    expect(await statusOf(await token('first', 'ES256', {}))).toBe(200);
    expect(await statusOf(await token('second', 'RS256', {}))).toBe(200);
    const user = await token('first', 'ES256', {
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
    await makeKey('ES256', 'unknown', false);
    const stranger = await token('unknown', 'ES256', {});
    const { status, body } = await service.call('GET', '/v1/jobs', { token: stranger });
    expect([status, body.error_code]).toStrictEqual([401, 'UNAUTHENTICATED']);
    const shared = await new SignJWT({ sub: 'a', roles: ['admin'] })
      .setProtectedHeader({ alg: 'HS256', kid: 'first' })
      .setExpirationTime('5m')
      .sign(new TextEncoder().encode(TEST_KEYS.MACE_JWT_SECRET));
    expect(await statusOf(shared)).toBe(401);
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(
      '{"sub":"a","roles":["admin"],"exp":9999999999}',
    ).toString('base64url')}.`;
    expect(await statusOf(none)).toBe(401);
  });

  it('I9 a token that has expired, or has no sub, roles or valid user_id, is refused', async () => {
    const key = privates.get('first');
    ensure(key);
    const expired = await new SignJWT({ sub: named('agent-1'), roles: ['agent'] })
      .setProtectedHeader({ alg: 'ES256', kid: 'first' })
      .setExpirationTime('-1m')
      .sign(key);
    expect(await statusOf(expired)).toBe(401);
    const eternal = await new SignJWT({ sub: named('agent-1'), roles: ['agent'] })
      .setProtectedHeader({ alg: 'ES256', kid: 'first' })
      .sign(key);
    expect(await statusOf(eternal)).toBe(401);
    for (const claims of [
      { sub: '' },
      { sub: 'x'.repeat(257) },
      { roles: 'agent' },
      { roles: undefined },
      { user_id: 7 },
      { user_id: '' },
    ])
      expect(await statusOf(await token('first', 'ES256', claims))).toBe(401);
    expect(await statusOf(await token('first', 'ES256', { roles: ['made-up'] }))).toBe(403);
  });
});
