import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ActionRequest, ActionRequestListing } from '#client/index.js';
import { Caller, positionOf } from '#test/support/caller.js';
import { FollowedEvents } from '#test/support/followed-events.js';
import { named } from '#test/support/named.js';
import { LogReader } from '#test/support/read-log.js';
import { TestService } from '#test/support/service.js';

const EMAIL = 'joe@example.com';

interface Page {
  readonly action_requests: readonly ActionRequestListing[];
  readonly counts?: { readonly by_status: Readonly<Record<string, number>> };
}

/** One person proposes as an agent, and is a member of the council and an auditor as well. */
describe('Those by whom a request was made do not see the work of its reviewers', () => {
  let service: TestService;
  let log: LogReader;
  let agent: Caller;
  let member: Caller;
  let auditing: Caller;
  let ann: Caller;
  let bob: Caller;
  let auditor: Caller;
  let request: ActionRequest;
  let made: string;
  const proposer = named('mal');

  const propose = async (more: object = {}) => {
    const { episodic_id } = await agent.post<{ episodic_id: string }>(
      `jobs/${named('sight')}/episodes`,
      { summary: 'Seen.' },
    );
    const answer = await agent.did<ActionRequest>('POST', 'action-requests', {
      body: {
        ...{ episodic_id, target_sem_key: `world/sight/${named('s')}/value`, value: 'v' },
        ...{ justification: 'It was said.', ...more },
      },
    });
    return { request: answer.body, at: positionOf(answer) };
  };

  beforeAll(async () => {
    service = await TestService.start({ environment: { MACE_COUNCIL_QUORUM: '2' } });
    log = new LogReader(service.eventStore.url);
    agent = await Caller.of(service, 'agent', { sub: proposer });
    member = await Caller.of(service, 'council', { sub: proposer });
    auditing = await Caller.of(service, 'auditor', { sub: proposer });
    ann = await Caller.of(service, 'council', { sub: named('ann') });
    bob = await Caller.of(service, 'council', { sub: named('bob') });
    auditor = await Caller.of(service, 'auditor', { sub: named('auditor') });
    await agent.post('jobs', { job_seed: named('sight') });
    ({ request, at: made } = await propose());
    const path = `action-requests/${request.request_id}`;
    await ann.post(`${path}/questions`, { question: `Is it from ${EMAIL}?` });
    await ann.post(`${path}/comments`, { text: `I suspect the proposer, ask ${EMAIL}.` });
    await ann.post(`${path}/assignments`, { to: named('bob') });
    await ann.post(`${path}/snoozes`, { until: new Date(Date.now() + 3_600_000).toISOString() });
    const { proposal_hash } = request;
    await bob.post(`${path}/votes`, { vote: 'abstain', reason: `Ask ${EMAIL}.`, proposal_hash });
  });
  afterAll(async () => {
    await log?.close();
    await service?.stop();
  });

  const eventsOf = () => log.events(`request-${request.request_id}`);
  const shownTo = async ({ token }: Caller) => {
    const path = `events?after=${Math.max(0, Number(made) - 100)}&until=end&categories=request`;
    const followed = await FollowedEvents.open(service, path, { token });
    return (await followed.rest()).filter(
      ({ stream }) => stream === `request-${request.request_id}`,
    );
  };

  it('a receipt of it, or of what follows, is refused', async () => {
    const receiptOf = (number: number) =>
      `action-requests/${request.request_id}/receipts/${number}`;
    const events = await eventsOf();
    const comment = events.findIndex(({ type }) => type === 'comment_added');
    const question = events.findIndex(({ type }) => type === 'question_asked');
    for (const by of [member, auditing]) {
      for (let number = question; number < events.length; number += 1)
        await by.refused('PERMISSION_DENIED', 'GET', receiptOf(number));
      await by.get(receiptOf(0));
    }
    for (let number = 0; number < events.length; number += 1) await auditor.get(receiptOf(number));
    await ann.get(receiptOf(comment));
    // Nor does the request name an event whose hash covers the work.
    const answers = [await member.get(`action-requests/${request.request_id}`)];
    answers.push(await agent.get(`action-requests/${request.request_id}`));
    for (const { metadata } of events.slice(comment))
      expect(JSON.stringify(answers)).not.toContain(metadata.hash);
  });

  it('a list by the assignee does not have it, and does not count it', async () => {
    const path = `action-requests?assigned_to=${named('bob')}&proposer=${proposer}&counts=true`;
    for (const [by, found] of [
      [member, 0],
      [auditing, 0],
      [ann, 1],
      [auditor, 1],
    ] as const) {
      const { action_requests, counts } = await by.get<Page>(path, { after: made });
      expect(action_requests).toHaveLength(found);
      expect(counts?.by_status['pending']).toBe(found);
    }
  });

  it('a stream of events shows that there are events, and their places alone', async () => {
    const events = await eventsOf();
    const hidden = events.filter(
      ({ type, data }) =>
        /vote|comment|assigned|snoozed/.test(type) ||
        (type === 'pii_redacted' && /vote|comment/.test(JSON.stringify(data['subject']))),
    );
    expect(hidden).toHaveLength(6);
    for (const by of [agent, member, auditing]) {
      const shown = await shownTo(by);
      expect(shown.map(({ number }) => number)).toStrictEqual(events.map(({ number }) => number));
      const masked = shown.filter(({ type }) => type === 'hidden');
      expect(masked).toStrictEqual(
        hidden.map(({ number }) => ({
          ...{ stream: `request-${request.request_id}`, number, type: 'hidden' },
          ...{ position: expect.any(String), data: { hidden: true }, metadata: {} },
        })),
      );
      const text = JSON.stringify(shown);
      expect(text).toContain('question_asked');
      for (const { metadata } of events.slice(1))
        expect(text).not.toContain(`"hash":"${metadata.hash}"`);
      // Equal words have equal hashes, so a hash would confirm a guess of what was removed.
      const own = (await propose({ justification: `Ask ${EMAIL}.` })).request;
      const [redacted] = (await log.events(`request-${own.request_id}`)).filter(
        ({ type }) => type === 'pii_redacted',
      );
      const { hash } = (redacted?.data['redactions'] as { hash: string }[])[0]!;
      expect(JSON.stringify(events.map(({ data }) => data))).toContain(hash);
      expect(text).not.toContain(hash);
      for (const { metadata } of events.slice(2)) expect(text).not.toContain(metadata.body_hash);
    }
    expect((await shownTo(auditor)).map(({ type }) => type)).toStrictEqual(
      events.map(({ type }) => type),
    );
  });

  it('an auditor who proposed it does not see the votes before it is closed', async () => {
    const path = `action-requests/${request.request_id}`;
    expect(await auditing.get(path)).toMatchObject({ votes: [], votes_hidden: true });
    expect((await auditor.get<ActionRequest>(path)).votes).toHaveLength(1);
    const { action_requests } = await auditing.get<Page>(`action-requests?proposer=${proposer}`, {
      after: made,
    });
    const row = action_requests.find(({ request_id }) => request_id === request.request_id);
    expect(row?.votes_counted).toBeNull();
  });
});
