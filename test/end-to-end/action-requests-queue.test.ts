import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Caller } from '#test/support/caller.js';
import { LogReader } from '#test/support/read-log.js';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';
import { Writes } from '#test/support/writes.js';

interface Risk {
  readonly level: string;
  readonly reasons: readonly string[];
}

interface Listed {
  readonly request_id: string;
  readonly proposal_hash: string;
  readonly status: string;
  readonly risk: Risk | null;
  readonly present: { readonly value: unknown; readonly version: number } | null;
  readonly own_vote: string | null;
  readonly awaits_answer: boolean;
  readonly answered_at: string | null;
  readonly answers_reviewer: boolean;
  readonly answers_caller: boolean;
  readonly votes_cast: number;
}

interface Page {
  readonly action_requests: readonly Listed[];
  readonly counts?: {
    readonly by_status: Readonly<Record<string, number>>;
    readonly by_risk: Readonly<Record<string, number>> | null;
    readonly by_question: Readonly<Record<string, number>>;
  };
  readonly next_cursor: string | null;
}

describe('The council’s queue', () => {
  let service: TestService;
  let log: LogReader;
  let agent: Caller;
  let admin: Caller;
  let ann: Caller;
  let episodic_id: string;
  let toolEpisode: string;
  /** The requests of this file all have this prefix. */
  const prefix = `world/queue/${named('q')}`;

  beforeAll(async () => {
    service = await TestService.shared();
    log = new LogReader(service.eventStore.url);
    agent = await Caller.of(service, 'agent', { sub: named('prop') });
    admin = await Caller.of(service, 'admin');
    ann = await Caller.of(service, 'council', { sub: named('ann') });
    await agent.post('jobs', { job_seed: named('queue') });
    const written = async (source: string) =>
      String(
        (await agent.post(`jobs/${named('queue')}/episodes`, { summary: 'Seen.', source }))[
          'episodic_id'
        ],
      );
    episodic_id = await written('agent');
    toolEpisode = await written('executor');
  });
  afterAll(async () => {
    await log?.close();
    await service?.stop();
  });

  const writes = new Writes();
  const propose = (name: string, more: object = {}): Promise<Listed> =>
    writes.did<Listed>(agent, 'POST', 'action-requests', {
      episodic_id,
      target_sem_key: `${prefix}-${name}/value`,
      value: name,
      justification: `It was said of ${name}.`,
      evidence: [{ quote: name }],
      ...more,
    });
  const list = (query: string, by = ann): Promise<Page> =>
    by.get<Page>(`action-requests?key_prefix=${prefix}&${query}`, { after: writes.after });
  const riskOf = async ({ request_id }: Listed): Promise<Risk | null> => {
    const { action_requests } = await list('limit=500');
    return action_requests.find((one) => one.request_id === request_id)?.risk ?? null;
  };
  const vote = (by: Caller, { request_id, proposal_hash }: Listed, choice: string) =>
    writes.did<{ votes: { risk: Risk | null }[] }>(
      by,
      'POST',
      `action-requests/${request_id}/votes`,
      {
        vote: choice,
        reason: 'Because.',
        proposal_hash,
      },
    );

  it('G9 the list shows why a request needs care, and a vote records what was shown', async () => {
    const first = await propose('first');
    const unproven = { level: 'low', reasons: ['first_time_proposer', 'in_evidence'] };
    expect(await riskOf(first)).toStrictEqual(unproven);
    const voted = await vote(ann, first, 'approve');
    expect(voted.votes[0]?.risk).toStrictEqual(unproven);
    const [cast] = (await log.events(`request-${first.request_id}`)).filter(
      ({ type }) => type === 'vote_cast',
    );
    expect(cast?.data).toMatchObject({ risk: unproven });
    expect(cast?.metadata.schema_version).toBe(2);

    await writes.did(admin, 'PUT', `sem/${prefix}-taken/value`, { value: 'before' });
    const expected: [Listed, Risk][] = [
      [await propose('known'), { level: 'low', reasons: ['in_evidence'] }],
      [await propose('taken'), { level: 'medium', reasons: ['contradiction', 'in_evidence'] }],
      [
        await propose('private', { justification: 'Ask someone@example.com.' }),
        { level: 'high', reasons: ['personal_data', 'in_evidence'] },
      ],
      [
        await propose('tool', { episodic_id: toolEpisode }),
        { level: 'low', reasons: ['in_evidence', 'tool_evidence'] },
      ],
      [await propose('bare', { evidence: [] }), { level: 'medium', reasons: ['no_evidence'] }],
    ];
    for (const [request, risk] of expected) expect(await riskOf(request)).toStrictEqual(risk);
    // A vote records what the list shows.
    for (const [request, risk] of expected)
      expect((await vote(ann, request, 'abstain')).votes[0]?.risk).toStrictEqual(risk);
    // A decided request keeps the risk that its last vote recorded.
    expect(await riskOf(first)).toStrictEqual(unproven);
    const elsewhere = await propose('x', { target_sem_key: `world/other/${named('x')}/value` });
    const { votes } = await vote(ann, elsewhere, 'reject');
    expect(votes[0]?.risk?.reasons).toStrictEqual(['unusual_target', 'in_evidence']);
  });

  it('the queue is ordered by deadline or risk, filtered, counted and paged on the server', async () => {
    const levels = async (query: string) =>
      (await list(query)).action_requests.map(({ risk }) => risk?.level);
    expect(await levels('status=pending&order=risk')).toStrictEqual([
      ...['high', 'medium', 'medium', 'low', 'low'],
    ]);
    const whole = await list('status=pending&order=deadline');
    const paged: string[] = [];
    let cursor = '';
    do {
      const page = await list(`status=pending&order=deadline&limit=2${cursor}`);
      paged.push(...page.action_requests.map(({ request_id }) => request_id));
      cursor = page.next_cursor === null ? '' : `&cursor=${page.next_cursor}`;
    } while (cursor !== '');
    expect(paged).toStrictEqual(whole.action_requests.map(({ request_id }) => request_id));
    const newest = await list('order=newest');
    const oldest = await list('order=oldest');
    expect(newest.action_requests).toStrictEqual(oldest.action_requests.toReversed());

    expect(await levels('status=pending&risk=medium')).toStrictEqual(['medium', 'medium']);
    const ids = async (query: string) =>
      (await list(query)).action_requests.map((one) => one.request_id).length;
    expect(await ids('text=SAID OF TOOL')).toBe(1);
    expect(await ids('text=-bare/')).toBe(1);
    expect(await ids(`proposer=${named('prop')}&kind=sem_put`)).toBe(6);
    expect(await ids('proposer=nobody')).toBe(0);
    expect(await ids('voted=true')).toBe(6);
    expect(await ids('voted=false')).toBe(0);

    const { counts } = await list('counts=true&status=pending&risk=low');
    expect(counts?.by_status).toMatchObject({ pending: 1 + 4, executed: 1, rejected: 0 });
    expect(counts?.by_risk).toStrictEqual({ low: 2, medium: 2, high: 1 });
    expect(whole.action_requests[0]).toMatchObject({ own_vote: 'abstain', votes_cast: 1 });
  });

  it('G8 an answer brings back the reviewer who asked, until the next question or the vote', async () => {
    const bob = await Caller.of(service, 'council', { sub: named('bob') });
    const request = await propose('asked');
    const path = `action-requests/${request.request_id}`;
    const ask = (by: Caller) =>
      writes.did(by, 'POST', `${path}/questions`, { question: 'Since when?' });
    const answer = () => writes.did(agent, 'POST', `${path}/answers`, { answer: 'Since May.' });
    const found = async (question: string, by = ann) =>
      (await list(`status=pending&voted=false&question=${question}`, by)).action_requests.length;
    const states = async (by = ann) => [
      await found('waiting', by),
      await found('answered', by),
      await found('answered_caller', by),
    ];
    expect(await states()).toStrictEqual([0, 0, 0]);
    await ask(ann);
    expect(await states()).toStrictEqual([1, 0, 0]);
    await answer();
    expect(await states()).toStrictEqual([0, 1, 1]);
    expect(await states(bob)).toStrictEqual([0, 1, 0]);
    await ask(bob);
    // The answer to Ann stands, while Bob's question waits.
    expect(await states()).toStrictEqual([1, 1, 1]);
    expect(await rowOf(request, bob)).toMatchObject({
      ...{ awaits_answer: true, answers_reviewer: true, answers_caller: false },
    });
    await answer();
    expect(await states(bob)).toStrictEqual([0, 1, 1]);
    await ask(ann);
    expect(await states()).toStrictEqual([1, 1, 0]);
    await answer();
    const { action_requests, counts } = await list('question=answered&counts=true&status=pending');
    expect(action_requests).toMatchObject([
      { request_id: request.request_id, awaits_answer: false, answers_caller: true },
    ]);
    expect(Date.parse(action_requests[0]?.answered_at ?? '')).not.toBeNaN();
    expect(counts?.by_question).toStrictEqual({ waiting: 0, answered: 1, answered_caller: 1 });
    expect(counts?.by_status).toMatchObject({ pending: 1, rejected: 0 });
    await vote(ann, request, 'abstain');
    expect(await states()).toStrictEqual([0, 0, 0]);
    expect(await states(bob)).toStrictEqual([0, 1, 1]);
  });

  const rowOf = async ({ request_id }: Listed, by = ann): Promise<Listed | undefined> =>
    (await list('limit=500', by)).action_requests.find((one) => one.request_id === request_id);

  it('G9 a revision is assessed by its own value, and another waiting value for the same key counts', async () => {
    const request = await propose('revised', { value: 'rev\u200Bised' });
    expect(await riskOf(request)).toStrictEqual({
      level: 'high',
      reasons: ['hidden_characters', 'not_in_evidence'],
    });
    const revise = (value: unknown) =>
      writes.did(ann, 'POST', `action-requests/${request.request_id}/revisions`, {
        ...{ value, reason: 'As it is said.' },
      });
    await revise('revised');
    expect(await riskOf(request)).toStrictEqual({ level: 'low', reasons: ['in_evidence'] });
    await propose('revised', { value: 'other' });
    expect((await riskOf(request))?.reasons).toStrictEqual(['rival_request', 'in_evidence']);
  });

  it('G9 a large change is recorded when it is proposed, and stays when the fact changes later', async () => {
    const target = `${prefix}-grown/value`;
    const put = (value: unknown) => writes.did(admin, 'PUT', `sem/${target}`, { value });
    await put(10);
    const grown = await propose('grown', { value: 100, evidence: [{ quote: '100' }] });
    const high = { level: 'high', reasons: ['large_change', 'contradiction', 'in_evidence'] };
    expect(await riskOf(grown)).toStrictEqual(high);
    expect(await rowOf(grown)).toMatchObject({ present: { value: 10, version: 0 } });
    const [made] = await log.events(`request-${grown.request_id}`);
    expect(made).toMatchObject({ data: { large_change: true }, metadata: { schema_version: 3 } });
    await put(99);
    expect(await riskOf(grown)).toStrictEqual(high);
    await writes.did(ann, 'POST', `action-requests/${grown.request_id}/revisions`, {
      ...{ value: 98, reason: 'A digit was too many.' },
    });
    expect((await riskOf(grown))?.reasons).toStrictEqual(['contradiction', 'not_in_evidence']);
    const shown = await ann.get<object>(`action-requests/${grown.request_id}`);
    expect(shown).not.toHaveProperty('large_change');
  });

  it('a row shows the present value of its target, without personal data, and none without a fact', async () => {
    const fresh = await propose('fresh');
    expect((await rowOf(fresh))?.present).toBeNull();
    const user_id = named('mira');
    const mira = await Caller.of(service, 'user', { sub: user_id, user_id });
    await writes.did(mira, 'POST', 'consents', { text: 'Keep it.', scope: 'persistent' });
    const target_sem_key = `user/profile/user_${user_id}/contact`;
    await writes.did(mira, 'PUT', `sem/${target_sem_key}`, { value: 'mira@example.org' });
    const sealed = await propose('sealed', { target_sem_key, value: 'sealed' });
    const rows = await ann.get<Page>(`action-requests?key_prefix=${target_sem_key}`, {
      after: writes.after,
    });
    expect(rows.action_requests).toMatchObject([
      { request_id: sealed.request_id, present: { value: { redacted: true } } },
    ]);
    expect(JSON.stringify(rows)).not.toContain('mira@example.org');
  });

  it('agents and users do not see the risk, and cannot find it out by a filter or an order', async () => {
    const { action_requests, counts } = await list('counts=true', agent);
    expect(new Set(action_requests.map(({ risk }) => risk))).toStrictEqual(new Set([null]));
    expect(counts?.by_risk).toBeNull();
    for (const query of ['risk=low', 'order=risk', 'order=deadline'])
      await agent.refused('PERMISSION_DENIED', 'GET', `action-requests?${query}`);
    await ann.refused('INVALID_INPUT', 'GET', 'action-requests?risk=none');
    await ann.refused('INVALID_INPUT', 'GET', 'action-requests?cursor=bm9uZQ');
  });

  it('evidence that names only what does not exist counts as missing', async () => {
    const reasonsFor = async (name: string, evidence: object[]) =>
      (await riskOf(await propose(name, { evidence })))?.reasons;
    expect(await reasonsFor('made-up', [{ episodic_id: 'ep:none' }])).toContain('no_evidence');
    const event = { stream: 'sem-none', number: 7 };
    expect(await reasonsFor('no-event', [event])).toContain('no_evidence');
    expect(await reasonsFor('cited', [event, { episodic_id }])).not.toContain('no_evidence');
    const request = await propose('revised', { evidence: [event] });
    await writes.did(ann, 'POST', `action-requests/${request.request_id}/revisions`, {
      ...{ value: 'other', reason: 'It is another.' },
    });
    expect((await riskOf(request))?.reasons).toContain('no_evidence');
  });
});
