import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ActionRequest, type ActionRequestListing, MaceClient } from '#client/index.js';
import { Caller } from '#test/support/caller.js';
import { FollowedEvents } from '#test/support/followed-events.js';
import { named } from '#test/support/named.js';
import { LogReader } from '#test/support/read-log.js';
import { TestService } from '#test/support/service.js';

const HOUR_MS = 3_600_000;
const later = (ms = HOUR_MS): string => new Date(Date.now() + ms).toISOString();

describe('Reviewers share their work', () => {
  let service: TestService;
  let log: LogReader;
  let agent: Caller;
  let auditor: Caller;
  let ann: MaceClient;
  let bob: MaceClient;
  let council: Caller;
  let episodic_id: unknown;
  let asked = 0;

  const sdk = async (role: 'council' | 'agent', sub: string): Promise<MaceClient> =>
    new MaceClient({ baseUrl: service.url, token: await service.token(role, { sub }) });
  const proposer = named('sharing');

  beforeAll(async () => {
    service = await TestService.shared();
    log = new LogReader(service.eventStore.url);
    agent = await Caller.of(service, 'agent', { sub: proposer });
    auditor = await Caller.of(service, 'auditor', { sub: named('auditor') });
    council = await Caller.of(service, 'council', { sub: named('cat') });
    ann = await sdk('council', named('ann'));
    bob = await sdk('council', named('bob'));
    await agent.post('jobs', { job_seed: named('sharing') });
    ({ episodic_id } = await agent.post(`jobs/${named('sharing')}/episodes`, { summary: 'Seen.' }));
  });
  afterAll(async () => {
    await log?.close();
    await service?.stop();
  });

  async function propose(): Promise<ActionRequest> {
    return agent.post<ActionRequest>('action-requests', {
      ...{ episodic_id, target_sem_key: `world/sharing/${named(`s${(asked += 1)}`)}/value` },
      ...{ value: 'proposed', justification: 'It was said.' },
    });
  }
  const listed = async (
    by: MaceClient,
    filter: Parameters<MaceClient['actionRequests']['list']>[0],
  ): Promise<readonly ActionRequestListing[]> => {
    const page = await by.actionRequests.list({ proposer, limit: 500, counts: 'true', ...filter });
    const total = Object.values(page.counts?.by_status ?? {}).reduce((sum, one) => sum + one, 0);
    expect(total).toBe(page.action_requests.length);
    return page.action_requests;
  };
  const idsIn = async (...of: Parameters<typeof listed>): Promise<readonly string[]> =>
    (await listed(...of)).map(({ request_id }) => request_id);
  const typesOf = ({ request_id }: ActionRequest) => log.types(`request-${request_id}`);

  it('a request is assigned to a reviewer, found by the assignment, and taken off again, each by an event', async () => {
    const request = await propose();
    const id = request.request_id;
    expect(request).toMatchObject({ assigned_to: null, comments: [], snoozed_until: null });
    expect(await ann.actionRequests.assign(id, named('bob'))).toMatchObject({
      assigned_to: named('bob'),
    });
    await ann.actionRequests.assign(id, named('bob'));
    expect(await idsIn(ann, { assigned_to: named('bob') })).toStrictEqual([id]);
    expect(await idsIn(ann, { assigned_to: named('ann') })).toStrictEqual([]);
    const [row] = (await listed(bob, {})).filter(({ request_id }) => request_id === id);
    expect(row?.assigned_to).toBe(named('bob'));
    await bob.actionRequests.assign(id, null);
    expect(await idsIn(bob, { assigned_to: named('bob') })).toStrictEqual([]);
    expect(await typesOf(request)).toStrictEqual([
      ...['action_requested', 'episode_written', 'request_assigned', 'request_assigned'],
    ]);
  });

  it('a comment is redacted and shown to reviewers and auditors, never to the proposer', async () => {
    const request = await propose();
    const id = request.request_id;
    const path = `action-requests/${id}`;
    await ann.actionRequests.comment(id, 'I know the source, someone@example.com.');
    await ann.actionRequests.assign(id, named('ann'));
    for (const by of [council, auditor]) {
      const { comments } = await by.get<ActionRequest>(path);
      expect(comments).toMatchObject([{ by: { sub: named('ann') }, source_event: { number: 2 } }]);
      expect(comments[0]?.text).not.toContain('someone@example.com');
      expect(comments[0]?.text).toContain('I know the source');
    }
    const shown = await agent.get<ActionRequest>(path);
    expect(shown).toMatchObject({ comments: [], assigned_to: null });
    const { action_requests: rows } = await agent.get<{
      action_requests: readonly ActionRequestListing[];
    }>('action-requests?limit=500');
    expect(rows.find(({ request_id }) => request_id === id)?.assigned_to).toBeNull();
    await agent.refused('PERMISSION_DENIED', 'GET', `action-requests?assigned_to=${named('ann')}`);
    const feed = 'events?after=0&until=end&categories=request';
    const followed = await FollowedEvents.open(service, feed, { token: agent.token });
    const hidden = (await followed.rest()).filter(
      ({ stream, number }) => stream === `request-${id}` && number >= 2,
    );
    // The comment, what was removed from it, and the assignment.
    expect(hidden.map(({ type, data }) => [type, data])).toStrictEqual(
      Array(3).fill(['hidden', { hidden: true }]),
    );
  });

  it('a council member or an admin who proposed a request sees no comment on it, and adds none', async () => {
    const both = await Caller.of(service, ['agent', 'admin'], { sub: named('both') });
    const request = await both.post<ActionRequest>('action-requests', {
      ...{ episodic_id, target_sem_key: `world/sharing/${named('both')}/value` },
      ...{ value: 'proposed', justification: 'It was said.' },
    });
    await ann.actionRequests.comment(request.request_id, 'Look at who asks.');
    const path = `action-requests/${request.request_id}`;
    expect(await both.get(path)).toMatchObject({ comments: [], assigned_to: null });
    for (const [what, body] of [
      ['comments', { text: 'It is fine.' }],
      ['assignments', { to: named('both') }],
      ['snoozes', { until: later() }],
    ] as const)
      await both.refused('PERMISSION_DENIED', 'POST', `${path}/${what}`, { body });
  });

  it('a snooze holds for all tokens of the reviewer', async () => {
    const user_id = named('zoe').toLowerCase();
    const of = async (sub: string, user = user_id): Promise<MaceClient> =>
      new MaceClient({
        baseUrl: service.url,
        token: await service.token('council', { sub: named(sub), user_id: user }),
      });
    const [laptop, phone] = [await of('laptop'), await of('phone')];
    const { request_id: id } = await propose();
    const until = later();
    await laptop.actionRequests.snooze(id, until);
    expect(await phone.actionRequests.get(id)).toMatchObject({ snoozed_until: until });
    expect(await idsIn(phone, { snoozed: 'true' })).toStrictEqual([id]);
    expect(
      await idsIn(await of('laptop2', named('yan').toLowerCase()), { snoozed: 'true' }),
    ).toStrictEqual([]);
    await phone.actionRequests.snooze(id, null);
    expect(await idsIn(laptop, { snoozed: 'true' })).toStrictEqual([]);
  });

  it('a snooze takes a request out of the queue of the reviewer who snoozed it, until its time', async () => {
    const request = await propose();
    const id = request.request_id;
    const until = later();
    expect(await ann.actionRequests.snooze(id, until)).toMatchObject({ snoozed_until: until });
    expect(await idsIn(ann, { snoozed: 'false' })).not.toContain(id);
    const [row] = await listed(ann, { snoozed: 'true' });
    expect(row).toMatchObject({ request_id: id, snoozed_until: until });
    expect(await idsIn(bob, { snoozed: 'false' })).toContain(id);
    expect(await bob.actionRequests.get(id)).toMatchObject({ snoozed_until: null });
    await ann.actionRequests.snooze(id, null);
    expect(await idsIn(ann, { snoozed: 'false' })).toContain(id);
    await ann.actionRequests.snooze(id, later(1_500));
    expect(await idsIn(ann, { snoozed: 'true' })).toStrictEqual([id]);
    await new Promise((resolve) => setTimeout(resolve, 1_600));
    expect(await idsIn(ann, { snoozed: 'true' })).toStrictEqual([]);
  });

  it('what is not for reviewers, or not for an open request, is refused and records nothing', async () => {
    const request = await propose();
    const { request_id, proposal_hash } = request;
    const path = `action-requests/${request_id}`;
    await agent.refused('PERMISSION_DENIED', 'POST', `${path}/comments`, { body: { text: 'Me.' } });
    await auditor.refused('PERMISSION_DENIED', 'POST', `${path}/assignments`, {
      body: { to: null },
    });
    const past = new Date(Date.now() - HOUR_MS).toISOString();
    for (const [what, body] of [
      ['assignments', { to: proposer }],
      ['assignments', {}],
      ['assignments', { to: '' }],
      ['snoozes', { until: past }],
      ['snoozes', { until: 'tomorrow' }],
      ['snoozes', {}],
      ['comments', { text: '' }],
    ] as const)
      await council.refused('INVALID_INPUT', 'POST', `${path}/${what}`, { body });
    await council.refused('PRIVACY_BLOCKED', 'POST', `${path}/assignments`, {
      body: { to: 'someone@example.com' },
    });
    // These would be read as another id than they are: markup, a turned text, a Cyrillic а, a line of its own.
    for (const to of ['<b>bob</b>', 'bob\u202E', 'm\u0430l', 'bob\nann', ' bob', 'bob\u200B'])
      await council.refused('INVALID_INPUT', 'POST', `${path}/assignments`, { body: { to } });
    expect(await typesOf(request)).toStrictEqual(['action_requested', 'episode_written']);
    await ann.actionRequests.vote(request_id, { vote: 'reject', reason: 'No.', proposal_hash });
    for (const [what, body] of [
      ['assignments', { to: null }],
      ['snoozes', { until: later() }],
      ['comments', { text: 'Too late.' }],
    ] as const)
      await council.refused('VERSION_CONFLICT', 'POST', `${path}/${what}`, { body });
  });

  it('one reviewer assigns a request at most 200 times, which leaves the others their share', async () => {
    const { request_id } = await propose();
    const path = `action-requests/${request_id}/assignments`;
    for (let times = 0; times < 200; times += 1)
      await council.post(path, { to: times % 2 === 0 ? named('bob') : null });
    const body = { to: named('bob') };
    const { developer_message } = await council.refused('INVALID_INPUT', 'POST', path, { body });
    expect(developer_message).toContain('at most 200 assignments');
    expect(await ann.actionRequests.assign(request_id, named('bob'))).toMatchObject({
      assigned_to: named('bob'),
    });
  });

  it('the work of reviewers changes no vote: its quorum and the hash of the proposal stay', async () => {
    const request = await propose();
    const { request_id, proposal_hash } = request;
    await ann.actionRequests.assign(request_id, named('bob'));
    await bob.actionRequests.snooze(request_id, later());
    await bob.actionRequests.comment(request_id, 'Fine with me.');
    const approve = { vote: 'approve', reason: 'Checked.', proposal_hash } as const;
    // Who is not assigned may vote as well, and who has put it off.
    expect(await bob.actionRequests.vote(request_id, approve)).toMatchObject({
      ...{ status: 'executed', votes_counted: 1 },
    });
  });
});
