import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { components } from '#client/api.js';
import { Caller } from '#test/support/caller.js';
import { LogReader } from '#test/support/read-log.js';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';
import { Writes } from '#test/support/writes.js';

type Dossier = components['schemas']['DossierDto'];
interface Request {
  readonly request_id: string;
  readonly proposal_hash: string;
}

describe('The dossier of a request', () => {
  let service: TestService;
  let log: LogReader;
  let agent: Caller;
  let admin: Caller;
  let ann: Caller;
  let episodic_id: string;
  const sub = named('proposer');
  const target = `world/dossier/${named('d')}/color`;

  beforeAll(async () => {
    service = await TestService.start({ ownLog: true });
    log = new LogReader(service.eventStore.url);
    agent = await Caller.of(service, 'agent', { sub });
    admin = await Caller.of(service, 'admin');
    ann = await Caller.of(service, 'council', { sub: named('ann') });
    await agent.post('jobs', { job_seed: named('dossier') });
    episodic_id = await written('agent');
  });
  afterAll(async () => {
    await log?.close();
    await service?.stop();
  });

  const writes = new Writes();
  const written = async (source: string): Promise<string> => {
    const episode = { summary: `Seen by ${source}.`, source };
    const path = `jobs/${named('dossier')}/episodes`;
    return (await writes.did<{ episodic_id: string }>(agent, 'POST', path, episode)).episodic_id;
  };
  const propose = (more: object = {}, by = agent): Promise<Request> =>
    writes.did<Request>(by, 'POST', 'action-requests', {
      ...{ episodic_id, target_sem_key: target, value: 'blue', justification: 'It was said.' },
      ...more,
    });
  const put = (key: string, value: unknown, more: object = {}) =>
    writes.did(admin, 'PUT', `sem/${key}`, { value, ...more });
  /** Casts votes until the request is decided. */
  const decide = async ({ request_id, proposal_hash }: Request, vote: object): Promise<void> => {
    for (const name of ['first', 'second']) {
      const member = await Caller.of(service, 'council', { sub: named(name) });
      const { status } = (await dossierOf({ request_id, proposal_hash }, member)).request;
      const path = `action-requests/${request_id}/votes`;
      if (status === 'pending') await writes.did(member, 'POST', path, { ...vote, proposal_hash });
    }
  };
  const dossierOf = ({ request_id }: Request, by = ann): Promise<Dossier> =>
    by.get<Dossier>(`action-requests/${request_id}/dossier`, { after: writes.after });

  it('shows the present fact, similar facts, rivals, and the events of the episode and the evidence', async () => {
    await put(target, 'grey', { notes: 'Cloudy.' });
    await put(target.replace('/color', '/height'), 7);
    await put(target.replace('/color', '2/color'), 'blue');
    const cited = await written('executor');
    const { hash } = (await log.events(`sem-${target}`))[0]!.metadata;
    const evidence = [
      { episodic_id: cited },
      { stream: `sem-${target}`, number: 0, hash },
      { stream: `sem-${target}`, number: 0, hash: 'f'.repeat(64) },
      { quote: 'It was blue.' },
    ];
    const rival = await propose({ value: 'red' });
    const request = await propose({ evidence, justification: 'Ask someone@example.com.' });
    const dossier = await dossierOf(request);
    const factEvent = { stream: `sem-${target}`, number: 0, hash, position: expect.any(String) };
    expect(dossier).toMatchObject({
      request: { request_id: request.request_id, justification: 'Ask [REDACTED:email].' },
      risk: {
        level: 'high',
        reasons: [
          ...['personal_data', 'contradiction', 'rival_request', 'first_time_proposer'],
          ...['in_evidence', 'tool_evidence'],
        ],
      },
      recheck: [{ code: 'evidence_missing', evidence: [2], text: expect.any(String) }],
      present_fact: { value: 'grey', notes: 'Cloudy.', version: 0, source_event: factEvent },
      fact_at_proposal: { value: 'grey' },
      rival_requests: [
        { request_id: rival.request_id, value: 'red', present: { value: 'grey', version: 0 } },
      ],
      episode: { episodic_id, state: 'present', summary: 'Seen by agent.', source: 'agent' },
      evidence: [
        { state: 'present', summary: 'Seen by executor.' },
        { state: 'present', source_event: factEvent },
        { state: 'missing', source_event: null },
        { state: 'none', source_event: null },
      ],
      redactions: [{ field: expect.stringContaining('justification'), rule: 'email' }],
      proposer_history: { by_status: { pending: 2 }, others: [{ request_id: rival.request_id }] },
      source_event: { stream: `request-${request.request_id}`, number: 0 },
    });
    expect(
      dossier.similar_facts.map(({ relation, is_same_value }) => [relation, is_same_value]),
    ).toStrictEqual([
      ['same_entity', false],
      ['same_attribute', true],
    ]);
    const jobEvents = await log.events(`job-${named('dossier')}`);
    const { source_event: source } = dossier.episode ?? {};
    expect(jobEvents[source?.number ?? -1]?.metadata.hash).toBe(source?.hash);
    expect(JSON.stringify(dossier)).not.toContain('someone@example.com');
  });

  it('says that the council rejected the same value before, when and why, for as long as the value is the same', async () => {
    const key = target.replace('/color', '3/color');
    const rejected = await propose({ target_sem_key: key, value: { a: 1, b: 2 } });
    const why = { reason: 'It is a guess.', reason_code: 'unsupported' };
    await decide(rejected, { vote: 'reject', ...why });
    const again = await propose({ target_sem_key: key, value: { b: 2, a: 1 } });
    const other = await propose({ target_sem_key: key, value: { b: 2, a: 3 } });
    expect(await dossierOf(again)).toMatchObject({
      risk: { reasons: expect.arrayContaining(['rejected_before']) },
      rejected_before: [
        {
          request_id: rejected.request_id,
          decided_at: expect.stringMatching(/^\d{4}-/),
          rejections: expect.arrayContaining([
            { voter: { sub: named('first'), user_id: null }, ...why },
          ]),
        },
      ],
    });
    expect((await dossierOf(other)).rejected_before).toStrictEqual([]);
    const draft = { episodic_id, target_sem_key: key, value: { a: 1, b: 2 } };
    expect(
      await agent.post('action-requests?dry_run=true', { ...draft, justification: 'Again.' }),
    ).toMatchObject({ risk: { reasons: expect.arrayContaining(['rejected_before']) } });
  });

  it('shows on what grounds the present fact was approved, and nothing for a fact that nobody approved', async () => {
    const key = target.replace('/color', '4/color');
    const evidence = [{ quote: 'It was white at noon.' }];
    const first = await propose({ target_sem_key: key, value: 'white', evidence });
    await decide(first, { vote: 'approve', reason: 'Quoted.' });
    const next = await propose({ target_sem_key: key, value: 'black' });
    expect((await dossierOf(next)).present_fact).toMatchObject({
      value: 'white',
      grounds: { justification: 'It was said.', evidence },
    });
    await put(key, 'green');
    expect((await dossierOf(next)).present_fact).toMatchObject({ value: 'green', grounds: null });
  });

  it('P4 shows the words, the reach and the time of the consent that a request for sensitive data extends', async () => {
    const user_id = named('ines').toLowerCase();
    const ines = await Caller.of(service, 'user', { sub: user_id, user_id });
    const given = await ines.post<{ consent_id: string }>('consents', {
      ...{ text: 'Keep my account for the refund.', scope: 'persistent' },
    });
    const { consent_id } = given;
    const request = await ines.post<Request>('action-requests', {
      ...{ kind: 'sensitive_consent', consent_id, justification: 'The refund goes there.' },
    });
    expect(await dossierOf(request)).toMatchObject({
      consent: { ...given, text: 'Keep my account for the refund.', revoked_at: null },
      rejected_before: [],
      present_fact: null,
    });
  });

  it('lists what else waits by or about the user of a consent or an erasure, and nothing for a fact', async () => {
    const user_id = named('jon').toLowerCase();
    const jon = await Caller.of(service, 'user', { sub: user_id, user_id });
    const { consent_id } = await jon.post<{ consent_id: string }>('consents', {
      ...{ text: 'Keep my card.', scope: 'persistent' },
    });
    const consent = await jon.post<Request>('action-requests', {
      ...{ kind: 'sensitive_consent', consent_id, justification: 'For the refund.' },
    });
    const erasure = await jon.post<Request>('action-requests', {
      ...{ kind: 'erasure', subject: `user:${user_id}`, reason_code: 'legal_erasure' },
      justification: 'Forget me after it.',
    });
    await service.caughtUp();
    const ids = async (of: Request) =>
      (await dossierOf(of)).person_requests.map(({ request_id }) => request_id);
    expect(await ids(consent)).toStrictEqual([erasure.request_id]);
    expect(await ids(erasure)).toStrictEqual([consent.request_id]);
    const fact = await propose({ target_sem_key: target.replace('/color', '5/color') });
    expect(await ids(fact)).toStrictEqual([]);
  });

  it('is for the council, admins and auditors, and shows votes as the request does', async () => {
    const request = await propose({ target_sem_key: `world/dossier/${named('hidden')}/color` });
    const path = `action-requests/${request.request_id}/dossier`;
    await agent.refused('PERMISSION_DENIED', 'GET', path);
    await ann.refused('NOT_FOUND', 'GET', 'action-requests/none/dossier');
    expect((await dossierOf(request, admin)).request.votes_hidden).toBe(true);
  });

  it('a list and the rivals in a dossier have the first entries of the evidence, the request has all', async () => {
    const target_sem_key = `world/large/${named('e')}/value`;
    const text = 'lorem ipsum '.repeat(100);
    const evidence = Array.from({ length: 150 }, (_, page) => ({ page, text }));
    const [request, rival] = [
      await propose({ target_sem_key, value: 'one', evidence }),
      await propose({ target_sem_key, value: 'two', evidence: [{ text: text.repeat(20) }] }),
    ];
    const { action_requests } = await ann.get<components['schemas']['ActionRequestsPageDto']>(
      `action-requests?key_prefix=${target_sem_key}`,
      { after: writes.after },
    );
    const [first, second] = action_requests;
    expect(first).toMatchObject({ evidence: [{ page: 0, text }], evidence_count: 150 });
    expect(second).toMatchObject({ evidence: [], evidence_count: 1 });
    expect(JSON.stringify(action_requests).length).toBeLessThan(10_000);
    const dossier = await dossierOf(rival);
    expect(dossier.rival_requests).toMatchObject([
      { evidence: [{ page: 0 }], evidence_count: 150 },
    ]);
    expect(dossier.request.evidence).toStrictEqual([{ text: text.repeat(20) }]);
    expect((await dossierOf(request)).evidence).toHaveLength(150);
  });
});
