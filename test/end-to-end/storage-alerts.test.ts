import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { ERROR_CODES, ERROR_TABLE } from '#domain/errors/error-table.js';
import { TestService } from '#test/support/service.js';

const RULES = readFileSync(new URL('../../ops/prometheus-rules.yml', import.meta.url), 'utf8');
const EXPRESSIONS = [...RULES.matchAll(/^ +expr: (.+)$/gm)].map(
  ([, expression = '']) => expression,
);
/** The metric whose count makes SEM_WRITE_FAIL critical (SPEC §10). */
const PERSISTENT = 'mace_sem_write_failures_in_a_row';

describe('The sample alerts', () => {
  let service: TestService;
  let metrics: string;

  beforeAll(async () => {
    service = await TestService.start();
    metrics = (await service.call<string>('GET', '/metrics')).body;
  });
  afterAll(() => service?.stop());

  it('every metric in the sample alerts exists in /metrics', () => {
    const names = EXPRESSIONS.flatMap((text) => text.match(/\b(?:mace|router)_\w+/g) ?? []);
    expect(names.length).toBeGreaterThanOrEqual(EXPRESSIONS.length);
    for (const name of names) expect(metrics).toMatch(new RegExp(`^# TYPE ${name} `, 'm'));
  });

  it('every error code in the sample alerts exists in the error table', () => {
    const codes = EXPRESSIONS.flatMap((text) => {
      const [, list = ''] = /code=~?"([\w|]+)"/.exec(text) ?? [];
      return list === '' ? [] : list.split('|');
    });
    expect(codes.length).toBeGreaterThan(0);
    for (const code of codes) expect(ERROR_CODES as readonly string[]).toContain(code);
  });

  it('the sample alerts cover every failure that the error table calls critical, or that becomes critical', () => {
    const critical = ERROR_CODES.filter((code) => ERROR_TABLE[code].severity === 'critical');
    for (const name of [...critical, PERSISTENT])
      expect(EXPRESSIONS.some((text) => text.includes(name))).toBe(true);
  });

  it('no sample alert compares positions of the log, whose unit differs between event stores', () => {
    for (const text of EXPRESSIONS) expect(text).not.toMatch(/_positions?\b/);
  });

  it('docs/alerts.md has an entry for each sample alert, and for no other', () => {
    const page = readFileSync(new URL('../../docs/alerts.md', import.meta.url), 'utf8');
    const alerts = [...RULES.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
    const entries = [...page.matchAll(/^## (Mace\w+)$/gm)].map(([, name]) => name);
    expect(entries.sort()).toStrictEqual(alerts.sort());
  });

  it('each sample alert has a summary and an action', () => {
    const count = (word: string) => RULES.split(`${word}: `).length - 1;
    expect(count('- alert')).toBe(EXPRESSIONS.length);
    expect(count('summary')).toBe(EXPRESSIONS.length);
    expect(count('action')).toBe(EXPRESSIONS.length);
  });
});
