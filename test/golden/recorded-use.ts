/**
 * Uses a service through HTTP in every way that leaves events. The golden streams and the data directories of earlier
 * releases are recorded with it. What it writes contains no personal data of real people.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { keyedCommandId } from '#domain/determinism/command-identity.js';
import { hashJson } from '#domain/determinism/hash.js';
import { reflectiveLogId } from '#domain/determinism/ids.js';
import { auditStream } from '#domain/stream-names.js';
import { CONTENT } from '#test/domain/reflective-cases.js';
import { Caller } from '#test/support/caller.js';
import type { ServiceClient } from '#test/support/service-client.js';

export const SEED = '01972a00-0000-7000-8000-0000000000b1';
export const SESSION = 'golden-session';
const FACT = 'world/language/c/summary';
export const PET = 'sem/user/profile/user_golden/pet';

/** Recorded streams, keyed by the names of their files. */
export type Made = Readonly<Record<string, string>>;

export interface People {
  readonly agent: Caller;
  readonly user: Caller;
  readonly admin: Caller;
  readonly auditor: Caller;
  readonly council: readonly [Caller, Caller];
}

export async function peopleOf(service: ServiceClient): Promise<People> {
  return {
    agent: await Caller.of(service, 'agent', { sub: 'golden-agent' }),
    user: await Caller.of(service, 'user', { sub: 'golden' }),
    admin: await Caller.of(service, 'admin', { sub: 'golden-admin', user_id: 'golden-admin' }),
    auditor: await Caller.of(service, 'auditor', { sub: 'golden-auditor' }),
    council: [
      await Caller.of(service, 'council', { sub: 'golden-member-1' }),
      await Caller.of(service, 'council', { sub: 'golden-member-2' }),
    ],
  };
}

/** Records a fact whose key two titles claim. It is put, put again with an earlier time, and deleted. */
export async function recordFact({ admin }: People): Promise<Made> {
  for (const entity_id of ['C++', 'C#']) {
    const body = { scope: 'world', entity_type: 'language', entity_id, attribute: 'summary' };
    await admin.post('sem-keys', body, { key: `key-${entity_id}` });
  }
  const first = { value: { year: 1985 }, timestamp: '2025-01-02T00:00:00.000Z', notes: 'First.' };
  await admin.did('PUT', `sem/${FACT}`, { body: first, key: 'put-1' });
  const earlier = { value: 1979, timestamp: '2025-01-01T00:00:00.000Z', meta: { trust: 0.5 } };
  await admin.did('PUT', `sem/${FACT}`, { body: earlier, key: 'put-2' });
  await admin.did('DELETE', `sem/${FACT}`, { key: 'delete' });
  return { sem: `sem-${FACT}` };
}

/** Records a job with a session and a user, whose log contains an e-mail address. */
export async function recordJob({ agent }: People): Promise<Made> {
  const start = { job_seed: SEED, session_id: SESSION, user_id: 'golden', goal: 'Learn a colour' };
  await agent.post('jobs', start, { key: 'start' });
  await agent.post(`jobs/${SEED}/wm`, { type: 'fact', value: 'blue' }, { key: 'wm' });
  await agent.post(`jobs/${SEED}/ticks`, {}, { key: 'tick' });
  await agent.post(`jobs/${SEED}/episodes`, { summary: 'It is blue.' }, { key: 'episode' });
  const reflective_log = { ...CONTENT, final_answer: 'Blue. Ask someone@example.com.' };
  await agent.post(`jobs/${SEED}/end`, { reflective_log }, { key: 'end' });
  return {
    job: `job-${SEED}`,
    session: `session-${SESSION}`,
    command: `command-${keyedCommandId({ sub: 'golden-agent', user_id: null }, 'POST /v1/jobs', 'start')}`,
  };
}

/** Records a job that forgets an entry of its working memory and an item of its consolidated memory. */
export async function recordForgetting({ agent }: People): Promise<Made> {
  const job_seed = '01972a00-0000-7000-8000-0000000000b2';
  await agent.post('jobs', { job_seed, goal: 'Plan a trip' }, { key: 'start-forgetting' });
  const [first, second] = [`wm:${job_seed}:1`, `wm:${job_seed}:2`];
  const commands = [
    { op: 'wm_insert', type: 'fact', value: 'The train leaves at noon.' },
    { op: 'wm_insert', type: 'hint', value: 'Prefer trains.' },
    { op: 'wm_reference', wm_id: first },
    { op: 'wm_reference', wm_id: first },
    { op: 'tick' },
  ];
  await agent.post(`jobs/${job_seed}/commands`, { commands });
  await agent.did('DELETE', `jobs/${job_seed}/cwm/cwmi:${first}`, { key: 'forget-item' });
  await agent.did('DELETE', `jobs/${job_seed}/wm/${second}`, { key: 'forget-entry' });
  await agent.post(`jobs/${job_seed}/end`, {}, { key: 'end-forgetting' });
  return { 'job-forgetting': `job-${job_seed}` };
}

