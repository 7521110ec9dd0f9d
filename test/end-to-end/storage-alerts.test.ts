import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { ERROR_CODES, ERROR_TABLE } from '#domain/errors/error-table.js';
import { TestService } from '#test/support/service.js';

const RULES = readFileSync(new URL('../../ops/prometheus-rules.yml', import.meta.url), 'utf8');
const EXPRESSIONS = [...RULES.matchAll(/^ +expr: (.+)$/gm)].map(
  ([, expression = '']) => expression,
);
/** What makes SEM_WRITE_FAIL critical (SPEC §10). */
const PERSISTENT = 'mace_sem_write_failures_in_a_row';

describe('The sample alerts', () => {
  let service: TestService;
  let metrics: string;

  before(async () => {
    service = await TestService.start();
    metrics = (await service.call<string>('GET', '/metrics')).body;
  });
  after(() => service?.stop());

  it('name metrics that /metrics has', () => {
    const names = EXPRESSIONS.flatMap((text) => text.match(/\b(?:mace|router)_\w+/g) ?? []);
    assert.ok(names.length >= EXPRESSIONS.length);
    for (const name of names) assert.match(metrics, new RegExp(`^# TYPE ${name} `, 'm'), name);
  });

  it('name error codes that the table has', () => {
    const codes = EXPRESSIONS.flatMap((text) => {
      const [, list = ''] = /code=~?"([\w|]+)"/.exec(text) ?? [];
      return list === '' ? [] : list.split('|');
    });
    assert.ok(codes.length > 0);
    for (const code of codes) assert.ok((ERROR_CODES as readonly string[]).includes(code), code);
  });

  it('are there for every failure that the table calls critical, and for those that become it', () => {
    const critical = ERROR_CODES.filter((code) => ERROR_TABLE[code].severity === 'critical');
    for (const name of [...critical, PERSISTENT])
      assert.ok(
        EXPRESSIONS.some((text) => text.includes(name)),
        `no alert tells of ${name}`,
      );
  });

  it('each say what they mean and what to do', () => {
    const count = (word: string) => RULES.split(`${word}: `).length - 1;
    assert.equal(count('- alert'), EXPRESSIONS.length);
    assert.equal(count('summary'), EXPRESSIONS.length);
    assert.equal(count('action'), EXPRESSIONS.length);
  });
});
