import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { actionRequestDecider } from '#domain/action-request/action-request.decider.js';
import type { ErrorEnvelope } from '#domain/errors/envelope.js';
import { AggregateStore } from '#event-store/aggregate-store.js';
import { Caller } from '#test/support/caller.js';
import { LogReader } from '#test/support/read-log.js';
import { TestService } from '#test/support/service.js';
import { named } from '#test/support/named.js';

const SSN = '123-45-6789';
const IP = '192.168.17.23';
const EMAIL = 'alice@example.com';

describe('The privacy gate for everything that is stored', () => {
  let service: TestService;
  let log: LogReader;
  /** The last position of the log before the tests. */
  let before: bigint | undefined;
  let agent: Caller;
  let admin: Caller;

  beforeAll(async () => {
    service = await TestService.start({ environment: { MACE_LOG_LEVEL: 'trace' } });
    log = new LogReader(service.eventStore.url);
    before = await log.position();
    agent = await Caller.of(service, 'agent');
    admin = await Caller.of(service, 'admin');
  });
  afterAll(async () => {
    await log?.close();
    await service?.stop();
  });

  /**
   * Checks that the texts occur in none of these: the answer, the service's log, the metrics, the event
   * log.
   */
  async function assertNowhere(answer: ErrorEnvelope, ...values: readonly string[]): Promise<void> {
    const metrics = (await service.call<string>('GET', '/metrics')).body;
    const events = JSON.stringify(await log.since(before), (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    for (const value of values)
      for (const text of [JSON.stringify(answer), JSON.stringify(service.log), metrics, events])
        expect(text).not.toContain(value);
  }

  it('I4 a job_seed with personal data is refused before any stream is named after it', async () => {
    for (const job_seed of [SSN, 'ssn_123_45_6789', IP, `run:${IP}:1`]) {
      const refused = await agent.refused('PRIVACY_BLOCKED', 'POST', 'jobs', {
        body: { job_seed },
        key: `start-${job_seed}`,
      });
      await assertNowhere(refused, job_seed);
    }
  });

  it('I4 a user id with personal data is refused, in the token and in the body', async () => {
    const body = { user_id: EMAIL };
    await assertNowhere(await agent.refused('PRIVACY_BLOCKED', 'POST', 'jobs', { body }), EMAIL);
    const user = await Caller.of(service, 'user', { sub: 'alice', user_id: EMAIL });
    const path = 'sem/user/profile/user_alice_example_com/city';
    await assertNowhere(
      await user.refused('PRIVACY_BLOCKED', 'PUT', path, { body: { value: 'Oslo' } }),
      EMAIL,
    );
  });

  it('P6 the refusal of an unknown conversation, thread or checkpoint names its stream, and never its id', async () => {
    const name = 'dagfinn_brattli';
    const told = [
      `conversations/${name}/bundle`,
      `threads/bundle?thread_id=${name}`,
      ...[name, EMAIL, 'ssn_123_45_6789', name].map(
        (id) => `threads/checkpoints?thread_id=dagfinn_brattli&checkpoint_id=${id}`,
      ),
      `threads/checkpoints?thread_id=${name}`,
    ];
    for (const path of told) {
      const refused = await agent.refused('NOT_FOUND', 'GET', path);
      await assertNowhere(refused, name, EMAIL, 'ssn_123_45_6789', 'REDACTED');
      expect(refused.developer_message).toMatch(/(conversation|thread)-[0-9a-f]{64}\.$/);
    }
  });

  it('I4 random ids are accepted', async () => {
    for (const job_seed of [
      '5bdfb9ee-6134-4930-8699-ab077f111e55',
      '01a200c4-5300-7659-9707-5787b5a9e00d',
      '01JDA3M6Q8V5W2X9Y7Z4B6C8D0',
      'import-2025-01-02-000017',
      'run.1732236000123',
    ]) {
      const { body } = await agent.ask('POST', 'jobs', { body: { job_seed } });
      // On a shared event store, an earlier run has started this job.
      expect([undefined, 'JOB_EXISTS']).toContain(body.error_code);
    }
  });

  it('P3 a proposal with personal data is stored without it, and is not executed without consent', async () => {
    const { job_seed } = await agent.post<{ job_seed: string }>('jobs', {
      job_seed: named('proposals'),
    });
    const { episodic_id } = await agent.post<{ episodic_id: string }>(`jobs/${job_seed}/episodes`, {
      summary: 'somebody said something',
    });
    const proposal = {
      episodic_id,
      target_sem_key: `world/contact/${named('office')}/note`,
      justification: `${SSN} said so.`,
      evidence: [{ from: EMAIL }],
    };
    const body = { ...proposal, value: { text: `write to ${EMAIL}` } };
    const request = await agent.post<{ request_id: string; proposal_hash: string }>(
      'action-requests',
      body,
    );
    expect(request).toMatchObject({
      value: { redacted: true, type: 'email' },
      justification: '[REDACTED:us_ssn] said so.',
    });
    const council = await Caller.of(service, 'council');
    const { proposal_hash } = request;
    const vote = { vote: 'approve', reason: `I know ${EMAIL}`, proposal_hash };
    const decided = await council.ask('POST', `action-requests/${request.request_id}/votes`, {
      body: vote,
    });
    expect(decided.body).toMatchObject({
      status: 'execution_refused',
      refusal_code: 'PRIVACY_BLOCKED',
      votes: [{ reason: 'I know [REDACTED:email]' }],
    });
    await assertNowhere(decided.body, EMAIL, SSN);
  });

  it('S7 an approved value is not executed if the current rules flag it', async () => {
    const { job_seed } = await agent.post<{ job_seed: string }>('jobs', {
      job_seed: named('older'),
    });
    const { episodic_id } = await agent.post<{ episodic_id: string }>(`jobs/${job_seed}/episodes`, {
      summary: 'somebody said something',
    });
    const request_id = named('made-before-the-gate');
    const key = `world/contact/${named('office')}/address`;
    await proposeUnseen(request_id, episodic_id, key);
    const council = await Caller.of(service, 'council');
    const { proposal_hash } = await council.get<{ proposal_hash: string }>(
      `action-requests/${request_id}`,
    );
    const voted = await council.post(`action-requests/${request_id}/votes`, {
      vote: 'approve',
      reason: 'Harmless.',
      proposal_hash,
    });
    expect(voted['status']).toBe('execution_refused');
    expect(voted['refusal_code']).toBe('PRIVACY_BLOCKED');
    await admin.refused('SEM_NOT_FOUND', 'GET', `sem/${key}`);
  });

  /**
   * Records a proposal in the way of an earlier release, whose rules did not detect e-mail addresses.
   */
  async function proposeUnseen(request_id: string, episodic_id: string, target_sem_key: string) {
    const requests = new AggregateStore(log.eventStore, actionRequestDecider, {
      writeFailure: 'MEMORY_WRITE_FAIL',
    });
    const request = { request_id, episodic_id, target_sem_key, value: EMAIL, made_for: null };
    const times = {
      requested_at: '2026-01-01T00:00:00.000Z',
      expires_at: '2099-01-01T00:00:00.000Z',
    };
    await requests.execute(
      `request-${request_id}`,
      [
        {
          type: 'request',
          kind: 'sem_put',
          justification: 'It was said.',
          evidence: [],
          proposer: { sub: named('agent'), user_id: null },
          source: `agent:${named('agent')}`,
          quorum: 1,
          ...request,
          ...times,
        },
      ],
      { command_id: randomUUID(), body_hash: 'none', actor: named('agent'), trace_id: 'none' },
    );
  }
});
