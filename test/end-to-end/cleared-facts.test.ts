import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { type ActionRequest, type Dossier, MaceClient } from '#client/index.js';
import type { Role } from '#platform/auth/roles.js';
import { Caller } from '#test/support/caller.js';
import { askedErasure, decided, execution, type Receipt } from '#test/support/data-subject.js';
import { named } from '#test/support/named.js';
import { LogReader } from '#test/support/read-log.js';
import { TestService } from '#test/support/service.js';
import { until } from '#test/faults/support/until.js';

/** A value that the gate takes for a phone number and an address of the network; both are parts of a version. */
const PHONE = '+1 415 555 0132';
const VALUE = { build: `zeppelin ${PHONE}`, next: '10.20.30.40' };
const CARD = '4539 1488 0343 6467';
const ERASED = { erased: true };
const TABLES = ['entry', 'posting', 'block', 'label', 'partition', 'container'] as const;

type Hits = { readonly hits: readonly { readonly id: string; readonly text: string }[] };

describe('Facts whose findings the council has cleared (W8)', () => {
  let service: TestService;
  let log: LogReader;
  let postgres: pg.Client;
  let agent: Caller;
  let other: Caller;
  let admin: Caller;
  let auditor: Caller;
  let ann: Caller;
  let bob: Caller;
  let episodic_id: string;
  let keys = 0;

  beforeAll(async () => {
    service = await TestService.start({ ownLog: true });
    service.writesAreSeen = true;
    log = new LogReader(service.eventStore.url);
    postgres = new pg.Client({ connectionString: service.postgres.url });
    await postgres.connect();
    const one = (role: Role, name: string) => Caller.of(service, role, { sub: named(name) });
    agent = await one('agent', 'proposer');
    other = await one('agent', 'other');
    admin = await one('admin', 'admin');
    auditor = await one('auditor', 'auditor');
    [ann, bob] = [await one('council', 'ann'), await one('council', 'bob')];
    await agent.post('jobs', { job_seed: named('cleared') });
    ({ episodic_id } = await agent.post<{ episodic_id: string }>(
      `jobs/${named('cleared')}/episodes`,
      { summary: 'Seen in the release notes.' },
    ));
  });
  afterAll(async () => {
    await postgres?.end();
    await log?.close();
    await service?.stop();
  });

  const freshKey = (): string => `world/program/${named(`p${(keys += 1)}`)}/release`;
  const propose = (more: object = {}, by = agent) =>
    by.post<ActionRequest>('action-requests', {
      ...{ episodic_id, target_sem_key: freshKey(), value: VALUE },
      ...{ justification: 'It is a version.', evidence: [] },
      ...more,
    });
  const clearance = ({ proposal_hash }: ActionRequest, finding: number) => ({
    body: { proposal_hash, finding, reason: 'A part of a version.' },
  });
  const clear = (by: Caller, request: ActionRequest, finding: number) =>
    by.did('POST', `action-requests/${request.request_id}/clearances`, clearance(request, finding));
  const refusedToClear = (by: Caller, request: ActionRequest, code: string, finding = 0) =>
    by.refused(
      code as 'PERMISSION_DENIED',
      'POST',
      `action-requests/${request.request_id}/clearances`,
      clearance(request, finding),
    );
  const approve = (request: ActionRequest, by = ann) =>
    by.post<ActionRequest>(`action-requests/${request.request_id}/votes`, {
      ...{ vote: 'approve', reason: 'It is so.', proposal_hash: request.proposal_hash },
    });
  const dossier = ({ request_id }: ActionRequest) =>
    auditor.get<Dossier>(`action-requests/${request_id}/dossier`);
  /** Makes a fact that two members have cleared. */
  async function cleared(value: unknown = VALUE, more: object = {}): Promise<ActionRequest> {
    const request = await propose({ value, ...more });
    const { flagged_spans } = await dossier(request);
    for (const finding of flagged_spans.keys())
      for (const by of [ann, bob]) await clear(by, request, finding);
    const approved = await approve(request);
    expect(approved).toMatchObject({ status: 'executed', refusal_code: null });
    return approved;
  }
  const keyOf = ({ target_sem_key }: ActionRequest): string => target_sem_key ?? '';
  const subjectOf = (request: ActionRequest): string => `fact:${keyOf(request)}`;
  const valueOf = async (by: Caller, key: string) => (await by.get(`sem/${key}`))['value'];
  const search = async (query: string, by = other, more: object = {}) =>
    (await by.post<Hits>('search', { query, ...more })).hits;
  const idsOf = async (query: string, by = other) => (await search(query, by)).map(({ id }) => id);
  async function index(): Promise<Record<string, string[]>> {
    const all: Record<string, string[]> = {};
    for (const table of TABLES) {
      const { rows } = await postgres.query<{ row: string }>(
        `select row::text from (select * from search.${table}) as row order by 1`,
      );
      all[table] = rows.map(({ row }) => row);
    }
    return all;
  }
  const linesWith = async (word: string): Promise<number> =>
    Object.values(await index())
      .flat()
      .filter((row) => row.includes(word)).length;
  async function erase(subject: string): Promise<Receipt> {
    const request = await askedErasure(admin, subject);
    await decided(ann, request);
    const second = await Caller.of(service, 'admin', { sub: named('admin-2') });
    return second.post<Receipt>(execution(request));
  }

  it('the dossier lists each finding with its place, and who has cleared it, and never its text', async () => {
    const request = await propose();
    await clear(ann, request, 0);
    const { flagged_spans, recheck, ...rest } = await dossier(request);
    const place = { category: 'medium', in_key: false, may_be_cleared: true };
    expect(flagged_spans).toMatchObject([
      { ...place, type: 'phone', path: ['build'], span: [9, 24] },
      { type: 'ip_address', path: ['next'], span: [0, 11], cleared_by: [] },
    ]);
    expect(flagged_spans[0]?.cleared_by).toMatchObject([
      { by: { sub: named('ann'), user_id: null }, reason: 'A part of a version.' },
    ]);
    expect(recheck.map(({ code }) => code)).toContain('consent_missing');
    expect(JSON.stringify([flagged_spans, rest])).not.toContain(PHONE);
    // A member looks at the value by the read that is recorded.
    const path = `action-requests/${request.request_id}?unredacted=true`;
    expect((await ann.get(path, { reason: 'Is it a phone number?' }))['value']).toStrictEqual(
      VALUE,
    );
  });

  it('one clearance of each finding is not enough: the approval ends as it does today', async () => {
    const request = await propose();
    for (const finding of [0, 1]) await clear(ann, request, finding);
    await clear(bob, request, 1);
    const approved = await approve(request);
    expect(approved).toMatchObject({
      status: 'execution_refused',
      refusal_code: 'PRIVACY_BLOCKED',
    });
    await other.refused('SEM_NOT_FOUND', 'GET', `sem/${keyOf(request)}`);
  });

  it('two make the fact readable to all who may read its key, in every read of facts, and searchable', async () => {
    const request = await cleared();
    const key = keyOf(request);
    for (const reader of [agent, other, admin, auditor, ann])
      expect(await valueOf(reader, key)).toStrictEqual(VALUE);
    const user = await Caller.of(service, 'user', { sub: named('somebody') });
    expect(await valueOf(user, key)).toStrictEqual(VALUE);
    const { facts } = await other.get<{ facts: { value: unknown }[] }>(`sem?prefix=${key}`);
    expect(facts).toMatchObject([{ value: VALUE }]);
    const { events } = await other.get<{ events: { value: unknown }[] }>(`sem/${key}/history`);
    expect(events).toMatchObject([{ value: VALUE }]);
    expect(await other.get(`sem/${key}?version=0`)).toMatchObject({ value: VALUE });
    for (const query of ['zeppelin', `"zeppelin ${PHONE}"`])
      expect(await search(query)).toMatchObject([
        { id: key, text: `build zeppelin ${PHONE} next 10.20.30.40` },
      ]);
    expect(await idsOf('zeppelin', user)).toStrictEqual([key]);
    const recall = (shared: boolean) =>
      agent.post<{ text: string }>('recall', { query: 'zeppelin', shared, user_id: 'x1' });
    expect((await recall(true)).text).toContain(PHONE);
    expect((await recall(false)).text).not.toContain(PHONE);
    expect((await dossier(await propose({ target_sem_key: key }))).present_fact).toMatchObject({
      value: VALUE,
    });
  });

  it('the log has the value only sealed, under the key of the fact, with the request that cleared it', async () => {
    const request = await cleared();
    const events = await log.events(`sem-${keyOf(request)}`);
    expect(events).toHaveLength(1);
    const [put] = events;
    expect(put?.data).toMatchObject({
      cleared_in: request.request_id,
      sealed: { type: 'ip_address,phone' },
      meta: { provenance_id: request.request_id },
    });
    const { jwe } = put?.data['sealed'] as { jwe: string };
    const header = Buffer.from(jwe.split('.')[0] ?? '', 'base64url').toString();
    expect(JSON.parse(header)).toMatchObject({ kid: `${subjectOf(request)}#1` });
    const texts = JSON.stringify(
      [events, await log.events(`request-${request.request_id}`)],
      (_, one: unknown) => (typeof one === 'bigint' ? String(one) : one),
    );
    expect(texts).not.toContain(PHONE);
    const types = await log.types(`request-${request.request_id}`);
    expect(types.filter((type) => type === 'span_cleared')).toHaveLength(4);
  });

  it('the SDK clears a finding, and a repeat with the same key adds nothing', async () => {
    const request = await propose();
    const token = await service.token('council', { sub: named('ann') });
    const mace = new MaceClient({ baseUrl: service.url, token });
    const { proposal_hash, request_id } = request;
    const given = { proposal_hash, finding: 1, reason: `Not a number like ${PHONE}.` };
    for (let time = 0; time < 2; time += 1)
      await mace.actionRequests.clear(request_id, given, { idempotencyKey: 'once' });
    const events = await log.events(`request-${request_id}`);
    const said = events.filter(({ type }) => type === 'span_cleared');
    expect(said.map(({ data }) => data['reason'])).toStrictEqual([
      'Not a number like [REDACTED:phone].',
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'pii_redacted', data: { subject: 'clearance' } });
  });

  it('agents, users, auditors and admins clear nothing, nor do the proposer and the editor', async () => {
    const request = await propose();
    for (const by of [agent, other, admin, auditor])
      await refusedToClear(by, request, 'PERMISSION_DENIED');
    const both = await Caller.of(service, ['agent', 'council'], { sub: named('both') });
    await both.post('jobs', { job_seed: named('both-job') });
    await refusedToClear(both, await propose({}, both), 'PERMISSION_DENIED');
    const revised = await bob.post<ActionRequest>(
      `action-requests/${request.request_id}/revisions`,
      { value: { build: PHONE }, reason: 'Shorter.' },
    );
    await refusedToClear(bob, revised, 'PERMISSION_DENIED');
    await clear(ann, revised, 0);
  });

  it('a revision starts anew, and a clearance that names the earlier value is refused', async () => {
    const request = await propose();
    for (const finding of [0, 1]) for (const by of [ann, bob]) await clear(by, request, finding);
    expect((await dossier(request)).recheck.map(({ code }) => code)).not.toContain(
      'consent_missing',
    );
    const cid = await Caller.of(service, 'council', { sub: named('cid') });
    const revised = await cid.post<ActionRequest>(
      `action-requests/${request.request_id}/revisions`,
      { value: { ...VALUE, more: 'text' }, reason: 'With more.' },
    );
    await refusedToClear(ann, request, 'VERSION_CONFLICT');
    const { flagged_spans, recheck } = await dossier(request);
    expect(flagged_spans.map(({ cleared_by }) => cleared_by)).toStrictEqual([[], []]);
    expect(recheck.map(({ code }) => code)).toContain('consent_missing');
    expect(await approve(revised)).toMatchObject({ refusal_code: 'PRIVACY_BLOCKED' });
  });

  it('nobody clears a fact of scope user, data of category high, or what is not flagged', async () => {
    const mia = await Caller.of(service, 'agent', {
      sub: named('mia-agent'),
      user_id: named('mia'),
    });
    await mia.post('jobs', { job_seed: named('mia-job') });
    const about = await mia.post<{ episodic_id: string }>(`jobs/${named('mia-job')}/episodes`, {
      summary: 'Said.',
    });
    const { key: target_sem_key } = await mia.post<{ key: string }>('sem-keys', {
      ...{ scope: 'user', entity_type: 'profile', attribute: 'contact', user_id: named('mia') },
    });
    const personal = await propose({ target_sem_key, episodic_id: about.episodic_id }, mia);
    await refusedToClear(ann, personal, 'PERMISSION_DENIED');
    const high = await propose({ value: { build: PHONE, card: CARD } });
    for (const finding of [0, 1]) await refusedToClear(ann, high, 'PERMISSION_DENIED', finding);
    for (const one of [personal, high])
      expect((await dossier(one)).flagged_spans.map((span) => span.may_be_cleared)).toContain(
        false,
      );
    const clean = await propose({ value: 'plain' });
    await refusedToClear(ann, clean, 'NOT_FOUND');
    await refusedToClear(ann, await propose(), 'NOT_FOUND', 2);
    await refusedToClear(ann, { ...clean, request_id: 'none' }, 'NOT_FOUND');
  });

  it('a direct put cannot claim a clearance, whatever it sends', async () => {
    const key = keyOf(await cleared());
    const [put] = await log.events(`sem-${key}`);
    const { sealed, cleared_in } = put?.data ?? {};
    for (const [by, body] of [
      [admin, { value: VALUE }],
      [admin, { value: VALUE, meta: { cleared_in } }],
    ] as const)
      await by.refused('PRIVACY_BLOCKED', 'PUT', `sem/${key}`, { body });
    for (const more of [{ cleared_in }, { sealed }, { sealed, cleared_in }])
      await admin.refused('INVALID_INPUT', 'PUT', `sem/${key}`, { body: { value: 1, ...more } });
    // JSON of the same form is a value like any other.
    const forged = { sealed: { jwe: 'a.b.c', type: 'phone' }, cleared_in };
    await admin.did('PUT', `sem/${key}`, { body: { value: forged } });
    expect(await valueOf(other, key)).toStrictEqual(forged);
    expect((await log.events(`sem-${key}`)).at(-1)?.data).not.toHaveProperty('cleared_in');
  });

  it('G6 the erasure of the fact’s key takes it from reads, the index and the sealed values', async () => {
    const word = 'airship';
    const request = await cleared({ build: `${word} ${PHONE}` });
    const kept = await cleared({ build: `${word} ${PHONE}` });
    const key = keyOf(request);
    expect((await idsOf(word)).sort()).toStrictEqual([key, keyOf(kept)].sort());
    // The index has the word as a term and in the text of both facts.
    expect(await linesWith(word)).toBe(4);
    const receipt = await erase(subjectOf(request));
    expect(receipt).toMatchObject({
      ...{ subject: subjectOf(request), destroyed_keys: [`${subjectOf(request)}#1`] },
      manifest: { events: 1, streams: 1 },
    });
    await service.caughtUp();
    for (const reader of [other, admin, auditor])
      expect(await valueOf(reader, key)).toStrictEqual(ERASED);
    expect(await admin.get(`sem/${key}?unredacted=true`)).toMatchObject({ value: ERASED });
    const { facts } = await other.get<{ facts: { value: unknown }[] }>(`sem?prefix=${key}`);
    expect(facts).toMatchObject([{ value: ERASED }]);
    // The service has searched before, so it has what it read of the index in memory.
    for (const more of [{}, { max_results: 1 }])
      expect((await search(word, other, more)).map(({ id }) => id)).toStrictEqual([keyOf(kept)]);
    expect(await linesWith(word)).toBe(2);
    const retained = await admin.get<{ subjects: { subject: string; erased: boolean }[] }>(
      'retention?limit=500',
    );
    expect(retained.subjects.find(({ subject }) => subject === subjectOf(request))).toMatchObject({
      erased: true,
    });
    // A new value has a key of its own, and the words of the other fact stay.
    await admin.did('PUT', `sem/${key}`, { body: { value: `${word} plain` } });
    expect((await idsOf(word)).sort()).toStrictEqual([key, keyOf(kept)].sort());
  });

  it('a process that has kept the index in memory scores after an erasure as one that reads it anew', async () => {
    const word = 'dirigible';
    const made = await cleared({ build: `${word} ${word} ${PHONE}` });
    for (const text of ['of hydrogen', 'of helium'])
      await admin.did('PUT', `sem/${freshKey()}`, { body: { value: `${word} ${text}` } });
    const explained = (at: TestService) =>
      Caller.of(at, 'agent', { sub: named('other') }).then((by) =>
        search(word, by, { explain: true, ranking_version: 1 }),
      );
    expect(await explained(service)).toHaveLength(3);
    await erase(subjectOf(made));
    await service.caughtUp();
    const { eventStore, postgres: same } = service;
    const fresh = await TestService.start({ servers: { eventStore, postgres: same } });
    try {
      await fresh.caughtUp();
      const hits = await explained(service);
      expect(hits).toHaveLength(2);
      expect(hits).toStrictEqual(await explained(fresh));
    } finally {
      await fresh.stop();
    }
  });

  it('an admin alone asks for the erasure of a cleared fact', async () => {
    const request = await cleared();
    const ask = (subject: string) => ({
      body: { kind: 'erasure', subject, reason_code: 'legal_erasure', justification: 'Mistaken.' },
    });
    for (const by of [agent, other, ann, auditor])
      await by.refused('PERMISSION_DENIED', 'POST', 'action-requests', ask(subjectOf(request)));
    for (const subject of ['fact:no key', 'fact:user/profile/user_mia/contact'])
      await admin.refused('INVALID_INPUT', 'POST', 'action-requests', ask(subject));
    const erasure = await askedErasure(admin, subjectOf(request));
    await decided(bob, erasure);
    expect(await admin.post<Receipt>(execution(erasure))).toMatchObject({
      subject: subjectOf(request),
    });
    expect(await valueOf(other, keyOf(request))).toStrictEqual(ERASED);
  });

  it('a value that is erased before the approval writes no fact', async () => {
    const request = await propose();
    for (const finding of [0, 1]) for (const by of [ann, bob]) await clear(by, request, finding);
    await erase(`job:${named('cleared')}`);
    expect(await approve(request)).toMatchObject({
      status: 'execution_refused',
      refusal_code: 'VERSION_CONFLICT',
    });
  });

  it('X1 X5 the log replays identically, and the index is the same after a rebuild', async () => {
    await service.caughtUp();
    for (const name of ['search', 'sem', 'sealed_values', 'action_requests']) {
      const before = name === 'search' ? await index() : {};
      const oid = async () =>
        (await postgres.query('select oid from pg_namespace where nspname = $1', [name]))
          .rows as object[];
      const first = JSON.stringify(await oid());
      await admin.did('POST', `projections/${name}/rebuild`, { body: {} });
      await until('the rebuilt tables are live', async () => {
        const now = JSON.stringify(await oid());
        return now !== '[]' && now !== first;
      });
      if (name === 'search') expect(await index()).toStrictEqual(before);
    }
    const { projections } = await admin.get<{
      projections: { name: string; stopped: unknown; differences: unknown[] }[];
    }>('projections');
    for (const { name, stopped, differences } of projections)
      expect([name, stopped, differences]).toStrictEqual([name, null, []]);
  });
});
