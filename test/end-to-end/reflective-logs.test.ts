import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keyedHashJson, sha256Hex } from '#domain/determinism/hash.js';
import { reflectiveLogId } from '#domain/determinism/ids.js';
import type { JsonObject } from '#domain/json.js';
import type { ReflectiveFields } from '#domain/reflective-log/fields.js';
import { keyringOf, signLog } from '#domain/reflective-log/signature.js';
import { Caller, positionOf } from '#test/support/caller.js';
import { LogReader } from '#test/support/read-log.js';
import { aLog, queryAsSuperuser } from '#test/support/reflective-logs.js';
import { TestService } from '#test/support/service.js';
import { TEST_KEYS } from '#test/support/test-keys.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { ensure } from '#test/support/ensure.js';
import { named } from '#test/support/named.js';

const hmac = (value: string) => keyedHashJson(TEST_KEYS.MACE_SIGNING_KEY, value);

interface Shown extends ReflectiveFields {
  readonly signature_valid: boolean;
  readonly origin: string;
  readonly amendments: readonly JsonObject[];
  readonly user_feedback: readonly JsonObject[];
  readonly ground_truth_labels: readonly JsonObject[];
  readonly audit_tags: readonly string[];
  readonly open_review: JsonObject | null;
}

interface Quarantined {
  readonly fault: string;
  readonly log_id: string | null;
  readonly reason: string;
  readonly detail: { readonly content: JsonObject; readonly submitted_by: string | null };
}

interface Finding {
  readonly log_id: string;
  readonly fault: string;
  readonly healed: boolean;
}

const TABLE = 'reflective_logs.reflective_log_stage0';
const OLD_KEY = 'sign:Before5tHe6cUrReNt7kEy8wAs9mAdE0xQ';
const EMAIL = 'alice.smith@example.com';

/** The ReflectiveLog that a runtime sends with its job's end. */
function account(changes: JsonObject = {}): JsonObject {
  const { source, query_id, query_text_hash, qcp_summary, agents_invoked } = aLog();
  const { agent_outputs, council_votes, final_answer, final_confidence, repair_loops } = aLog();
  const { cache_hit, runtime_metrics, system_version } = aLog();
  return {
    ...{ source, query_id, query_text_hash, qcp_summary, agents_invoked, agent_outputs },
    ...{ council_votes, final_answer, final_confidence, repair_loops, cache_hit },
    ...{ runtime_metrics, system_version, ...changes },
  };
}

