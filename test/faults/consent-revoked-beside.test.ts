import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
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
