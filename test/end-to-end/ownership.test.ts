import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Caller } from '#test/support/caller.js';
import { LogReader } from '#test/support/read-log.js';
import { TestService } from '#test/support/service.js';
import { named } from '#test/support/named.js';

interface Facts {
  readonly facts: readonly { readonly key: string }[];
}
interface Jobs {
  readonly jobs: readonly { readonly job_seed: string }[];
}

describe('I9 Who may use what', () => {
  let service: TestService;
  let log: LogReader;
  let agent: Caller;
  let tuff: Caller;
  let umlaut: Caller;

  beforeAll(async () => {
    service = await TestService.shared();
    log = new LogReader(service.eventStore.url);
    agent = await Caller.of(service, 'agent');
    tuff = await Caller.of(service, 'user', { sub: named('u-1'), user_id: named('tuff') });
    umlaut = await Caller.of(service, 'user', { sub: named('u-2'), user_id: named('tüff') });
  });
  afterAll(async () => {
    await log?.close();
    await service?.stop();
  });

  const anAgent = (sub: string, user_id?: string): Promise<Caller> =>
    Caller.of(service, 'agent', {
      sub: named(sub),
      ...(user_id === undefined ? {} : { user_id: named(user_id) }),
    });

  describe('owner slugs', () => {
    const colour = `sem/user/profile/user_${named('tuff')}/favorite_color`;

    it('I9 generating a key does not claim the owner slug', async () => {
      const body = { scope: 'user', entity_type: 'profile', attribute: 'Favorite Color' };
      expect(await umlaut.post('sem-keys', body)).toStrictEqual({
        key: colour.slice('sem/'.length),
        claimed: false,
      });
      expect(await log.types(`owner-${named('tuff')}`)).toStrictEqual([]);
    });

    it('I9 the first write claims the owner slug for the user’s raw id', async () => {
      await tuff.did('PUT', colour, { body: { value: 'cerulean' } });
      const [claim] = await log.events(`owner-${named('tuff')}`);
      expect(claim?.data).toStrictEqual({ slug: named('tuff'), raw_id: named('tuff') });
    });

    it('I9 another raw id with the same slug cannot write, read, list or search that owner’s facts', async () => {
      await umlaut.refused('PERMISSION_DENIED', 'PUT', colour, { body: { value: 'red' } });
      await umlaut.refused('PERMISSION_DENIED', 'GET', colour);
      await umlaut.refused('PERMISSION_DENIED', 'GET', 'sem?prefix=user/');
      await tuff.did('PUT', `sem/user/profile/user_${named('tuff')}/boat`, {
        body: { value: 'sloop' },
      });
      await umlaut.refused('PERMISSION_DENIED', 'POST', 'sem-aliases/resolve', {
        body: { text: 'what is my boat' },
      });
      expect(await tuff.post('sem-aliases/resolve', { text: 'what is my boat' })).toStrictEqual({
        key: `user/profile/user_${named('tuff')}/boat`,
      });
    });

    it('I9 another raw id with the same slug cannot start a job or propose a fact for that owner', async () => {
      const body = {
        job_seed: named('umlaut'),
        user_id: named('tüff'),
        session_id: named('umlaut'),
      };
      await agent.refused('PERMISSION_DENIED', 'POST', 'jobs', { body });
      expect(await log.types(`job-${named('umlaut')}`)).toStrictEqual([]);
      const { episodic_id } = await episodeOf(agent, 'proposals');
      await umlaut.refused('PERMISSION_DENIED', 'POST', 'action-requests', {
        body: {
          episodic_id,
          target_sem_key: colour.slice('sem/'.length),
          value: 'red',
          justification: 'mine',
        },
      });
    });

    it('I9 ids that differ only in case or in an initial user_ are the same owner', async () => {
      for (const user_id of ['TUFF', 'user_tuff', 'USER_Tuff'].map(named)) {
        const same = await Caller.of(service, 'user', { sub: `u-${user_id}`, user_id });
        expect((await same.get(colour))['value']).toBe('cerulean');
      }
      expect(await log.types(`owner-${named('tuff')}`)).toHaveLength(1);
    });

    it('I9 an id that is not in NFC, or has white space at an end, names nobody', async () => {
      const user = named('kate');
      for (const user_id of [` ${user}`, `${user}\u00a0`, `${user}\u212a`, `${user}e\u0301`]) {
        for (const options of [{ sub: user_id }, { sub: user, user_id }])
          await (
            await Caller.of(service, 'user', options)
          ).refused('UNAUTHENTICATED', 'GET', 'sem?prefix=user/');
        const refused = (method: string, path: string, body?: object) =>
          agent.refused('INVALID_INPUT', method, path, { body });
        const named_user = encodeURIComponent(user_id);
        const problem = await refused('POST', 'jobs', { user_id });
        expect(problem.developer_message).toMatch(/[^_]user_id:? must be in Unicode NFC/);
        await refused('GET', `sem?user_id=${named_user}`);
        await refused('GET', `memory?space=user&user_id=${named_user}`);
      }
    });

    it('I9 only A–Z have two cases: a user whose id differs in another letter does not reach the first one’s things', async () => {
      const [small, capital] = ['änne', 'Änne'].map((id) => `${named('p')}-${id}`);
      const first = await Caller.of(service, 'user', { sub: capital! });
      const second = await Caller.of(service, 'user', { sub: small! });
      const note = { namespace: ['a'], key: 'b', value: 'hers' };
      await first.did('PUT', 'notes', { body: note });
      for (const path of ['notes?namespace=a&key=b', 'sem?prefix=user/', 'jobs'])
        await second.refused('PERMISSION_DENIED', 'GET', path);
      await second.refused('PERMISSION_DENIED', 'POST', 'search', { body: { query: 'hers' } });
      expect((await first.get('notes?namespace=a&key=b'))['value']).toBe('hers');
      const same = await Caller.of(service, 'user', { sub: capital!.replace('nn', 'NN') });
      expect((await same.get('notes?namespace=a&key=b'))['value']).toBe('hers');
    });

    it('I9 a job claims the owner slug of its user', async () => {
      await agent.post('jobs', { job_seed: named('claims-user'), user_id: named('Zoë') });
      expect((await log.events(`owner-${named('zoe')}`))[0]?.data['raw_id']).toBe(named('Zoë'));
      const other = await Caller.of(service, 'user', { sub: named('u-3'), user_id: named('zoe') });
      await other.refused(
        'PERMISSION_DENIED',
        'PUT',
        `sem/user/profile/user_${named('zoe')}/name`,
        {
          body: { value: 'Zoe' },
        },
      );
    });

    it('I9 a user’s proposal for the user’s own facts claims the owner slug, as a write does', async () => {
      const { episodic_id } = await episodeOf(agent, 'own-proposal');
      const first = await Caller.of(service, 'user', {
        sub: named('u-4'),
        user_id: named('Renée'),
      });
      await first.post('action-requests', {
        episodic_id,
        target_sem_key: `user/profile/user_${named('renee')}/name`,
        value: 'Renée',
        justification: 'she said so',
      });
      const second = await Caller.of(service, 'user', {
        sub: named('u-5'),
        user_id: named('Renee'),
      });
      await second.refused(
        'PERMISSION_DENIED',
        'GET',
        `sem/user/profile/user_${named('renee')}/name`,
      );
    });
  });

  describe('user ids in bodies', () => {
    it('I9 a token with a user_id must not name another user', async () => {
      const bound = await anAgent('bound', 'ann');
      for (const [path, body] of [
        ['jobs', { job_seed: named('ann-3'), user_id: named('bob') }],
        ['episodes/query', { query_terms: 'x', user_id: named('bob') }],
        [
          'sem-keys',
          { scope: 'user', entity_type: 'profile', attribute: 'x', user_id: named('bob') },
        ],
        ['sem-aliases/resolve', { text: 'my name', user_id: named('bob') }],
      ] as const)
        await bound.refused('PERMISSION_DENIED', 'POST', path, { body });
      expect(await log.types(`job-${named('ann-3')}`)).toStrictEqual([]);
    });
  });

  describe('jobs', () => {
    let owner: Caller;

    beforeAll(async () => {
      owner = await anAgent('owner');
      await owner.post('jobs', { job_seed: named('owned'), user_id: named('dora') });
      await owner.post(`jobs/${named('owned')}/wm`, { type: 'fact', value: 'private' });
    });

    const reads = [
      `jobs/${named('owned')}`,
      `jobs/${named('owned')}/events`,
      `jobs/${named('owned')}/bundle`,
    ] as const;

    it('I9 another agent, or the same agent for another user, can neither read nor write a job', async () => {
      for (const caller of [await anAgent('other'), await anAgent('owner', 'eve')]) {
        for (const path of reads) await caller.refused('PERMISSION_DENIED', 'GET', path);
        for (const path of ['replays', 'wm/find', 'ticks', 'end'])
          await caller.refused('PERMISSION_DENIED', 'POST', `jobs/${named('owned')}/${path}`, {
            body: {},
          });
      }
      expect(await log.types(`job-${named('owned')}`)).toStrictEqual([
        'job_started',
        'wm_inserted',
      ]);
    });

    it('I9 the list of jobs shows an agent only the jobs that it may use', async () => {
      const position = await owner.did('POST', 'jobs', { body: { job_seed: named('owned-2') } });
      const after = String(position.headers.get('mace-position'));
      const listed = async (caller: Caller): Promise<string[]> =>
        (await caller.get<Jobs>('jobs', { after })).jobs.map(({ job_seed }) => job_seed);
      expect(await listed(owner)).toStrictEqual([named('owned-2'), named('owned')]);
      expect(await listed(await anAgent('owner', 'user_Dora'))).toStrictEqual([named('owned')]);
      expect(await listed(await anAgent('owner', 'eve'))).toStrictEqual([]);
      const auditor = await Caller.of(service, 'auditor');
      expect(await listed(auditor)).toContain(named('owned'));
    });

    it('I9 the list of requests shows a caller only the proposals that the caller made for the user for whom the caller now acts', async () => {
      const { episodic_id } = await episodeOf(owner, 'requests');
      const body = {
        episodic_id,
        target_sem_key: `user/profile/user_${named('dora')}/pet`,
        value: 'cat',
        justification: 'said so',
      };
      const dora = await anAgent('owner', 'dora');
      const made = await dora.did('POST', 'action-requests', { body });
      const after = String(made.headers.get('mace-position'));
      const listed = async (caller: Caller): Promise<number> =>
        (await caller.get<{ action_requests: unknown[] }>('action-requests', { after }))
          .action_requests.length;
      expect(await listed(dora)).toBe(1);
      expect(await listed(await anAgent('owner', 'eve'))).toBe(0);
      expect(await listed(owner)).toBe(1);
    });
  });

  it('S1 only the user, agents, auditors, the council and admins can list the facts of a user', async () => {
    await agent.refused('PERMISSION_DENIED', 'PUT', `sem/user/profile/user_${named('fay')}/name`, {
      body: { value: 'x' },
    });
    const fay = await Caller.of(service, 'user', { sub: named('fay') });
    await fay.did('PUT', `sem/user/profile/user_${named('fay')}/name`, { body: { value: 'Fay' } });
    // The list must show acknowledged facts as well (SPEC S6).
    const seen = async (caller: Caller): Promise<boolean> => {
      const { facts } = await caller.get<Facts>(`sem?prefix=user/profile/user_${named('fay')}`);
      return facts.length === 1;
    };
    expect(await seen(fay)).toBe(true);
    expect(await seen(agent)).toBe(true);
    const keysOf = async (caller: Caller, query: string): Promise<readonly string[]> =>
      (await caller.get<Facts>(`sem?limit=1000&${query}`)).facts.map(({ key }) => key);
    const isUsers = (key: string): boolean => key.startsWith('user/');
    for (const query of ['prefix=user/', 'prefix=user/profile/', ''])
      expect((await keysOf(agent, query)).filter(isUsers)).toStrictEqual([]);
    const key = `user/profile/user_${named('fay')}/name`;
    expect(await keysOf(agent, `prefix=user/&user_id=${named('fay')}`)).toStrictEqual([key]);
    expect(await keysOf(agent, `prefix=user/profile/user_${named('fa')}`)).toStrictEqual([]);
    await tuff.refused('PERMISSION_DENIED', 'GET', `sem?user_id=${named('fay')}`);
    const found = async (body: object): Promise<readonly string[]> =>
      (await agent.post<{ hits: { id: string }[] }>('search', { query: 'Fay', ...body })).hits.map(
        ({ id }) => id,
      );
    expect(await found({ kinds: ['fact'] })).toStrictEqual([]);
    expect(await found({ kinds: ['fact'], user_id: named('fay') })).toContain(key);
    expect(await seen(await Caller.of(service, 'council'))).toBe(true);
    expect(await seen(tuff)).toBe(false);
    expect(await seen(await anAgent('bound', 'ann'))).toBe(false);
    const nobody = await Caller.of(service, []);
    await nobody.refused('PERMISSION_DENIED', 'GET', 'sem');
    await nobody.refused('PERMISSION_DENIED', 'GET', `sem/user/profile/user_${named('fay')}/name`);
  });

  let episodes = 0;
  async function episodeOf(caller: Caller, seed: string): Promise<{ episodic_id: string }> {
    const job_seed = named(`${seed}-${(episodes += 1)}`);
    await caller.post('jobs', { job_seed });
    return caller.post(`jobs/${job_seed}/episodes`, { summary: seed });
  }
});