describe('ReflectiveLogs over HTTP', () => {
  const folder = temporaryFolder('reflective-logs');
  let service: TestService;
  let log: LogReader;
  let agent: Caller;
  let stranger: Caller;
  let user: Caller;
  let council: Caller;
  let admin: Caller;
  let auditor: Caller;

  beforeAll(async () => {
    service = await TestService.start({
      environment: { MACE_DATA_DIR: folder.path, MACE_SIGNING_KEYS_OLD: OLD_KEY },
    });
    log = new LogReader(service.eventStore.url);
    [agent, stranger, user, council, admin, auditor] = await Promise.all([
      Caller.of(service, 'agent'),
      Caller.of(service, 'agent', { sub: named('agent-2') }),
      Caller.of(service, 'user', { sub: named('tuff') }),
      Caller.of(service, 'council'),
      Caller.of(service, 'admin'),
      Caller.of(service, 'auditor'),
    ]);
  });
  afterAll(async () => {
    await log?.close();
    await service?.stop();
    folder.remove();
  });

  const shown = (id: string, by = agent) => by.get<Shown>(`reflective-logs/${id}`);
  const posted = async (changes: Partial<ReflectiveFields> = {}): Promise<string> => {
    const { log_id } = await agent.post<{ log_id: string }>('reflective-logs', aLog(changes));
    return log_id;
  };
  const ended = async (body: JsonObject, start: JsonObject = {}): Promise<string> => {
    const { job_seed } = await agent.post<{ job_seed: string }>('jobs', start);
    const answer = await agent.post<{ reflective_log_id: string }>(`jobs/${job_seed}/end`, body);
    return answer.reflective_log_id;
  };
  const quarantine = async (): Promise<readonly Quarantined[]> => {
    const all: Quarantined[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const after: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const page: { quarantine: Quarantined[]; next_cursor: string | null } = await auditor.get(
        `quarantine?limit=100${after}`,
      );
      all.push(...page.quarantine);
      cursor = page.next_cursor;
    }
    return all;
  };
  const verify = async (): Promise<readonly Finding[]> =>
    (await auditor.post<{ findings: Finding[] }>('reflective-logs/verification')).findings;

  describe('of a job', () => {
    it('L7 a job’s ReflectiveLog is made by the service if the runtime sends none, and can be read after the end’s answer', async () => {
      const id = await ended({}, { goal: 'Learn a colour' });
      const read = await shown(id);
      expect(read.source).toBe('system');
      expect(read.query_text_hash).toBe(hmac('Learn a colour'));
      expect(read.final_answer).toBeNull();
      expect((await shown(await ended({}))).query_text_hash).toBe(hmac(''));
      expect(read.signature_valid).toBe(true);
      expect(read.origin).toBe('job');
      expect(await log.types(`reflective-${id}`)).toStrictEqual(['reflective_log_written']);
    });

    it('L7 a job’s ReflectiveLog contains the last hash of the job’s stream, which then accepts no more events', async () => {
      const id = await ended({});
      const { job_seed, stream_head_hash, created_at } = await shown(id);
      const events = await log.events(`job-${job_seed}`);
      expect(events.at(-1)?.metadata.hash).toBe(stream_head_hash);
      const end = events.find(({ type }) => type === 'job_ended');
      expect(created_at).toBe(end?.metadata.seeded_ts);
    });

    it('L7 if the runtime sends a ReflectiveLog, the service stores it as the job’s ReflectiveLog, and the job replays identically', async () => {
      const handed = account();
      const id = await ended({ reflective_log: handed });
      const read = (await shown(id)) as unknown as JsonObject;
      for (const [name, value] of Object.entries(handed))
        expect([name, read[name]]).toStrictEqual([name, value]);
      expect(read['log_id']).toBe(id);
      const path = `jobs/${read['job_seed'] as string}/replays`;
      const replay = await auditor.post<JsonObject>(path, { mode: 'strict' });
      expect(replay['identical']).toBe(true);
    });

    it('L7 an end within a batch can carry a ReflectiveLog', async () => {
      const { job_seed } = await agent.post<{ job_seed: string }>('jobs', {});
      await agent.post(`jobs/${job_seed}/commands`, {
        commands: [{ op: 'tick' }, { op: 'end', reflective_log: account({ repair_loops: 2 }) }],
      });
      expect((await shown(reflectiveLogId(job_seed))).repair_loops).toBe(2);
    });

    it('L5 L7 an end with an invalid ReflectiveLog is LOG_INVALID; the log is quarantined and the job goes on', async () => {
      const { job_seed } = await agent.post<{ job_seed: string }>('jobs', {});
      const path = `jobs/${job_seed}/end`;
      const { cache_hit: _, ...missing } = account();
      const refusal = await agent.refused('LOG_INVALID', 'POST', path, {
        body: { reflective_log: missing },
      });
      expect(refusal.developer_message).toMatch(/reflective_log.cache_hit is missing/);
      const own = { body: { reflective_log: account({ log_id: reflectiveLogId(job_seed) }) } };
      await agent.refused('LOG_INVALID', 'POST', path, own);
      await agent.post(path, { reflective_log: account() });
      const about = (await quarantine()).filter(
        ({ log_id }) => log_id === reflectiveLogId(job_seed),
      );
      expect(about.map(({ fault, reason }) => [fault, reason])).toStrictEqual([
        ['submitted', 'reflective_log.cache_hit is missing'],
        ['submitted', 'reflective_log.log_id is not a known field'],
      ]);
    });

    it('I7 a repeated end writes one ReflectiveLog', async () => {
      const { job_seed } = await agent.post<{ job_seed: string }>('jobs', {});
      const key = `end-${job_seed}`;
      const first = await agent.post(`jobs/${job_seed}/end`, {}, { key });
      expect(await agent.post(`jobs/${job_seed}/end`, {}, { key })).toStrictEqual(first);
      const stream = `reflective-${reflectiveLogId(job_seed)}`;
      expect(await log.types(stream)).toStrictEqual(['reflective_log_written']);
    });
  });

  describe('posted', () => {
    it('L1 posting a log whose id is in use, even by a job’s log, is LOG_EXISTS and adds nothing', async () => {
      const body = aLog();
      await agent.post('reflective-logs', body);
      await agent.refused('LOG_EXISTS', 'POST', 'reflective-logs', { body });
      expect(await log.types(`reflective-${body.log_id}`)).toHaveLength(1);
    });

    it('L1 L7 posting a log with the id that is reserved for a job’s own log is refused', async () => {
      for (const log_id of [reflectiveLogId('a job to come'), await ended({})]) {
        const refusal = await agent.refused('LOG_INVALID', 'POST', 'reflective-logs', {
          body: aLog({ log_id }),
        });
        expect(refusal.developer_message).toMatch(/only a job's own log/);
      }
    });

    it('I7 posting a log again with its key gets the first answer; another log under that key is a mismatch', async () => {
      const body = aLog();
      const key = `post-${body.log_id}`;
      const first = await agent.post('reflective-logs', body, { key });
      expect(await agent.post('reflective-logs', body, { key })).toStrictEqual(first);
      const other = { body: aLog(), key };
      await agent.refused('IDEMPOTENCY_MISMATCH', 'POST', 'reflective-logs', other);
    });

    it('L5 posting a log with missing, unknown or wrong fields is LOG_INVALID, audited and quarantined', async () => {
      const { final_answer: _, ...missing } = aLog();
      const cases: readonly (readonly [JsonObject, string])[] = [
        [missing, 'final_answer is missing'],
        [{ ...(aLog() as unknown as JsonObject), extra: 1 }, 'extra is not a known field'],
        [{ ...(aLog() as unknown as JsonObject), cache_hit: 'no' }, 'cache_hit must be'],
      ];
      for (const [body, reason] of cases) {
        const refusal = await agent.refused('LOG_INVALID', 'POST', 'reflective-logs', { body });
        expect(refusal.developer_message).toContain(reason);
        expect(refusal.severity).toBe('error');
        const entry = (await quarantine()).find(({ log_id }) => log_id === body['log_id']);
        expect(entry?.detail.content).toStrictEqual({ content: body });
        expect(entry?.detail.submitted_by).toBe(named('agent'));
        expect(await log.types(`reflective-${body['log_id'] as string}`)).toStrictEqual([]);
      }
      await agent.refused('LOG_INVALID', 'POST', 'reflective-logs', { body: [] });
      const audited = await log.events(`audit-${sha256Hex(named('agent')).slice(0, 16)}`);
      expect(audited.some(({ data }) => data['code'] === 'LOG_INVALID')).toBe(true);
    });

    it('L5 a posted log with very many fields is LOG_INVALID, and quarantined without its content', async () => {
      const extra = Object.fromEntries(Array.from({ length: 6_000 }, (_, at) => [`k${at}@`, at]));
      for (const body of [
        { ...aLog(), ...extra },
        { ...aLog(), qcp_summary: extra, cache_hit: 'no' },
      ]) {
        await agent.refused('LOG_INVALID', 'POST', 'reflective-logs', { body });
        const entry = (await quarantine()).find(({ log_id }) => log_id === body.log_id);
        expect(entry?.detail.content).toStrictEqual({});
      }
    });

    it('L2 L5 a posted signature must cover every field, and may be made with any key of the service', async () => {
      const body = aLog();
      const before = signLog(body, keyringOf(OLD_KEY));
      const forged = { ...body, signature: before, final_answer: 'Lyon.' };
      await agent.refused('LOG_INVALID', 'POST', 'reflective-logs', { body: forged });
      const foreign = signLog(body, keyringOf('sign:Of5sOmEbOdY6eLsE7aLtOgEtHeR8uVwXz9'));
      const unknown = { ...body, signature: foreign };
      await agent.refused('LOG_INVALID', 'POST', 'reflective-logs', { body: unknown });
      await agent.post('reflective-logs', { ...body, signature: before });
      const read = await agent.get<{ signature: { key_id: string } }>(
        `reflective-logs/${body.log_id}`,
      );
      // The stored signature uses the current key.
      expect(read.signature.key_id).toBe(keyringOf(TEST_KEYS.MACE_SIGNING_KEY).current.key_id);
    });

    it('P3 personal data in a posted log is replaced by its hash and a reason, and the event log contains none of it', async () => {
      const [output] = aLog().agent_outputs;
      const [vote] = aLog().council_votes;
      const id = await posted({
        agent_outputs: [{ ...output!, text: `Write to ${EMAIL}.`, reasoning_trace: [EMAIL] }],
        council_votes: [{ ...vote!, note: `${EMAIL} is a person` }],
        final_answer: `It is ${EMAIL}.`,
        qcp_summary: { contact: EMAIL },
      });
      const read = await shown(id);
      expect(read.agent_outputs[0]?.text).toBe('Write to [REDACTED:email].');
      expect(read.final_answer).toBe('It is [REDACTED:email].');
      expect((read.qcp_summary['contact'] as JsonObject)['redacted']).toBe(true);
      expect(
        read.redactions.map(({ field, type, redaction_reason }) => [field, type, redaction_reason]),
      ).toStrictEqual([
        ['qcp_summary.contact', 'email', 'PII_DETECTED'],
        ['agent_outputs.0.text', 'email', 'PII_DETECTED'],
        ['agent_outputs.0.reasoning_trace.0', 'email', 'PII_DETECTED'],
        ['council_votes.0.note', 'email', 'PII_DETECTED'],
        ['final_answer', 'email', 'PII_DETECTED'],
      ]);
      expect(read.redactions.every(({ hash }) => /^[0-9a-f]{64}$/.test(hash))).toBe(true);
      expect(read.signature_valid).toBe(true);
      const events = await log.events(`reflective-${id}`);
      const stored = JSON.stringify(events.map(({ data, metadata }) => [data, metadata]));
      expect(stored).not.toContain('alice');
      expect(await log.types(`reflective-${id}`)).toStrictEqual([
        'reflective_log_written',
        'pii_redacted',
      ]);
    });

    it('P3 I4 a posted log with errors is quarantined without its personal data, and an id with personal data is refused', async () => {
      const body = aLog({ query_id: '123-45-6789', final_answer: `Ask ${EMAIL}.` });
      const refusal = await agent.refused('LOG_INVALID', 'POST', 'reflective-logs', { body });
      expect(refusal.developer_message).toMatch(/query_id holds personal data/);
      const entries = JSON.stringify(await quarantine());
      expect(entries).toContain(body.log_id);
      expect(entries).not.toMatch(/alice|123-45-6789/);
    });

    it('L1 a posted output over 16k characters is cut, and the artifact store holds the text once under its hash', async () => {
      const text = 'All work and no play. '.repeat(5_000);
      const [output] = aLog().agent_outputs;
      const id = await posted({ agent_outputs: [{ ...output!, text }] });
      const [kept] = (await shown(id)).agent_outputs;
      const hash = sha256Hex(text);
      ensure(kept?.artifact_url === `artifact:sha256:${hash}`);
      expect(kept.text).toBe(text.slice(0, 16_000));
      const path = join(folder.path, 'artifacts', hash.slice(0, 2), hash);
      expect(await readFile(path, 'utf8')).toBe(text);
      const { artifacts } = await agent.get<{ artifacts: JsonObject }>(
        `reflective-logs/${id}?artifacts=true`,
      );
      expect(artifacts).toStrictEqual({ [kept.artifact_url]: text });
      const again = await posted({ agent_outputs: [{ ...output!, text }] });
      expect((await shown(again)).agent_outputs[0]?.artifact_url).toBe(kept.artifact_url);
    });

    it('L1 a posted log that is too large even with cut texts is LOG_INVALID', async () => {
      const [output] = aLog().agent_outputs;
      const reasoning_trace = Array.from({ length: 90 }, () => 'x'.repeat(10_000));
      const body = aLog({ agent_outputs: [{ ...output!, reasoning_trace }] });
      await agent.refused('LOG_INVALID', 'POST', 'reflective-logs', { body });
      const entry = (await quarantine()).find(({ log_id }) => log_id === body.log_id);
      expect(entry?.detail.content['artifact_url'] as string).toMatch(/^artifact:sha256:/);
    });

    it('I9 a log for a known job can be posted only by the job’s owner, and belongs to that owner', async () => {
      const { job_seed } = await agent.post<{ job_seed: string }>('jobs', {});
      const body = aLog({ job_seed });
      await stranger.refused('PERMISSION_DENIED', 'POST', 'reflective-logs', { body });
      await agent.post('reflective-logs', body);
    });
  });

  describe('read', () => {
    it('I9 a log can be read by the user of its job', async () => {
      const id = await ended({}, { user_id: named('tuff') });
      expect((await shown(id, user)).log_id).toBe(id);
    });

    it('§13 logs are listed in pages, oldest first, by job or by query; most callers see only their own', async () => {
      const query_id = `listed-${Date.now()}`;
      const ids: string[] = [];
      for (let n = 0; n < 5; n += 1) ids.push(await posted({ query_id }));
      const position = positionOf(
        await agent.did('POST', 'reflective-logs', {
          body: aLog({ query_id: `${query_id}-more` }),
        }),
      );
      const page = async (by: Caller, more = '') =>
        by.get<{ reflective_logs: Shown[]; next_cursor: string | null }>(
          `reflective-logs?query_id=${query_id}${more}`,
          { after: position },
        );
      const first = await page(auditor, '&limit=3');
      const rest = await page(auditor, `&limit=3&cursor=${first.next_cursor}`);
      const all = [...first.reflective_logs, ...rest.reflective_logs];
      expect(all.map(({ log_id }) => log_id)).toStrictEqual(ids);
      expect(rest.next_cursor).toBeNull();
      expect(all.every(({ signature_valid }) => signature_valid)).toBe(true);
      expect((await page(agent)).reflective_logs).toHaveLength(5);
      expect((await page(stranger)).reflective_logs).toHaveLength(0);
    });
  });

  describe('additions', () => {
    it('L4 a log with feedback by its user, labels, tags and amendments stays signed, and lists these additions', async () => {
      const id = await ended({}, { user_id: named('tuff') });
      const path = `reflective-logs/${id}`;
      await user.post(`${path}/feedback`, { rating: 5, comment: 'Right.' });
      await agent.post(`${path}/labels`, { ground_truth_label: { answer: 'Paris' } });
      await auditor.post(`${path}/tags`, { audit_tags: ['sampled', 'fine'] });
      await admin.post(`${path}/tags`, { audit_tags: ['fine'] });
      await agent.post(`${path}/amendments`, { changes: { note: 'seen' }, effect: 'note' });
      const read = await shown(id);
      expect(read.user_feedback[0]?.['rating']).toBe(5);
      expect(read.user_feedback[0]?.['author']).toStrictEqual({
        ...{ sub: named('tuff'), user_id: named('tuff'), role: 'user' },
      });
      expect(read.ground_truth_labels[0]?.['ground_truth_label']).toStrictEqual({
        answer: 'Paris',
      });
      expect(read.audit_tags).toStrictEqual(['sampled', 'fine']);
      expect(read.amendments).toHaveLength(1);
      expect(read.signature_valid).toBe(true);
    });

    it('§13 each kind of addition to a log requires its role', async () => {
      const id = await posted();
      const path = `reflective-logs/${id}`;
      const denied = (by: Caller, what: string, body: JsonObject) =>
        by.refused('PERMISSION_DENIED', 'POST', `${path}/${what}`, { body });
      await denied(agent, 'feedback', { rating: 1 });
      await denied(user, 'feedback', { rating: 1 });
      await denied(user, 'tags', { audit_tags: ['x'] });
      await denied(user, 'labels', { ground_truth_label: 1 });
      await denied(stranger, 'amendments', { changes: {}, effect: 'note' });
      await denied(auditor, 'amendments', { changes: {}, effect: 'note' });
      await agent.refused('INVALID_INPUT', 'POST', `${path}/amendments`, {
        body: { changes: {}, effect: 'erase' },
      });
    });

    it('P3 personal data in an amendment is redacted, and the redaction is recorded', async () => {
      const id = await posted();
      await agent.post(`reflective-logs/${id}/amendments`, {
        changes: { final_answer: `Ask ${EMAIL}` },
        effect: 'override_suggestion',
      });
      const { amendments } = await shown(id);
      expect(amendments[0]?.['changes']).toStrictEqual({ final_answer: 'Ask [REDACTED:email]' });
      expect((await log.types(`reflective-${id}`)).slice(1)).toStrictEqual([
        'amendment_added',
        'pii_redacted',
      ]);
    });

    it('A3 a log for which the owner requests a review stays in review until the council has answered', async () => {
      const id = await posted();
      const path = `reflective-logs/${id}`;
      const asked = await agent.post(`${path}/reviews`, { reason: 'I doubt it.' });
      expect(await agent.post(`${path}/reviews`, { reason: 'Again.' })).toStrictEqual(asked);
      expect((await shown(id)).open_review?.['reason']).toBe('I doubt it.');
      const waiting = async (): Promise<string[]> => {
        const { body } = await council.did<{ reviews: { log_id: string }[] }>('GET', 'reviews');
        return body.reviews.map(({ log_id }) => log_id);
      };
      expect(await waiting()).toContain(id);
      await council.refused('PERMISSION_DENIED', 'POST', `${path}/reviews`, {
        body: { reason: 'x' },
      });
      await council.post(`${path}/amendments`, {
        changes: { verdict: 'right' },
        effect: 'revalidate',
      });
      expect((await shown(id)).open_review).toBeNull();
      expect(await waiting()).not.toContain(id);
    });
  });

  describe('verified', () => {
    it('L5 verification reports nothing if the rows are intact; only admins and auditors may request it', async () => {
      await posted();
      expect(await verify()).toStrictEqual([]);
      await agent.refused('PERMISSION_DENIED', 'POST', 'reflective-logs/verification');
      await agent.refused('PERMISSION_DENIED', 'GET', 'quarantine');
    });

    it('L5 verification restores a missing row and removes a forged one', async () => {
      const id = await posted();
      const before = await shown(id);
      await queryAsSuperuser(service.postgres, `delete from ${TABLE} where log_id = $1`, [id]);
      const forged = named('put in by hand');
      await queryAsSuperuser(
        service.postgres,
        `insert into ${TABLE} select (jsonb_populate_record(one, jsonb_build_object(
           'log_id', $1::text, 'final_answer', $2::text))).* from ${TABLE} as one limit 1`,
        [forged, JSON.stringify(`It was ${EMAIL}.`)],
      );
      const findings = await verify();
      expect(
        findings.map(({ log_id, fault, healed }) => [log_id, fault, healed]).sort(),
      ).toStrictEqual(
        [
          [id, 'missing', true],
          [forged, 'forged', true],
        ].sort(),
      );
      expect(await shown(id)).toStrictEqual(before);
      expect(await verify()).toStrictEqual([]);
      const entries = JSON.stringify(await quarantine());
      expect(entries).toContain(forged);
      expect(entries).not.toContain('alice');
    });

    it('L5 verification removes a forged row each time that somebody puts it in', async () => {
      const id = await posted();
      await shown(id);
      const forged = named('put in again');
      for (let times = 0; times < 3; times += 1) {
        await queryAsSuperuser(
          service.postgres,
          `insert into ${TABLE} select (jsonb_populate_record(one, jsonb_build_object(
             'log_id', $1::text))).* from ${TABLE} as one where log_id = $2`,
          [forged, id],
        );
        expect(await verify()).toStrictEqual([
          expect.objectContaining({ log_id: forged, fault: 'forged', healed: true }),
        ]);
        expect(await verify()).toStrictEqual([]);
      }
    });

    it('L5 verification covers every column of a row, the signature included, and quarantines a changed row only once', async () => {
      const id = await posted();
      await shown(id);
      const tamper = async (set: string): Promise<void> => {
        await queryAsSuperuser(service.postgres, `update ${TABLE} set ${set} where log_id = $1`, [
          id,
        ]);
      };
      for (const set of [
        `cache_hit = true`,
        `final_confidence = 0.31`,
        `evidence = '[]'`,
        `agent_outputs = 'no JSON'`,
        `signature = repeat('0', 64)`,
        `owner_sub = '${named('agent-2')}'`,
        `created_at = '2020-01-01T00:00:00.000Z'`,
      ]) {
        await tamper(set);
        expect([set, (await verify()).map(({ log_id, healed }) => [log_id, healed])]).toStrictEqual(
          [set, [[id, true]]],
        );
      }
      expect((await shown(id)).signature_valid).toBe(true);
      expect(await verify()).toStrictEqual([]);
    });

    it('L2 verification accepts a log that was signed with a replaced key', async () => {
      const id = await posted();
      const fields = await shown(id);
      expect(fields.signature_valid).toBe(true);
      const servers = { eventStore: service.eventStore, postgres: service.postgres };
      const keys = (current: string, old: string) => ({
        MACE_SIGNING_KEY: current,
        MACE_SIGNING_KEYS_OLD: old,
      });
      const next = 'sign:ThE4nExT5kEy6iN7tHe8rOw9mAdE0tOdAy';
      const rotated = await TestService.start({
        servers,
        environment: keys(next, TEST_KEYS.MACE_SIGNING_KEY),
      });
      const without = await TestService.start({ servers, environment: keys(next, OLD_KEY) });
      try {
        const path = `reflective-logs/${id}`;
        expect((await (await Caller.of(rotated, 'agent')).get<Shown>(path)).signature_valid).toBe(
          true,
        );
        expect((await (await Caller.of(without, 'agent')).get<Shown>(path)).signature_valid).toBe(
          false,
        );
        const { findings } = await (
          await Caller.of(without, 'auditor')
        ).post<{ findings: Finding[] }>('reflective-logs/verification');
        expect(findings.length).toBeGreaterThan(0);
        expect(findings.every(({ fault }) => fault === 'unverifiable')).toBe(true);
      } finally {
        await rotated.stop();
        await without.stop();
      }
    });
  });
});
