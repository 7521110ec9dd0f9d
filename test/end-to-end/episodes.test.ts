import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { reflectiveLogId } from '#domain/determinism/ids.js';
import { Caller, positionOf } from '#test/support/caller.js';
import { ensure } from '#test/support/ensure.js';
import { LogReader } from '#test/support/read-log.js';
import { TestService } from '#test/support/service.js';

interface Result {
  readonly episodic_id: string;
  readonly score: number;
  readonly summary: string;
  readonly created_seeded_ts: string;
  readonly evidence: readonly Readonly<Record<string, unknown>>[];
}
interface Started {
  readonly snapshots: Readonly<Record<string, string | number>>;
}

describe('Episodes', () => {
  let service: TestService;
  let log: LogReader;
  let agent: Caller;
  let auditor: Caller;
  /** The position of the last written episode in the log. */
  let position = '0';

  beforeAll(async () => {
    // A query ranks all episodes of the log.
    service = await TestService.start({ ownLog: true });
    log = new LogReader(service.eventStore.url);
    agent = await Caller.of(service, 'agent');
    auditor = await Caller.of(service, 'auditor');
  });
  afterAll(async () => {
    await log?.close();
    await service?.stop();
  });

  const start = (body: object, by = agent): Promise<Started> => by.post<Started>('jobs', body);
  async function write(
    seed: string,
    summary: string,
    more: object = {},
    by = agent,
  ): Promise<string> {
    const answer = await by.did<{ episodic_id: string }>('POST', `jobs/${seed}/episodes`, {
      body: { summary, ...more },
    });
    position = positionOf(answer);
    return answer.body.episodic_id;
  }
  async function query(query_terms: string, more: object = {}, by = agent): Promise<Result[]> {
    const body = { query_terms, ...more };
    return (await by.post<{ results: Result[] }>('episodes/query', body, { after: position }))
      .results;
  }
  const summaries = async (...asked: Parameters<typeof query>): Promise<string[]> =>
    (await query(...asked)).map(({ summary }) => summary);

  it('E1 an episode’s id follows from the seed, and its origin is recorded', async () => {
    await start({ job_seed: 'fields' });
    const id = await write('fields', 'seen', {
      payload: { a: 1 },
      evidence: [{ url: 'x' }],
      source: 'executor',
    });
    expect(id).toMatch(/^ep:[0-9a-f-]{36}$/);
    const episode = await agent.get(`episodes/${id}`);
    const [, written] = await log.events('job-fields');
    expect(episode).toStrictEqual({
      episodic_id: id,
      job_seed: 'fields',
      source: 'executor',
      summary: 'seen',
      evidence: [{ url: 'x' }],
      payload: { a: 1 },
      created_seeded_ts: written?.metadata.seeded_ts,
      provenance: {
        trace_id: written?.metadata.trace_id,
        reflective_log_id: reflectiveLogId('fields'),
      },
    });
  });

  it('E1 an episode can be read as soon as its write is acknowledged', async () => {
    for (let round = 0; round < 10; round += 1)
      await agent.get(`episodes/${await write('fields', `round ${round}`)}`);
    await agent.refused('NOT_FOUND', 'GET', 'episodes/ep:00000000-0000-5000-8000-000000000000');
  });

  it('E2 E3 a query at a snapshot always gets the same answer, whatever is written later', async () => {
    await start({ job_seed: 'before' });
    await write('before', 'echidna one');
    const { snapshots } = await start({ job_seed: 'asker' });
    const snapshot_id = snapshots['episodic_snapshot_id'];
    const pinned = await query('echidna', { job_seed: 'asker' });
    const atSnapshot = await query('echidna', { snapshot_id });
    await write('before', 'echidna');
    expect(await summaries('echidna')).toStrictEqual(['echidna', 'echidna one']);
    expect(await query('echidna', { job_seed: 'asker' })).toStrictEqual(pinned);
    expect(
      (await query('echidna', { snapshot_id })).map(({ episodic_id }) => episodic_id),
    ).toStrictEqual(atSnapshot.map(({ episodic_id }) => episodic_id));
    expect(await summaries('echidna', { snapshot_id })).toStrictEqual(['echidna one']);
    ensure(pinned[0]);
    expect(pinned[0].evidence[0]).toStrictEqual({
      episodic_id: pinned[0].episodic_id,
      sem_snapshot_hash: snapshots['sem_snapshot_hash'],
    });
    const reads = (await log.events('job-asker')).filter(({ type }) => type === 'memory_read');
    expect(reads.map(({ data }) => data['ids'])).toStrictEqual([
      [pinned[0].episodic_id],
      [pinned[0].episodic_id],
    ]);
    await agent.refused('NOT_FOUND', 'POST', 'episodes/query', {
      body: { query_terms: 'x', snapshot_id: `episodes:${'a'.repeat(64)}` },
    });
    await agent.refused('INVALID_INPUT', 'POST', 'episodes/query', {
      body: { query_terms: 'x', snapshot_id, job_seed: 'asker' },
    });
  });

  it('Q6 a query by relevance finds other forms of a word, at a snapshot as well', async () => {
    await start({ job_seed: 'trips' });
    await write('trips', 'Ada went camping with a zyzzyva');
    await write('trips', 'Ben saw the lake');
    const { snapshots } = await start({ job_seed: 'camper' });
    const snapshot_id = snapshots['episodic_snapshot_id'];
    await write('trips', 'A second zyzzyva');
    const relevance = { ranking: 'relevance' };
    expect(await summaries('zyzzyvas')).toStrictEqual([]);
    expect(await summaries('zyzzyvas', { ...relevance, max_results: 2 })).toStrictEqual([
      'A second zyzzyva',
      'Ada went camping with a zyzzyva',
    ]);
    const pinned = await query('zyzzyvas', { ...relevance, snapshot_id });
    expect(pinned.map(({ summary }) => summary)).not.toContain('A second zyzzyva');
    expect(await query('zyzzyvas', { ...relevance, job_seed: 'camper' })).toStrictEqual(
      pinned.map((result) => ({ ...result, evidence: [expect.anything()] })),
    );
    ensure(pinned[0]);
    expect(pinned[0].summary).toBe('Ada went camping with a zyzzyva');
    expect(
      await query('zyzzyvas', { ...relevance, time_window: { to: '2020-01-01T00:00:00Z' } }),
    ).toStrictEqual([]);
    await agent.refused('INVALID_INPUT', 'POST', 'episodes/query', {
      body: { query_terms: 'x', ranking: 'vectors' },
    });
  });

  describe('of a user', () => {
    let tuff: Caller;
    let stranger: Caller;
    let id: string;

    beforeAll(async () => {
      tuff = await Caller.of(service, 'user', { sub: 'u-1', user_id: 'TUFF' });
      stranger = await Caller.of(service, 'user', { sub: 'u-2', user_id: 'stranger' });
      await start({ job_seed: 'tuffs', user_id: 'user_tuff' });
      id = await write('tuffs', 'platypus of tuff', { payload: 'private' });
      await start({ job_seed: 'nobodys' });
      await write('nobodys', 'platypus of nobody');
    });

    it('E2 a user’s episodes are visible to that user and to agents acting for the user, in any spelling of the user id', async () => {
      const both = ['platypus of nobody', 'platypus of tuff'];
      const bound = await Caller.of(service, 'agent', { sub: 'other', user_id: 'Tuff' });
      expect(await summaries('platypus', {}, tuff)).toStrictEqual(both);
      expect(await summaries('platypus', {}, bound)).toStrictEqual(both);
      for (const user_id of ['tuff', 'USER_tuff'])
        expect(await summaries('platypus', { user_id })).toStrictEqual(both);
      expect(await summaries('platypus', { job_seed: 'tuffs' })).toStrictEqual([]);
      await start({ job_seed: 'tuffs-2', user_id: 'Tuff' });
      expect(await summaries('platypus', { job_seed: 'tuffs-2' })).toStrictEqual(both);
    });

    it('E2 a user’s episodes are invisible to others, and do not change the ranking that others see', async () => {
      expect(await summaries('platypus', {}, stranger)).toStrictEqual(['platypus of nobody']);
      expect(await summaries('platypus')).toStrictEqual(['platypus of nobody']);
      await stranger.refused('PERMISSION_DENIED', 'GET', `episodes/${id}`);
    });

    it('E2 a user’s episodes are visible to admins, the council and auditors', async () => {
      for (const role of ['admin', 'council', 'auditor'] as const) {
        const caller = await Caller.of(service, role);
        expect(await summaries('platypus', {}, caller)).toHaveLength(2);
      }
    });

    it('E4 auditors, the council, admins and the job’s owner see an episode’s payload; the user sees the summary', async () => {
      const payload = async (by: Caller): Promise<unknown> =>
        (await by.get(`episodes/${id}`))['payload'];
      expect(await payload(agent)).toBe('private');
      for (const role of ['admin', 'council', 'auditor'] as const)
        expect(await payload(await Caller.of(service, role))).toBe('private');
      expect(await payload(tuff)).toBeUndefined();
      const other = await Caller.of(service, 'agent', { sub: 'other' });
      expect(await payload(other)).toBeUndefined();
      const [found] = await query('platypus', {}, auditor);
      expect(Object.keys(found ?? {}).sort()).toStrictEqual([
        'created_seeded_ts',
        'episodic_id',
        'evidence',
        'score',
        'summary',
      ]);
    });
  });

  it('J7 a query also finds the episodes that a job’s end has written', async () => {
    await start({ job_seed: 'ended', goal: 'Find the kangaroo' });
    await agent.post('jobs/ended/wm', { type: 'fact', value: 'the kangaroo hops' });
    await agent.post('jobs/ended/wm/wm:ended:1/references');
    position = positionOf(await agent.did('POST', 'jobs/ended/end', { body: {} }));
    const found = await query('kangaroo hops');
    expect(found.map(({ summary }) => summary)).toStrictEqual([
      'the kangaroo hops',
      'Find the kangaroo: ',
    ]);
    const sources = await Promise.all(
      found.map(async ({ episodic_id }) => (await agent.get(`episodes/${episodic_id}`))['source']),
    );
    expect(sources).toHaveLength(2);
  });
});
