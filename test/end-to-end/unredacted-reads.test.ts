import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { auditStream } from '#domain/stream-names.js';
import { Caller } from '#test/support/caller.js';
import { named } from '#test/support/named.js';
import { LogReader } from '#test/support/read-log.js';
import { TestService } from '#test/support/service.js';

const EMAIL = 'jana.horvat@siol.test';

describe('Unredacted reads (SPEC G7)', () => {
  let service: TestService;
  let log: LogReader;
  const ids = {
    admin: named('unredacted-admin'),
    council: named('unredacted-council'),
    user: named('unredacted-user').toLowerCase(),
  };
  let admin: Caller;
  let council: Caller;
  let auditor: Caller;
  let user: Caller;
  let agent: Caller;
  /** The paths that show the person's data, each with the stream that holds it. */
  let paths: readonly (readonly [path: string, stream: string])[];

  beforeAll(async () => {
    service = await TestService.shared();
    log = new LogReader(service.eventStore.url);
    admin = await Caller.of(service, 'admin', { sub: ids.admin });
    council = await Caller.of(service, 'council', { sub: ids.council });
    auditor = await Caller.of(service, 'auditor');
    user = await Caller.of(service, 'user', { sub: ids.user });
    agent = await Caller.of(service, 'agent', { user_id: ids.user });
    paths = await personalData();
  });
  afterAll(async () => {
    await log?.close();
    await service?.stop();
  });

  async function personalData() {
    const { key } = await user.post<{ key: string }>('sem-keys', {
      scope: 'user',
      entity_type: 'profile',
      attribute: 'contact',
      user_id: ids.user,
    });
    await user.post('consents', { text: 'Keep it.', scope: 'persistent' });
    await user.did('PUT', `sem/${key}`, { body: { value: EMAIL } });
    const job = named('unredacted-job');
    await agent.post('jobs', { job_seed: job });
    await agent.post(`jobs/${job}/wm`, { type: 'fact', value: EMAIL });
    const { episodic_id } = await agent.post<{ episodic_id: string }>(`jobs/${job}/episodes`, {
      summary: 'Reached the user',
      payload: { to: EMAIL },
    });
    const { request_id } = await agent.post<{ request_id: string }>('action-requests', {
      episodic_id,
      target_sem_key: key,
      value: EMAIL,
      justification: 'It was said.',
    });
    return [
      [`sem/${key}`, `sem-${key}`],
      [`jobs/${job}`, `job-${job}`],
      [`episodes/${episodic_id}`, `job-${job}`],
      [`action-requests/${request_id}`, `request-${request_id}`],
    ] as const;
  }

  const accesses = async (sub: string) =>
    (await log.events(auditStream(sub)))
      .filter(({ type }) => type === 'admin_access_event')
      .map(({ data }) => data);

  it('admins and the council see personal data only if they ask for it, and each read is recorded first', async () => {
    for (const [caller, sub] of [
      [admin, ids.admin],
      [council, ids.council],
    ] as const) {
      for (const [path] of paths)
        expect(JSON.stringify(await caller.get(path))).not.toContain(EMAIL);
      expect(await accesses(sub)).toStrictEqual([]);
      for (const [path] of paths)
        expect(JSON.stringify(await caller.get(`${path}?unredacted=true`))).toContain(EMAIL);
      const recorded = await accesses(sub);
      expect(recorded).toStrictEqual(paths.map(([, stream]) => ({ stream, version: null })));
    }
  });

  it('the reads of one person’s data are listed, by every reader, and none of another person', async () => {
    const listed = async (user_id: string) =>
      (
        await auditor.get<{ accesses: { stream: string }[] }>(
          `oversight/accesses?user_id=${user_id}&limit=500`,
        )
      ).accesses.map(({ stream }) => stream);
    const found = await listed(ids.user.toUpperCase());
    expect(new Set(found)).toStrictEqual(new Set(paths.map(([, stream]) => stream)));
    expect(await listed(named('nobody'))).toStrictEqual([]);
  });

  it('the reason that a reader gives is recorded with the read, without personal data (SPEC P3)', async () => {
    const [path, stream] = paths[0]!;
    const reader = named('unredacted-reason');
    const other = await Caller.of(service, 'admin', { sub: reader });
    await other.get(`${path}?unredacted=true`, { reason: ` Prüfung 年度 of ${EMAIL} ` });
    const reason = 'Prüfung 年度 of [REDACTED:email]';
    const [access, redacted] = await log.events(auditStream(reader));
    expect(access?.data).toMatchObject({
      ...{ stream, version: null, reason },
      redactions: [{ field: 'reason', type: 'email' }],
    });
    expect(redacted).toMatchObject({ type: 'pii_redacted', data: { subject: 'access' } });
    const listed = await auditor.get<{ accesses: unknown[] }>(`oversight/accesses?sub=${reader}`);
    expect(listed.accesses).toMatchObject([{ stream, reason }]);
    expect(listed.accesses[0]).not.toHaveProperty('redactions');
  });

  it('a reason that is empty, too long or wrongly encoded is INVALID_INPUT, and nothing is read', async () => {
    const [path] = paths[0]!;
    const reader = named('unredacted-bad-reason');
    const token = await service.token('admin', { sub: reader });
    for (const reason of ['', '%20', 'a'.repeat(513), '%E9', 'a%00b']) {
      const headers = { 'mace-access-reason': reason };
      const answer = await service.call<{ error_code: string; developer_message: string }>(
        'GET',
        `/v1/${path}?unredacted=true`,
        { token, headers },
      );
      expect([reason, answer.status, answer.body.error_code]).toStrictEqual([
        reason,
        400,
        'INVALID_INPUT',
      ]);
      expect(answer.body.developer_message).toContain('Mace-Access-Reason');
    }
    expect(await accesses(reader)).toStrictEqual([]);
  });

  it('a read at a snapshot is recorded with the version that it showed', async () => {
    const [path] = paths[0]!;
    const job = named('unredacted-pin');
    const { snapshots } = await agent.post<{ snapshots: { sem_snapshot_id: string } }>('jobs', {
      job_seed: job,
    });
    const reader = named('unredacted-snapshot');
    const other = await Caller.of(service, 'admin', { sub: reader });
    await other.get(`${path}?unredacted=true&snapshot_id=${snapshots.sem_snapshot_id}`);
    const { version } = await other.get<{ version: number }>(path);
    expect(await accesses(reader)).toMatchObject([{ version }]);
  });

  it('no answer may be kept by a cache', async () => {
    for (const [path] of paths)
      expect((await admin.did('GET', path)).headers.get('cache-control')).toBe('no-store');
  });

  it('nobody else may ask for it', async () => {
    for (const [path] of paths)
      for (const caller of [auditor, user, agent])
        await caller.refused('PERMISSION_DENIED', 'GET', `${path}?unredacted=true`);
  });

  it('event streams, bundles and the lists of others never show it', async () => {
    const job = paths[1]?.[0];
    const own = [`${job}/events`, `${job}/bundle`, 'jobs', 'action-requests'];
    for (const caller of [admin, council, auditor, agent])
      for (const path of caller === agent ? own : [...own, 'sem'])
        expect(JSON.stringify((await caller.ask('GET', path)).body)).not.toContain(EMAIL);
  });
});
