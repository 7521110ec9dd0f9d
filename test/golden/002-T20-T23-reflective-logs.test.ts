import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#domain/json.js';
import type { ReflectiveFields } from '#domain/reflective-log/fields.js';
import { isSignedBy, keyringOf, type Signature } from '#domain/reflective-log/signature.js';
import { auditStream, reflectiveStream } from '#domain/stream-names.js';
import { fieldsOf, signatureOf } from '#projections/reflective-logs/log-row.js';
import type { LogRow } from '#projections/reflective-logs/tables.js';
import { Caller, positionOf } from '#test/support/caller.js';
import { ensure } from '#test/support/ensure.js';
import { assertReported, failureOf } from '#test/support/failure.js';
import { INSTANT, UUID } from '#test/support/matchers.js';
import { answerWith, type QueryAnswer } from '#test/support/queries.js';
import { LogReader } from '#test/support/read-log.js';
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
  let events: LogReader;

  beforeAll(async () => {
    service = await TestService.start({ ownLog: true });
    events = new LogReader(service.eventStore.url);
    [agent, admin, auditor] = await Promise.all([
      Caller.of(service, 'agent'),
      Caller.of(service, 'admin'),
      Caller.of(service, 'auditor'),
    ]);
  });
  afterAll(async () => {
    await events?.close();
    await service?.stop();
  });

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
  /** Returns the type and the data of each event in a log's stream. */
  const recorded = async (id: string) =>
    (await events.events(reflectiveStream(id))).map(({ type, data }) => ({ type, data }));
  /** The first event of a log that the agent of this file posted. */
  const written = (log: ReflectiveFields, { signature }: Shown) => ({
    type: 'reflective_log_written',
    data: { log, signature, owner: { sub: named('agent'), user_id: null }, origin: 'posted' },
  });
  /** The whole view of a posted log that has these amendments and no other addition. */
  const view = (log: ReflectiveFields, { signature }: Shown, amendments: JsonObject[] = []) => ({
    ...log,
    signature,
    signature_valid: true,
    origin: 'posted',
    amendments,
    user_feedback: [],
    ground_truth_labels: [],
    audit_tags: [],
    council_events: [],
    open_review: null,
  });
  /** Amends a log, and returns the amendment after asserting all of its fields. */
  async function amended(
    { log_id }: ReflectiveFields,
    role: 'agent' | 'admin',
    given: JsonObject,
  ): Promise<JsonObject> {
    const by = role === 'agent' ? agent : admin;
    const amendment = await by.post<JsonObject>(`reflective-logs/${log_id}/amendments`, given);
    expect(amendment).toStrictEqual({
      ...given,
      amendment_id: UUID,
      target_log_id: log_id,
      author: { sub: named(role), user_id: null, role },
      created_at: INSTANT,
      redactions: [],
    });
    return amendment;
  }
  const findingLines = (id: string) =>
    service.log.filter(({ type, log_id }) => type === 'reflective_log_finding' && log_id === id);
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

  it('002-log-T1 [stage0] [golden] [critical] a log that is created has exactly its signed values in its event, its row and its view', async () => {
    const log = await posted();
    const read = await shown(log.log_id);
    expect(read).toStrictEqual(view(log, read));
    expect(await recorded(log.log_id)).toStrictEqual([written(log, read)]);
    const [row] = await queryAsSuperuser<LogRow>(
      service.postgres,
      `select * from ${TABLE} where log_id = $1`,
      [log.log_id],
    );
    ensure(row);
    expect([fieldsOf(row), signatureOf(row)]).toStrictEqual([log, read.signature]);
    expect(isSignedBy(fieldsOf(row), read.signature, KEYRING)).toBe(true);
    expect(JSON.parse(row.agent_outputs)).toStrictEqual(log.agent_outputs);
    expect(row.final_confidence).toBe(0.1 + 0.2);
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

  it('002-log-T2 [stage0] [golden] [critical] the service connects to Postgres with a role that may only read and insert logs', async () => {
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

  it('002-log-T2 [stage0] [golden] [critical] an update of final_answer, and of each other immutable field, is tried in the service and in the database, and both refuse it', async () => {
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
    expect(columns.map(({ name }) => name)).toContain('final_answer');
    for (const { name } of columns)
      await expect(
        queryAsSuperuser(
          service.postgres,
          `set role mace_api; update ${TABLE} set "${name}" = "${name}" ${where}`,
        ),
      ).rejects.toMatchObject({ code: '42501' });
    expect(await stored()).toStrictEqual(row);
    expect(await shown(log.log_id)).toStrictEqual(view(log, before));
    expect(await recorded(log.log_id)).toStrictEqual([written(log, before)]);
    const audit = await events.events(auditStream(named('admin')));
    expect(audit.map(({ type, data: { code, route } }) => ({ type, code, route }))).toStrictEqual(
      [...fields, 'signature'].map(() => ({
        type: 'command_refused',
        code: 'IMMUTABLE_FIELD',
        route: 'PATCH /v1/reflective-logs/:id',
      })),
    );
  });

  it('002-T22 [stage0] [golden] [medium] an amendment is listed with its log, and the log stays unchanged', async () => {
    const log = await posted();
    const before = await shown(log.log_id);
    const amendment = await amended(log, 'agent', {
      changes: { final_answer: 'Paris is right, the number is not.' },
      effect: 'note',
    });
    expect(await shown(log.log_id)).toStrictEqual(view(log, before, [amendment]));
    expect(await recorded(log.log_id)).toStrictEqual([
      written(log, before),
      { type: 'amendment_added', data: amendment },
    ]);
  });

  it('002-log-T4 [stage0] [golden] [medium] an amendment names its log, its author and its effect', async () => {
    const log = await posted();
    const before = await shown(log.log_id);
    const amendments: JsonObject[] = [];
    for (const effect of ['note', 'override_suggestion', 'revalidate'])
      amendments.push(await amended(log, 'admin', { changes: { why: effect }, effect }));
    expect(new Set(amendments.map(({ amendment_id }) => amendment_id)).size).toBe(3);
    expect(await shown(log.log_id)).toStrictEqual(view(log, before, amendments));
    expect(await recorded(log.log_id)).toStrictEqual([
      written(log, before),
      ...amendments.map((data) => ({ type: 'amendment_added', data })),
    ]);
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
    expect(findingLines(log.log_id)).toStrictEqual([
      expect.objectContaining({ ...report.findings[0] }),
    ]);
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

  it('002-log-T3 [stage0] [golden] [critical] a read detects a tampered row by its signature', async () => {
    const log = await posted();
    const before = await shown(log.log_id);
    await tamper(log.log_id, 'Marseille.');
    expect(await shown(log.log_id)).toStrictEqual({
      ...view(log, before),
      final_answer: 'Marseille.',
      signature_valid: false,
    });
    const { findings } = await verify();
    expect(findings).toStrictEqual([
      {
        log_id: log.log_id,
        fault: 'tampered',
        reason: expect.any(String),
        quarantine_id: UUID,
        healed: true,
      },
    ]);
    expect(findingLines(log.log_id)).toStrictEqual([expect.objectContaining({ ...findings[0] })]);
    expect(await shown(log.log_id)).toStrictEqual(view(log, before));
    const list = await recorded(log.log_id);
    expect(list[0]).toStrictEqual(written(log, before));
    expect(list.map(({ type }) => type)).toStrictEqual([
      'reflective_log_written',
      'log_quarantined',
      'log_healed',
    ]);
    expect(list[1]?.data).toMatchObject({
      log_id: log.log_id,
      fault: 'tampered',
      signature_valid: false,
      found: { final_answer: '"Marseille."' },
      recorded: { final_answer: JSON.stringify(log.final_answer) },
    });
    expect(list[2]?.data).toMatchObject(written(log, before).data);
  });

  it('002-log-T5 [stage0] [golden] [critical] a log keeps the snapshot that its job pinned, even if the facts change', async () => {
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
    expect((await recorded(before.log_id)).map(({ type }) => type)).toStrictEqual([
      'reflective_log_written',
    ]);
    const pinned = await auditor.get<{ facts: { key: string; value: unknown }[] }>(
      `sem-snapshots/sem:${before.sem_snapshot_hash}`,
    );
    const sky = pinned.facts.filter((one) => one.key === 'world/colour/sky/name');
    expect(sky.map(({ value }) => value)).toStrictEqual(['blue']);
    const later = await agent.post<{ snapshots: { sem_snapshot_hash: string } }>('jobs', {});
    expect(later.snapshots.sem_snapshot_hash).not.toBe(before.sem_snapshot_hash);
    expect(after.signature_valid).toBe(true);
  });

  it('002-log-T5 [stage0] [golden] [critical] a query that is run again after its fact changed has a log of its own, and the first log still names the old snapshot', async () => {
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
    expect([first, second]).toStrictEqual(
      ['Your favorite color is blue.', 'Your favorite color is green.'].map((answer) =>
        answerWith({
          answer,
          agent_id: 'profile_agent',
          route_reason: 'profile_lookup',
          confidence: 1,
        }),
      ),
    );
    expect(after).toStrictEqual(before);
    expect([after.final_answer, after.signature_valid]).toStrictEqual([first.answer, true]);
    expect(isSignedBy(immutable(after), after.signature, KEYRING)).toBe(true);
    expect(rerun.sem_snapshot_hash).not.toBe(after.sem_snapshot_hash);
    expect(rerun.query_text_hash).toBe(after.query_text_hash);
    for (const [{ job_seed }, { sem_snapshot_hash }, value] of [
      [first, after, 'blue'],
      [second, rerun, 'green'],
    ] as const) {
      expect(await events.types(`job-${job_seed}`)).toStrictEqual([
        ...['job_started', 'query_asked', 'router_decision', 'memory_read', 'agent_answered'],
        ...['council_voted', 'answer_judged', 'query_concluded', 'job_ended', 'episodic_summary'],
      ]);
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