/** Records a job that keeps what a search found, and recalls that rank semantic items by relevance. */
export async function recordSearches({ agent }: People): Promise<Made> {
  const job_seed = '01972a00-0000-7000-8000-0000000000b4';
  const session_id = 'golden-searches';
  await agent.post('jobs', { job_seed, goal: 'Find a hotel' }, { key: 'start-searching' });
  for (const summary of ['Ada: Where shall we stay in Rome?', 'Ben: I booked rooms by the river.'])
    await agent.post(`jobs/${job_seed}/episodes`, { summary });
  const query = 'Which room did Ben book?';
  await agent.post('search', { query, kinds: ['episode'], record_in: job_seed });
  await agent.post(`jobs/${job_seed}/end`, {}, { key: 'end-searching' });
  const memory = { short_term: 2, semantic: true, profile: true };
  const policy = { write_policy: 'aggressive', ranking: 'relevance' };
  const turn = { assistant: 'helper', session_id, memory, policy };
  for (const user_text of [
    'I prefer trains over flights.',
    'We decided to visit three museums in May 2026.',
    'Going there by train took four hours.',
  ])
    await agent.post('memory/interactions', { ...turn, user_text, ai_text: 'Noted.' });
  for (const asked of ['How many museums did we visit?', 'the trains', 'nothing of this'])
    await agent.post('memory/recall', { ...turn, query: asked });
  return { 'job-searching': `job-${job_seed}`, 'memory-relevance': `memory-session:${session_id}` };
}

/** Records every kind of addition to the log of the job, and a review. */
export async function recordAdditions({ agent, user, auditor, council }: People): Promise<void> {
  const id = reflectiveLogId(SEED);
  const add = (by: Caller, what: string, body: object) =>
    by.post(`reflective-logs/${id}/${what}`, body, { key: what });
  await add(user, 'feedback', { rating: 5, comment: 'Right.' });
  await add(agent, 'labels', { ground_truth_label: { answer: 'blue' } });
  await add(auditor, 'tags', { audit_tags: ['sampled'] });
  await add(agent, 'amendments', { changes: { note: 'seen' }, effect: 'note' });
  await add(user, 'reviews', { reason: 'I doubt it.' });
  await add(council[0], 'amendments', { changes: { final_answer: 'Blue.' }, effect: 'revalidate' });
}

export type Proposals = Awaited<ReturnType<typeof proposalsOf>>;

/** Starts a job with an episode, and returns proposals of facts that cite it. */
export async function proposalsOf(agent: Caller) {
  await agent.post('jobs', { job_seed: 'golden-grounds' });
  const episode = await agent.post('jobs/golden-grounds/episodes', { summary: 'Grounds.' });
  return (name: string) => ({
    episodic_id: String(episode['episodic_id']),
    target_sem_key: `world/proposal/${name}/value`,
    value: { proposed: name },
    justification: 'It was said.',
  });
}

/** Records three proposals: one executed, one rejected and one superseded. */
export async function recordRequests(
  { agent, admin, council }: People,
  proposalOf: Proposals,
): Promise<Made> {
  const decided = async (name: string, vote: string): Promise<string> => {
    const asked = await agent.post('action-requests', proposalOf(name), { key: name });
    const { request_id, proposal_hash } = asked as Record<string, string>;
    const timestamp = new Date(Date.now() + 4 * 60_000).toISOString();
    if (name === 'superseded')
      await admin.did('PUT', 'sem/world/proposal/superseded/value', {
        body: { value: 'later', timestamp },
      });
    for (const member of council) {
      const body = { vote, reason: 'Because.', proposal_hash };
      await member.post(`action-requests/${request_id}/votes`, body, { key: `vote-${name}` });
    }
    return `request-${request_id}`;
  };
  return {
    'request-executed': await decided('executed', 'approve'),
    'request-rejected': await decided('rejected', 'reject'),
    'request-superseded': await decided('superseded', 'approve'),
  };
}

/** Records a proposal whose finding two members clear, and the fact that it leads to (SPEC W8). */
export async function recordCleared(
  { agent, council }: People,
  proposalOf: Proposals,
): Promise<Made> {
  const proposal = { ...proposalOf('cleared'), value: { build: '+1 415 555 0132' } };
  const asked = await agent.post('action-requests', proposal, { key: 'cleared' });
  const { request_id, proposal_hash } = asked as Record<string, string>;
  const path = `action-requests/${request_id}`;
  const clearance = { proposal_hash, finding: 0, reason: 'It is a version.' };
  for (const member of council) await member.post(`${path}/clearances`, clearance);
  for (const member of council)
    await member.post(`${path}/votes`, { vote: 'approve', reason: 'Because.', proposal_hash });
  return {
    'request-cleared': `request-${request_id}`,
    'sem-cleared': `sem-${proposal.target_sem_key}`,
  };
}

