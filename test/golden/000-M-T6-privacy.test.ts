import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Caller } from '#test/support/caller.js';
import { HASH } from '#test/support/matchers.js';
import { named } from '#test/support/named.js';
import { LogReader } from '#test/support/read-log.js';
import { TestService } from '#test/support/service.js';

const EMAIL = 'paula.ostrowski@zonnet.test';

interface Proposed {
  readonly request_id: string;
  readonly proposal_hash: string;
  readonly status: string;
}

describe('Personal data in what an agent asks to promote', () => {
  let service: TestService;
  let log: LogReader;
  let council: Caller;

  beforeAll(async () => {
    service = await TestService.shared();
    log = new LogReader(service.eventStore.url);
    council = await Caller.of(service, 'council');
  });
  afterAll(async () => {
    await log?.close();
    await service?.stop();
  });

  /** An agent that acts for a user, with an episode that contains personal data. */
  async function someone(name: string) {
    const user_id = named(name).toLowerCase();
    const agent = await Caller.of(service, 'agent', { user_id });
    const user = await Caller.of(service, 'user', { sub: user_id });
    const job_seed = named(`${name}-job`);
    await agent.post('jobs', { job_seed });
    const { episodic_id } = await agent.post<{ episodic_id: string }>(`jobs/${job_seed}/episodes`, {
      summary: `The user is reached at ${EMAIL}`,
      payload: { mail: EMAIL },
    });
    const { key } = await user.post<{ key: string }>('sem-keys', {
      scope: 'user',
      entity_type: 'profile',
      attribute: 'contact',
      user_id,
    });
    return { agent, user, job_seed, episodic_id, key };
  }

  async function proposedAndApproved({
    agent,
    episodic_id,
    key,
  }: Awaited<ReturnType<typeof someone>>) {
    const request = await agent.post<Proposed>('action-requests', {
      episodic_id,
      target_sem_key: key,
      value: EMAIL,
      justification: `The user wrote from ${EMAIL}.`,
    });
    const { request_id, proposal_hash } = request;
    const vote = { vote: 'approve', reason: 'The episode says so.', proposal_hash };
    return council.post<Proposed & Record<string, unknown>>(
      `action-requests/${request_id}/votes`,
      vote,
    );
  }

  test('000-M-T6 [stage1] [golden] [critical] the episode and the request are stored with a redaction event and hashes, and nothing in clear', async () => {
    const person = await someone('redacted');
    const { request_id } = await proposedAndApproved(person);
    const events = [
      ...(await log.events(`job-${person.job_seed}`)),
      ...(await log.events(`request-${request_id}`)),
    ];
    const redactions = events.filter(({ type }) => type === 'pii_redacted');
    expect(redactions.map(({ data }) => data)).toMatchObject([
      {
        subject: 'episode',
        redactions: [
          { field: 'summary', type: 'email', hash: HASH },
          { field: 'payload.mail', type: 'email', hash: HASH },
        ],
      },
      {
        subject: 'proposal',
        redactions: [
          { field: 'justification', type: 'email', hash: HASH },
          { field: 'value.contact', type: 'email', hash: HASH },
        ],
      },
    ]);
    expect(JSON.stringify(events.map(({ data }) => data))).not.toContain(EMAIL);
  });

  test('000-M-T6 [stage1] [golden] [critical] without consent the approved write is refused, and SEM has no event', async () => {
    const person = await someone('refused');
    const decided = await proposedAndApproved(person);
    expect(decided).toMatchObject({
      status: 'execution_refused',
      refusal_code: 'PRIVACY_BLOCKED',
    });
    expect(await log.types(`sem-${person.key}`)).toStrictEqual([]);
  });

  test('000-M-T6 [stage1] [golden] [critical] with the user’s recorded consent the fact is written, sealed, and names the consent', async () => {
    const person = await someone('consented');
    const { consent_id } = await person.user.post<{ consent_id: string }>('consents', {
      text: 'You may remember how to reach me.',
      scope: 'persistent',
    });
    const decided = await proposedAndApproved(person);
    expect(decided).toMatchObject({ status: 'executed' });
    const [put] = await log.events(`sem-${person.key}`);
    expect(put).toMatchObject({
      type: 'fact_put',
      data: { sealed: { type: 'email' }, consent_id, meta: { provenance_id: decided.request_id } },
    });
    expect(await person.user.get(`sem/${person.key}`)).toMatchObject({ value: EMAIL });
    const [given] = await log.events(`consent-${consent_id.slice(0, consent_id.lastIndexOf('.'))}`);
    expect(given).toMatchObject({ type: 'consent_given', data: { consent_id } });
  });

  test('000-M-T6 [stage1] [golden] [critical] a consent for the job covers what the council approves from its episodes', async () => {
    const person = await someone('job-consent');
    await person.user.post('consents', {
      text: 'For this job.',
      scope: 'job',
      job_seed: person.job_seed,
    });
    expect(await proposedAndApproved(person)).toMatchObject({ status: 'executed' });
  });

  test('000-M-T6 [stage1] [golden] [critical] a consent that was revoked before the approval covers nothing', async () => {
    const person = await someone('revoked');
    const { consent_id } = await person.user.post<{ consent_id: string }>('consents', {
      text: 'You may remember how to reach me.',
      scope: 'persistent',
    });
    await person.user.post(`consents/${consent_id}/revocation`);
    expect(await proposedAndApproved(person)).toMatchObject({ refusal_code: 'PRIVACY_BLOCKED' });
  });
});
