import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { actionRequestDecider } from '#domain/action-request/action-request.decider.js';
import { hashJson } from '#domain/determinism/hash.js';
import { reflectiveLogId } from '#domain/determinism/ids.js';
import { AggregateStore } from '#event-store/aggregate-store.js';
import { Caller, positionOf } from '#test/support/caller.js';
import { until } from '#test/faults/support/until.js';
import { LogReader } from '#test/support/read-log.js';
import { recordRequest } from '#test/support/recorded-request.js';
import { TestService } from '#test/support/service.js';
import { named } from '#test/support/named.js';

interface Request {
  readonly request_id: string;
  readonly status: string;
  readonly proposal_hash: string;
  readonly source: string;
  readonly made_for: string | null;
  readonly votes: readonly { readonly vote: string }[];
  readonly rejected_for: string | null;
  readonly refusal_code: string | null;
  readonly decided_at: string | null;
  readonly execution: { readonly sem_stream: string; readonly sem_event_number: number } | null;
}

const HOUR_MS = 3_600_000;

describe('Action requests and the council', () => {
  let service: TestService;
  let log: LogReader;
  let agent: Caller;
  let admin: Caller;
  let user: Caller;
  let episodic_id: string;
  /** The three council members, by name. */
  const council: Record<'ann' | 'bob' | 'cat', Caller> = {} as never;

  beforeAll(async () => {
    service = await TestService.start({ environment: { MACE_COUNCIL_QUORUM: '2' } });
    log = new LogReader(service.eventStore.url);
    agent = await Caller.of(service, 'agent');
    admin = await Caller.of(service, 'admin');
    user = await Caller.of(service, 'user', { sub: named('u-1'), user_id: named('Jörg') });
    for (const name of ['ann', 'bob', 'cat'] as const)
      council[name] = await Caller.of(service, 'council', { sub: name });
    await agent.post('jobs', { job_seed: named('grounds') });
    const episode = await agent.post(`jobs/${named('grounds')}/episodes`, { summary: 'grounds' });
    episodic_id = String(episode['episodic_id']);
  });
  afterAll(async () => {
    await log?.close();
    await service?.stop();
  });

  let keys = 0;
  const freshKey = (): string => `world/proposal/${named(`p${(keys += 1)}`)}/value`;
  const proposal = (more: object = {}) => ({
    episodic_id,
    target_sem_key: freshKey(),
    value: 'proposed',
    justification: 'It was said.',
    ...more,
  });
  const propose = (more: object = {}, by = agent): Promise<Request> =>
    by.post<Request>('action-requests', proposal(more));
  const look = ({ request_id }: Request, by = admin): Promise<Request> =>
    by.get<Request>(`action-requests/${request_id}`);
  const ballot = ({ proposal_hash }: Request, vote: string, reason = 'Because.') => ({
    vote,
    reason,
    proposal_hash,
  });
  const vote = (by: Caller, request: Request, choice: string): Promise<Request> =>
    by.post<Request>(`action-requests/${request.request_id}/votes`, ballot(request, choice));
  const refusedVote = (
    code: 'PERMISSION_DENIED' | 'VERSION_CONFLICT',
    by: Caller,
    request: Request,
  ) =>
    by.refused(code, 'POST', `action-requests/${request.request_id}/votes`, {
      body: ballot(request, 'approve'),
    });
  const types = ({ request_id }: Request): Promise<string[]> => log.types(`request-${request_id}`);

  describe('a proposal', () => {
    it('G1 a proposal writes an episode and does not change the fact', async () => {
      const target_sem_key = freshKey();
      const made = await agent.did<Request>('POST', 'action-requests', {
        body: proposal({ target_sem_key }),
      });
      expect(made.status).toBe(201);
      expect(made.body.status).toBe('pending');
      expect(await types(made.body)).toStrictEqual(['action_requested', 'episode_written']);
      expect(await log.types(`sem-${target_sem_key}`)).toStrictEqual([]);
      const found = await agent.post<{ results: { summary: string }[] }>(
        'episodes/query',
        { query_terms: target_sem_key, max_results: 100 },
        { after: positionOf(made) },
      );
      expect(found.results.map(({ summary }) => summary)).toContain(
        `Asked to write ${target_sem_key}: It was said.`,
      );
    });

    it('G1 a proposal needs an episode that the proposer may read', async () => {
      await agent.refused('NOT_FOUND', 'POST', 'action-requests', {
        body: proposal({ episodic_id: 'ep:00000000-0000-5000-8000-000000000000' }),
      });
      await agent.post('jobs', { job_seed: named('private'), user_id: named('somebody') });
      const hidden = await agent.post(`jobs/${named('private')}/episodes`, { summary: 'private' });
      const bound = await Caller.of(service, 'agent', {
        sub: named('other'),
        user_id: named('another'),
      });
      await bound.refused('PERMISSION_DENIED', 'POST', 'action-requests', {
        body: proposal({ episodic_id: hidden['episodic_id'] }),
      });
    });

    it('S4 I9 a proposal for a policy key, or for another user’s fact, is refused', async () => {
      for (const [by, target_sem_key] of [
        [agent, 'mace/config/agents_allowed_writes/subs'],
        [user, `user/profile/user_${named('somebody')}/name`],
      ] as const)
        await by.refused('PERMISSION_DENIED', 'POST', 'action-requests', {
          body: proposal({ target_sem_key }),
        });
    });
  });

  describe('votes', () => {
    it('G2 two votes meet a quorum of two, an admin’s among them; a member votes once, on the present proposal, while the request is pending', async () => {
      const request = await propose();
      expect((await vote(admin, request, 'reject')).status).toBe('pending');
      await refusedVote('VERSION_CONFLICT', admin, request);
      const stale = { ...request, proposal_hash: 'a'.repeat(64) };
      await refusedVote('VERSION_CONFLICT', council.ann, stale);
      const decided = await vote(council.bob, request, 'approve');
      expect([decided.status, decided.rejected_for]).toStrictEqual(['rejected', 'tie']);
      expect(decided.execution).toBeNull();
      await refusedVote('VERSION_CONFLICT', council.cat, request);
      expect((await types(request)).slice(2)).toStrictEqual([
        ...['vote_cast', 'vote_cast', 'request_rejected'],
      ]);
    });

    it('G2 a reviewer does not vote on a request that the reviewer, or the same user, has made', async () => {
      const both = await Caller.of(service, ['agent', 'admin'], { sub: named('both') });
      await refusedVote('PERMISSION_DENIED', both, await propose({}, both));
      const sameUser = await Caller.of(service, 'council', {
        sub: named('member'),
        user_id: named('user_JÖRG'),
      });
      await refusedVote('PERMISSION_DENIED', sameUser, await propose({}, user));
    });

    it('G2 the user whom the request concerns cannot vote, even under another spelling of the user id', async () => {
      await user.did('PUT', `sem/user/profile/user_${named('jorg')}/name`, {
        body: { value: 'Jörg' },
      });
      const request = await propose({ target_sem_key: `user/profile/user_${named('jorg')}/pet` });
      expect(request.made_for).toBe(named('Jörg'));
      const himself = await Caller.of(service, 'council', {
        sub: named('jorg-council'),
        user_id: named('jörg'),
      });
      await refusedVote('PERMISSION_DENIED', himself, request);
      expect((await look(request, user)).status).toBe('pending');
      const unclaimed = await propose({ target_sem_key: `user/profile/user_${named('zoe')}/pet` });
      const zoe = await Caller.of(service, 'council', {
        sub: named('zoe-council'),
        user_id: named('Zoë'),
      });
      await refusedVote('PERMISSION_DENIED', zoe, unclaimed);
    });

    it('G2 votes that arrive at the same time decide a request once', async () => {
      const request = await propose();
      await Promise.allSettled(
        Object.values(council).map((member) => vote(member, request, 'approve')),
      );
      const made = await types(request);
      expect(made.filter((type) => type === 'request_approved')).toHaveLength(1);
      expect(made.filter((type) => type === 'request_executed')).toHaveLength(1);
    });
  });

  describe('time', () => {
    /** Records a request with an expiry in the past. */
    async function overdue(): Promise<Request> {
      const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS);
      const request = await recordRequest(log.eventStore, {
        request_id: named(`overdue-${(keys += 1)}`),
        target_sem_key: freshKey(),
        proposer: named('agent'),
        requested_at: ago(2),
        expires_at: ago(1),
      });
      return request as Request;
    }

    it('G2 an overdue request accepts no vote, and the service records that it has expired', async () => {
      const request = await overdue();
      await refusedVote('VERSION_CONFLICT', council.ann, request);
      await until(
        'the read models have followed',
        async () => (await look(request)).status === 'expired',
      );
      expect(await types(request)).toStrictEqual([
        'action_requested',
        'episode_written',
        'request_expired',
      ]);
      await refusedVote('VERSION_CONFLICT', council.bob, request);
    });

    it('G2 an overdue request expires, even if many older tasks of the service keep failing', async () => {
      const postgres = new pg.Client({ connectionString: service.postgres.url });
      await postgres.connect();
      try {
        await postgres.query(
          `insert into obligations.obligation (kind, stream, due_at)
           select 'expire_request', 'request-hopeless-' || n, '2020-01-01' from generate_series(1, 60) as n`,
        );
        const request = await overdue();
        await until(
          'the read models have followed',
          async () => (await look(request)).status === 'expired',
        );
      } finally {
        await postgres.query(`delete from obligations.obligation where stream like '%hopeless%'`);
        await postgres.end();
      }
    });
  });

  describe('execution', () => {
    it('G3 an approved request is executed as one sem_put that carries the request’s origin and id, and the time of the approval', async () => {
      const target_sem_key = freshKey();
      const request = await propose({ target_sem_key, value: { deep: [1] } });
      await vote(council.ann, request, 'approve');
      const executed = await vote(council.bob, request, 'approve');
      expect(executed.execution).toStrictEqual({
        sem_stream: `sem-${target_sem_key}`,
        sem_event_number: 0,
      });
      const fact = await agent.get(`sem/${target_sem_key}`);
      expect(fact).toStrictEqual({
        exists: true,
        value: { deep: [1] },
        source: `agent:${named('agent')}`,
        last_updated: executed.decided_at,
        notes: null,
        meta: { provenance_id: request.request_id },
        version: 0,
        approved_by: {
          ...{ request_id: request.request_id, decided_at: executed.decided_at, approvals: 2 },
        },
      });
      const approved = (await log.events(`request-${request.request_id}`)).find(
        ({ type }) => type === 'request_approved',
      );
      const [written] = await log.events(`sem-${target_sem_key}`);
      expect(written?.metadata['caused_by']).toBe(approved?.metadata.event_id);
      expect((await types(request)).slice(-2)).toStrictEqual([
        'request_approved',
        'request_executed',
      ]);
    });

    it('G3 S3 an execution ends as execution_refused if a later write has won, and that write stays', async () => {
      const target_sem_key = freshKey();
      const request = await propose({ target_sem_key });
      const timestamp = new Date(Date.now() + 4 * 60_000).toISOString();
      await admin.did('PUT', `sem/${target_sem_key}`, { body: { value: 'later', timestamp } });
      await vote(council.ann, request, 'approve');
      const done = await vote(council.bob, request, 'approve');
      expect([done.status, done.refusal_code]).toStrictEqual(['execution_refused', 'SUPERSEDED']);
      expect((await agent.get(`sem/${target_sem_key}`))['value']).toBe('later');
    });

    it('G3 an approved request is executed even if the process died after the approval', async () => {
      const target_sem_key = freshKey();
      const request = await propose({ target_sem_key });
      await vote(council.ann, request, 'abstain');
      const requests = new AggregateStore(log.eventStore, actionRequestDecider, {
        writeFailure: 'MEMORY_WRITE_FAIL',
      });
      for (const sub of ['dan', 'eve']) {
        const { proposal_hash } = request;
        const command = {
          ...({ type: 'vote', vote: 'approve', reason: 'r', proposal_hash } as const),
          voter: { sub, user_id: null },
          at: new Date().toISOString(),
        };
        const id = hashJson([request.request_id, sub]);
        const identity = { command_id: id, body_hash: id, actor: sub, trace_id: 't' };
        await requests.execute(`request-${request.request_id}`, [command], identity);
      }
      await until(
        'the read models have followed',
        async () => (await look(request)).status === 'executed',
      );
      expect(await log.types(`sem-${target_sem_key}`)).toStrictEqual(['fact_put']);
    });
  });

  describe('revisions, questions and answers', () => {
    interface Reviewed extends Request {
      readonly value: unknown;
      readonly revised: object | null;
      readonly earlier_versions: readonly { readonly value: unknown; readonly votes: object[] }[];
      readonly discussion: readonly { readonly kind: string; readonly text: string }[];
      readonly awaits_answer: boolean;
    }
    const add = (by: Caller, { request_id }: Request, what: string, body: object, key?: string) =>
      by.post<Reviewed>(`action-requests/${request_id}/${what}`, body, key ? { key } : {});
    const revision = { value: 'more exact', reason: 'The episode says so.' };

    it('G8 a revision needs the votes of other members, and the fact keeps its source and names the editor', async () => {
      const target_sem_key = freshKey();
      const request = await propose({ target_sem_key });
      await vote(council.ann, request, 'approve');
      const revised = await add(council.bob, request, 'revisions', revision, 'revise-once');
      expect(revised).toMatchObject({
        ...{ value: 'more exact', status: 'pending', votes: [] },
        revised: { revision: 1, editor: { sub: 'bob', user_id: null } },
        earlier_versions: [{ value: 'proposed', votes: [], revised: null }],
      });
      expect(revised.proposal_hash).not.toBe(request.proposal_hash);
      await refusedVote('VERSION_CONFLICT', council.cat, request);
      await refusedVote('PERMISSION_DENIED', council.bob, revised);
      expect((await vote(council.ann, revised, 'approve')).status).toBe('pending');
      expect((await vote(council.cat, revised, 'approve')).status).toBe('executed');
      expect(await agent.get(`sem/${target_sem_key}`)).toMatchObject({
        value: 'more exact',
        source: `agent:${named('agent')}`,
        meta: { provenance_id: request.request_id, editor: 'bob' },
      });
      // A retry gets the request as it was after the revision.
      const again = await add(council.bob, request, 'revisions', revision, 'revise-once');
      expect(again).toStrictEqual(revised);
    });

    it('G8 a reviewer asks, the proposer answers, and lists show what waits for an answer', async () => {
      const request = await propose();
      const asked = await add(council.ann, request, 'questions', { question: 'Since when?' });
      expect(asked.awaits_answer).toBe(true);
      const inList = async () => {
        const page = await agent.get<{ action_requests: Reviewed[] }>(
          'action-requests?status=pending&limit=500',
        );
        return page.action_requests.find(({ request_id }) => request_id === request.request_id);
      };
      await until(
        'the read models have followed',
        async () => (await inList())?.awaits_answer === true,
      );
      await user.refused(
        'PERMISSION_DENIED',
        'POST',
        `action-requests/${request.request_id}/answers`,
        {
          body: { answer: 'Never.' },
        },
      );
      const answered = await add(agent, request, 'answers', { answer: 'Since May.' });
      expect(answered.discussion.map(({ kind, text }) => [kind, text])).toStrictEqual([
        ['question', 'Since when?'],
        ['answer', 'Since May.'],
      ]);
      await until(
        'the read models have followed',
        async () => (await inList())?.awaits_answer === false,
      );
      await agent.refused(
        'VERSION_CONFLICT',
        'POST',
        `action-requests/${request.request_id}/answers`,
        {
          body: { answer: 'Since June.' },
        },
      );
    });

    it('§13 G8 reviewers revise and ask, agents and users do not; personal data is redacted or sealed', async () => {
      const request = await propose();
      const path = `action-requests/${request.request_id}`;
      const question = { question: 'Since when?' };
      for (const by of [agent, user]) {
        await by.refused('PERMISSION_DENIED', 'POST', `${path}/revisions`, { body: revision });
        await by.refused('PERMISSION_DENIED', 'POST', `${path}/questions`, { body: question });
      }
      await council.ann.refused('PERMISSION_DENIED', 'POST', `${path}/answers`, {
        body: { answer: 'I am not the proposer.' },
      });
      const personal = 'Write to someone@example.com.';
      for (const [by, what, body] of [
        [council.ann, 'revisions', { ...revision, value: personal }],
        [council.ann, 'revisions', { ...revision, reason: personal }],
        [admin, 'questions', { question: personal }],
        [agent, 'answers', { answer: personal }],
      ] as const)
        await by.post(`${path}/${what}`, body);
      await admin.refused('NOT_FOUND', 'POST', 'action-requests/no-such/questions', {
        body: question,
      });
      expect((await types(request)).filter((type) => type === 'pii_redacted')).toHaveLength(4);
      expect(JSON.stringify(await council.ann.get(path))).not.toContain('someone@example.com');
    });
  });

  describe('the log of the job', () => {
    interface Listed {
      readonly signature_valid: boolean;
      readonly council_events: readonly {
        readonly request_id: string;
        readonly kind: string;
        readonly stream: string;
        readonly event_number: number;
      }[];
    }
    const logOf = (seed: string, by = agent) =>
      by.get<Listed>(`reflective-logs/${reflectiveLogId(seed)}`);

    /** Starts a job with an episode; returns the seed and a function that proposes a fact on it. */
    async function jobWithEpisode(name: string) {
      const job_seed = named(name);
      await agent.post('jobs', { job_seed });
      const episode = await agent.post(`jobs/${job_seed}/episodes`, { summary: name });
      return { job_seed, grounds: { episodic_id: episode['episodic_id'] } };
    }

    it('G3 the log of a job lists a request, its votes and its outcome, but no value, also if the request was decided before the job ended', async () => {
      const { job_seed, grounds } = await jobWithEpisode('listed');
      const request = await propose({ ...grounds, value: 'the-proposed-value' });
      await vote(council.ann, request, 'reject');
      await vote(council.bob, request, 'reject');
      await agent.post(`jobs/${job_seed}/end`);
      await until(
        'the read models have followed',
        async () => (await logOf(job_seed)).council_events.length === 4,
      );
      const shown = await logOf(job_seed, council.cat);
      const { request_id } = request;
      expect(shown.council_events).toStrictEqual(
        [...['action_requested', 'vote_cast', 'vote_cast', 'request_rejected']].map((kind, at) => ({
          ...{ request_id, kind, stream: `request-${request_id}` },
          event_number: at === 0 ? 0 : at + 1,
        })),
      );
      expect(shown.signature_valid).toBe(true);
      expect(JSON.stringify(shown)).not.toContain('the-proposed-value');
    });

    it('G3 a request on the episode of another request belongs to no job', async () => {
      const first = await propose();
      const episodes = await log.events(`request-${first.request_id}`);
      const request = await propose({ episodic_id: episodes[1]?.data['episodic_id'] });
      expect(request).not.toHaveProperty('job_seed');
    });
  });
});
