import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { reflectiveLogId } from '#domain/determinism/ids.js';
import type { LoggedEvent } from '#event-store/event-store.js';
import { Caller, positionOf } from '#test/support/caller.js';
import { LogReader } from '#test/support/read-log.js';
import { TestService } from '#test/support/service.js';
import { ensure } from '#test/support/ensure.js';
import { HASH, INSTANT } from '#test/support/matchers.js';
import { named } from '#test/support/named.js';

interface Entry {
  readonly wm_id: string;
  readonly value: unknown;
}
interface JobView {
  readonly wm: readonly Entry[];
  readonly cwm: { readonly items: readonly { readonly value: unknown }[] };
  readonly snapshots: object;
}
interface Found {
  readonly results: readonly {
    readonly episodic_id: string;
    readonly score: number;
    readonly summary: string;
    readonly evidence: readonly Record<string, unknown>[];
  }[];
}
interface StoredEvent {
  readonly type: string;
  readonly data: Record<string, unknown>;
  readonly metadata: { readonly event_id: string; readonly seeded_ts: string };
}
interface Request {
  readonly request_id: string;
  readonly proposal_hash: string;
  readonly status: string;
}

let service: TestService;
let agent: Caller;
let log: LogReader;

beforeAll(async () => {
  service = await TestService.start({ ownLog: true });
  agent = await Caller.of(service, 'agent');
  log = new LogReader(service.eventStore.url);
});
afterAll(async () => {
  await log?.close();
  await service?.stop();
});

const post = <Body = Record<string, unknown>>(path: string, body: object = {}, by = agent) =>
  by.did<Body>('POST', path, { body });
const job = (seed: string) => agent.get<JobView>(`jobs/${seed}`);
const events = async (seed: string, by = agent): Promise<readonly StoredEvent[]> =>
  (await by.get<{ events: StoredEvent[] }>(`jobs/${seed}/events?limit=1000`)).events;

/** Returns the type and the data of each event of a job. */
const recorded = async (seed: string): Promise<[string, Record<string, unknown>][]> =>
  (await events(seed)).map(({ type, data }) => [type, data]);

/** Sends a query that waits until the read models show everything up to `position`. */
const query = (position: string, body: object) =>
  agent.post<Found>('episodes/query', body, { after: position });

/** Runs a job with one promoted fact and one episode to its end. */
async function promotedJob(seed: string, by = agent): Promise<void> {
  await post('jobs', { job_seed: seed, goal: 'Learn a colour' }, by);
  await post(`jobs/${seed}/wm`, { type: 'fact', value: 'the colour is cerulean' }, by);
  await post(`jobs/${seed}/wm/wm:${seed}:1/references`, {}, by);
  await post(`jobs/${seed}/ticks`, {}, by);
  await post(`jobs/${seed}/wm/wm:${seed}:1/references`, {}, by);
  await post(`jobs/${seed}/ticks`, {}, by);
  await post(`jobs/${seed}/episodes`, { summary: 'asked about colours', payload: { n: 1 } }, by);
  await post(`jobs/${seed}/end`, {}, by);
}

/** Returns the events in the streams of facts after a position. */
const factEvents = async (after: bigint | undefined): Promise<LoggedEvent[]> =>
  (await log.since(after)).filter(({ stream }) => stream.startsWith('sem-'));

/** Returns what the ReflectiveLog of a job lists of action requests. */
const listedInLog = async (seed: string): Promise<[string, string, number][]> => {
  const { council_events } = await agent.get<{
    council_events: { kind: string; stream: string; event_number: number }[];
  }>(`reflective-logs/${reflectiveLogId(seed)}`);
  return council_events.map(({ kind, stream, event_number }) => [kind, stream, event_number]);
};

