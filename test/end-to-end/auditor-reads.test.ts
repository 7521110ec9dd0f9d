import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { subHash } from '#apps/api/platform/errors/failure-log.js';
import { Caller } from '#test/support/caller.js';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';

const EMAIL = 'jana.horvat@siol.test';

describe('The readings of auditors, admins and the council', () => {
  let service: TestService;
  let agent: Caller;
  let auditor: Caller;
  const user = named('read-user').toLowerCase();
  const job = named('read-job');
  const sub = named('reading-auditor');

  beforeAll(async () => {
    service = await TestService.start();
    agent = await Caller.of(service, 'agent', { user_id: user });
    auditor = await Caller.of(service, 'auditor', { sub });
    await agent.post('jobs', { job_seed: job });
    await agent.post(`jobs/${job}/wm`, { type: 'fact', value: EMAIL });
    await agent.did('PUT', 'notes', { body: { namespace: ['trip'], key: 'Lisbon', value: 1 } });
  });
  afterAll(async () => {
    await service?.stop();
  });

  const readings = () => service.log.filter(({ type }) => type === 'auditor_read');

  /** Returns the fields of the line that a request leaves, and how many lines it leaves. */
  async function lineOf(reader: Caller, method: string, path: string, body?: unknown) {
    const before = readings().length;
    const { headers } = await reader.did(method, path, body === undefined ? {} : { body });
    const [line, ...more] = readings().slice(before);
    expect(more).toStrictEqual([]);
    if (line !== undefined) expect(line['trace_id']).toBe(headers.get('mace-trace-id'));
    return line;
  }

  it('each leave a log line with the reader, the route and the record', async () => {
    const line = await lineOf(auditor, 'GET', `jobs/${job}`);
    expect(line).toMatchObject({
      caller: subHash(sub),
      roles: ['auditor'],
      route: 'GET /v1/jobs/:seed',
      record: { seed: job },
    });
    for (const path of ['events', 'bundle'])
      expect(await lineOf(auditor, 'GET', `jobs/${job}/${path}`)).toMatchObject({
        route: `GET /v1/jobs/:seed/${path}`,
        record: { seed: job },
      });
    expect(await lineOf(auditor, 'POST', `jobs/${job}/replays`, { mode: 'audit' })).toMatchObject({
      route: 'POST /v1/jobs/:seed/replays',
      record: { seed: job },
    });
  });

  it('also of lists and searches, which name no record', async () => {
    for (const [method, path, body] of [
      ['GET', 'jobs'],
      ['GET', 'sem?prefix=user/'],
      ['GET', 'quarantine'],
      ['POST', 'search', { query: 'anything' }],
    ] as const) {
      const line = await lineOf(auditor, method, path, body);
      expect(line?.['route']).toBe(`${method} /v1/${path.replace(/\?.*/, '')}`);
      expect(line).not.toHaveProperty('record');
    }
  });

  it('name a note by a hash, the same for each reading of the note, because its name is its owner’s', async () => {
    const note = `notes?owner=user:${user}&namespace=trip&key=Lisbon`;
    const first = await lineOf(auditor, 'GET', note);
    expect(first?.['record_hash']).toMatch(/^[0-9a-f]{64}$/);
    expect(first).not.toHaveProperty('record');
    expect((await lineOf(auditor, 'GET', note))?.['record_hash']).toBe(first?.['record_hash']);
    expect(JSON.stringify(readings())).not.toMatch(/Lisbon|trip/);
  });

  it('are logged for the council and admins as well, and never show a value', async () => {
    for (const role of ['council', 'admin'] as const) {
      const reader = await Caller.of(service, role);
      expect(await lineOf(reader, 'GET', `jobs/${job}?unredacted=true`)).toMatchObject({
        roles: [role],
        record: { seed: job },
      });
    }
    expect(JSON.stringify(service.log)).not.toContain(EMAIL);
  });

  it('are not logged if the caller reads what is its own, what is everybody’s, or nothing', async () => {
    expect(await lineOf(agent, 'GET', `jobs/${job}`)).toBeUndefined();
    const admin = await Caller.of(service, 'admin');
    const fact = `sem/world/fact/${named('read-sky').toLowerCase().replaceAll('-', '_')}/colour`;
    expect(await lineOf(admin, 'PUT', fact, { value: 'blue' })).toBeUndefined();
    expect(await lineOf(auditor, 'GET', fact)).toBeUndefined();
    expect(await lineOf(auditor, 'GET', 'integrity/findings')).toBeUndefined();
    const before = readings().length;
    await auditor.refused('NOT_FOUND', 'GET', `jobs/${named('no-such-job')}`);
    expect(readings()).toHaveLength(before);
  });
});
