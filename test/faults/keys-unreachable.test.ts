import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { KEY_FRESH_MS } from '#subject-keys/subject-keys.js';
import { Caller } from '#test/support/caller.js';
import { DataSubject, EMAIL } from '#test/support/data-subject.js';
import { named } from '#test/support/named.js';
import { LogReader } from '#test/support/read-log.js';
import { type OwnServer, startOwnPostgres, startTestEventStore } from '#test/support/servers.js';
import { TestService } from '#test/support/service.js';
import { until } from './support/until.js';

describe('While Postgres, which has the keys, does not answer (SPEC P5)', () => {
  let postgres: OwnServer;
  let service: TestService;
  let log: LogReader;
  let person: DataSubject;
  let wm: string;
  /** A job without personal data. */
  const clear = named('outage-clear');

  beforeAll(async () => {
    postgres = await startOwnPostgres();
    const eventStore = await startTestEventStore();
    service = await TestService.start({ servers: { eventStore, postgres } });
    await service.caughtUp();
    log = new LogReader(eventStore.url);
    person = await DataSubject.of(service, 'outage');
    wm = `jobs/${person.job_seed}/wm`;
    await person.agent.post('jobs', { job_seed: clear });
    await postgres.kill();
    // A key in memory is used for so long.
    await delay(KEY_FRESH_MS);
  });
  afterAll(async () => {
    await log?.close();
    await service?.stop();
    await postgres?.stop();
  });

  const typesOfJob = () => log.types(`job-${person.job_seed}`);
  const entry = (value: unknown) => ({ body: { type: 'fact', value } });

  it('a write with personal data fails with MEMORY_WRITE_FAIL, and nothing is appended', async () => {
    const before = await typesOfJob();
    await person.agent.refused('MEMORY_WRITE_FAIL', 'POST', wm, entry(EMAIL));
    const commands = [
      { op: 'tick' },
      { op: 'wm_insert', type: 'fact', value: 'harmless' },
      { op: 'wm_insert', type: 'fact', value: EMAIL },
    ];
    await person.agent.refused('MEMORY_WRITE_FAIL', 'POST', `jobs/${person.job_seed}/commands`, {
      body: { commands },
    });
    expect(await typesOfJob()).toStrictEqual(before);
  });

  it('a fact with personal data fails with SEM_WRITE_FAIL, and nothing is appended', async () => {
    const path = `sem/${person.key}`;
    const put = { body: { value: `new.${EMAIL}` } };
    await person.user.refused('SEM_WRITE_FAIL', 'PUT', path, put);
    expect(await log.types(`sem-${person.key}`)).toStrictEqual(['fact_put']);
  });

  it('a write without personal data goes on, and so does one whose findings are only redacted', async () => {
    await person.agent.post(wm, { type: 'fact', value: 'the sky is blue' });
    await person.agent.post(`jobs/${person.job_seed}/goals`, { goal: `Write to ${EMAIL}` });
    await person.agent.post(`jobs/${clear}/wm`, { type: 'fact', value: 'clear' });
    expect(await person.agent.get(`jobs/${clear}`)).toMatchObject({ wm: [{ value: 'clear' }] });
    await person.user.did('PUT', `sem/${person.key}`, { body: { value: 'by letter' } });
    expect((await typesOfJob()).slice(-2)).toStrictEqual(['goal_set', 'pii_redacted']);
  });

  it('a read of sealed values is answered with READ_UNAVAILABLE, to owners and auditors', async () => {
    const auditor = await Caller.of(service, 'auditor');
    for (const reader of [person.agent, auditor])
      await reader.refused('READ_UNAVAILABLE', 'GET', `jobs/${person.job_seed}`);
    await person.user.refused('READ_UNAVAILABLE', 'GET', `sem/${person.key}`);
  });

  it('after the outage everything goes on without a restart', async () => {
    await postgres.restart();
    await until('the value is read', async () => {
      const { status } = await person.user.ask('GET', `sem/${person.key}`);
      return status === 200;
    });
    expect(await person.user.get(`sem/${person.key}`)).toMatchObject({ value: 'by letter' });
    await person.agent.did('POST', wm, entry(EMAIL));
    await person.user.did('PUT', `sem/${person.key}`, { body: { value: `new.${EMAIL}` } });
    const auditor = await Caller.of(service, 'auditor');
    const report = await auditor.post(`jobs/${person.job_seed}/replays`, { mode: 'strict' });
    expect(report).toMatchObject({ identical: true });
  });
});