test('000-M-T1 [stage1] [golden] [critical] an entry with a ttl of 2 is gone after two ticks', async () => {
  const wm_id = 'wm:m-t1:1';
  const entry = { type: 'temp', value: 'soon gone', ttl_ticks: 2 };
  const { body: started } = await post('jobs', { job_seed: 'm-t1' });
  await post('jobs/m-t1/wm', entry);
  await post('jobs/m-t1/ticks');
  const view = (tick: number, version: number, wm: readonly object[]) => ({
    job_seed: 'm-t1',
    status: 'running',
    ...{ tick, version, wm },
    cwm: { cwm_id: 'cwm:m-t1', topic: '', items: [], token_estimate: 0 },
    snapshots: started['snapshots'],
  });
  const aging = { ...entry, wm_id, created_at_tick: 0, ttl_ticks: 1, references: 0 };
  expect(await job('m-t1')).toStrictEqual(view(1, 2, [aging]));
  const { body: ticked } = await post('jobs/m-t1/ticks');
  expect(ticked).toStrictEqual({ tick: 2, version: 4 });
  expect(await job('m-t1')).toStrictEqual(view(2, 4, []));
  expect((await recorded('m-t1')).slice(1)).toStrictEqual([
    ['wm_inserted', { ...entry, wm_id, created_at_tick: 0 }],
    ['ticked', { tick: 1 }],
    ['ticked', { tick: 2 }],
    ['wm_expired', { wm_id, tick: 2 }],
  ]);
});

test('000-M-T2 [stage1] [golden] [critical] two references within four ticks move an entry into CWM', async () => {
  await promotedJob('m-t2');
  const { wm, cwm } = await job('m-t2');
  expect(wm).toStrictEqual([]);
  expect(cwm.items.map(({ value }) => value)).toStrictEqual(['the colour is cerulean']);
});

test('000-M-T3 [stage1] [golden] [critical] a job’s end appends an episodic_summary that holds the CWM', async () => {
  await promotedJob('m-t3');
  const { cwm } = await job('m-t3');
  expect(cwm.items.map(({ value }) => value)).toStrictEqual(['the colour is cerulean']);
  const list = await recorded('m-t3');
  expect(list.map(([type]) => type)).toStrictEqual([
    ...['job_started', 'wm_inserted', 'wm_referenced', 'ticked', 'wm_referenced', 'ticked'],
    ...['promotion_event', 'episode_written', 'job_ended', 'episodic_summary'],
  ]);
  const reflective_log_id = reflectiveLogId('m-t3');
  expect(list.at(-1)?.[1]).toStrictEqual({
    episodic_id: expect.stringMatching(/^ep:[0-9a-f-]{36}$/),
    job_seed: 'm-t3',
    owner: { sub: named('agent'), user_id: null },
    source: 'brainstate',
    summary: 'Learn a colour: "the colour is cerulean"',
    evidence: [{ cwm_id: 'cwm:m-t3', sem_snapshot_hash: HASH }],
    payload: { cwm, sem_snapshot_hash: HASH, reflective_log_id },
    created_seeded_ts: INSTANT,
    reflective_log_id,
  });
});

test('000-M-T4 [stage1] [golden] [critical] episodes are ordered by score, then by time, then by id', async () => {
  const seed = 'm-t4';
  await post('jobs', { job_seed: seed });
  const summaries = [
    'alpha beta',
    'alpha alpha',
    'beta',
    'alpha gamma delta epsilon',
    'alpha beta',
  ];
  const ids: string[] = [];
  let position = '';
  for (const summary of summaries) {
    const answer = await post<{ episodic_id: string }>(`jobs/${seed}/episodes`, { summary });
    ids.push(answer.body.episodic_id);
    position = positionOf(answer);
  }
  const { results } = await query(position, { query_terms: 'ALPHA, beta!' });
  const own = results.filter(({ episodic_id }) => ids.includes(episodic_id));
  // The scores are 1, 1, 1, 1/4 and 1; of equal scores the later episode comes first.
  expect(own.map(({ episodic_id }) => ids.indexOf(episodic_id))).toStrictEqual([4, 2, 1, 0, 3]);
  expect(own.map(({ score }) => score)).toStrictEqual([1, 1, 1, 1, 0.25]);
  expect(results).toStrictEqual((await query(position, { query_terms: 'ALPHA, beta!' })).results);
  const [first] = results;
  expect(first?.evidence[0]?.['episodic_id']).toBe(first?.episodic_id);
  expect(String(first?.evidence[0]?.['sem_snapshot_hash'])).toMatch(/^[0-9a-f]{64}$/);
});