/**
 * Records a proposal on an ended job, which the council questions, revises and approves, and the log of that job;
 * and a collision that the council closes.
 */
export async function recordReview({ agent, admin, council }: People): Promise<Made> {
  const [first, second] = council;
  const job_seed = 'golden-council';
  await agent.post('jobs', { job_seed });
  const episode = await agent.post(`jobs/${job_seed}/episodes`, { summary: 'Grounds.' });
  await agent.post(`jobs/${job_seed}/end`, {}, { key: 'end-council' });
  const asked = await agent.post<Record<string, string>>('action-requests', {
    episodic_id: episode['episodic_id'],
    target_sem_key: 'world/proposal/revised/value',
    value: { proposed: 'blue' },
    justification: 'It was said.',
  });
  const path = `action-requests/${asked['request_id']}`;
  const approve = async (by: Caller) => {
    const { proposal_hash } = await by.get<Record<string, string>>(path);
    await by.post(`${path}/votes`, { vote: 'approve', reason: 'Because.', proposal_hash });
  };
  await approve(first);
  await second.post(`${path}/questions`, { question: 'Since when?' });
  await agent.post(`${path}/answers`, { answer: 'Since May.' });
  await second.post(`${path}/revisions`, { value: { proposed: 'sky blue' }, reason: 'Exact.' });
  await approve(first);
  await approve(admin);
  const worked = await agent.post<Record<string, string>>('action-requests', {
    episodic_id: episode['episodic_id'],
    target_sem_key: 'world/proposal/worked/value',
    value: 'blue',
    justification: 'It was said.',
  });
  const own = `action-requests/${worked['request_id']}`;
  const until = new Date(Date.now() + 3_600_000).toISOString();
  await first.post(`${own}/assignments`, { to: 'golden-reviewer' });
  await first.post(`${own}/comments`, { text: 'Ask someone@example.com about it.' });
  await first.post(`${own}/snoozes`, { until });
  await second.post(`${own}/assignments`, { to: null });
  await first.post(`${own}/snoozes`, { until: null });
  for (const entity_id of ['F+', 'F#']) {
    const body = { scope: 'world', entity_type: 'language', entity_id, attribute: 'summary' };
    await admin.post('sem-keys', body);
  }
  const page = await first.get<{ collisions: { collision_id: string; key: string }[] }>(
    'collisions',
  );
  const open = page.collisions.find(({ key }) => key === 'world/language/f/summary');
  await first.post(`collisions/${open?.collision_id}/closure`, { reason: 'Two languages.' });
  return {
    'request-revised': `request-${asked['request_id']}`,
    'request-worked': `request-${worked['request_id']}`,
    'reflective-council': `reflective-${reflectiveLogId(job_seed)}`,
    'sem-collision': 'sem-world/language/f/summary',
  };
}

/**
 * Records consents, of which the council approves one for sensitive data; an erasure; and unredacted reads. The
 * e-mail address in a consent's text, in a vote's reason and in a read's reason is redacted before it is stored.
 */
export async function recordPrivacy({ user, admin, council }: People): Promise<Made> {
  const text = 'Keep my data, and write to someone@example.com about it.';
  const persistent = { text, scope: 'persistent' };
  const { consent_id } = await user.post<{ consent_id: string }>('consents', persistent);
  const revoked = await user.post<{ consent_id: string }>('consents', persistent);
  await user.post(`consents/${revoked.consent_id}/revocation`);
  const justification = 'The user asked for it.';
  const approved = async (body: object): Promise<string> => {
    const request = await user.post<Record<string, string>>('action-requests', body);
    for (const member of council)
      await member.post(`action-requests/${request['request_id']}/votes`, {
        vote: 'approve',
        reason: 'I asked someone@example.com.',
        proposal_hash: request['proposal_hash'],
      });
    return request['request_id'] ?? '';
  };
  await approved({ kind: 'sensitive_consent', consent_id, justification });
  const subject = 'user:golden';
  const evidence = [{ episodic_id: 'ep:none' }];
  const erasure = {
    kind: 'erasure',
    subject,
    reason_code: 'legal_erasure',
    justification,
    evidence,
  };
  const id = await approved(erasure);
  await admin.post(`erasures/${id}/execution`);
  const unredacted = `action-requests/${id}?unredacted=true`;
  await admin.get(unredacted);
  await admin.get(unredacted, {
    reason: 'Asked by someone@example.com – is it the right subject?',
  });
  return {
    consent: 'consent-user_golden',
    'request-erasure': `request-${id}`,
    'audit-access': auditStream('golden-admin'),
  };
}

