import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { consentStream } from '#domain/stream-names.js';
import { Postgres } from '#read-model/postgres.js';
import { Caller } from '#test/support/caller.js';
import { DataSubject, EMAIL } from '#test/support/data-subject.js';
import { LogReader } from '#test/support/read-log.js';
import { TestService } from '#test/support/service.js';
import { AppendGate } from './support/append-gate.js';
import { until } from './support/until.js';

describe('A revocation of a consent beside a write that relies on it (SPEC P4)', () => {
  const gate = new AppendGate();
  let service: TestService;
  let log: LogReader;

  beforeAll(async () => {
    service = await TestService.start({ ownLog: true, more: [gate.module] });
    await service.caughtUp();
    log = new LogReader(service.eventStore.url);
  });
  afterAll(async () => {
    await log?.close();
    await service?.stop();
  });

  async function revoked({ user }: DataSubject): Promise<void> {
    const { consents } = await user.get<{ consents: { consent_id: string }[] }>('consents');
    await user.post(`consents/${consents[0]?.consent_id}/revocation`);
  }

  it('a fact that lands after the revocation is deleted before its put is answered', async () => {
    const person = await DataSubject.of(service, 'beside');
    const { user, key } = person;
    const held = gate.next('sem');
    const body = { value: `late.${EMAIL}` };
    const put = user.refused('PRIVACY_BLOCKED', 'PUT', `sem/${key}`, { body, key: 'late' });
    await held.arrived;
    await revoked(person);
    held.release();
    await put;
    await user.refused('SEM_NOT_FOUND', 'GET', `sem/${key}`);
    expect(await log.types(`sem-${key}`)).toStrictEqual(['fact_put', 'fact_put', 'fact_deleted']);
    await user.refused('PRIVACY_BLOCKED', 'PUT', `sem/${key}`, { body, key: 'late' });
  });

  it('a fact that landed before the revocation stays', async () => {
    const person = await DataSubject.of(service, 'before');
    await revoked(person);
    expect(await person.user.get(`sem/${person.key}`)).toMatchObject({ value: EMAIL });
  });

  /** Sends an episode whose append is held until its user has revoked the consent. */
  async function lateEpisode(person: DataSubject, { dies = false, ends = false } = {}) {
    const { agent, job_seed } = person;
    const episode = { summary: 'Late.', payload: { mail: `late.${EMAIL}` } };
    const commands = [{ op: 'episodic_write', ...episode }, ...(ends ? [{ op: 'end' }] : [])];
    const held = gate.next('job', { dies });
    const send = () =>
      agent.ask<{ results: { episodic_id: string }[] }>('POST', `jobs/${job_seed}/commands`, {
        body: { commands },
        key: 'late',
      });
    const first = send();
    await held.arrived;
    await revoked(person);
    held.release();
    return { first: await first, send };
  }

  const withheldBy = async ({ user_id }: DataSubject) =>
    (await log.events(consentStream(user_id))).filter(({ type }) => type === 'episode_withheld');

  it.each([
    ['', {}],
    [', also if its job ends with it', { ends: true }],
    [', also if the service dies after the append and its client sends it again', { dies: true }],
  ] as const)(
    'an episode that lands after the revocation stays, and its payload is withheld%s',
    async (_, options) => {
      const person = await DataSubject.of(service, `episode-${Object.keys(options).join('')}`);
      const { first, send } = await lateEpisode(person, options);
      expect(first.status).toBe('dies' in options ? 500 : 200);
      const again = await send();
      expect(again.status).toBe(200);
      expect((await send()).body).toStrictEqual(again.body);
      const { episodic_id } = again.body.results[0]!;
      const own = await person.agent.get(`episodes/${episodic_id}`);
      const payload = { withheld: true, reason: 'CONSENT_REVOKED' };
      expect(own).toMatchObject({ summary: 'Late.', payload });
      const admin = await Caller.of(service, 'admin');
      const read = await admin.get(`episodes/${episodic_id}?unredacted=true`, { reason: 'Why?' });
      expect(read).toMatchObject({ summary: 'Late.', payload });
      expect((await withheldBy(person)).map(({ data }) => data['episodic_id'])).toStrictEqual([
        episodic_id,
      ]);
      const auditor = await Caller.of(service, 'auditor');
      const replay = { mode: 'strict' };
      expect(await auditor.post(`jobs/${person.job_seed}/replays`, replay)).toMatchObject({
        identical: true,
      });
    },
  );

  it('a fact and an episode whose service dies after the append are deleted and withheld, without a retry', async () => {
    const person = await DataSubject.of(service, 'dies');
    const { user, agent, key, job_seed } = person;
    const fact = gate.next('sem', { dies: true });
    const put = user.ask('PUT', `sem/${key}`, { body: { value: `late.${EMAIL}` } });
    const episode = gate.next('job', { dies: true });
    const written = agent.ask('POST', `jobs/${job_seed}/episodes`, {
      body: { summary: 'Late.', payload: { mail: `late.${EMAIL}` } },
    });
    await Promise.all([fact.arrived, episode.arrived]);
    await revoked(person);
    fact.release();
    episode.release();
    expect([(await put).status, (await written).status]).toStrictEqual([500, 500]);
    await until('both are gone', async () => {
      const types = await log.types(`sem-${key}`);
      return types.at(-1) === 'fact_deleted' && (await withheldBy(person)).length === 1;
    });
    await user.refused('SEM_NOT_FOUND', 'GET', `sem/${key}`);
    const [withheld] = await withheldBy(person);
    const admin = await Caller.of(service, 'admin');
    const path = `episodes/${withheld?.data['episodic_id'] as string}?unredacted=true`;
    const after = String(await log.position());
    expect(await admin.get(path, { after, reason: 'Why?' })).toMatchObject({
      payload: { withheld: true, reason: 'CONSENT_REVOKED' },
    });
    const rows = new Postgres({ url: service.postgres.url });
    await until('the obligations are settled', async () => {
      const open = await rows.query(
        `select from obligations.obligation where kind in ('delete_fact', 'withhold_episode')`,
      );
      return open.length === 0;
    });
    await rows.close();
    expect(await log.types(`sem-${key}`)).toStrictEqual(['fact_put', 'fact_put', 'fact_deleted']);
  });

  it('an episode that landed before the revocation keeps its payload', async () => {
    const person = await DataSubject.of(service, 'episode-before');
    const { agent, job_seed } = person;
    const episode = { summary: 'Early.', payload: { mail: EMAIL } };
    const { episodic_id } = await agent.post<{ episodic_id: string }>(
      `jobs/${job_seed}/episodes`,
      episode,
    );
    await revoked(person);
    expect(await agent.get(`episodes/${episodic_id}`)).toMatchObject({
      payload: { redacted: true },
    });
    expect(await withheldBy(person)).toStrictEqual([]);
  });

  it('a fact that the council approved and that lands after the revocation is deleted, and its request says why', async () => {
    const person = await DataSubject.of(service, 'approved');
    const { agent, user, key, job_seed } = person;
    const { episodic_id } = await agent.post(`jobs/${job_seed}/episodes`, { summary: 'Said.' });
    const request = await agent.post<{ request_id: string; proposal_hash: string }>(
      'action-requests',
      {
        ...{ episodic_id, target_sem_key: key, justification: 'It was said.' },
        value: `approved.${EMAIL}`,
      },
    );
    const held = gate.next('sem');
    const council = await Caller.of(service, 'council');
    const { proposal_hash, request_id } = request;
    const vote = council.post(`action-requests/${request_id}/votes`, {
      ...{ vote: 'approve', reason: 'It is true.', proposal_hash },
    });
    await held.arrived;
    await revoked(person);
    held.release();
    await vote;
    await until('the refusal is recorded', async () =>
      (await log.types(`request-${request_id}`)).includes('execution_refused'),
    );
    const events = await log.events(`request-${request_id}`);
    expect(events.at(-1)?.data).toMatchObject({ code: 'PRIVACY_BLOCKED' });
    await user.refused('SEM_NOT_FOUND', 'GET', `sem/${key}`);
  });
});
