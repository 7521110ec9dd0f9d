import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FactHistory } from '#client/sem.js';
import type { RecordedRead, Why } from '#client/why.js';
import { auditStream } from '#domain/stream-names.js';
import { Caller } from '#test/support/caller.js';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';

const KEY = `world/${named('place')}/harbour/depth`;
const TURN = {
  assistant: 'helper',
  session_id: named('talk'),
  user_id: named('ada'),
  memory: { short_term: 4, semantic: true, profile: true },
};

interface Stores {
  readonly stores: readonly { readonly space: string; readonly owner: string }[];
}

describe('Where something in memory came from', () => {
  let service: TestService;
  let agent: Caller;
  let other: Caller;
  let council: Caller;
  let admin: Caller;
  let auditor: Caller;
  let episode: string;
  let request: string;
  const job = named('job');
  const session = named('session');

  beforeAll(async () => {
    service = await TestService.shared();
    agent = await Caller.of(service, 'agent', { sub: named('agent') });
    other = await Caller.of(service, 'agent', { sub: named('other') });
    council = await Caller.of(service, 'council');
    admin = await Caller.of(service, 'admin');
    auditor = await Caller.of(service, 'auditor');
    await agent.post('jobs', { job_seed: job, session_id: session });
    ({ episodic_id: episode } = await agent.post<{ episodic_id: string }>(`jobs/${job}/episodes`, {
      summary: 'The pilot measured the harbour.',
      payload: { metres: 12 },
    }));
    const asked = await agent.post<Record<string, string>>('action-requests', {
      episodic_id: episode,
      target_sem_key: KEY,
      value: 12,
      justification: 'The pilot said so.',
    });
    request = asked['request_id'] ?? '';
    await council.post(`action-requests/${request}/votes`, {
      vote: 'approve',
      reason: 'It is right.',
      proposal_hash: asked['proposal_hash'],
    });
    await admin.did('PUT', `sem/${KEY}`, {
      body: { value: 10, timestamp: '2020-01-01T00:00:00.000Z', meta: { provenance_id: request } },
    });
  });
  afterAll(() => service?.stop());

  const history = (of: Caller, page = '') => of.get<FactHistory>(`sem/${KEY}/history${page}`);

  it('the history of a fact shows each write, newest first, with who, when, and the request that led to it', async () => {
    const { events, next_before } = await history(auditor);
    expect(next_before).toBeNull();
    expect(events).toMatchObject([
      {
        type: 'fact_put',
        version: 1,
        value: 10,
        superseded: true,
        actor: named('admin'),
        // The text in meta names a request that led to another write.
        request: null,
      },
      {
        type: 'fact_put',
        version: 0,
        value: 12,
        superseded: false,
        source: `agent:${named('agent')}`,
        request: { request_id: request, episodic_id: episode, justification: 'The pilot said so.' },
        event: { stream: `sem-${KEY}`, number: 0 },
      },
    ]);
    const { events: recorded } = await history(other);
    expect(recorded[1]?.request).toStrictEqual({
      ...{ request_id: request, episodic_id: null, justification: null },
    });
  });

  it('the history of a fact shows its deletion', async () => {
    const deleted = `world/${named('place')}/pier/length`;
    await admin.did('PUT', `sem/${deleted}`, { body: { value: 1 } });
    await admin.did('DELETE', `sem/${deleted}`);
    const { events } = await auditor.get<FactHistory>(`sem/${deleted}/history`);
    expect(events.map(({ type, version }) => [type, version])).toStrictEqual([
      ['fact_deleted', 1],
      ['fact_put', 0],
    ]);
    await auditor.refused('SEM_NOT_FOUND', 'GET', `sem/world/${named('no')}/thing/here/history`);
  });

  it('nobody reads the history of a fact that they may not read', async () => {
    const ada = await Caller.of(service, 'user', { sub: named('ada') });
    const key = `user/profile/user_${named('ada')}/editor`;
    await ada.did('PUT', `sem/${key}`, { body: { value: 'vi' } });
    expect((await ada.get<FactHistory>(`sem/${key}/history`)).events).toHaveLength(1);
    const bob = await Caller.of(service, 'user', { sub: named('bob') });
    for (const path of [
      `sem/${key}/history`,
      `why?kind=fact&id=${key}`,
      `why/reads?kind=fact&id=${key}`,
    ])
      await bob.refused('PERMISSION_DENIED', 'GET', path);
  });

  it('a fact names its event, its request, its episode, its job and its session', async () => {
    const why = await auditor.get<Why>(`why?kind=fact&id=${KEY}`);
    expect(why).toMatchObject({
      kind: 'fact',
      stream: `sem-${KEY}`,
      source: { type: 'fact_put', event: { stream: `sem-${KEY}`, number: 0 } },
      request: { request_id: request, justification: 'The pilot said so.' },
      episodic_id: episode,
      job_seed: job,
      session_id: session,
    });
    // Everybody may read the fact, and nobody else learns of the session.
    const seen = await other.get<Why>(`why?kind=fact&id=${KEY}`);
    expect(seen).toMatchObject({ episodic_id: null, job_seed: null, session_id: null });
  });

  it('an episode names its job and its session', async () => {
    const why = await agent.get<Why>(`why?kind=episode&id=${episode}`);
    expect(why).toMatchObject({
      job_seed: job,
      session_id: session,
      source: { type: 'episode_written' },
    });
    await agent.refused('NOT_FOUND', 'GET', 'why?kind=episode&id=ep:none');
  });

  it('jobs that recorded a read are listed for auditors; an agent gets those of its own jobs', async () => {
    const [mine, theirs] = [named('mine'), named('theirs')];
    await agent.post('jobs', { job_seed: mine });
    await other.post('jobs', { job_seed: theirs });
    await agent.get(`sem/${KEY}?job_seed=${mine}`);
    await other.get(`sem/${KEY}?job_seed=${theirs}`);
    const reads = async (of: Caller, page = '') =>
      (await of.get<{ reads: RecordedRead[] }>(`why/reads?kind=fact&id=${KEY}${page}`)).reads;
    expect(await reads(auditor)).toMatchObject([
      { job_seed: theirs, kind: 'sem_get', tick: 0, event: { stream: `job-${theirs}`, number: 1 } },
      { job_seed: mine, actor: named('agent') },
    ]);
    expect(await reads(agent)).toMatchObject([{ job_seed: mine }]);
    expect(await reads(auditor, '&limit=1')).toHaveLength(1);
    await agent.post(`episodes/query`, { query_terms: 'pilot harbour', job_seed: mine });
    const { reads: ofEpisode } = await auditor.get<{ reads: RecordedRead[] }>(
      `why/reads?kind=episode&id=${episode}`,
    );
    expect(ofEpisode).toMatchObject([{ job_seed: mine, kind: 'episodes_query' }]);
  });

  it('unredacted reads are listed with their receipts, for reviewers and for the owner of what was read', async () => {
    await admin.get(`sem/${KEY}?unredacted=true`);
    const accesses = async (of: Caller, thing: string) =>
      (await of.get<{ accesses: unknown[] }>(`why/accesses?${thing}`)).accesses;
    expect(await accesses(auditor, `kind=fact&id=${KEY}`)).toMatchObject([
      { sub: named('admin'), stream: `sem-${KEY}`, event: { stream: auditStream(named('admin')) } },
    ]);
    // The fact is everybody's, so no agent owns it.
    expect(await accesses(agent, `kind=fact&id=${KEY}`)).toStrictEqual([]);
    await admin.get(`episodes/${episode}?unredacted=true`);
    expect(await accesses(agent, `kind=episode&id=${episode}`)).toMatchObject([
      { sub: named('admin'), stream: `job-${job}` },
    ]);
    expect(await accesses(other, `kind=episode&id=${episode}`)).toStrictEqual([]);
  });

  it('an item of the Memory Contract shows its way between spaces, and an unknown item is not found', async () => {
    const user_text = 'Remember this for me: I prefer tea over coffee.';
    await agent.post('memory/interactions', { ...TURN, user_text, ai_text: 'Noted.' });
    const { items } = await agent.get<{ items: { id: string; kind: string }[] }>(
      `memory/user/${named('ada')}`,
    );
    const id = items.find(({ kind }) => kind === 'semantic')?.id ?? '';
    const why = await auditor.get<Why>(`why?kind=memory_item&id=${id}`);
    expect(why.promotions).toMatchObject([
      { space: 'session', owner: named('talk'), deleted_reason: 'promoted', replaced_by: id },
      { id, space: 'user', promotion_reason: 'hint:remember_for_me', deleted_reason: null },
    ]);
    expect(why).toMatchObject({ session_id: named('talk'), source: { type: 'item_stored' } });
    const from = why.promotions[0]?.id ?? '';
    const { promotions } = await auditor.get<Why>(`why?kind=memory_item&id=${from}`);
    expect(promotions).toStrictEqual(why.promotions);
    await other.refused('PERMISSION_DENIED', 'GET', `why?kind=memory_item&id=${from}`);
    for (const none of ['x', `session:${named('talk')}:semantic:999`])
      await auditor.refused('NOT_FOUND', 'GET', `why?kind=memory_item&id=${none}`);
  });

  it('is asked for as of a position: what came later is not there', async () => {
    const at = (event: { readonly position: string }): string => `&at=${event.position}`;
    const { events } = await history(auditor);
    const [, first] = events;
    const fact = `kind=fact&id=${KEY}`;
    const why = await auditor.get<Why>(`why?${fact}${at(first!.event)}`);
    expect(why).toStrictEqual(await auditor.get<Why>(`why?${fact}`));
    const { source } = await auditor.get<Why>(`why?kind=episode&id=${episode}`);
    await auditor.refused('SEM_NOT_FOUND', 'GET', `why?${fact}${at(source!.event)}`);
    const { reads } = await auditor.get<{ reads: RecordedRead[] }>(`why/reads?${fact}`);
    const [last, before] = reads;
    const then = await auditor.get<{ reads: RecordedRead[] }>(
      `why/reads?${fact}${at(before!.event)}`,
    );
    expect(then.reads).toStrictEqual(reads.filter((read) => read !== last));
    const { accesses } = await auditor.get<{ accesses: unknown[] }>(
      `why/accesses?${fact}${at(before!.event)}`,
    );
    expect(accesses).toStrictEqual([]);
    // A promotion is asked for before it is done: until then, the item is in its session alone.
    const { items } = await agent.get<{ items: { id: string; kind: string }[] }>(
      `memory/user/${named('ada')}`,
    );
    const id = items.find(({ kind }) => kind === 'semantic')?.id ?? '';
    const { promotions } = await auditor.get<Why>(`why?kind=memory_item&id=${id}`);
    const session_item = `kind=memory_item&id=${promotions[0]?.id}`;
    const { source: stored } = await auditor.get<Why>(`why?${session_item}`);
    expect(await auditor.get<Why>(`why?${session_item}${at(stored!.event)}`)).toMatchObject({
      promotions: [{ space: 'session', deleted_reason: null, replaced_by: null }],
    });
    await auditor.refused('NOT_FOUND', 'GET', `why?kind=memory_item&id=${id}${at(stored!.event)}`);
    const { events: ofJob } = await auditor.get<{ events: { position: string }[] }>(
      `jobs/${job}/events?limit=1`,
    );
    await auditor.refused('NOT_FOUND', 'GET', `why?kind=episode&id=${episode}${at(ofJob[0]!)}`);
  });

  it('a note is known by its stream, to its owner and to those who oversee', async () => {
    await agent.did('PUT', 'notes', { body: { namespace: [named('n')], key: 'k', value: 'v' } });
    const note = { namespace: [named('n')], key: 'k' };
    const { stream } = await agent.post<{ stream: string }>('notes/history', note);
    expect(await agent.get(`why?kind=note&id=${stream}`)).toMatchObject({
      source: { type: 'note_put', event: { stream, number: 0 } },
    });
    await other.refused('NOT_FOUND', 'GET', `why?kind=note&id=${stream}`);
    await auditor.refused('NOT_FOUND', 'GET', `why?kind=note&id=sem-${KEY}`);
  });

  it('a list of stores has those that its caller may read', async () => {
    for (const suffix of ['a', 'b', 'c']) {
      const session_id = `${named('list')}-${suffix}`;
      const by = suffix === 'b' ? other : agent;
      const turn = { ...TURN, session_id, user_id: undefined };
      await by.post('memory/interactions', { ...turn, user_text: 'We use make.', ai_text: 'Yes.' });
    }
    const owners = async (of: Caller) =>
      (await of.get<Stores>(`memory?space=session&prefix=${named('list')}`)).stores.map(
        ({ owner }) => owner.slice(-1),
      );
    expect(await owners(auditor)).toStrictEqual(['a', 'b', 'c']);
    expect(await owners(agent)).toStrictEqual(['a', 'c']);
    await auditor.refused('INVALID_INPUT', 'GET', 'memory?prefix=x');
  });
});