/** Records two routes, a user's first fact, and a turn of the Memory Contract. */
export async function recordUse({ agent, user }: People): Promise<void> {
  for (const query_text of ['Integrate x^2 dx', 'What is my favorite color?'])
    await agent.post('route', { query_text }, { key: hashJson(query_text) });
  await user.did('PUT', PET, { body: { value: 'a cat' }, key: 'pet' });
  const memory = { short_term: 20, semantic: true, profile: true };
  const turn = { assistant: 'helper', session_id: SESSION, user_id: 'golden', memory };
  const said = { ...turn, user_text: 'I prefer tea over coffee.', ai_text: 'Noted.' };
  await agent.post('memory/interactions', said, { key: 'turn' });
}

/**
 * Records the checkpoints of a thread, two of which begin from the same one, and the writes of its tasks. A value
 * contains an e-mail address and is sealed; another one is an artifact.
 */
export async function recordThread({ agent }: People): Promise<void> {
  const put = (what: string, body: object) =>
    agent.did('PUT', `threads/${what}`, { body: { thread_id: 'golden-thread', ...body } });
  const checkpoint = (id: string, parent: string | undefined, messages: unknown, version: number) =>
    put('checkpoints', {
      checkpoint_id: id,
      ...(parent === undefined ? {} : { parent_checkpoint_id: parent }),
      checkpoint: { v: 4, id, ts: '2026-01-01T00:00:00.000Z', versions_seen: {} },
      metadata: { source: 'loop', step: version, parents: {} },
      channel_versions: { messages: version, plan: 1, task: version },
      channel_values: { messages, ...(version === 1 ? { plan: 'long '.repeat(20_000) } : {}) },
      empty_channels: ['task'],
    });
  const writes = (task_id: string, ...made: readonly (readonly [number, string, unknown])[]) =>
    put('writes', {
      checkpoint_id: 'c-2',
      task_id,
      task_path: '~__pregel_pull, agent',
      writes: made.map(([index, channel, value]) => ({ index, channel, value })),
    });
  await checkpoint('c-1', undefined, ['Hello.'], 1);
  await checkpoint('c-2', 'c-1', ['Hello.', 'Write to someone@example.com.'], 2);
  await writes('task-1', [0, 'messages', 'Done.'], [-1, '__error__', 'It failed.']);
  await writes('task-1', [0, 'messages', 'Again.'], [-1, '__error__', 'It failed again.']);
  await checkpoint('c-3', 'c-1', ['Hello.', 'Good morning.'], 2);
  await agent.did('DELETE', 'threads?thread_id=golden-thread');
  await checkpoint('c-4', undefined, ['Hello once more.'], 1);
  await checkpoint('c-5', 'c-4', ['Hello once more.', 'And again.'], 2);
}

/**
 * Records a note that is put, deleted, put again with a time to live, and expires. Its key and its last value are
 * sealed.
 */
export async function recordNote({ agent }: People): Promise<Made> {
  const [namespace, key] = [['golden', 'people'], 'someone@example.com'];
  const put = (value: unknown, ttl_seconds?: number) =>
    agent.did('PUT', 'notes', { body: { namespace, key, value, ttl_seconds } });
  await put({ colour: 'blue' });
  await agent.did('DELETE', `notes?namespace=golden&namespace=people&key=${key}`);
  await put('Write to someone@example.com.', 1);
  const versions = async () =>
    await agent.post<{ stream: string; versions: unknown[] }>('notes/history', { namespace, key });
  while ((await versions()).versions.length < 4) await delay(100);
  return { note: (await versions()).stream };
}

/** Records a query that no rule of the router matches. */
export async function recordMissedQuery({ user }: People): Promise<Made> {
  const job_seed = 'golden-missed-query';
  const constants = { router_toggles: { fallback: false } };
  const body = { job_seed, query_text: 'Do something weird and unknown', constants };
  await user.refused('ROUTER_NO_MATCH', 'POST', 'queries', { body });
  return { 'query-missed': `job-${job_seed}` };
}

/** Records every change of a conversation, one of whose items contains an e-mail address and is sealed. */
export async function recordConversation({ agent }: People): Promise<void> {
  const change = (what: string, body: object, key: string) =>
    agent.post(`conversations/golden-chat/${what}`, body, { key });
  const items = [
    { role: 'user', content: 'Write to someone@example.com.' },
    { role: 'assistant', content: 'Done.' },
  ];
  await change('items', { items }, 'append-items');
  await change('items', { items: ['A third item'] }, 'append-item');
  const replacement = { operation_id: 'op-1', from: 1, to: 2, items: ['Sent.', 'Anything else?'] };
  await change('transactions', replacement, 'replace-items');
  await change('pop', {}, 'pop-item');
  await change('clear', {}, 'clear-items');
  await change('pop', {}, 'pop-nothing');
}
