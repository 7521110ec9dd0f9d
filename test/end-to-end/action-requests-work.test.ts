import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { components } from '#client/api.js';
import { chainHash } from '#domain/determinism/hash-chain.js';
import type { RecordedEvent } from '#domain/recorded-event.js';
import { isValidlySigned } from '#platform/signing/signature.js';
import { Caller, positionOf } from '#test/support/caller.js';
import { LogReader } from '#test/support/read-log.js';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';

type Schemas = components['schemas'];
type Results = Schemas['BallotResultsDto'];
interface Request {
  readonly request_id: string;
  readonly proposal_hash: string;
}

describe('The work of the council', () => {
  let service: TestService;
  let log: LogReader;
  let agent: Caller;
  let admin: Caller;
  let auditor: Caller;
  let ann: Caller;
  let bob: Caller;
  let episodic_id: unknown;
  let keys = 0;
  /** The position of the last write. */
  let after = '0';

  beforeAll(async () => {
    service = await TestService.shared();
    log = new LogReader(service.eventStore.url);
    agent = await Caller.of(service, 'agent', { sub: named('proposer') });
    admin = await Caller.of(service, 'admin', { sub: named('admin') });
    auditor = await Caller.of(service, 'auditor', { sub: named('auditor') });
    ann = await Caller.of(service, 'council', { sub: named('ann') });
    bob = await Caller.of(service, 'council', { sub: named('bob') });
    await agent.post('jobs', { job_seed: named('work') });
    ({ episodic_id } = await agent.post(`jobs/${named('work')}/episodes`, { summary: 'Seen.' }));
  });
  afterAll(async () => {
    await log?.close();
    await service?.stop();
  });

  const freshKey = (): string => `world/work/${named(`w${(keys += 1)}`)}/value`;
  async function propose(more: object = {}): Promise<Request> {
    const answer = await agent.did<Request>('POST', 'action-requests', {
      body: {
        ...{ episodic_id, target_sem_key: freshKey(), value: 'proposed' },
        ...{ justification: 'It was said.', evidence: [{ quote: 'It is so.' }] },
        ...more,
      },
    });
    after = positionOf(answer);
    const { request_id, proposal_hash } = answer.body;
    return { request_id, proposal_hash };
  }
  const vote = (by: Caller, { request_id, proposal_hash }: Request, choice: string) =>
    by.post<Schemas['VotedRequestDto']>(`action-requests/${request_id}/votes`, {
      ...{ vote: choice, reason: 'Because.', proposal_hash },
    });
  const votesIn = async ({ request_id }: Request) =>
    (await log.events(`request-${request_id}`)).filter(({ type }) => type === 'vote_cast');

  describe('several votes at once', () => {
    it('rejects many requests, each by an event of its own, and answers for each of them', async () => {
      const requests = [await propose(), await propose(), await propose()];
      await vote(bob, requests[1]!, 'reject');
      const named_ = [...requests, { request_id: 'none', proposal_hash: '0'.repeat(64) }];
      const body = { requests: named_, reason: 'Not shown.', reason_code: 'unsupported' };
      const path = 'action-requests/rejections';
      const { results } = await ann.post<Results>(path, body, { key: named('reject') });
      expect(results.map(({ status, error }) => status ?? error?.error_code)).toStrictEqual([
        ...['rejected', 'VERSION_CONFLICT', 'rejected', 'NOT_FOUND'],
      ]);
      const [cast] = await votesIn(requests[0]!);
      expect(cast?.data).toMatchObject({ reason: 'Not shown.', reason_code: 'unsupported' });
      expect(results[0]?.receipt).toMatchObject({
        ...{ stream: `request-${requests[0]?.request_id}`, number: cast?.number },
        hash: cast?.metadata.hash,
      });
      // A repeat casts nothing again, and gives the first answers.
      expect((await ann.post<Results>(path, body, { key: named('reject') })).results).toStrictEqual(
        results,
      );
      expect(await votesIn(requests[0]!)).toHaveLength(1);
      await ann.refused('IDEMPOTENCY_MISMATCH', 'POST', path, {
        body: { ...body, reason: 'Another.' },
        key: named('reject'),
      });
    });

    it('goes on where it was cut off: a repeat with the same key casts only the missing votes', async () => {
      const requests = [await propose(), await propose()];
      const body = { requests, reason: 'No.' };
      await vote(ann, requests[0]!, 'reject');
      const first = { ...body, requests: [requests[0]!], reason: 'Because.' };
      const { results } = await ann.post<Results>('action-requests/rejections', first);
      expect(results[0]?.error).toBeNull();
      expect(await votesIn(requests[0]!)).toHaveLength(1);
    });

    it('G9 approves several requests, but none of high risk', async () => {
      const taken = freshKey();
      const put = await admin.did('PUT', `sem/${taken}`, { body: { value: 4 } });
      const requests = [await propose(), await propose({ target_sem_key: taken, value: 40 })];
      after = positionOf(put);
      const body = { requests, reason: 'Checked.' };
      const key = named('approve');
      const { results } = await ann.post<Results>('action-requests/approvals', body, { key });
      expect(results.map(({ status, error }) => status ?? error?.error_code)).toStrictEqual([
        ...['executed', 'PERMISSION_DENIED'],
      ]);
      expect(results[1]?.error?.developer_message).toContain('high risk');
      expect(await votesIn(requests[1]!)).toHaveLength(0);
      const again = await ann.post<Results>('action-requests/approvals', body, { key });
      expect(again.results).toStrictEqual(results);
      // A vote on that request alone is accepted.
      expect((await vote(ann, requests[1]!, 'approve')).votes).toHaveLength(1);
    });

    it('is for reviewers only, and refuses a list that is empty, too long or names a request twice', async () => {
      const request = await propose();
      const many = (requests: readonly Request[]) => ({ body: { requests, reason: 'No.' } });
      for (const path of ['action-requests/rejections', 'action-requests/approvals']) {
        for (const by of [agent, auditor])
          await by.refused('PERMISSION_DENIED', 'POST', path, many([request]));
        for (const requests of [[], [request, request], Array<Request>(101).fill(request)])
          await ann.refused('INVALID_INPUT', 'POST', path, many(requests));
      }
    });
  });

  describe('the receipt of a vote', () => {
    it('is in the answer, and as a signed document that can be checked without the service', async () => {
      const request = await propose();
      const voted = await vote(ann, request, 'approve');
      const { number = -1, hash } = voted.receipt ?? {};
      const path = `action-requests/${request.request_id}/receipts/${number}`;
      const receipt = await ann.get<Schemas['ReceiptDto']>(path);
      expect(receipt.event).toMatchObject({ type: 'vote_cast', data: { vote: 'approve' } });
      expect(await isValidlySigned(receipt)).toBe(true);
      expect(await isValidlySigned({ ...receipt, request_id: 'other' } as typeof receipt)).toBe(
        false,
      );
      expect(chainHash(receipt.prev, receipt.event as unknown as RecordedEvent)).toBe(hash);
      const published = await service.call<{ keys: { kid: string }[] }>(
        'GET',
        '/.well-known/jwks.json',
      );
      expect(published.body.keys.map(({ kid }) => kid)).toContain(receipt.key_id);
    });

    it('of another’s vote is hidden until the own vote is cast, as the vote is', async () => {
      const request = await propose();
      const { receipt } = await vote(ann, request, 'abstain');
      const path = `action-requests/${request.request_id}/receipts/${receipt?.number}`;
      await bob.refused('PERMISSION_DENIED', 'GET', path);
      await agent.refused('PERMISSION_DENIED', 'GET', path);
      await auditor.get(path);
      await vote(bob, request, 'reject');
      await bob.get(path);
      await bob.refused('NOT_FOUND', 'GET', `action-requests/${request.request_id}/receipts/999`);
    });

    it('and of every other step is found from the request, by the event that the view names', async () => {
      const request = await propose();
      const path = `action-requests/${request.request_id}`;
      type View = Schemas['ActionRequestViewDto'];
      await ann.post(`${path}/questions`, { question: 'Since when?' });
      await agent.post(`${path}/answers`, { answer: 'Since May.' });
      await vote(ann, request, 'abstain');
      const hidden = await bob.get<View>(path);
      expect([hidden.votes, hidden.votes_cast]).toStrictEqual([[], 1]);
      const revised = await bob.post<View>(`${path}/revisions`, { value: 'b', reason: 'Shorter.' });
      await vote(ann, revised, 'approve');
      const view = await auditor.get<View>(path);
      const typeOf = async (source: View['source_event']) => {
        const receipt = await auditor.get<Schemas['ReceiptDto']>(
          `${path}/receipts/${source?.number}`,
        );
        const { number, position, type, metadata } = receipt.event;
        expect(source).toMatchObject({ number, position, hash: metadata['hash'] });
        return type;
      };
      const sources = [
        view.source_event,
        ...view.discussion.map(({ source_event }) => source_event),
        view.earlier_versions[0]?.votes[0]?.source_event ?? null,
        view.revised?.source_event ?? null,
        view.votes[0]?.source_event ?? null,
        view.decision_event,
        view.execution_event,
      ];
      const types: string[] = [];
      for (const source of sources) types.push(await typeOf(source));
      expect(types).toStrictEqual([
        ...['action_requested', 'question_asked', 'question_answered', 'vote_cast'],
        ...['proposal_revised', 'vote_cast', 'request_approved', 'request_executed'],
      ]);
    });
  });

  it('the council’s own figures count what was closed in a period', async () => {
    const from = new Date().toISOString();
    const figures = async (by = auditor, query = `from=${from}`) =>
      by.get<Schemas['FiguresDto']>(`action-requests/figures?${query}`, { after });
    const request = await propose();
    const answer = await ann.did('POST', `action-requests/${request.request_id}/votes`, {
      body: { vote: 'reject', reason: 'No.', proposal_hash: request.proposal_hash },
    });
    after = positionOf(answer);
    const shown = await figures();
    expect(shown.rejected).toBeGreaterThanOrEqual(1);
    expect(shown.median_seconds_to_decide).toBeGreaterThanOrEqual(0);
    expect(shown.by_kind.sem_put.decided).toBeLessThanOrEqual(shown.decided);
    // Every caller gets the same figures of the same period.
    const period = `from=${shown.from}&to=${shown.to}`;
    expect(await figures(ann, period)).toStrictEqual(await figures(admin, period));
    const days = await figures(ann, `bucket=day&${period}`);
    expect(days.series.reduce((sum, { rejected }) => sum + rejected, 0)).toBe(days.rejected);
    expect(days.series[0]?.from).toBe(shown.from);
    const empty = await figures(ann, 'from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z');
    expect(empty).toMatchObject({ decided: 0, rejection_share: null });
    await agent.refused('PERMISSION_DENIED', 'GET', 'action-requests/figures');
    for (const query of [`from=${from}&to=${from}`, 'bucket=year'])
      await ann.refused('INVALID_INPUT', 'GET', `action-requests/figures?${query}`);
    const long = 'from=2001-01-01T00:00:00Z&to=2026-01-01T00:00:00Z';
    expect((await figures(ann, long)).series).toHaveLength(300);
    await ann.refused('INVALID_INPUT', 'GET', `action-requests/figures?bucket=day&${long}`);
  });
});
