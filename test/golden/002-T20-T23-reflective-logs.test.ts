import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#domain/json.js';
import type { ReflectiveFields } from '#domain/reflective-log/fields.js';
import { isSignedBy, keyringOf, type Signature } from '#domain/reflective-log/signature.js';
import { Caller, positionOf } from '#test/support/caller.js';
import { assertReported, failureOf } from '#test/support/failure.js';
import type { QueryAnswer } from '#test/support/queries.js';
import { aLog, queryAsSuperuser } from '#test/support/reflective-logs.js';
import { TestService } from '#test/support/service.js';
import { TEST_KEYS } from '#test/support/test-keys.js';
import { named } from '#test/support/named.js';

type Shown = ReflectiveFields & {
  readonly signature: Signature;
  readonly signature_valid: boolean;
  readonly amendments: readonly JsonObject[];
};

interface Report {
  readonly checked: number;
  readonly intact: number;
  readonly findings: readonly {
    readonly log_id: string;
    readonly fault: string;
    readonly healed: boolean;
  }[];
}

const TABLE = 'reflective_logs.reflective_log_stage0';
const KEYRING = keyringOf(TEST_KEYS.MACE_SIGNING_KEY);

describe('The ReflectiveLog of document 002', () => {
  let service: TestService;
  let agent: Caller;
  let admin: Caller;
  let auditor: Caller;

  beforeAll(async () => {
    service = await TestService.start({ ownLog: true });
    [agent, admin, auditor] = await Promise.all([
      Caller.of(service, 'agent'),
      Caller.of(service, 'admin'),
      Caller.of(service, 'auditor'),
    ]);
  });
  afterAll(() => service?.stop());

  const posted = async (changes: Partial<ReflectiveFields> = {}): Promise<ReflectiveFields> => {
    const log = aLog(changes);
    await agent.post('reflective-logs', log);
    return log;
  };
  const shown = (id: string) => agent.get<Shown>(`reflective-logs/${id}`);
  const immutable = (log: Shown): ReflectiveFields => {
    const names = Object.keys(aLog());
    const fields = Object.entries(log).filter(([name]) => names.includes(name));
    return Object.fromEntries(fields) as unknown as ReflectiveFields;
  };
  const tamper = (id: string, answer: string) =>
    queryAsSuperuser(service.postgres, `update ${TABLE} set final_answer = $2 where log_id = $1`, [
      id,
      JSON.stringify(answer),
    ]);
  const verify = () => auditor.post<Report>('reflective-logs/verification');
  const alarms = async (fault: string): Promise<number> => {
    const { body } = await service.call<string>('GET', '/metrics');
    const line = new RegExp(
      `^mace_reflective_logs_quarantined_total\\{fault="${fault}"\\} (\\d+)$`,
      'm',
    );
    return Number(line.exec(body)?.[1] ?? 0);
  };

  it('002-T20 [stage0] [golden] [critical] a log with all immutable fields is read back with the same values, and its signature verifies', async () => {
    const log = await posted();
    const read = await shown(log.log_id);
    expect(immutable(read)).toStrictEqual(log);
    expect(read.signature_valid).toBe(true);
    expect(isSignedBy(log, read.signature, KEYRING)).toBe(true);
  });

  it('002-log-T1 [stage0] [golden] create and read: the row in Postgres holds exactly the signed values', async () => {
    const log = await posted();
    await shown(log.log_id);
    const [row] = await queryAsSuperuser<{ agent_outputs: string; final_confidence: number }>(
      service.postgres,
      `select * from ${TABLE} where log_id = $1`,
      [log.log_id],
    );
    expect(JSON.parse(row?.agent_outputs ?? '')).toStrictEqual(log.agent_outputs);
    expect(row?.final_confidence).toBe(0.1 + 0.2);
  });

  it('002-T21 [stage0] [golden] [critical] the service and the database refuse to change an immutable field, and the row stays the same', async () => {
    const log = await posted();
    const before = await shown(log.log_id);
    const path = `reflective-logs/${log.log_id}`;
    const what = `reflective log ${log.log_id}`;
    assertReported(
      service,
      await agent.ask('PATCH', path, { body: { final_answer: 'Lyon.' } }),
      failureOf('IMMUTABLE_FIELD', { field: 'final_answer', what }),
    );
    for (const sql of [
      `update ${TABLE} set final_answer = '"Lyon."' where log_id = '${log.log_id}'`,
      `delete from ${TABLE} where log_id = '${log.log_id}'`,
      `truncate ${TABLE}`,
      `drop table ${TABLE}`,
      `alter table ${TABLE} disable trigger all`,
    ])
      await expect(
        queryAsSuperuser(service.postgres, `set role mace_api; ${sql}`),
      ).rejects.toMatchObject({ code: '42501' });
    expect(await shown(log.log_id)).toStrictEqual(before);
  });

  it('002-log-T2 [stage0] [golden] the service connects to Postgres with a role that may only read and insert logs', async () => {
    const sessions = await queryAsSuperuser<{ role: string }>(
      service.postgres,
      `select has_table_privilege('mace_api', '${TABLE}', 'select') as reads,
         has_table_privilege('mace_api', '${TABLE}', 'insert') as inserts,
         has_table_privilege('mace_api', '${TABLE}', 'update') as updates,
         has_any_column_privilege('mace_api', '${TABLE}', 'update') as updates_columns,
         has_table_privilege('mace_api', '${TABLE}', 'delete') as deletes,
         has_table_privilege('mace_api', '${TABLE}', 'truncate') as truncates`,
    );
    expect(sessions).toStrictEqual([
      {
        reads: true,
        inserts: true,
        updates: false,
        updates_columns: false,
        deletes: false,
        truncates: false,
      },
    ]);
    const { body } = await service.call<{ details: Record<string, JsonObject> }>(
      'GET',
      '/health/ready',
    );
    expect(body.details['postgres']?.['role']).toBe('mace_api');
  });

  it('002-log-T2 [stage0] [golden] an update of final_answer, and of each other immutable field, is tried in the service and in the database, and both refuse it', async () => {
    const log = await posted();
    const before = await shown(log.log_id);
    const where = `where log_id = '${log.log_id}'`;
    const stored = () => queryAsSuperuser(service.postgres, `select * from ${TABLE} ${where}`);
    const row = await stored();
    const fields = Object.keys(aLog());
    expect(fields).toContain('final_answer');
    for (const field of [...fields, 'signature']) {
      const path = `reflective-logs/${log.log_id}`;
      const answer = await admin.ask('PATCH', path, { body: { [field]: 'Lyon.' } });
      const what = `reflective log ${log.log_id}`;
      assertReported(service, answer, failureOf('IMMUTABLE_FIELD', { field, what }));
    }
    const columns = await queryAsSuperuser<{ name: string }>(
      service.postgres,
      `select attname as name from pg_attribute
         where attrelid = '${TABLE}'::regclass and attnum > 0 and not attisdropped`,
    );
    expect(columns.map(({ name }) => name)).toEqual(expect.arrayContaining(['final_answer']));
    for (const { name } of columns)
      await expect(
        queryAsSuperuser(
          service.postgres,
          `set role mace_api; update ${TABLE} set "${name}" = "${name}" ${where}`,
        ),
      ).rejects.toMatchObject({ code: '42501' });
    expect(await stored()).toStrictEqual(row);
    const now = await shown(log.log_id);
    expect(now).toStrictEqual(before);
    expect(now.signature_valid).toBe(true);
  });

  it('002-T22 [stage0] [golden] an amendment is listed with its log, and the log stays unchanged', async () => {
    const log = await posted();
    const before = await shown(log.log_id);
    const amendment = await agent.post(`reflective-logs/${log.log_id}/amendments`, {
      changes: { final_answer: 'Paris is right, the number is not.' },
      effect: 'note',
    });
    const now = await shown(log.log_id);
    expect(now.amendments).toStrictEqual([amendment]);
    expect(immutable(now)).toStrictEqual(immutable(before));
    expect(now.signature_valid).toBe(true);
  });

  it('002-log-T4 [stage0] [golden] an amendment names its log, its author and its effect', async () => {
    const log = await posted();
    const path = `reflective-logs/${log.log_id}/amendments`;
    for (const effect of ['note', 'override_suggestion', 'revalidate'])
      await admin.post(path, { changes: { why: effect }, effect });
    const { amendments } = await shown(log.log_id);
    expect(amendments.map(({ target_log_id, effect }) => [target_log_id, effect])).toStrictEqual(
      ['note', 'override_suggestion', 'revalidate'].map((effect) => [log.log_id, effect]),
    );
    const { author, created_at } = amendments[0] as { author: JsonObject; created_at: string };
    expect(author).toStrictEqual({ sub: named('admin'), user_id: null, role: 'admin' });
    expect(Number.isNaN(Date.parse(created_at))).toBe(false);
    expect(new Set(amendments.map(({ amendment_id }) => amendment_id)).size).toBe(3);
  });

  it('002-T23 [stage0] [golden] [critical] a tampered row fails verification, is quarantined with both versions, raises an alert and is restored', async () => {
    const log = await posted();
    await shown(log.log_id);
    const before = await alarms('tampered');
    await tamper(log.log_id, 'Lyon.');
    const report = await verify();
    expect(
      report.findings.map(({ log_id, fault, healed }) => ({ log_id, fault, healed })),
    ).toStrictEqual([{ log_id: log.log_id, fault: 'tampered', healed: true }]);
    expect(report.checked - report.intact).toBe(1);
    expect(await alarms('tampered')).toBe(before + 1);
    expect(service.log.some((line) => line['type'] === 'reflective_log_finding')).toBe(true);
    const { quarantine } = await auditor.get<{ quarantine: JsonObject[] }>('quarantine');
    const entry = quarantine.find(({ log_id }) => log_id === log.log_id);
    expect(entry?.['fault']).toBe('tampered');
    const detail = entry?.['detail'] as { found: JsonObject; recorded: JsonObject };
    expect(detail.found).toStrictEqual({ final_answer: '"Lyon."' });
    expect(detail.recorded).toStrictEqual({ final_answer: JSON.stringify(log.final_answer) });
    const healed = await shown(log.log_id);
    expect(immutable(healed)).toStrictEqual(log);
    expect(healed.signature_valid).toBe(true);
    expect((await verify()).findings).toStrictEqual([]);
  });

  it('002-log-T3 [stage0] [golden] a read detects a tampered row by its signature', async () => {
    const log = await posted();
    expect((await shown(log.log_id)).signature_valid).toBe(true);
    await tamper(log.log_id, 'Marseille.');
    const read = await shown(log.log_id);
    expect(read.final_answer).toBe('Marseille.');
    expect(read.signature_valid).toBe(false);
    await verify();
    expect((await shown(log.log_id)).signature_valid).toBe(true);
  });

  it('002-log-T5 [stage0] [golden] a log keeps the snapshot that its job pinned, even if the facts change', async () => {
    const fact = { value: 'blue' };
    await admin.did('PUT', 'sem/world/colour/sky/name', { body: fact });
    const { job_seed, snapshots } = await agent.post<{
      job_seed: string;
      snapshots: { sem_snapshot_hash: string };
    }>('jobs', {});
    const ended = await agent.did<{ reflective_log_id: string }>('POST', `jobs/${job_seed}/end`, {
      body: {},
    });
    const before = await shown(ended.body.reflective_log_id);
    expect(before.sem_snapshot_hash).toBe(snapshots.sem_snapshot_hash);
    const changed = await admin.did('PUT', 'sem/world/colour/sky/name', {
      body: { value: 'grey' },
    });
    const after = await agent.get<Shown>(`reflective-logs/${ended.body.reflective_log_id}`, {
      after: positionOf(changed),
    });
    expect(after).toStrictEqual(before);
    const later = await agent.post<{ snapshots: { sem_snapshot_hash: string } }>('jobs', {});
    expect(later.snapshots.sem_snapshot_hash).not.toBe(before.sem_snapshot_hash);
    expect(after.signature_valid).toBe(true);
  });

  it('002-log-T5 [stage0] [golden] a query that is run again after its fact changed has a log of its own, and the first log still names the old snapshot', async () => {
    const user = await Caller.of(service, 'user', { sub: 'u-tove', user_id: 'tove' });
    const ask = async () =>
      user.post<QueryAnswer>('queries', { query_text: 'What is my favourite colour?' });
    const put = (value: string) =>
      user.did('PUT', 'sem/user/profile/user_tove/favorite_color', { body: { value } });
    await put('blue');
    const first = await ask();
    const logOf = (id: string) => auditor.get<Shown>(`reflective-logs/${id}`);
    const before = await logOf(first.log_id);
    await put('green');
    const second = await ask();
    const [after, rerun] = [await logOf(first.log_id), await logOf(second.log_id)];
    expect([first.answer, second.answer]).toStrictEqual([
      'Your favorite color is blue.',
      'Your favorite color is green.',
    ]);
    expect(after).toStrictEqual(before);
    expect([after.final_answer, after.signature_valid]).toStrictEqual([first.answer, true]);
    expect(isSignedBy(immutable(after), after.signature, KEYRING)).toBe(true);
    expect(rerun.sem_snapshot_hash).not.toBe(after.sem_snapshot_hash);
    expect(rerun.query_text_hash).toBe(after.query_text_hash);
    for (const [{ job_seed }, { sem_snapshot_hash }, value] of [
      [first, after, 'blue'],
      [second, rerun, 'green'],
    ] as const) {
      const { snapshots } = await user.get<{ snapshots: JsonObject }>(`jobs/${job_seed}`);
      expect(snapshots['sem_snapshot_hash']).toBe(sem_snapshot_hash);
      const pinned = await auditor.get<{ facts: { key: string; value: unknown }[] }>(
        `sem-snapshots/sem:${sem_snapshot_hash}`,
      );
      expect(pinned.facts.find(({ key }) => key.includes('/user_tove/'))?.value).toBe(value);
      const report = await auditor.post(`jobs/${job_seed}/replays`, { mode: 'strict' });
      expect(report['identical']).toBe(true);
    }
  });
});
