import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Caller, positionOf } from '#test/support/caller.js';
import { FollowedEvents } from '#test/support/followed-events.js';
import { LogReader } from '#test/support/read-log.js';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';

interface Request {
  readonly request_id: string;
  readonly proposal_hash: string;
  readonly status: string;
  readonly votes: readonly { readonly vote: string; readonly voter: { readonly sub: string } }[];
  readonly votes_hidden: boolean;
  readonly votes_cast: number;
  readonly votes_counted: number | null;
  readonly earlier_versions: readonly { readonly votes: readonly unknown[] }[];
}

describe('Who sees the votes on a request', () => {
  let service: TestService;
  const callers: Record<'agent' | 'ann' | 'bob' | 'admin' | 'auditor' | 'both', Caller> =
    {} as never;
  let episodic_id: unknown;
  let keys = 0;

  beforeAll(async () => {
    service = await TestService.start({ environment: { MACE_COUNCIL_QUORUM: '2' } });
    for (const [name, roles] of Object.entries({
      agent: ['agent'],
      ann: ['council'],
      bob: ['council'],
      admin: ['admin'],
      auditor: ['auditor'],
      both: ['auditor', 'council'],
    } as const))
      callers[name as keyof typeof callers] = await Caller.of(service, roles, { sub: named(name) });
    await callers.agent.post('jobs', { job_seed: named('votes') });
    ({ episodic_id } = await callers.agent.post(`jobs/${named('votes')}/episodes`, {
      summary: 'Seen.',
    }));
  });
  afterAll(() => service?.stop());

  const propose = () =>
    callers.agent.did<Request>('POST', 'action-requests', {
      body: {
        episodic_id,
        target_sem_key: `world/voted/${named(`v${(keys += 1)}`)}/value`,
        value: 'proposed',
        justification: 'It was said.',
      },
    });
  const vote = (by: Caller, { request_id, proposal_hash }: Request, choice: string) =>
    by.post<Request>(`action-requests/${request_id}/votes`, {
      ...{ vote: choice, reason: `Because of ${choice}.`, proposal_hash },
    });
  const look = (by: Caller, { request_id }: Request) =>
    by.get<Request>(`action-requests/${request_id}`);

  it('a member does not see the votes of others before the own vote, which may be an abstention', async () => {
    const { body: request } = await propose();
    await vote(callers.ann, request, 'reject');
    for (const by of [callers.bob, callers.admin, callers.agent, callers.both])
      expect(await look(by, request)).toMatchObject({
        ...{ votes: [], votes_hidden: true, votes_cast: 1, votes_counted: null },
      });
    expect(await look(callers.ann, request)).toMatchObject({ votes_hidden: false });
    expect((await look(callers.auditor, request)).votes).toHaveLength(1);
    const abstained = await vote(callers.bob, request, 'abstain');
    expect(abstained.votes.map((cast) => cast.vote)).toStrictEqual(['reject', 'abstain']);
    await vote(callers.admin, request, 'reject');
    for (const by of [callers.agent, callers.both])
      expect(await look(by, request)).toMatchObject({
        ...{ status: 'rejected', votes_hidden: false, votes_cast: 3, votes_counted: 2 },
      });
  });

  it('G8 a revision hides the votes on the earlier value as well, until the own vote on the new one', async () => {
    const { body: request } = await propose();
    await vote(callers.ann, request, 'approve');
    const revised = await callers.bob.post<Request>(
      `action-requests/${request.request_id}/revisions`,
      { value: 'better', reason: 'More exact.' },
    );
    expect(revised).toMatchObject({ votes_hidden: true, earlier_versions: [{ votes: [] }] });
    // The own vote on the earlier value is shown.
    expect((await look(callers.ann, request)).earlier_versions[0]?.votes).toHaveLength(1);
    const voted = await vote(callers.admin, revised, 'abstain');
    expect(voted.earlier_versions[0]?.votes).toHaveLength(1);
  });

  it('I6 no answer has a hash from which a hidden vote can be computed, nor a number of abstentions', async () => {
    const made = await propose();
    const { request_id } = made.body;
    const path = `action-requests/${request_id}`;
    await callers.bob.post(`${path}/questions`, { question: 'Who said it?' });
    await vote(callers.ann, made.body, 'abstain');
    await callers.agent.post(`${path}/answers`, { answer: 'A colleague.' });
    const log = new LogReader(service.eventStore.url);
    const events = await log.events(`request-${request_id}`);
    await log.close();
    const voted = events.findIndex(({ type }) => type === 'vote_cast');
    const [first, after] = [events[0], events.slice(voted)];
    const question = events[voted - 1];
    expect(after.map(({ type }) => type)).toStrictEqual(['vote_cast', 'question_answered']);
    const listed = 'action-requests?limit=200';
    for (const by of [callers.bob, callers.admin, callers.agent, callers.both]) {
      const stream = `events?after=${positionOf(made)}&until=end&categories=request`;
      const followed = await FollowedEvents.open(service, stream, { token: by.token });
      const answers: unknown[] = [await followed.rest()];
      for (const get of [path, listed, ...events.map((_, number) => `${path}/receipts/${number}`)])
        answers.push((await by.ask('GET', get, { after: positionOf(made) })).body);
      if (by !== callers.agent) answers.push((await by.ask('GET', `${path}/dossier`)).body);
      const shown = JSON.stringify(answers);
      expect(shown).toContain(first?.metadata.hash);
      for (const { metadata } of after) expect(shown).not.toContain(metadata.hash);
      // Equal votes on two requests have bodies with the same hash.
      expect(shown).not.toContain(after[0]?.metadata.body_hash);
      const row = (await by.get<{ action_requests: Request[] }>(listed)).action_requests.find(
        (one) => one.request_id === request_id,
      );
      expect(row?.votes_counted).toBeNull();
    }
    const receipt = `${path}/receipts/${voted - 1}`;
    const { body } = await callers.bob.ask<{ event: { metadata: object } }>('GET', receipt);
    expect(body.event.metadata).toMatchObject({ hash: question?.metadata.hash });
    for (const number of [voted, voted + 1])
      await callers.bob.refused('PERMISSION_DENIED', 'GET', `${path}/receipts/${number}`);
    await vote(callers.bob, made.body, 'abstain');
    for (const number of [voted, voted + 1]) await callers.bob.get(`${path}/receipts/${number}`);
    expect(await look(callers.bob, made.body)).toMatchObject({ votes_cast: 2, votes_counted: 0 });
  });

  it('a stream of events shows the votes of others to auditors only', async () => {
    const made = await propose();
    await vote(callers.ann, made.body, 'approve');
    const votesFor = async (by: Caller) => {
      const path = `events?after=${positionOf(made)}&until=end&categories=request`;
      const followed = await FollowedEvents.open(service, path, { token: by.token });
      const events = (await followed.rest()).filter(({ stream }) =>
        stream.endsWith(made.body.request_id),
      );
      return events.filter(({ number }) => number === 2).map(({ data }) => data);
    };
    const shown = [expect.objectContaining({ vote: 'approve', reason: 'Because of approve.' })];
    expect(await votesFor(callers.auditor)).toEqual(shown);
    expect(await votesFor(callers.ann)).toEqual(shown);
    for (const by of [callers.bob, callers.admin, callers.agent, callers.both])
      expect(await votesFor(by)).toStrictEqual([{ hidden: true }]);
  });
});
