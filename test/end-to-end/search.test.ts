import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Caller, positionOf } from '#test/support/caller.js';
import { until } from '#test/faults/support/until.js';
import { ensure } from '#test/support/ensure.js';
import { named } from '#test/support/named.js';
import { LogReader } from '#test/support/read-log.js';
import { TestService } from '#test/support/service.js';

interface Hit {
  readonly kind: string;
  readonly id: string;
  readonly text: string;
  readonly score: number;
  readonly time: string;
  readonly source: { stream: string; number: number; position: string; hash: string };
}

interface Explained extends Hit {
  readonly explanation: {
    readonly terms: readonly { term: string; score: number }[];
    readonly previous: number;
    readonly next: number;
    readonly window: number;
    readonly group: number;
    readonly multipliers: Readonly<Record<string, number>>;
  };
}

interface Found {
  readonly as_of: string;
  readonly ranking_version: number;
  readonly hits: readonly Hit[];
}

/** A word that only this file writes, so that no search finds the entries of other files. */
const own = (word: string): string => named(word).replace('_', '');

describe('POST /v1/search', () => {
  let service: TestService;
  let log: LogReader;
  let agent: Caller;
  let admin: Caller;
  let tuff: Caller;
  let stranger: Caller;

  beforeAll(async () => {
    service = await TestService.start({ ownLog: true });
    log = new LogReader(service.eventStore.url);
    agent = await Caller.of(service, 'agent', { sub: named('agent') });
    admin = await Caller.of(service, 'admin', { sub: named('admin') });
    tuff = await Caller.of(service, 'agent', { sub: named('helper'), user_id: named('tuff') });
    stranger = await Caller.of(service, 'agent', {
      sub: named('other'),
      user_id: named('stranger'),
    });
  });
  afterAll(async () => {
    await log?.close();
    await service?.stop();
  });

  /** Searches when the index shows everything that was written, by whomever. */
  const search = async (caller: Caller, query: string, more: object = {}): Promise<Found> => {
    const after = (await log.position())?.toString() ?? '0';
    return caller.post<Found>('search', { query, ...more }, { after });
  };
  const texts = async (caller: Caller, query: string, more: object = {}): Promise<string[]> =>
    (await search(caller, query, more)).hits.map(({ text }) => text);
  const startJob = async (caller: Caller, name: string, more: object = {}): Promise<string> => {
    const job_seed = named(name);
    await caller.post('jobs', { job_seed, ...more });
    return job_seed;
  };
  const write = (caller: Caller, job: string, summary: string) =>
    caller.post<{ episodic_id: string }>(`jobs/${job}/episodes`, { summary });

  it('Q1 Q5 an episode is found by another form of its words, with its source event', async () => {
    const job = await startJob(agent, 'camping');
    const { episodic_id } = await write(agent, job, `Mia went hiking with ${own('nils')}`);
    const { hits, ranking_version, as_of } = await agent.post<Found>('search', {
      query: `Who does ${own('nils')} hike with?`,
      job_seed: job,
    });
    expect(ranking_version).toBe(2);
    expect(hits).toHaveLength(1);
    const [hit] = hits;
    ensure(hit);
    expect(hit).toMatchObject({ kind: 'episode', id: episodic_id });
    const written = (await log.events(`job-${job}`))[hit.source.number];
    ensure(written);
    expect(hit.source).toStrictEqual({
      stream: `job-${job}`,
      number: written.number,
      position: written.position.toString(),
      hash: written.metadata.hash,
    });
    expect(BigInt(as_of)).toBeGreaterThanOrEqual(written.position);
    expect(await texts(agent, 'go hike', { job_seed: job })).toHaveLength(1);
    expect(await texts(agent, 'hiker', { job_seed: job })).toStrictEqual([]);
  });

  it('Q1 S3 a fact is found by its key words and its value, as long as it is current', async () => {
    const key = `world/fact/${own('ohm')}/definition`;
    const put = (value: unknown, timestamp: string) =>
      admin.did('PUT', `sem/${key}`, { body: { value, timestamp } });
    const first = await put({ law: 'voltage is current times resistance' }, '2026-01-02T00:00:00Z');
    expect(await search(agent, own('ohm'), { kinds: ['fact'] })).toMatchObject({
      hits: [
        {
          kind: 'fact',
          id: key,
          text: 'law voltage is current times resistance',
          time: '2026-01-02T00:00:00.000Z',
        },
      ],
    });
    await put('a lost write', '2026-01-01T00:00:00Z');
    await put('U is R times I', '2026-01-03T00:00:00Z');
    expect(await texts(agent, own('ohm'))).toStrictEqual(['U is R times I']);
    const deleted = await admin.did('DELETE', `sem/${key}`);
    expect(await texts(agent, own('ohm'))).toStrictEqual([]);
    const before = { as_of: positionOf(first) };
    expect(await texts(agent, own('ohm'), before)).toStrictEqual([
      'law voltage is current times resistance',
    ]);
    const at = { as_of: (BigInt(positionOf(deleted)) - 1n).toString() };
    expect(await texts(agent, own('ohm'), at)).toStrictEqual(['U is R times I']);
  });

  it('Q1 an entry of WM and CWM is found by its owner while it is there', async () => {
    const job = await startJob(tuff, 'memory');
    const { wm_id } = await tuff.post<{ wm_id: string }>(`jobs/${job}/wm`, {
      ...{ type: 'fact', value: { destination: own('seattle') }, ttl_ticks: 2 },
    });
    expect(await search(tuff, own('seattle'))).toMatchObject({
      hits: [{ kind: 'wm', id: wm_id, text: `destination ${own('seattle')}` }],
    });
    expect(await texts(stranger, own('seattle'))).toStrictEqual([]);
    expect(await texts(admin, own('seattle'))).toHaveLength(1);
    for (let use = 0; use < 2; use += 1) await tuff.post(`jobs/${job}/wm/${wm_id}/references`);
    const ticked = await tuff.did('POST', `jobs/${job}/ticks`, { body: {} });
    expect(await search(tuff, own('seattle'))).toMatchObject({ hits: [{ kind: 'cwm' }] });
    const before = (BigInt(positionOf(ticked)) - 1n).toString();
    await tuff.post(`jobs/${job}/end`);
    const kinds = ['wm', 'cwm'];
    expect(await texts(tuff, own('seattle'), { kinds })).toStrictEqual([]);
    expect(await texts(tuff, own('seattle'), { kinds, as_of: before })).toHaveLength(1);
  });

  it('Q1 M1 an item of the Memory Contract is found by the owner of its session, until it is deleted', async () => {
    const talk = {
      assistant: 'test',
      session_id: named('talk'),
      memory: { short_term: 4, semantic: true, profile: true },
    };
    const said = `I prefer ${own('oolong')} over coffee.`;
    await tuff.post('memory/interactions', { ...talk, user_text: said, ai_text: 'Noted.' });
    const kinds = ['memory_item'];
    const found = await search(tuff, own('oolong'), { kinds });
    expect(found.hits.map(({ text }) => text)).toContain(said);
    expect(await texts(stranger, own('oolong'))).toStrictEqual([]);
    const { session_id } = talk;
    expect(await texts(tuff, own('oolong'), { session_id, kinds })).toContain(said);
    expect(await texts(tuff, own('oolong'), { session_id: 'another', kinds })).toStrictEqual([]);
    expect(await texts(tuff, own('oolong'), { space: 'user' })).toStrictEqual([]);
    expect(await texts(tuff, own('oolong'), { space: 'session' })).toContain(said);
    const user = await Caller.of(service, 'user', { sub: named('tuff') });
    expect(await texts(user, own('oolong'))).toStrictEqual([]);
  });

  it('Q1 M2 the store of a user is found by agents of that user, and that of a project by agents that name its root', async () => {
    const project_root = `/srv/${own('atlas')}`;
    const talk = {
      ...{ assistant: 'test', session_id: named('shared'), project_root },
      memory: { short_term: 4, semantic: true, profile: true },
    };
    const say = (user_text: string) =>
      tuff.post('memory/interactions', { ...talk, user_text, ai_text: 'Noted.' });
    await say(`I prefer ${own('rooibos')}. Remember this for me.`);
    await say(`We decided to use ${own('terraform')}. Remember this for the project.`);
    const spaces = async (caller: Caller, query: string, more: object = {}) => {
      const { hits } = await search(caller, query, { kinds: ['memory_item'], ...more });
      return [...new Set(hits.map(({ id }) => id.slice(0, id.indexOf(':'))))].sort();
    };
    expect(await spaces(tuff, own('rooibos'))).toStrictEqual(['session', 'user']);
    expect(await spaces(tuff, own('rooibos'), { space: 'user' })).toStrictEqual(['user']);
    const ofUser = { sub: named('another-helper'), user_id: named('tuff') };
    const colleague = await Caller.of(service, 'agent', ofUser);
    expect(await spaces(colleague, own('rooibos'))).toStrictEqual(['user']);
    expect(await spaces(stranger, own('rooibos'))).toStrictEqual([]);
    expect(await spaces(tuff, own('terraform'))).toStrictEqual(['session']);
    expect(await spaces(tuff, own('terraform'), { project_root })).toStrictEqual([
      'project',
      'session',
    ]);
    expect(await spaces(stranger, own('terraform'), { project_root })).toStrictEqual(['project']);
    expect(await spaces(stranger, own('terraform'))).toStrictEqual([]);
    for (const role of ['admin', 'auditor', 'council'] as const) {
      const reader = await Caller.of(service, role, { sub: named(role) });
      expect(await spaces(reader, own('terraform'))).toStrictEqual(['project', 'session']);
    }
  });

  it('Q1 N1 a note of a hidden namespace, one with a component that begins with a dot, is not found', async () => {
    const keeper = await Caller.of(service, 'agent', { sub: named('keeper') });
    const put = (namespace: readonly string[]) =>
      keeper.did('PUT', 'notes', { body: { namespace, key: 'plan', value: 'the okapi sleeps' } });
    for (const namespace of [['.hidden'], ['acme', '.hidden', 'deeper'], ['shown.']])
      await put(namespace);
    const { hits } = await keeper.post<{ hits: { note?: { namespace: string[] } }[] }>('search', {
      query: 'okapi',
    });
    expect(hits.map(({ note }) => note?.namespace)).toStrictEqual([['shown.']]);
  });

  it('Q1 N1 a note is found by its owner, by its name and its value, in its namespace, as long as it exists', async () => {
    const put = (namespace: string[], value: unknown) =>
      tuff.did('PUT', 'notes', { body: { namespace, key: 'plan', value } });
    await put(['acme', own('trip')], { city: own('oslo'), days: 3 });
    await put(['acme-corp'], `a trip to ${own('oslo')}`);
    await put(['acme', own('trip')], { city: own('oslo'), days: 4 });
    const { hits } = await search(tuff, own('oslo'), { namespace: ['acme'] });
    expect(hits).toMatchObject([
      {
        kind: 'note',
        text: `city ${own('oslo')} days 4`,
        note: { namespace: ['acme', own('trip')], key: 'plan', version: 2 },
      },
    ]);
    const [hit] = hits;
    expect(hit?.id).toBe(hit?.source.stream);
    expect(await texts(tuff, own('trip'))).toStrictEqual([`city ${own('oslo')} days 4`]);
    expect(await texts(tuff, own('oslo'))).toHaveLength(2);
    expect(await texts(stranger, own('oslo'))).toStrictEqual([]);
    expect(await texts(admin, own('oslo'))).toHaveLength(2);
    const unbound = await Caller.of(service, 'agent', { sub: named('helper') });
    expect(await texts(unbound, own('oslo'), { user_id: named('tuff') })).toStrictEqual([]);
    await tuff.did('DELETE', 'notes?namespace=acme-corp&key=plan');
    expect(await texts(tuff, own('oslo'))).toHaveLength(1);
    await put(['acme-corp'], `${own('oslo')} nils@bluewin.test`);
    expect(await texts(tuff, own('oslo'))).toHaveLength(1);
  });

  it('Q3 another user’s words are neither found nor counted', async () => {
    const mine = await startJob(tuff, 'mine');
    await write(tuff, mine, `the ${own('heron')} stood in the reeds`);
    await tuff.did('PUT', `sem/user/profile/user_${named('tuff')}/bird`, {
      body: { value: `a ${own('heron')} in the morning` },
    });
    const question = `${own('heron')} reeds morning`;
    const before = await search(tuff, question);
    expect(before.hits).toHaveLength(2);
    const theirs = await startJob(stranger, 'theirs');
    for (let n = 0; n < 5; n += 1)
      await write(stranger, theirs, `${own('heron')} reeds morning ${n}`);
    await stranger.did('PUT', `sem/user/profile/user_${named('stranger')}/bird`, {
      body: { value: `${own('heron')} reeds` },
    });
    await stranger.post(`jobs/${theirs}/wm`, { type: 'fact', value: own('heron') });
    const after = await search(tuff, question);
    expect(after.hits).toStrictEqual(before.hits);
    expect(await texts(stranger, own('heron'))).toHaveLength(7);
    expect(await texts(admin, own('heron'))).toHaveLength(9);
    const user = await Caller.of(service, 'user', { sub: named('tuff') });
    expect(await texts(user, own('heron'))).toHaveLength(2);
  });

  it('I9 an agent’s token without a user finds what the user that it names would', async () => {
    const job = await startJob(agent, 'for-a-user', { user_id: named('ada') });
    await write(agent, job, `Ada saw a ${own('kestrel')}`);
    expect(await texts(agent, own('kestrel'))).toStrictEqual([]);
    const user_id = named('ada');
    expect(await texts(agent, own('kestrel'), { user_id })).toHaveLength(1);
    expect(await texts(agent, own('kestrel'), { job_seed: job })).toHaveLength(1);
    await tuff.refused('PERMISSION_DENIED', 'POST', 'search', { body: { query: 'x', user_id } });
  });

  it('P3 a sealed value is found by nobody', async () => {
    const job = await startJob(tuff, 'sealed');
    const value = `${own('mail')} nils@bluewin.test`;
    await tuff.post(`jobs/${job}/wm`, { type: 'fact', value });
    expect(await texts(tuff, own('mail'))).toStrictEqual([]);
    expect(await texts(admin, 'nils bluewin')).toStrictEqual([]);
    await write(tuff, job, `${own('mail')} nils@bluewin.test`);
    expect(await texts(tuff, own('mail'))).toStrictEqual([`${own('mail')} [REDACTED:email]`]);
  });

  it('Q5 an explanation has the parts of the score: terms, neighbours, window, group and multipliers', async () => {
    const job = await startJob(agent, 'explained');
    for (const text of [
      `Ada: What is a ${own('wren')}?`,
      `Ben: The ${own('wren')} is a bird.`,
      'Yes.',
    ])
      await write(agent, job, text);
    for (const ranking_version of [1, 2]) {
      const more = { explain: true, ranking_version, job_seed: job };
      const { hits } = await search(agent, `Which bird is Ben’s ${own('wren')}?`, more);
      expect(hits.length).toBeGreaterThan(1);
      for (const { score, explanation } of hits as readonly Explained[]) {
        const { terms, previous, next, window, group, multipliers } = explanation;
        const sum = terms.reduce((total, term) => total + term.score, 0);
        const factor = Object.values(multipliers).reduce((product, one) => product * one, 1);
        expect((sum + previous + next + window + group) * factor).toBeCloseTo(score, 4);
      }
    }
    const [best] = (await search(agent, `Ben ${own('wren')}`, { explain: true })).hits;
    expect(best).toMatchObject({ explanation: { multipliers: { label: expect.anything() } } });
    // A word that is a stop word and also a name.
    await write(agent, job, 'Will: We saw The Who');
    const { hits } = await search(agent, 'Will', { job_seed: job, explain: true });
    expect(hits).toMatchObject([
      {
        score: 1.6,
        explanation: { terms: [{ term: 'Will', score: 1 }], multipliers: { label: 1.6 } },
      },
    ]);
  });

  it('Q4 the same search at the same position gets the same bytes for ever, also after a rebuild', async () => {
    const job = await startJob(agent, 'for-ever');
    for (const text of ['one', 'two three', 'four'])
      await write(agent, job, `${own('tern')} ${text}`);
    const body = { query: `${own('tern')} three` };
    const { as_of } = await search(agent, body.query);
    const bytes = async () => JSON.stringify(await agent.post('search', { ...body, as_of }));
    const first = await bytes();
    await write(agent, job, `${own('tern')} three three`);
    expect(await texts(agent, own('tern'))).toHaveLength(4);
    expect(await bytes()).toBe(first);
    await admin.post('projections/search/rebuild');
    await until('the index is rebuilt', async () => {
      const { projections } = await admin.get<{ projections: { rebuilding: boolean }[] }>(
        'projections',
      );
      return projections.every(({ rebuilding }) => !rebuilding);
    });
    expect(await bytes()).toBe(first);
  });

  it('Q5 J10 a job records what was found, once for all tries of a request', async () => {
    const job = await startJob(agent, 'recording');
    const { episodic_id } = await write(agent, job, `a ${own('plover')} nests`);
    const body = { query: own('plover'), record_in: job };
    const first = await agent.did<Found>('POST', 'search', { body, key: 'once' });
    await write(agent, job, `another ${own('plover')} nests`);
    const retried = await agent.did<Found>('POST', 'search', { body, key: 'once' });
    expect(retried.body).toStrictEqual(first.body);
    const reads = (await log.events(`job-${job}`)).filter(({ type }) => type === 'memory_read');
    expect(reads.map(({ data }) => [data['kind'], data['ids']])).toStrictEqual([
      ['search', [episodic_id]],
    ]);
    expect(reads[0]?.metadata['as_of']).toBe(first.body.as_of);
    expect(positionOf(first)).toBe(reads[0]?.position.toString());
    expect(await agent.post(`jobs/${job}/replays`, { mode: 'audit' })).toMatchObject({
      identical: true,
    });
    await stranger.refused('PERMISSION_DENIED', 'POST', 'search', { body });
    await agent.refused('NOT_FOUND', 'POST', 'search', {
      body: { ...body, record_in: named('no-job') },
    });
    await agent.post(`jobs/${job}/end`);
    await agent.refused('JOB_ENDED', 'POST', 'search', { body });
  });

  it('Q1 filters limit the hits, and not what is counted', async () => {
    const job = await startJob(agent, 'filtered', { seeded_epoch: '2026-03-01T00:00:00.000Z' });
    const other = await startJob(agent, 'filtered-too', {
      ...{ seeded_epoch: '2026-04-01T00:00:00.000Z', session_id: named('spring') },
    });
    await write(agent, job, `${own('siskin')} in march`);
    await write(agent, other, `${own('siskin')} in april`);
    const all = await search(agent, own('siskin'));
    const april = all.hits.filter(({ text }) => text.endsWith('april'));
    expect(april).toHaveLength(1);
    for (const filter of [
      { job_seed: other },
      { session_id: named('spring') },
      { time_window: { from: '2026-03-15T00:00:00Z' } },
    ])
      expect((await search(agent, own('siskin'), filter)).hits).toStrictEqual(april);
    expect(await texts(agent, own('siskin'), { max_results: 1 })).toHaveLength(1);
    expect(await texts(agent, own('siskin'), { kinds: ['fact', 'wm'] })).toStrictEqual([]);
    expect(await texts(agent, own('siskin'), { namespace: ['birds'] })).toStrictEqual([]);
  });

  it('refuses bad input: a position ahead of the log, an unknown kind, version or field', async () => {
    for (const more of [
      { as_of: '999999999999999999' },
      { as_of: '-1' },
      { as_of: 'now' },
      { kinds: ['dream'] },
      { ranking_version: 3 },
      { max_results: 101 },
      { max_results: 0 },
      { query: 'x'.repeat(16_001) },
      { query: 7 },
      { space: 'nowhere' },
      { time_window: { from: 'yesterday' } },
      { project_root: 'not/absolute' },
      { unknown: true },
    ])
      await agent.refused('INVALID_INPUT', 'POST', 'search', { body: { query: 'x', ...more } });
  });
});