test('000-M-T5 [stage1] [golden] [critical] a promotion request writes no fact before the council approves it', async () => {
  await promotedJob('m-t5');
  const episode = (await events('m-t5')).at(-1);
  ensure(episode?.type === 'episodic_summary');
  const before = await log.position();
  const proposal = {
    episodic_id: episode.data['episodic_id'],
    target_sem_key: 'world/colour/sky/name',
    value: 'cerulean',
    justification: 'It was said twice.',
    evidence: [{ wm_id: 'wm:m-t5:1' }],
  };
  const { body: request } = await post<Request>('action-requests', proposal);
  expect(request.status).toBe('pending');
  const stream = `request-${request.request_id}`;
  const [appended] = await log.events(stream);
  expect(appended).toMatchObject({
    type: 'action_requested',
    data: { ...proposal, request_id: request.request_id, kind: 'sem_put', job_seed: 'm-t5' },
  });
  expect(await listedInLog('m-t5')).toStrictEqual([['action_requested', stream, 0]]);
  const path = 'sem/world/colour/sky/name';
  await agent.refused('SEM_NOT_FOUND', 'GET', path);
  expect(await factEvents(before)).toStrictEqual([]);

  const council = await Caller.of(service, 'council');
  const vote = { vote: 'approve', reason: 'Harmless.', proposal_hash: request.proposal_hash };
  const { body: decided } = await post<Request & { execution: { sem_event_number: number } }>(
    `action-requests/${request.request_id}/votes`,
    vote,
    council,
  );
  expect(decided.status).toBe('executed');
  expect(decided.execution.sem_event_number).toBe(0);
  const approval = (await log.events(stream)).find(({ type }) => type === 'request_approved');
  ensure(approval);
  // The write is the only one, and everything in it was recorded before it.
  const [written, ...others] = await factEvents(before);
  expect(others).toStrictEqual([]);
  expect(written).toMatchObject({
    stream: 'sem-world/colour/sky/name',
    type: 'fact_put',
    data: {
      value: 'cerulean',
      source: `agent:${named('agent')}`,
      timestamp: approval.data['at'],
      meta: { provenance_id: request.request_id },
    },
    metadata: { caused_by: approval.metadata.event_id },
  });
  expect(written?.position).toBeGreaterThan(approval.position);
  expect((await agent.get(path))['value']).toBe('cerulean');
  expect((await listedInLog('m-t5')).map(([kind]) => kind)).toStrictEqual([
    ...['action_requested', 'vote_cast', 'request_approved', 'fact_put', 'request_executed'],
  ]);
});

test('000-M-T7 [stage1] [golden] [critical] a replay reproduces promotions and episodes, and the same seed gives the same ids', async () => {
  await promotedJob('m-t7');
  const auditor = await Caller.of(service, 'auditor');
  const { body } = await post<Record<string, unknown>>(
    'jobs/m-t7/replays',
    { mode: 'strict' },
    auditor,
  );
  expect(body['identical']).toBe(true);
  expect(body['events_checked']).toBe((await events('m-t7')).length);

  const elsewhere = await TestService.start({ ownLog: true });
  try {
    const by = await Caller.of(elsewhere, 'agent');
    await promotedJob('m-t7', by);
    const seeded = (list: readonly StoredEvent[]) =>
      list.map(({ type, metadata }) => [type, metadata.event_id, metadata.seeded_ts]);
    const there = await events('m-t7', by);
    const mine = await events('m-t7');
    expect(seeded(there)).toStrictEqual(seeded(mine));
    const episodes = (list: readonly StoredEvent[]) =>
      list.map(({ data }) => data['episodic_id']).filter((id) => id !== undefined);
    expect(episodes(mine)).toHaveLength(2);
    expect(episodes(there)).toStrictEqual(episodes(mine));
  } finally {
    await elsewhere.stop();
  }
});
