import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '#domain/json.js';
import { Caller } from '#test/support/caller.js';
import { named } from '#test/support/named.js';
import { LogReader } from '#test/support/read-log.js';
import { TestService } from '#test/support/service.js';

const EMAIL = 'mira.kellner@posteo.test';
const CARD = '4539 1488 0343 6467';

interface JobBody {
  readonly wm: readonly { readonly wm_id: string; readonly value: unknown }[];
  readonly cwm: { readonly topic: string; readonly items: readonly { readonly value: unknown }[] };
}

const REDACTED = { redacted: true, type: 'email', redaction_reason: 'PII_DETECTED' };

describe('Personal data in a job', () => {
  let service: TestService;
  let log: LogReader;
  let agent: Caller;
  let auditor: Caller;
  let admin: Caller;

  beforeAll(async () => {
    service = await TestService.shared();
    log = new LogReader(service.eventStore.url);
    agent = await Caller.of(service, 'agent');
    auditor = await Caller.of(service, 'auditor');
    admin = await Caller.of(service, 'admin');
  });
  afterAll(async () => {
    await log?.close();
    await service?.stop();
  });

  const started = async (name: string, body: JsonObject = {}): Promise<string> => {
    const job_seed = named(name);
    await agent.post('jobs', { job_seed, ...body });
    return job_seed;
  };

  const textOf = async (seed: string): Promise<string> =>
    JSON.stringify((await log.events(`job-${seed}`)).map(({ data }) => data));

  it('P3 a WM value with personal data is sealed in the log and readable to its owner while the job runs', async () => {
    const seed = await started('sealed-wm');
    await agent.post(`jobs/${seed}/wm`, { type: 'fact', value: { contact: EMAIL } });
    expect(await textOf(seed)).not.toContain(EMAIL);
    const [, inserted] = await log.events(`job-${seed}`);
    expect(inserted?.data).toMatchObject({ sealed: { type: 'email' } });
    const entry = (await agent.get<JobBody>(`jobs/${seed}`)).wm[0];
    expect(entry).toMatchObject({ value: { contact: EMAIL } });
    for (const reader of [auditor, admin])
      expect((await reader.get<JobBody>(`jobs/${seed}`)).wm[0]?.value).toStrictEqual(REDACTED);
  });

  it('P3 nobody sees a sealed value after the end of the job', async () => {
    const seed = await started('sealed-ended');
    await agent.post(`jobs/${seed}/wm`, { type: 'fact', value: EMAIL });
    await agent.post(`jobs/${seed}/end`);
    for (const reader of [agent, auditor, admin]) {
      expect((await reader.get<JobBody>(`jobs/${seed}`)).wm[0]?.value).toStrictEqual(REDACTED);
      const then = await reader.get<JobBody>(`jobs/${seed}?version=1`);
      expect(then.wm[0]?.value).toStrictEqual(REDACTED);
    }
  });

  it('P5 a structural search does not look into sealed values, and shows them to the running job', async () => {
    const seed = await started('sealed-find');
    await agent.post(`jobs/${seed}/wm`, { type: 'fact', value: { contact: EMAIL } });
    const byContact = await agent.post(`jobs/${seed}/wm/find`, { exists: ['/value/contact'] });
    expect(byContact).toMatchObject({ entries: [] });
    const byType = await agent.post(`jobs/${seed}/wm/find`, { equals: { '/type': 'fact' } });
    expect(byType).toMatchObject({ entries: [{ value: { contact: EMAIL } }] });
  });

  it('P3 the next job of a session gets the sealed CWM and can read it', async () => {
    const session_id = named('sealed-session');
    const first = await started('sealed-first', { session_id });
    await agent.post(`jobs/${first}/commands`, {
      commands: [
        { op: 'wm_insert', type: 'fact', value: EMAIL },
        { op: 'wm_reference', wm_id: `wm:${first}:1` },
        { op: 'wm_reference', wm_id: `wm:${first}:1` },
        { op: 'tick' },
        { op: 'end' },
      ],
    });
    const job_seed = named('sealed-second');
    const second = await agent.post<JobBody>('jobs', { job_seed, session_id });
    expect(second.cwm.items[0]?.value).toBe(EMAIL);
    expect((await agent.get<JobBody>(`jobs/${job_seed}`)).cwm.items[0]?.value).toBe(EMAIL);
    expect(await textOf(job_seed)).not.toContain(EMAIL);
  });

  it('P3 goals are stored redacted, with an event pii_redacted', async () => {
    const seed = await started('redacted-goal', { goal: `Write to ${EMAIL} today` });
    await agent.post(`jobs/${seed}/goals`, { goal: `Charge ${CARD}` });
    const job = await agent.get<JobBody>(`jobs/${seed}`);
    expect(job.cwm.topic).toBe('Charge [REDACTED:payment_card]');
    expect(await log.types(`job-${seed}`)).toStrictEqual([
      'job_started',
      'pii_redacted',
      'goal_set',
      'pii_redacted',
    ]);
    const text = await textOf(seed);
    for (const value of [EMAIL, CARD]) expect(text).not.toContain(value);
  });

  it('P3 an episode is stored redacted, with an event pii_redacted, and its owner reads it so', async () => {
    const seed = await started('redacted-episode');
    const { episodic_id } = await agent.post<{ episodic_id: string }>(`jobs/${seed}/episodes`, {
      summary: `Asked ${EMAIL} for the card`,
      payload: { answer: { card: CARD, ok: true } },
      evidence: [{ from: EMAIL }],
    });
    const text = await textOf(seed);
    for (const value of [EMAIL, CARD]) expect(text).not.toContain(value);
    expect(await log.types(`job-${seed}`)).toStrictEqual([
      'job_started',
      'episode_written',
      'pii_redacted',
    ]);
    const episode = await agent.get(`episodes/${episodic_id}`);
    expect(episode).toMatchObject({
      summary: 'Asked [REDACTED:email] for the card',
      payload: {
        answer: {
          card: { redacted: true, type: 'payment_card', redaction_reason: 'PII_DETECTED' },
          ok: true,
        },
      },
    });
  });

  it('P3 a job with sealed and redacted parts replays identical, without the keys', async () => {
    const seed = await started('sealed-replay', { goal: `Mail ${EMAIL}` });
    await agent.post(`jobs/${seed}/commands`, {
      commands: [
        { op: 'wm_insert', type: 'fact', value: EMAIL },
        { op: 'wm_reference', wm_id: `wm:${seed}:1` },
        { op: 'episodic_write', summary: EMAIL, payload: { to: EMAIL } },
        { op: 'goal', goal: `Call ${CARD}` },
        { op: 'tick', count: 4 },
        { op: 'end' },
      ],
    });
    const report = await auditor.post(`jobs/${seed}/replays`, { mode: 'strict' });
    expect(report).toMatchObject({ identical: true });
  });

  it('I7 a retry of an insert with personal data gets the first answer and adds no event', async () => {
    const seed = await started('sealed-retry');
    const options = { body: { type: 'fact', value: EMAIL }, key: named('sealed-retry-key') };
    const first = await agent.did('POST', `jobs/${seed}/wm`, options);
    const again = await agent.did('POST', `jobs/${seed}/wm`, options);
    expect(again.body).toStrictEqual(first.body);
    expect(await log.types(`job-${seed}`)).toStrictEqual(['job_started', 'wm_inserted']);
  });
});
