import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { actionRequestDecider } from '#domain/action-request/action-request.decider.js';
import type { Dossier } from '#client/index.js';
import { input } from '#domain/decider.js';
import type { Json } from '#domain/json.js';
import { AggregateStore } from '#event-store/aggregate-store.js';
import { Caller } from '#test/support/caller.js';
import {
  askedErasure,
  DataSubject,
  decided as votedErasure,
  EMAIL,
  type Erasable,
  execution,
  type Receipt,
} from '#test/support/data-subject.js';
import { named } from '#test/support/named.js';
import { LogReader } from '#test/support/read-log.js';
import { queryAsSuperuser } from '#test/support/reflective-logs.js';
import { until } from '../faults/support/until.js';
import { TestService } from '#test/support/service.js';

const SSN = '536-22-8726';

describe('Erasure (SPEC G6)', () => {
  let service: TestService;
  let log: LogReader;
  let council: Caller;
  let admin: Caller;
  let auditor: Caller;

  beforeAll(async () => {
    service = await TestService.shared();
    log = new LogReader(service.eventStore.url);
    council = await Caller.of(service, 'council');
    admin = await Caller.of(service, 'admin');
    auditor = await Caller.of(service, 'auditor');
  });
  afterAll(async () => {
    await log?.close();
    await service?.stop();
  });

  const someone = (name: string) => DataSubject.of(service, name);
  const dossierOf = (by: Caller, { request_id }: Erasable) =>
    by.get<Dossier>(`action-requests/${request_id}/dossier`);
  const decided = (request: Erasable, vote?: string) => votedErasure(council, request, vote);

  it('an erasure needs the council and then an admin; afterwards nobody can open the data', async () => {
    const person = await someone('erased');
    const request = await askedErasure(person.user, person.subject);
    await admin.refused('VERSION_CONFLICT', 'POST', execution(request), { body: {} });
    expect(await decided(request)).toMatchObject({ status: 'approved' });
    for (const caller of [council, person.user, person.agent])
      await caller.refused('PERMISSION_DENIED', 'POST', execution(request), { body: {} });
    expect(await person.user.get(`sem/${person.key}`)).toMatchObject({ value: EMAIL });

    const receipt = await admin.post<Receipt>(execution(request));
    expect(receipt).toMatchObject({
      kind: 'mace_erasure_receipt',
      subject: person.subject,
      destroyed_keys: [`${person.subject}#1`],
      manifest: { events: 2, streams: 2 },
    });

    expect(await person.user.get(`sem/${person.key}`)).toMatchObject({ value: { erased: true } });
    for (const reader of [person.agent, auditor])
      expect(await reader.get(`jobs/${person.job_seed}`)).toMatchObject({
        wm: [{ value: { erased: true } }],
      });
    expect(await council.get(`action-requests/${request.request_id}`)).toMatchObject({
      status: 'executed',
    });
  });

  it('the job of an erased subject replays identical, and its log verifies', async () => {
    const person = await someone('replayed');
    const request = await askedErasure(person.user, person.subject);
    await decided(request);
    await person.agent.post(`jobs/${person.job_seed}/end`);
    await admin.post(execution(request));
    const report = await auditor.post(`jobs/${person.job_seed}/replays`, { mode: 'strict' });
    expect(report).toMatchObject({ identical: true });
  });

  it('the receipt names the deletion_event, can be read again by the subject, and by nobody else', async () => {
    const person = await someone('receipt');
    const other = await someone('stranger');
    const request = await askedErasure(person.user, person.subject);
    await decided(request);
    const receipt = await admin.post<Receipt>(execution(request));
    const path = `erasures/${request.request_id}`;
    expect(await person.user.get(path)).toStrictEqual(receipt);
    expect(await auditor.get(path)).toStrictEqual(receipt);
    await other.user.refused('PERMISSION_DENIED', 'GET', path);
    const events = await log.events(`request-${request.request_id}`);
    const deletion = events[receipt.event.number];
    expect(deletion).toMatchObject({
      type: 'deletion_event',
      metadata: { hash: receipt.event.hash },
      data: { subject: person.subject, reason_code: 'legal_erasure' },
    });
    expect(events.map(({ type }) => type)).toStrictEqual([
      'action_requested',
      'vote_cast',
      'erasure_approved',
      'erasure_ordered',
      'deletion_event',
    ]);
  });

  it('a repeated execution gives the same receipt and adds nothing', async () => {
    const person = await someone('repeated');
    const request = await askedErasure(person.user, person.subject);
    await decided(request);
    const first = await admin.post<Receipt>(execution(request));
    const again = await admin.post<Receipt>(execution(request));
    expect(again).toStrictEqual(first);
  });

  it('a second order of one erasure does not destroy the key of what was written after the first', async () => {
    const person = await someone('ordered-twice');
    const request = await askedErasure(person.user, person.subject);
    await decided(request);
    const first = admin.post<Receipt>(execution(request));
    await until('the key is destroyed', async () => {
      const keys = await queryAsSuperuser(
        service.postgres,
        'select from subject_keys.subject_key where subject = $1 and wrapped is null',
        [person.subject],
      );
      return keys.length > 0;
    });
    await person.user.did('PUT', `sem/${person.key}`, { body: { value: `new.${EMAIL}` } });
    const second = await admin.post<Receipt>(execution(request));
    expect(second).toStrictEqual(await first);
    expect(second.destroyed_keys).toStrictEqual([`${person.subject}#1`]);
    expect(await person.user.get(`sem/${person.key}`)).toMatchObject({ value: `new.${EMAIL}` });
    const ordered = (await log.events(`request-${request.request_id}`)).find(
      ({ type }) => type === 'erasure_ordered',
    );
    expect(ordered?.data).toMatchObject({ kids: [`${person.subject}#1`] });
  });

  it('an order of an earlier release, which names no keys, is carried out', async () => {
    const person = await someone('ordered-before');
    const request = await askedErasure(person.user, person.subject);
    await decided(request);
    const stream = `request-${request.request_id}`;
    const schemas = { ...actionRequestDecider.schemas, erasure_ordered: input };
    const earlier = new AggregateStore(
      log.eventStore,
      { ...actionRequestDecider, schemas },
      { writeFailure: 'MEMORY_WRITE_FAIL' },
    );
    await earlier.execute(
      stream,
      [{ type: 'order_erasure', ordered_by: 'someone', at: new Date().toISOString() }],
      { command_id: stream, body_hash: stream, actor: 'someone', trace_id: 'earlier' },
    );
    await until('the erasure is carried out', async () =>
      (await log.types(stream)).includes('deletion_event'),
    );
    expect(await admin.post(execution(request))).toMatchObject({
      destroyed_keys: [`${person.subject}#1`],
      manifest: { events: 2 },
    });
    const [ordered] = (await log.events(stream)).filter(({ type }) => type === 'erasure_ordered');
    expect(ordered).toMatchObject({ metadata: { schema_version: 1 } });
    expect(ordered?.data).not.toHaveProperty('kids');
  });

  it('an erasure that its retention period forbids until it expires is refused when it is proposed', async () => {
    const person = await someone('retained');
    const body = {
      kind: 'erasure',
      subject: person.subject,
      reason_code: 'other',
      justification: 'Please forget me.',
    };
    const { developer_message } = await person.user.refused(
      'INVALID_INPUT',
      'POST',
      'action-requests',
      { body },
    );
    expect(developer_message).toMatch(
      /would expire at \d{4}-\S+Z, before the retention period ends at \d{4}-\S+Z/,
    );
  });

  it('an erasure that its retention period allows before it expires is accepted, and is executed only then', async () => {
    const days = await TestService.start({ environment: { MACE_RETENTION_DAYS: '2' } });
    try {
      const person = await DataSubject.of(days, 'kept-two-days');
      const request = await askedErasure(person.user, person.subject, 'retention');
      const left = Date.parse(request.executable_from ?? '') - Date.now();
      expect(Math.round(left / 3_600_000)).toBe(48);
      await votedErasure(await Caller.of(days, 'council'), request);
      const chief = await Caller.of(days, 'admin');
      expect((await dossierOf(chief, request)).erasure).toMatchObject({
        retention_ends_at: request.executable_from,
        obstacles: ['retention'],
      });
      await chief.refused('PERMISSION_DENIED', 'POST', execution(request), { body: {} });
      expect(await person.user.get(`sem/${person.key}`)).toMatchObject({ value: EMAIL });
    } finally {
      await days.stop();
    }
  });

  it('G6 a person who voted under one sub does not execute it under another', async () => {
    const person = await someone('two-subs');
    const request = await askedErasure(person.user, person.subject);
    const user_id = named('chief').toLowerCase();
    const first = await Caller.of(service, 'admin', { sub: named('chief-1'), user_id });
    const second = await Caller.of(service, 'admin', { sub: named('chief-2'), user_id });
    await votedErasure(first, request);
    expect((await dossierOf(second, request)).erasure).toMatchObject({ obstacles: ['voted'] });
    await second.refused('PERMISSION_DENIED', 'POST', execution(request), { body: {} });
    expect(await admin.post(execution(request))).toMatchObject({ subject: person.subject });
  });

  it('its dossier counts what it destroys by kind, and says who can execute it, without a value', async () => {
    const person = await someone('counted');
    const request = await askedErasure(person.user, person.subject);
    const { request_id, proposal_hash } = request;
    const voting = await Caller.of(service, 'admin', { sub: named('counting-admin') });
    const reviewed = async (by: Caller) => (await dossierOf(by, request)).erasure;
    const destroys = [
      { kind: 'job', values: 1, events: 1, streams: 1 },
      { kind: 'sem', values: 1, events: 1, streams: 1 },
    ];
    expect(await reviewed(council)).toMatchObject({
      ...{ subject: person.subject, reason_code: 'legal_erasure', is_own: true, destroys },
      ...{ retention_ends_at: null, obstacles: ['undecided', 'role'] },
    });
    expect(await reviewed(admin)).toMatchObject({ obstacles: ['undecided'] });
    const vote = { vote: 'approve', reason: 'The subject asked for it.', proposal_hash };
    await voting.post(`action-requests/${request_id}/votes`, vote);
    expect(await reviewed(voting)).toMatchObject({ obstacles: ['voted'] });
    expect(await reviewed(auditor)).toMatchObject({ obstacles: ['role'] });
    const ready = await dossierOf(admin, request);
    expect(ready.erasure).toMatchObject({ obstacles: [] });
    expect(JSON.stringify(ready)).not.toContain(EMAIL);

    await admin.post(execution(request));
    expect(await reviewed(admin)).toMatchObject({ destroys, obstacles: ['executed'] });
    const again = await askedErasure(admin, person.subject);
    expect((await dossierOf(admin, again)).erasure).toMatchObject({ is_own: false, destroys: [] });
  });

  it('an admin who voted for an erasure does not execute it; another one does', async () => {
    const person = await someone('four-eyes');
    const request = await askedErasure(person.user, person.subject);
    const { request_id, proposal_hash } = request;
    const voting = await Caller.of(service, 'admin', { sub: named('voting-admin') });
    const vote = { vote: 'approve', reason: 'The subject asked for it.', proposal_hash };
    await voting.post(`action-requests/${request_id}/votes`, vote);
    await voting.refused('PERMISSION_DENIED', 'POST', execution(request), { body: {} });
    await admin.post(execution(request));
  });

  it('a rejected erasure is never executed', async () => {
    const person = await someone('rejected');
    const request = await askedErasure(person.user, person.subject);
    expect(await decided(request, 'reject')).toMatchObject({ status: 'rejected' });
    await admin.refused('VERSION_CONFLICT', 'POST', execution(request), { body: {} });
  });

  it('only the user or an admin asks for the erasure of the user’s data', async () => {
    const person = await someone('victim');
    const other = await someone('attacker');
    const body = {
      kind: 'erasure',
      subject: person.subject,
      reason_code: 'legal_erasure',
      justification: 'I want it gone.',
    };
    for (const caller of [other.user, other.agent])
      await caller.refused('PERMISSION_DENIED', 'POST', 'action-requests', { body });
    expect(await askedErasure(admin, person.subject)).toMatchObject({ status: 'pending' });
    for (const bad of ['everybody', 'user:', 'mace:1'])
      await admin.refused('INVALID_INPUT', 'POST', 'action-requests', {
        body: { ...body, subject: bad },
      });
  });

  it('the personal data of a job without a user is erased by the job’s name', async () => {
    const agent = await Caller.of(service, 'agent');
    const job_seed = named('userless');
    await agent.post('jobs', { job_seed });
    await agent.post(`jobs/${job_seed}/wm`, { type: 'fact', value: EMAIL });
    const request = await askedErasure(agent, `job:${job_seed}`);
    await decided(request);
    expect(await admin.post<Receipt>(execution(request))).toMatchObject({
      manifest: { events: 1 },
    });
    expect(await agent.get(`jobs/${job_seed}`)).toMatchObject({
      wm: [{ value: { erased: true } }],
    });
  });

  it('data that is written after an erasure is sealed under a new key', async () => {
    const person = await someone('again');
    const request = await askedErasure(person.user, person.subject);
    await decided(request);
    await admin.post(execution(request));
    await person.user.did('PUT', `sem/${person.key}`, { body: { value: `new.${EMAIL}` } });
    expect(await person.user.get(`sem/${person.key}`)).toMatchObject({ value: `new.${EMAIL}` });
  });

  it('P4 the council lets a consent cover data of category high, and the user’s put is then kept', async () => {
    const person = await someone('sensitive');
    const put = { body: { value: { ssn: SSN } as Json } };
    await person.user.refused('PRIVACY_BLOCKED', 'PUT', `sem/${person.key}`, put);
    const { consents } = await person.user.get<{ consents: { consent_id: string }[] }>('consents');
    const { consent_id } = consents[0] as { consent_id: string };
    const request = await person.user.post<Erasable>('action-requests', {
      kind: 'sensitive_consent',
      consent_id,
      justification: 'My bank asks for it.',
    });
    expect(await decided(request)).toMatchObject({ status: 'executed' });
    expect(await person.user.get('consents')).toMatchObject({
      consents: [{ consent_id, sensitive_data_approved: true }],
    });
    await person.user.did('PUT', `sem/${person.key}`, put);
    expect(await person.user.get(`sem/${person.key}`)).toMatchObject({ value: { ssn: SSN } });
    const stranger = await someone('sensitive-stranger');
    await stranger.user.refused('NOT_FOUND', 'POST', 'action-requests', {
      body: { kind: 'sensitive_consent', consent_id, justification: 'Not mine.' },
    });
  });
});
