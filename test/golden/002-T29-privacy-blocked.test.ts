import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ErrorEnvelope } from '#domain/errors/envelope.js';
import { ERROR_TABLE } from '#domain/errors/error-table.js';
import { TestService } from '#test/support/service.js';

let service: TestService;
let user: string;

before(async () => {
  service = await TestService.start();
  user = await service.token('user', { user_id: 'tuff' });
});
after(() => service.stop());

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
    assert.equal(status, 403);
    assert.equal(envelope.error_code, 'PRIVACY_BLOCKED');
    assert.equal(envelope.severity, ERROR_TABLE.PRIVACY_BLOCKED.severity);
    assert.equal(
      envelope.user_message,
      'I can’t store or repeat that kind of sensitive personal information.',
    );
    assert.ok(!/alice|123-45|hunter2|1985/.test(JSON.stringify(envelope)));
    const read = await service.call<ErrorEnvelope>('GET', path(attribute), { token: user });
    assert.equal(read.body.error_code, 'SEM_NOT_FOUND');
  }
});
