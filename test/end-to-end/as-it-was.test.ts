import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { Caller } from '#test/support/caller.js';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';

interface Moment {
  readonly position: string | null;
  readonly hash: string | null;
  readonly final: boolean;
}

/** Returns a time at which everything written so far is in the log, and nothing that is written later. */
async function between(): Promise<string> {
  await delay(5);
  const time = new Date().toISOString();
  await delay(5);
  return time;
}

describe('Memory as it was at a time (W5)', () => {
  let service: TestService;
  let agent: Caller;
  let admin: Caller;
  let auditor: Caller;

  beforeAll(async () => {
    service = await TestService.shared();
    [agent, admin, auditor] = await Promise.all([
      Caller.of(service, 'agent'),
      Caller.of(service, 'admin'),
      Caller.of(service, 'auditor'),
    ]);
  });
  afterAll(() => service?.stop());

  const key = (name: string): string => `world/fact/${named(name)}/height`;
  const put = (name: string, value: number | string) =>
    admin.did('PUT', `sem/${key(name)}`, { body: { value } });
  const jobsAt = (query: string) =>
    auditor.get<{
      jobs: { job_seed: string; status: string; tick: number }[];
      next_cursor: string | null;
    }>(`jobs?session_id=${named('session')}&${query}`);

  it('a position is final once a later event is in the log, and names the same event from then on', async () => {
    const first = await put('final', 1);
    const at = await between();
    const before = await auditor.get<Moment>(`positions?at=${at}`);
    expect(before.position).toMatch(/^\d+$/);
    await put('final', 2);
    const after = await auditor.get<Moment>(`positions?at=${at}`);
    expect(after).toMatchObject({ final: true });
    const again = await agent.get<Moment>(`positions?at=${at.replace('Z', '%2B00:00')}`);
    expect(again).toStrictEqual(after);
    expect(first).toBeDefined();
  });

  it('a time in the future, one without a form, and two moments in one read are refused', async () => {
    const future = new Date(Date.now() + 60_000).toISOString();
    for (const path of [
      `positions?at=${future}`,
      'positions?at=yesterday',
      'positions?at=999999999999999999',
      'positions?at=9999999999999999999',
      `sem/${key('final')}?at=999999999999999999`,
      'positions',
      `sem/${key('final')}?version=0&at=2020-01-01T00:00:00Z`,
      `sem/${key('final')}?at=2020-01-01T00:00:00Z`,
    ])
      await auditor.refused('INVALID_INPUT', 'GET', path);
  });

  it('a fact and the list of facts show the value of that time, and the answer says the position', async () => {
    await put('fact', 1);
    const one = await between();
    await put('fact', 2);
    const two = await between();
    await admin.did('DELETE', `sem/${key('fact')}`);
    const valueAt = async (at: string) =>
      (await auditor.get<{ value: number }>(`sem/${key('fact')}?at=${at}`)).value;
    expect([await valueAt(one), await valueAt(two)]).toStrictEqual([1, 2]);
    const listed = async (at: string) =>
      (
        await auditor.get<{ facts: { value: number }[] }>(`sem?prefix=${key('fact')}&at=${at}`)
      ).facts.map(({ value }) => value);
    expect([await listed(one), await listed(two), await listed(await between())]).toStrictEqual([
      [1],
      [2],
      [],
    ]);
    const versions = async (at: string) =>
      (
        await auditor.get<{ events: { value?: number }[] }>(`sem/${key('fact')}/history?at=${at}`)
      ).events.flatMap(({ value }) => (value === undefined ? [] : [value]));
    expect([await versions(one), await versions(two)]).toStrictEqual([[1], [2, 1]]);
    const token = await service.token('auditor');
    const { headers } = await fetch(`${service.url}/v1/sem/${key('fact')}?at=${one}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const { position } = await auditor.get<Moment>(`positions?at=${one}`);
    expect(headers.get('mace-as-of')).toBe(position);
    // A position reads as the time does.
    expect(await valueAt(position!)).toBe(1);
    expect(await listed(position!)).toStrictEqual([1]);
  });

  it('a job and the list of jobs show what had happened in the jobs by then', async () => {
    const [early, late] = [named('early'), named('late')];
    const session_id = named('session');
    const none = await between();
    await agent.post('jobs', { job_seed: early, session_id });
    await agent.post(`jobs/${early}/ticks`, { count: 3 });
    const one = await between();
    await agent.post(`jobs/${early}/end`, {});
    await agent.post('jobs', { job_seed: late, session_id });
    const two = await between();
    const shown = async (query: string) =>
      (await jobsAt(query)).jobs.map(({ job_seed, status, tick }) => [job_seed, status, tick]);
    expect(await shown(`at=${none}`)).toStrictEqual([]);
    expect(await shown(`at=${one}`)).toStrictEqual([[early, 'running', 3]]);
    expect(await shown(`at=${two}`)).toStrictEqual([
      [late, 'running', 0],
      [early, 'ended', 3],
    ]);
    expect(await shown(`at=${two}`)).toStrictEqual(await shown(''));
    expect(await shown(`at=${one}&status=ended`)).toStrictEqual([]);
    expect(await shown(`at=${two}&seed_prefix=${early.slice(0, -1)}`)).toStrictEqual([
      [early, 'ended', 3],
    ]);
    expect(await shown(`seed_prefix=${late}`)).toStrictEqual([[late, 'running', 0]]);
    expect(await shown(`seed_prefix=${late}~`)).toStrictEqual([]);
    expect(await shown(`user_id=${named('somebody')}`)).toStrictEqual([]);
    expect(await shown(`at=${one}&status=running`)).toStrictEqual([[early, 'running', 3]]);
    const page = await jobsAt(`at=${two}&limit=1`);
    expect(page.jobs.map(({ job_seed }) => job_seed)).toStrictEqual([late]);
    expect(await shown(`at=${two}&limit=1&cursor=${page.next_cursor}`)).toStrictEqual([
      [early, 'ended', 3],
    ]);
    const job = await auditor.get<{ tick: number; status: string }>(`jobs/${early}?at=${one}`);
    expect(job).toMatchObject({ tick: 3, status: 'running' });
    await auditor.refused('NOT_FOUND', 'GET', `jobs/${early}?at=${none}`);
  });

  it('a search and a recall find what was there by then', async () => {
    const word = named('lighthouse').replaceAll('_', '');
    const user_id = named('ada');
    const none = await between();
    await agent.post('remember', { text: `The ${word} is red.`, user_id });
    await put('found', `The ${word} is red.`);
    const one = await between();
    await agent.post('remember', { text: `The ${word} is white.`, user_id });
    await put('found', `The ${word} is white.`);
    const recalled = async (more: object) =>
      (
        await agent.post<{ recalled: { text: string }[] }>('recall', {
          query: word,
          user_id,
          ...more,
        })
      ).recalled
        .map(({ text }) => text)
        .toSorted();
    expect(await recalled({ at: none })).toStrictEqual([]);
    expect(await recalled({ at: one })).toStrictEqual([`The ${word} is red.`]);
    expect(await recalled({})).toHaveLength(2);
    const listed = async (at: string) =>
      (
        await agent.get<{ memories: { id: string; text: string }[] }>(
          `memories?user_id=${user_id}&at=${at}`,
        )
      ).memories;
    expect(await listed(none)).toStrictEqual([]);
    const [kept] = await listed(one);
    expect(kept).toMatchObject({ text: `The ${word} is red.` });
    const memory = `memories/${kept!.id}?user_id=${user_id}`;
    await agent.did('DELETE', memory);
    await agent.refused('NOT_FOUND', 'GET', memory);
    expect(await agent.get(`${memory}&at=${one}`)).toMatchObject({ text: kept!.text });
    const found = async (at: string) =>
      (await agent.post<{ hits: { text: string }[] }>('search', { query: word, at })).hits.map(
        ({ text }) => text,
      );
    expect([await found(none), await found(one)]).toStrictEqual([[], [`The ${word} is red.`]]);
  });

  it('a note, a conversation, a thread and a store show what they held by then', async () => {
    const note = { namespace: [named('trips')], key: 'oslo' };
    const where = `namespace=${named('trips')}&key=oslo`;
    const talk = named('talk');
    const thread_id = named('thread');
    const session_id = named('store');
    const memory = { short_term: 5, semantic: true, profile: false };
    const say = (user_text: string) =>
      agent.post('memory/interactions', {
        ...{ assistant: 'guide', session_id, memory, user_text, ai_text: 'Noted.' },
      });
    const checkpoint = (id: string) => ({
      ...{ thread_id, checkpoint_id: id, checkpoint: { id }, metadata: {} },
      ...{ channel_versions: { messages: id }, channel_values: { messages: [id] } },
    });
    const write = async (text: string): Promise<void> => {
      await agent.did('PUT', 'notes', { body: { ...note, value: text } });
      await agent.post(`conversations/${talk}/items`, { items: [text] });
      await agent.did('PUT', 'threads/checkpoints', { body: checkpoint(text) });
      await say(text);
    };
    const none = await between();
    await write('1');
    const one = await between();
    await write('2');
    const read = async (at: string) => ({
      note: (await agent.get(`notes?${where}&at=${at}`))['value'],
      items: (
        await agent.get<{ items: { item: string }[] }>(`conversations/${talk}/items?at=${at}`)
      ).items.map(({ item }) => item),
      checkpoint: (await agent.get(`threads/checkpoints?thread_id=${thread_id}&at=${at}`))[
        'checkpoint'
      ],
      tick: (await agent.get(`memory/session/${session_id}?at=${at}`))['tick'],
    });
    expect(await read(one)).toMatchObject({ note: '1', items: ['1'], checkpoint: { id: '1' } });
    expect(await read(await between())).toMatchObject({
      ...{ note: '2', items: ['1', '2'], checkpoint: { id: '2' } },
    });
    expect((await read(one)).tick).not.toBe((await read(await between())).tick);
    await agent.refused('NOT_FOUND', 'GET', `notes?${where}&at=${none}`);
    const { items } = await agent.get<{ items: unknown[] }>(
      `conversations/${talk}/items?at=${none}`,
    );
    expect(items).toStrictEqual([]);
  });

  it('the list of stores, the phases, the decisions and the turns of a session show what it held by then', async () => {
    const session_id = named('turning');
    const store = `memory/session/${session_id}`;
    const say = (user_text: string, token: string) =>
      agent.post('memory/interactions', {
        ...{ assistant: 'guide', session_id, user_text, ai_text: 'Noted.', phase: { token } },
        memory: { short_term: 5, semantic: true, profile: true },
      });
    const list = `memory?space=session&prefix=${session_id}`;
    const none = await between();
    await say('My editor is vi.', 'one');
    const now = await agent.get<{ stores: object[] }>(list);
    const one = await between();
    await say('Actually, my editor is emacs.', 'two');
    const read = async (at: string) => {
      const stores = await agent.get<{ stores: object[] }>(`${list}&at=${at}`);
      const { phases } = await agent.get<{ phases: object[] }>(`${store}/phases?at=${at}`);
      const diff = await agent.get(`${store}/phases/diff?from=phase-1&to=phase-2&at=${at}`);
      const { traces } = await agent.get<{ traces: object[] }>(
        `${store}/traces?limit=500&at=${at}`,
      );
      const { turns } = await agent.get<{
        turns: { user: { text: string }; stored: { deleted: { reason: string } | null }[] }[];
      }>(`${store}/turns?at=${at}`);
      return {
        ...{ stores: stores.stores, phases: phases.length, added: diff['added_count'] },
        traces: traces.length,
        turns: turns.map(({ user }) => user.text),
        gone: turns.flatMap(({ stored }) => stored.flatMap(({ deleted }) => deleted?.reason ?? [])),
      };
    };
    const later = await read(await between());
    expect(await read(none)).toMatchObject({ stores: [], phases: 0, traces: 0, turns: [] });
    const then = await read(one);
    expect(then).toMatchObject({ stores: now.stores, phases: 1, added: 0, gone: [] });
    expect(then.turns).toStrictEqual(['My editor is vi.']);
    expect(later).toMatchObject({ phases: 2, gone: ['superseded'] });
    expect(later.turns).toStrictEqual(['My editor is vi.', 'Actually, my editor is emacs.']);
    expect(later.traces).toBeGreaterThan(then.traces);
  });

  it('a request and the list of requests show what was decided by then', async () => {
    const council = await Caller.of(service, 'council', { sub: named('judge') });
    const target_sem_key = key('asked');
    const seed = named('asking');
    await agent.post('jobs', { job_seed: seed });
    const { episodic_id } = await agent.post(`jobs/${seed}/episodes`, { summary: 'Seen.' });
    const list = `action-requests?key_prefix=${target_sem_key}`;
    const none = await between();
    const propose = () =>
      agent.post<{ request_id: string; proposal_hash: string }>('action-requests', {
        episodic_id,
        target_sem_key,
        value: 1,
        justification: 'It was measured.',
      });
    const { request_id, proposal_hash } = await propose();
    const asked = await between();
    await council.post(`action-requests/${request_id}/votes`, {
      ...{ vote: 'reject', reason: 'Nobody measured it.', proposal_hash },
    });
    const decided = await between();
    const shown = async (more: string) =>
      (
        await auditor.get<{ action_requests: { request_id: string; status: string }[] }>(
          list + more,
        )
      ).action_requests.map((one) => [one.request_id, one.status]);
    expect(await shown(`&at=${none}`)).toStrictEqual([]);
    expect(await shown(`&at=${asked}`)).toStrictEqual([[request_id, 'pending']]);
    expect(await shown(`&at=${decided}`)).toStrictEqual([[request_id, 'rejected']]);
    expect(await shown(`&at=${decided}`)).toStrictEqual(await shown(''));
    expect(await shown(`&at=${asked}&status=rejected`)).toStrictEqual([]);
    expect(await shown(`&at=${asked}&status=pending`)).toStrictEqual([[request_id, 'pending']]);
    expect(await shown(`&at=${decided}&status=pending`)).toStrictEqual([]);
    await auditor.refused('INVALID_INPUT', 'GET', `${list}&at=${asked}&order=risk`);
    const one = `action-requests/${request_id}`;
    expect(await auditor.get(`${one}?at=${asked}`)).toMatchObject({ status: 'pending', votes: [] });
    expect(await auditor.get(`${one}?at=${decided}`)).toStrictEqual(await auditor.get(one));
    await auditor.refused('NOT_FOUND', 'GET', `${one}?at=${none}`);
    const stream = `request-${request_id}`;
    for (const reader of [auditor, council])
      expect(await reader.post('streams/replays', { stream })).toMatchObject({ identical: true });
    const open = await propose();
    await admin.post(`action-requests/${open.request_id}/votes`, {
      ...{ vote: 'abstain', reason: 'I have not seen it.', proposal_hash: open.proposal_hash },
    });
    // What the present alone has is not shown of the past, whether a request has changed since or not.
    const risks = async (at: string) =>
      (
        await auditor.get<{ action_requests: { risk: unknown }[] }>(
          `${list}&status=pending&at=${at}`,
        )
      ).action_requests.map(({ risk }) => risk);
    expect([await risks(asked), await risks(await between())]).toStrictEqual([[null], [null]]);
    await council.refused('PERMISSION_DENIED', 'POST', 'streams/replays', {
      body: { stream: `request-${open.request_id}` },
    });
  });

  it('a stream has a bundle and a replay, for those who read every stream of its category', async () => {
    const stream = `sem-${key('final')}`;
    expect(await auditor.post('streams/replays', { stream })).toMatchObject({
      ...{ stream, identical: true },
    });
    await agent.refused('PERMISSION_DENIED', 'GET', `streams/bundle?stream=${stream}`);
    await auditor.refused('NOT_FOUND', 'GET', `streams/bundle?stream=sem-${key('never')}`);
    await auditor.refused('NOT_FOUND', 'GET', 'streams/bundle?stream=other-stream');
  });
});
