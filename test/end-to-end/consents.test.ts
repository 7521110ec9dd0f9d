import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Json } from '#domain/json.js';
import { Caller } from '#test/support/caller.js';
import { named } from '#test/support/named.js';
import { LogReader } from '#test/support/read-log.js';
import { TestService } from '#test/support/service.js';

const EMAIL = 'ines.varga@fastmail.test';
const SSN = '536-22-8726';

interface ConsentBody {
  readonly consent_id: string;
  readonly revoked_at: string | null;
}

interface FactBody {
  readonly value: Json;
}

describe('Consent to keep personal data (SPEC P4)', () => {
  let service: TestService;
  let log: LogReader;
  let admin: Caller;
  let auditor: Caller;

  beforeAll(async () => {
    service = await TestService.shared();
    log = new LogReader(service.eventStore.url);
    admin = await Caller.of(service, 'admin');
    auditor = await Caller.of(service, 'auditor');
  });
  afterAll(async () => {
    await log?.close();
    await service?.stop();
  });

  /** A user of this test alone, with the key of one of their facts. */
  const someone = async (name: string) => {
    const sub = named(name).toLowerCase();
    const user = await Caller.of(service, 'user', { sub });
    const { key } = await user.post<{ key: string }>('sem-keys', {
      scope: 'user',
      entity_type: 'profile',
      attribute: 'contact',
      user_id: sub,
    });
    return { sub, user, path: `sem/${key}`, stream: `sem-${key}` };
  };

  const persistent = { text: 'You may keep my contact data.', scope: 'persistent' };

  it('with consent the fact is kept sealed, names the consent, and its user reads it', async () => {
    const { user, path, stream } = await someone('consent');
    const { consent_id } = await user.post<ConsentBody>('consents', persistent);
    await user.did('PUT', path, { body: { value: { mail: EMAIL } } });
    const [event] = await log.events(stream);
    expect(event?.data).toMatchObject({ sealed: { type: 'email' }, consent_id });
    expect(JSON.stringify(event?.data)).not.toContain(EMAIL);
    expect((await user.get<FactBody>(path)).value).toStrictEqual({ mail: EMAIL });
    const redacted = { redacted: true, type: 'email', redaction_reason: 'PII_DETECTED' };
    for (const reader of [admin, auditor])
      expect((await reader.get<FactBody>(path)).value).toStrictEqual(redacted);
  });

  it('a revoked consent covers no later write, and what was kept stays readable to its user', async () => {
    const { user, path } = await someone('revoked');
    const { consent_id } = await user.post<ConsentBody>('consents', persistent);
    await user.did('PUT', path, { body: { value: EMAIL } });
    const revoked = await user.post<ConsentBody>(`consents/${consent_id}/revocation`);
    expect(revoked.revoked_at).not.toBeNull();
    await user.refused('PRIVACY_BLOCKED', 'PUT', path, { body: { value: `new.${EMAIL}` } });
    expect((await user.get<FactBody>(path)).value).toBe(EMAIL);
    const again = await user.post<ConsentBody>(`consents/${consent_id}/revocation`);
    expect(again).toStrictEqual(revoked);
    expect(await user.get('consents')).toMatchObject({ consents: [{ consent_id }] });
  });

  it('consent alone does not cover data of category high', async () => {
    const { user, path } = await someone('high');
    await user.post('consents', persistent);
    await user.refused('PRIVACY_BLOCKED', 'PUT', path, { body: { value: SSN } });
  });

  it('a consent for one job covers the payload of this job’s episodes, sealed, and no other job', async () => {
    const { sub } = await someone('job-scope');
    const agent = await Caller.of(service, 'agent', { user_id: sub });
    const [first, second] = [named('job-scope-1'), named('job-scope-2')];
    for (const job_seed of [first, second]) await agent.post('jobs', { job_seed });
    const asked = { ...persistent, scope: 'job', job_seed: first };
    const { consent_id } = await agent.post<ConsentBody>('consents', asked);
    const episode = { summary: 'Wrote a letter', payload: { to: EMAIL } };
    for (const seed of [first, second]) await agent.post(`jobs/${seed}/episodes`, episode);
    const written = async (seed: string) =>
      (await log.events(`job-${seed}`)).find(({ type }) => type === 'episode_written')?.data;
    expect(await written(first)).toMatchObject({
      payload: null,
      sealed_payload: { type: 'email' },
      consent_id,
    });
    expect(await written(second)).toMatchObject({
      payload: { to: { redacted: true, type: 'email' } },
    });
  });

  it('a consent for a job of somebody else, or without its job, is refused', async () => {
    const { user } = await someone('other-job');
    const agent = await Caller.of(service, 'agent');
    const job_seed = named('other-job-seed');
    await agent.post('jobs', { job_seed });
    const scoped = { ...persistent, scope: 'job' };
    await user.refused('NOT_FOUND', 'POST', 'consents', { body: { ...scoped, job_seed } });
    await user.refused('INVALID_INPUT', 'POST', 'consents', { body: scoped });
    await user.refused('INVALID_INPUT', 'POST', 'consents', { body: { ...persistent, job_seed } });
  });

  it('the text of a consent is stored without personal data', async () => {
    const { user } = await someone('text');
    const text = `You may write to ${EMAIL}`;
    const given = await user.post('consents', { ...persistent, text });
    expect(given).toMatchObject({ text: 'You may write to [REDACTED:email]' });
  });
});
