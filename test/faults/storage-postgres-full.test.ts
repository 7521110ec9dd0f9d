import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { Caller } from '#test/support/caller.js';
import { TestService } from '#test/support/service.js';
import { until } from './support/until.js';

describe('While the disk of Postgres is full (SPEC F2)', () => {
  let service: TestService;
  let admin: Caller;
  let agent: Caller;
  let rows: pg.Client;

  beforeAll(async () => {
    service = await TestService.start({ ownLog: true });
    admin = await Caller.of(service, 'admin');
    agent = await Caller.of(service, 'agent');
    rows = new pg.Client({ connectionString: service.postgres.url });
    await rows.connect();
    await agent.post('jobs', { job_seed: 'running' });
    // The trigger raises the error of a full disk at each insert.
    await rows.query(`
      create function no_room() returns trigger language plpgsql as
        $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$;
      create trigger no_room before insert on sem.history for each row execute function no_room()`);
  });
  afterAll(async () => {
    await rows?.end();
    await service?.stop();
  });

  const path = 'sem/world/fact/patient/value';

  it('writes succeed while the disk of Postgres is full, and reads that must show them answer PROJECTION_LAG', async () => {
    await admin.did('PUT', path, { body: { value: 'kept' } });
    await agent.post('jobs/running/ticks');
    await admin.refused('PROJECTION_LAG', 'GET', path);
  });

  it('while the disk of Postgres is full, projections pause and resume, and the log reports storage_full', async () => {
    await until('the log reports the full disk', () =>
      service.log.some(({ type, level }) => type === 'storage_full' && level === 'error'),
    );
    const { projections } = await admin.get<{ projections: { stopped: unknown }[] }>('projections');
    expect(projections.every(({ stopped }) => stopped === null)).toBe(true);
  });

  it('when the disk has room again, reads show every write', async () => {
    await rows.query('drop trigger no_room on sem.history');
    await until('the fact is read', async () => {
      const { status, body } = await admin.ask<{ value?: unknown }>('GET', path);
      return status === 200 && body.value === 'kept';
    });
  });
});
