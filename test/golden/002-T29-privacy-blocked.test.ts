import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ErrorEnvelope } from '#domain/errors/envelope.js';
import { ERROR_TABLE } from '#domain/errors/error-table.js';
import { TestService } from '#test/support/service.js';

let service: TestService;
let user: string;

beforeAll(async () => {
  service = await TestService.start({ ownLog: true });
  user = await service.token('user', { user_id: 'tuff' });
});
afterAll(() => service.stop());

const path = (attribute: string) => `/v1/sem/user/profile/user_tuff/${attribute}`;

test('002-T29 [stage0] [golden] [critical] personal data in a put is blocked and nothing is written', async () => {
  const bodies: readonly (readonly [string, object])[] = [
    ['note', { value: 'My SSN is 123-45-6789' }],
    ['note', { value: { deep: ['alice@example.com'] } }],
    ['note', { value: 'x', notes: 'password=hunter2' }],
    ['note', { value: 'x', meta: { 'alice@example.com': 1 } }],
    ['birthday', { value: '1985-03-04' }],
  ];
  for (const [attribute, body] of bodies) {
    const { status, body: envelope } = await service.call<ErrorEnvelope>('PUT', path(attribute), {
      token: user,
      body,
    });
    expect(status).toBe(403);
    expect(envelope.error_code).toBe('PRIVACY_BLOCKED');
    expect(envelope.severity).toBe(ERROR_TABLE.PRIVACY_BLOCKED.severity);
    expect(envelope.user_message).toBe(
      'I can’t store or repeat that kind of sensitive personal information.',
    );
    expect(JSON.stringify(envelope)).not.toMatch(/alice|123-45|hunter2|1985/);
    const read = await service.call<ErrorEnvelope>('GET', path(attribute), { token: user });
    expect(read.body.error_code).toBe('SEM_NOT_FOUND');
  }
});
