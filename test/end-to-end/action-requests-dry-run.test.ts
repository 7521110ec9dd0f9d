import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DryRun } from '#client/action-requests.js';
import { MaceClient } from '#client/mace-client.js';
import type { ErrorEnvelope } from '#domain/errors/envelope.js';
import { Caller } from '#test/support/caller.js';
import { askedErasure, DataSubject, EMAIL, execution } from '#test/support/data-subject.js';
import { named } from '#test/support/named.js';
import { LogReader } from '#test/support/read-log.js';
import { queryAsSuperuser } from '#test/support/reflective-logs.js';
import { TestService } from '#test/support/service.js';

const PATH = 'action-requests';
const DRY = `${PATH}?dry_run=true`;
const JUSTIFIED = { justification: 'The pilot said so.' };

describe('The dry run of a proposal', () => {
  let service: TestService;
  let log: LogReader;
  let agent: Caller;
  let council: Caller;
  let admin: Caller;
  let episodic_id: unknown;
  let keys = 0;

  beforeAll(async () => {
    service = await TestService.shared();
    log = new LogReader(service.eventStore.url);
    agent = await Caller.of(service, 'agent', { sub: named('agent') });
    council = await Caller.of(service, 'council', { sub: named('council') });
    admin = await Caller.of(service, 'admin', { sub: named('admin') });
    await agent.post('jobs', { job_seed: named('job') });
    ({ episodic_id } = await agent.post(`jobs/${named('job')}/episodes`, { summary: 'Seen.' }));
  });
  afterAll(async () => {
    await log?.close();
    await service?.stop();
  });

  const freshKey = () => `world/${named('dry')}/k${(keys += 1)}/value`;
  const fact = (more: object = {}) => ({
    ...{ episodic_id, target_sem_key: freshKey(), value: 'deep', ...JUSTIFIED },
    ...more,
  });
  const keyCount = async () =>
    (await queryAsSuperuser(service.postgres, 'select from subject_keys.subject_key')).length;
  /** Returns what a call leaves behind: its events, and whether it made a key. */
  async function left<Body>(call: () => Promise<Body>) {
    const [end, before] = [await log.position(), await keyCount()];
    const answer = await call();
    return { answer, events: await log.since(end), newKeys: (await keyCount()) - before };
  }
  const dry = (caller: Caller, body: object) => caller.post<DryRun>(DRY, body);

  it('names the risk and the outcome, and leaves no event, no claim and no key', async () => {
    const { answer, ...trace } = await left(() =>
      agent.did<DryRun>('POST', DRY, { body: fact(), key: named('dry') }),
    );
    expect(answer.status).toBe(200);
    expect(answer.body).toStrictEqual({
      dry_run: true,
      risk: { level: 'medium', reasons: ['no_evidence', 'first_time_proposer'] },
      ...{ would_be_refused: false, recheck: [], consent: 'not_needed' },
    });
    expect(trace).toStrictEqual({ events: [], newKeys: 0 });
    const sealed = await left(() => dry(agent, fact({ value: `Write to ${EMAIL}` })));
    expect(sealed).toMatchObject({
      answer: {
        ...{ would_be_refused: true, consent: 'missing' },
        recheck: [{ code: 'consent_missing' }],
      },
      ...{ events: [], newKeys: 0 },
    });
    // The key that the dry run was sent with is free.
    const made = await agent.did('POST', PATH, { body: fact(), key: named('dry') });
    expect(made.status).toBe(201);
  });

  it('is a call of the SDK', async () => {
    const mace = new MaceClient({ baseUrl: service.url, token: agent.token });
    const key = freshKey();
    const { events } = await left(async () => {
      const answer = await mace.actionRequests.dryRun({
        ...{ ...JUSTIFIED, episodic_id: String(episodic_id), target_sem_key: key, value: 1 },
      });
      expect(answer).toMatchObject({ dry_run: true, would_be_refused: false });
    });
    expect(events).toStrictEqual([]);
  });

  it('is refused as the proposal itself, and leaves no event either', async () => {
    const person = await DataSubject.of(service, 'strange');
    const user = await Caller.of(service, 'user', { sub: named('someone').toLowerCase() });
    const auditor = await Caller.of(service, 'auditor');
    const erasure = (subject: string, reason_code = 'other') => ({
      ...{ kind: 'erasure', subject, reason_code, ...JUSTIFIED },
    });
    const bad: readonly (readonly [Caller, object])[] = [
      [agent, { ...fact(), justification: undefined }],
      [agent, fact({ value: undefined })],
      [agent, fact({ kind: 'other' })],
      [agent, fact({ valeu: 1 })],
      [agent, fact({ episodic_id: 'ep:none' })],
      [agent, fact({ target_sem_key: 'mace/config/agents_allowed_writes/subs' })],
      [agent, fact({ target_sem_key: `world/contact/${EMAIL}/note` })],
      [agent, fact({ value: 'x'.repeat(17_000) })],
      // It is small enough in clear, and too large when it is sealed.
      [agent, fact({ value: `${EMAIL} ${'x '.repeat(6_600)}` })],
      [agent, fact({ evidence: [{ note: { namespace: ['none'], key: 'none' } }] })],
      [user, fact({ target_sem_key: person.key })],
      [user, erasure(person.subject)],
      [person.user, erasure(person.subject)],
      [user, { kind: 'sensitive_consent', consent_id: 'user_nobody.1', ...JUSTIFIED }],
      [auditor, fact()],
    ];
    const shown = ({ status, body }: { status: number; body: ErrorEnvelope }) => ({
      ...{ status, code: body.error_code, help: body.meta.help ?? null },
      message: body.developer_message.replaceAll(/\d{4}-\d\d-\S+Z/g, '<time>'),
    });
    for (const [caller, body] of bad) {
      const { answer, ...trace } = await left(() => caller.ask('POST', DRY, { body }));
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(trace).toStrictEqual({ events: [], newKeys: 0 });
      expect(shown(answer)).toStrictEqual(shown(await caller.ask('POST', PATH, { body })));
    }
  });

  it('shows nobody which consents another user has given', async () => {
    const given = await DataSubject.of(service, 'agreed');
    const none = named('never-agreed').toLowerCase();
    const { key } = await (
      await Caller.of(service, 'user', { sub: none })
    ).post<{ key: string }>('sem-keys', {
      ...{ scope: 'user', entity_type: 'profile', attribute: 'contact', user_id: none },
    });
    for (const caller of [agent, admin])
      for (const target_sem_key of [given.key, key])
        expect(await dry(caller, fact({ target_sem_key, value: EMAIL }))).toMatchObject({
          ...{ consent: 'unknown', would_be_refused: null, recheck: [] },
        });
    const own = await dry(given.agent, fact({ target_sem_key: given.key, value: EMAIL }));
    expect(own).toMatchObject({ consent: 'covered', would_be_refused: false });
  });

  it('says nothing about evidence that the caller may not read', async () => {
    const other = named('hidden').toLowerCase();
    const theirs = await Caller.of(service, 'agent', { sub: named('executor'), user_id: other });
    await theirs.post('jobs', { job_seed: other });
    const hidden = await theirs.post<{ episodic_id: string }>(`jobs/${other}/episodes`, {
      ...{ summary: 'A tool ran.', source: 'executor' },
    });
    const user = await Caller.of(service, 'agent', { user_id: named('curious').toLowerCase() });
    const evidence = [{ episodic_id: hidden.episodic_id }, { text: 'It is deep.' }];
    const reasonsFor = async (caller: Caller) =>
      (await dry(caller, fact({ evidence }))).risk.reasons;
    expect(await reasonsFor(theirs)).toContain('tool_evidence');
    expect(await reasonsFor(user)).not.toContain('tool_evidence');
  });

  it('counts evidence that is made up, or of others, as missing', async () => {
    const other = named('unread').toLowerCase();
    const theirs = await Caller.of(service, 'agent', { user_id: other });
    await theirs.post('jobs', { job_seed: other });
    const hidden = await theirs.post<{ episodic_id: string }>(`jobs/${other}/episodes`, {
      summary: 'Seen.',
    });
    const user = await Caller.of(service, 'agent', { user_id: named('guess').toLowerCase() });
    const reasonsFor = async (caller: Caller, id: unknown) =>
      (await dry(caller, fact({ evidence: [{ episodic_id: id }] }))).risk.reasons;
    expect(await reasonsFor(user, 'ep:none')).toContain('no_evidence');
    expect(await reasonsFor(user, hidden.episodic_id)).toContain('no_evidence');
    expect(await reasonsFor(theirs, hidden.episodic_id)).not.toContain('no_evidence');
    // Whether an event exists stays open.
    const { risk } = await dry(user, fact({ evidence: [{ stream: 'sem-none', number: 7 }] }));
    expect(risk.reasons).not.toContain('no_evidence');
  });

  it('says nothing about requests of others that the caller may not read', async () => {
    const [own, other] = [named('guessing').toLowerCase(), named('planning').toLowerCase()];
    const guessing = await Caller.of(service, 'agent', { sub: own, user_id: own });
    const theirs = await Caller.of(service, 'agent', { sub: other, user_id: other });
    const reasonsFor = async (caller: Caller, target_sem_key: string, value: string) =>
      (await dry(caller, fact({ target_sem_key, value }))).risk.reasons;
    const [pending, rejected] = [freshKey(), freshKey()];
    const planned = fact({ target_sem_key: pending, value: 'launch at dawn' });
    await theirs.post(PATH, planned);
    const refused = await theirs.post<Record<string, string>>(PATH, {
      ...planned,
      target_sem_key: rejected,
    });
    await council.post(`${PATH}/${refused['request_id']}/votes`, {
      ...{ vote: 'reject', reason: 'No.', proposal_hash: refused['proposal_hash'] },
    });
    for (const value of ['launch at dawn', 'launch at noon'])
      for (const key of [pending, rejected])
        expect(await reasonsFor(guessing, key, value)).toStrictEqual([
          ...['no_evidence', 'first_time_proposer'],
        ]);
    // Those who may read them see it.
    for (const caller of [theirs, admin]) {
      expect(await reasonsFor(caller, pending, 'launch at noon')).toContain('rival_request');
      expect(await reasonsFor(caller, rejected, 'launch at dawn')).toContain('rejected_before');
    }
  });

  it('knows a value that was written just before', async () => {
    for (let tries = 0; tries < 10; tries += 1) {
      const target_sem_key = freshKey();
      await admin.did('PUT', `sem/${target_sem_key}`, { body: { value: 'shallow' } });
      expect((await dry(agent, fact({ target_sem_key }))).risk.reasons).toContain('contradiction');
    }
  });

  it('foretells what an approval does, as long as nothing changes', async () => {
    const user_id = named('foretold').toLowerCase();
    const user = await Caller.of(service, 'user', { sub: user_id });
    const acting = await Caller.of(service, 'agent', { user_id });
    const ownKey = async () => {
      const attribute = `a${(keys += 1)}`;
      return (
        await user.post<{ key: string }>('sem-keys', {
          ...{ scope: 'user', entity_type: 'profile', attribute, user_id },
        })
      ).key;
    };
    const standing = {
      nothing: undefined,
      'the same value': { value: 'deep' },
      'another value': { value: 'shallow' },
      'a later value': { value: 'late', timestamp: () => new Date(Date.now() + 240_000) },
    };
    const outcomes = new Set<string>();
    const foretells = async (consents: string) => {
      for (const [state, before] of Object.entries(standing))
        for (const target_sem_key of [freshKey(), await ownKey()])
          for (const value of ['deep', `Write to ${EMAIL}`]) {
            const now = before && {
              ...before,
              ...('timestamp' in before ? { timestamp: before.timestamp().toISOString() } : {}),
            };
            if (now !== undefined) await admin.did('PUT', `sem/${target_sem_key}`, { body: now });
            const body = fact({ target_sem_key, value });
            const { would_be_refused } = await dry(acting, body);
            const made = await acting.post<Record<string, string>>(PATH, body);
            const { status } = await council.post<{ status: string }>(
              `${PATH}/${made['request_id']}/votes`,
              { vote: 'approve', reason: 'Right.', proposal_hash: made['proposal_hash'] },
            );
            const at = `${consents}, ${state}, ${target_sem_key}, ${value}`;
            expect([at, would_be_refused]).toStrictEqual([at, status === 'execution_refused']);
            outcomes.add(`${consents} ${status}`);
          }
    };
    await foretells('without a consent');
    const { consent_id } = await user.post<{ consent_id: string }>('consents', {
      ...{ text: 'Keep it.', scope: 'persistent' },
    });
    await foretells('with a consent');
    await user.post(`consents/${consent_id}/revocation`);
    await foretells('with a revoked consent');
    expect(outcomes.size).toBe(6);
  });

  describe('of an erasure whose retention period is not over', () => {
    it('is refused if it would expire before, with the way out', async () => {
      const person = await DataSubject.of(service, 'kept-long');
      const body = { kind: 'erasure', subject: person.subject, reason_code: 'other', ...JUSTIFIED };
      const { answer, events } = await left(() =>
        person.user.refused('INVALID_INPUT', 'POST', DRY, { body }),
      );
      expect(answer.meta.help?.instead).toMatch(/^Ask again from \d{4}-\S+Z on, .*legal_erasure/);
      expect(events).toStrictEqual([]);
      expect(await dry(person.user, { ...body, reason_code: 'legal_erasure' })).toMatchObject({
        ...{ would_be_refused: false, consent: 'not_needed' },
      });
    });

    it('says from when it can be executed, as the request itself does', async () => {
      const days = await TestService.start({ environment: { MACE_RETENTION_DAYS: '2' } });
      try {
        const person = await DataSubject.of(days, 'kept-two-days-dry');
        const body = { kind: 'erasure', subject: person.subject, reason_code: 'retention' };
        const answer = await dry(person.user, { ...body, ...JUSTIFIED });
        const request = await askedErasure(person.user, person.subject, 'retention');
        expect(answer.executable_from).toBeDefined();
        expect(request.executable_from).toBe(answer.executable_from);
        await (
          await Caller.of(days, 'council')
        ).post(`${PATH}/${request.request_id}/votes`, {
          ...{ vote: 'approve', reason: 'Right.', proposal_hash: request.proposal_hash },
        });
        await (
          await Caller.of(days, 'admin')
        ).refused('PERMISSION_DENIED', 'POST', execution(request), { body: {} });
      } finally {
        await days.stop();
      }
    });
  });
});
