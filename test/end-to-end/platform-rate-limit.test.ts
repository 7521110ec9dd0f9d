import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ERROR_TABLE } from '#domain/errors/error-table.js';
import { Caller } from '#test/support/caller.js';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';

const LIMIT = 5;
const MINUTE_MS = 60_000;

describe('§10 MACE_RATE_LIMIT_PER_MINUTE', () => {
  let service: TestService;
  /** The time by which the clock of this process is ahead, in ms. */
  let ahead: number;

  beforeAll(async () => {
    const now = Date.now.bind(Date);
    // The tests begin at the start of a minute, so that no minute ends during one of them.
    ahead = MINUTE_MS - (now() % MINUTE_MS);
    jest.spyOn(Date, 'now').mockImplementation(() => now() + ahead);
    service = await TestService.start({
      environment: { MACE_RATE_LIMIT_PER_MINUTE: String(LIMIT) },
      // With modules of the test's own, the service has the clock above.
      more: [],
    });
  });
  afterAll(async () => {
    await service?.stop();
    jest.restoreAllMocks();
  });

  let callers = 0;
  const caller = (): Promise<Caller> =>
    Caller.of(service, 'agent', { sub: named(`caller-${(callers += 1)}`) });
  const list = (by: Caller) => by.ask('GET', 'jobs');
  const statuses = async (by: Caller, count: number): Promise<number[]> => {
    const found: number[] = [];
    while (found.length < count) found.push((await list(by)).status);
    return found;
  };
  const allowed = Array.from({ length: LIMIT }, () => 200);

  it('a caller’s requests beyond the limit are RATE_LIMITED, with the envelope and Retry-After', async () => {
    const by = await caller();
    expect(await statuses(by, LIMIT)).toStrictEqual(allowed);
    const { status, headers, body } = await list(by);
    expect(status).toBe(429);
    expect(body).toMatchObject({
      error_code: 'RATE_LIMITED',
      status: 429,
      severity: 'info',
      user_message: ERROR_TABLE.RATE_LIMITED.user_message,
      developer_message: expect.stringContaining(String(LIMIT)),
    });
    expect(body.meta.query_id).toBe(headers.get('mace-query-id'));
    const seconds = Number(headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
  });

  it('a refused request changes nothing, and its body is not read', async () => {
    const by = await caller();
    await statuses(by, LIMIT);
    const job_seed = named('never-started');
    const body = { job_seed };
    expect((await by.ask('POST', 'jobs', { body })).status).toBe(429);
    expect((await by.ask('POST', 'jobs', { body: '{"broken' })).status).toBe(429);
    const auditor = await Caller.of(service, 'auditor', { sub: named('looks-once') });
    await auditor.refused('NOT_FOUND', 'GET', `jobs/${job_seed}`);
  });

  it('the limit is for each subject: another one, and requests without a token, are not affected', async () => {
    const [by, other] = [await caller(), await caller()];
    expect(await statuses(by, LIMIT + 1)).toStrictEqual([...allowed, 429]);
    expect((await list(other)).status).toBe(200);
    for (let request = 0; request <= LIMIT; request += 1)
      expect((await service.call('GET', '/v1/jobs')).status).toBe(401);
    expect((await service.call('GET', '/health/live')).status).toBe(200);
  });

  it('two tokens of one subject share its limit, and forged tokens do not use it up', async () => {
    const sub = named('two-tokens');
    const [agent, auditor] = await Promise.all([
      Caller.of(service, 'agent', { sub }),
      Caller.of(service, 'auditor', { sub }),
    ]);
    for (let request = 0; request <= LIMIT; request += 1)
      expect((await service.call('GET', '/v1/jobs', { token: `${agent.token}x` })).status).toBe(
        401,
      );
    expect(await statuses(agent, LIMIT)).toStrictEqual(allowed);
    expect((await list(auditor)).status).toBe(429);
  });

  it('requests that arrive together count one by one', async () => {
    const by = await caller();
    const answers = await Promise.all(Array.from({ length: 3 * LIMIT }, () => list(by)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(LIMIT);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(2 * LIMIT);
  });

  it('the caller may send requests again after the time in Retry-After', async () => {
    const by = await caller();
    await statuses(by, LIMIT);
    const seconds = Number((await list(by)).headers.get('retry-after'));
    ahead += seconds * 1000;
    expect(await statuses(by, LIMIT + 1)).toStrictEqual([...allowed, 429]);
  });

  it('the failures are counted in the metrics without the subject', async () => {
    const { body } = await service.call<string>('GET', '/metrics');
    expect(body).toMatch(/code="RATE_LIMITED"[^\n]*\} [1-9]/);
    expect(body).not.toContain('caller-1');
  });
});
