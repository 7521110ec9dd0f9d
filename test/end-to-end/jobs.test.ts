import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { Caller, positionOf } from '#test/support/caller.js';
import { LogReader } from '#test/support/read-log.js';
import { TestService } from '#test/support/service.js';
import { named } from '#test/support/named.js';

interface Entry {
  readonly wm_id: string;
  readonly type: string;
  readonly value: unknown;
  readonly ttl_ticks: number;
  readonly references: number;
}
interface Item {
  readonly cwm_id_item: string;
  readonly value: unknown;
  readonly references: number;
}
interface Job {
  readonly job_seed: string;
  readonly status: string;
  readonly tick: number;
  readonly version: number;
  readonly wm: readonly Entry[];
  readonly cwm: {
    readonly cwm_id: string;
    readonly topic: string;
    readonly items: readonly Item[];
    readonly token_estimate: number;
  };
  readonly snapshots: Readonly<Record<string, string | number>>;
}

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describe('A job, as an agent runtime sees it', () => {
  let service: TestService;
  let log: LogReader;
  let agent: Caller;
  let admin: Caller;

  beforeAll(async () => {
    service = await TestService.shared();
    log = new LogReader(service.eventStore.url);
    agent = await Caller.of(service, 'agent');
    admin = await Caller.of(service, 'admin');
  });
  afterAll(async () => {
    await log?.close();
    await service?.stop();
  });

  const start = (body: object): Promise<Job> => agent.post<Job>('jobs', body);
  const job = (seed: string): Promise<Job> => agent.get<Job>(`jobs/${seed}`);
  const insert = (seed: string, value: unknown, more: object = {}) =>
    agent.post<{ wm_id: string; version: number }>(`jobs/${seed}/wm`, {
      type: 'fact',
      value,
      ...more,
    });
  const use = (seed: string, wmId: string) => agent.post(`jobs/${seed}/wm/${wmId}/references`);
  const tick = (seed: string, count = 1) => agent.post(`jobs/${seed}/ticks`, { count });
  const batch = (seed: string, commands: readonly object[], more: object = {}) =>
    agent.post<{ results: Record<string, unknown>[]; version: number }>(`jobs/${seed}/commands`, {
      commands,
      ...more,
    });
  /** Uses the entry until the job promotes it to CWM. */
  const promote = async (seed: string, wmId: string): Promise<void> => {
    await use(seed, wmId);
    await use(seed, wmId);
    await tick(seed);
  };

  describe('its time', () => {
    it('I3 with a UUIDv7 seed, an event’s time is the seed’s time plus the event’s number in milliseconds', async () => {
      const seed = `018c2b3e-7a00-7000-8000-${randomBytes(6).toString('hex')}`;
      await start({ job_seed: seed });
      await tick(seed, 2);
      const base = Number.parseInt('018c2b3e7a00', 16);
      const stamps = (await log.events(`job-${seed}`)).map(({ metadata }) => metadata.seeded_ts);
      expect(stamps).toStrictEqual(range(3).map((number) => new Date(base + number).toISOString()));
    });

    it('I3 a job without a seed gets a new UUIDv7, so later jobs sort behind earlier ones', async () => {
      const first = (await start({})).job_seed;
      const second = (await start({})).job_seed;
      expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
      expect(first < second).toBe(true);
    });

    it('I3 an event has its seeded time and recorded_at, the wall clock of its append', async () => {
      const before = new Date().toISOString();
      await start({ job_seed: named('recorded') });
      const [first] = await log.events(`job-${named('recorded')}`);
      expect(String(first?.metadata.recorded_at) >= before).toBe(true);
    });
  });

  it('I4 ids follow from the seed: wm ids count from 1, the id of the CWM is derived from its session, and the id of an item from its entry', async () => {
    const started = await start({ job_seed: named('ids'), session_id: named('ids-session') });
    expect(started.cwm.cwm_id).toBe(`cwm:${named('ids-session')}`);
    expect((await insert(named('ids'), 'a')).wm_id).toBe(`wm:${named('ids')}:1`);
    expect((await insert(named('ids'), 'b')).wm_id).toBe(`wm:${named('ids')}:2`);
    await promote(named('ids'), `wm:${named('ids')}:1`);
    expect((await job(named('ids'))).cwm.items[0]?.cwm_id_item).toBe(`cwmi:wm:${named('ids')}:1`);
    expect((await start({ job_seed: named('ids-alone') })).cwm.cwm_id).toBe(
      `cwm:${named('ids-alone')}`,
    );
  });

  describe('its start', () => {
    it('J1 a job’s first event pins its constants and the three snapshots with their counts', async () => {
      const constants = { cwm_ttl_ticks: 5, council_weights: { alice: 2 } };
      const { snapshots } = await start({ job_seed: named('pins'), constants });
      const [first] = await log.events(`job-${named('pins')}`);
      expect(first?.data['snapshots']).toStrictEqual(snapshots);
      expect(first?.data['constants']).toMatchObject({ ...constants, promotion_window: 4 });
      const id = (name: string) => expect.stringMatching(new RegExp(`^${name}:[0-9a-f]{64}$`));
      expect(snapshots).toStrictEqual({
        sem_snapshot_id: `sem:${snapshots['sem_snapshot_hash']}`,
        sem_snapshot_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        sem_event_count: expect.any(Number),
        episodic_snapshot_id: id('episodes'),
        episodic_count: expect.any(Number),
        brainstate_snapshot_id: id('brainstate'),
      });
    });

    it('J1 I3 I4 a start with a bad constant, time or seed is refused, starts no job, and claims neither its session nor its user', async () => {
      const [session_id, user_id] = [named('bad-start'), named('bad-start')];
      for (const bad of [
        { constants: { promotion_references: 0 } },
        { constants: { privacy_rule_set_version: 'none' } },
        { seeded_epoch: '2030-02-30T00:00:00Z' },
        { job_seed: `${named('bad-start')}/b` },
      ])
        await agent.refused('INVALID_INPUT', 'POST', 'jobs', {
          body: { job_seed: named('bad-start'), session_id, user_id, ...bad },
        });
      for (const stream of [
        `job-${named('bad-start')}`,
        `session-${session_id}`,
        `owner-${named('bad_start')}`,
      ])
        expect([stream, await log.types(stream)]).toStrictEqual([stream, []]);
    });

    it('J1 a job’s snapshots contain everything that was acknowledged to any caller before the start', async () => {
      const counts: number[] = [];
      for (const round of range(5)) {
        await admin.did('PUT', `sem/world/round/${named(`r${round}`)}/value`, {
          body: { value: round },
        });
        await agent.post(`jobs/${named('pins')}/episodes`, { summary: `round ${round}` });
        const { snapshots } = await start({ job_seed: named(`round-${round}`) });
        counts.push(Number(snapshots['sem_event_count']), Number(snapshots['episodic_count']));
      }
      const [sem = 0, episodes = 0] = counts;
      expect(counts).toStrictEqual(range(5).flatMap((round) => [sem + round, episodes + round]));
    });

    it('J1 a second start with a seed is JOB_EXISTS, claims nothing and leaves the first job unchanged', async () => {
      await start({ job_seed: named('twice') });
      await agent.refused('JOB_EXISTS', 'POST', 'jobs', {
        body: {
          job_seed: named('twice'),
          session_id: named('twice-session'),
          user_id: named('twice-user'),
        },
      });
      expect(await log.types(`job-${named('twice')}`)).toStrictEqual(['job_started']);
      expect(await log.types(`session-${named('twice-session')}`)).toStrictEqual([]);
      expect(await log.types(`owner-${named('twice_user')}`)).toStrictEqual([]);
    });
  });

  describe('its memory', () => {
    it('J3 J5 J6 the outcomes of a tick and of a goal are events of the job’s stream, in the order of the rules', async () => {
      const seed = named('order');
      const wm = (n: number) => `wm:${seed}:${n}`;
      const added = (value: string, more = {}) => ({
        op: 'wm_insert',
        type: 'fact',
        value,
        ...more,
      });
      const uses = (...of: number[]) => of.map((n) => ({ op: 'wm_reference', wm_id: wm(n) }));
      await start({ job_seed: seed, constants: { cwm_ttl_ticks: 1, cwm_token_budget: 8 } });
      await batch(seed, [
        ...[added('a'), added('b'), added('c', { ttl_ticks: 2 }), added('d')],
        ...[...uses(1, 1, 4, 4), { op: 'tick' }, added('e'.repeat(30)), ...uses(2, 2, 2, 5, 5)],
        ...[1, 1].map((n) => ({ op: 'cwm_reference', item_id: `cwmi:${wm(n)}` })),
        { op: 'tick' },
      ]);
      await agent.post(`jobs/${seed}/goals`, { goal: 'another topic' });
      const events = (await log.events(`job-${seed}`)).slice(-10);
      expect(
        events.map(({ type, data }) => [type, data['item_id'] ?? data['wm_id']]),
      ).toStrictEqual([
        ['ticked', undefined],
        ['promotion_event', `cwmi:${wm(2)}`],
        ['promotion_event', `cwmi:${wm(5)}`],
        ['cwm_returned', `cwmi:${wm(1)}`],
        ['wm_expired', wm(3)],
        ['cwm_expired', `cwmi:${wm(4)}`],
        ['cwm_evicted', `cwmi:${wm(5)}`],
        ['goal_set', undefined],
        ['cwm_aged', `cwmi:${wm(2)}`],
        ['cwm_expired', `cwmi:${wm(2)}`],
      ]);
    });

    it('J3 a command of N ticks adds the same events as N commands of one tick, and N may be 1,000', async () => {
      const [singles, counted] = [named('single-ticks'), named('counted-tick')];
      for (const seed of [singles, counted]) {
        await start({ job_seed: seed });
        await insert(seed, 'x', { ttl_ticks: 2 });
      }
      for (const _ of range(4)) await tick(singles);
      await tick(counted, 4);
      expect(await log.types(`job-${counted}`)).toStrictEqual(await log.types(`job-${singles}`));
      await tick(counted, 1_000);
      expect((await job(counted)).tick).toBe(1_004);
    });

    it('J8 J10 wm/find and cwm/find answer with what matches and record its ids; in an ended job they record nothing', async () => {
      const seed = named('finds');
      const { snapshots } = await start({ job_seed: seed });
      await insert(seed, { city: 'Bern' });
      await insert(seed, null, { type: 'hint' });
      await insert(seed, 'kept');
      await promote(seed, `wm:${seed}:3`);
      const find = async (kind: 'wm' | 'cwm', predicate: object) =>
        (await agent.post<{ entries: (Entry & Item)[] }>(`jobs/${seed}/${kind}/find`, predicate))
          .entries;
      const bern = { equals: { '/value/city': 'Bern' }, absent: ['/value/country'] };
      expect(await find('wm', bern)).toStrictEqual([
        {
          ...{ wm_id: `wm:${seed}:1`, type: 'fact', value: { city: 'Bern' } },
          ...{ created_at_tick: 0, ttl_ticks: 2, references: 0 },
        },
      ]);
      expect(await find('wm', { equals: { '/value': null } })).toHaveLength(1);
      const kept = { equals: { '/value': 'kept', '/promoted_from_wm': true } };
      expect((await find('cwm', kept))[0]?.cwm_id_item).toBe(`cwmi:wm:${seed}:3`);
      await agent.refused('INVALID_INPUT', 'POST', `jobs/${seed}/wm/find`, {
        body: { exists: ['value'] },
      });
      const reads = async () =>
        (await log.events(`job-${seed}`)).filter(({ type }) => type === 'memory_read');
      expect((await reads()).map(({ data }) => [data['kind'], data['ids']])).toStrictEqual([
        ['wm_find', [`wm:${seed}:1`]],
        ['wm_find', [`wm:${seed}:2`]],
        ['cwm_find', [`cwmi:wm:${seed}:3`]],
      ]);
      for (const { data, metadata } of await reads()) {
        expect(data['sem_snapshot_hash']).toBe(snapshots['sem_snapshot_hash']);
        expect(metadata.trace_id).toMatch(/^[0-9a-f]{32}$/);
      }
      await agent.post(`jobs/${seed}/end`);
      expect(await find('wm', bern)).toHaveLength(1);
      expect(await reads()).toHaveLength(3);
    });
  });

  describe('its end', () => {
    it('J7 an end is one command with its episodes and its summary, and after it the job refuses every command', async () => {
      const seed = named('ends');
      await start({ job_seed: seed, goal: 'Topic' });
      await batch(seed, [
        { op: 'wm_insert', type: 'fact', value: 'kept' },
        { op: 'wm_insert', type: 'fact', value: 'never used' },
        { op: 'wm_reference', wm_id: `wm:${seed}:1` },
      ]);
      const end = await agent.post(`jobs/${seed}/end`);
      expect(end['status']).toBe('ended');
      const events = (await log.events(`job-${seed}`)).slice(-3);
      expect(events.map(({ type, data }) => [type, data['summary']])).toStrictEqual([
        ['job_ended', undefined],
        ['episode_consolidated', 'kept'],
        ['episodic_summary', 'Topic: '],
      ]);
      expect(events[2]?.data['reflective_log_id']).toBe(end['reflective_log_id']);
      expect(new Set(events.map(({ metadata }) => metadata.command_id)).size).toBe(1);
      for (const [path, body] of [
        ['wm', { type: 'fact', value: 1 }],
        ['ticks', {}],
        ['goals', { goal: 'more' }],
        ['episodes', { summary: 'more' }],
        ['end', {}],
        ['commands', { commands: [{ op: 'tick' }] }],
      ] as const)
        await agent.refused('JOB_ENDED', 'POST', `jobs/${seed}/${path}`, { body });
      expect((await log.types(`job-${seed}`)).at(-1)).toBe('episodic_summary');
      expect((await job(seed)).status).toBe('ended');
    });

    it('J7 an end answers what was kept, what is carried on and what is gone, without the text of sealed entries; a retry answers the same', async () => {
      const seed = named('accounts');
      const email = 'mira.kellner@posteo.test';
      await start({ job_seed: seed, goal: 'Topic', session_id: named('accounted') });
      await batch(seed, [
        { op: 'wm_insert', type: 'fact', value: 'promoted' },
        { op: 'wm_reference', wm_id: `wm:${seed}:1` },
        { op: 'wm_reference', wm_id: `wm:${seed}:1` },
        ...range(23).map((value) => ({ op: 'wm_insert', type: 'temp', value })),
        { op: 'tick', count: 3 },
        { op: 'wm_insert', type: 'hint', value: { contact: email } },
        { op: 'wm_insert', type: 'context', value: 'unused' },
        { op: 'wm_insert', type: 'fact', value: { also: email } },
        { op: 'wm_reference', wm_id: `wm:${seed}:27` },
      ]);
      const options = { body: {}, key: named('accounts-key') };
      const first = await agent.did('POST', `jobs/${seed}/end`, options);
      const episodes = (await log.events(`job-${seed}`)).slice(-2);
      expect(first.body).toMatchObject({
        kept: {
          count: 2,
          items: [
            { episodic_id: episodes[0]?.data['episodic_id'], summary: '[REDACTED:email]' },
            { episodic_id: episodes[1]?.data['episodic_id'], summary: 'Topic: "promoted"' },
          ],
        },
        carried: {
          count: 1,
          items: [{ id: `cwmi:wm:${seed}:1`, type: 'fact', content: 'promoted' }],
        },
        expired: {
          count: 25,
          items: [
            ...range(18).map((number) => ({
              id: `wm:${seed}:${number + 7}`,
              type: 'temp',
              content: String(number + 5),
            })),
            { id: `wm:${seed}:25`, type: 'hint', content: '(personal data)' },
            { id: `wm:${seed}:26`, type: 'context', content: 'unused' },
          ],
        },
      });
      expect(JSON.stringify(first.body)).not.toContain(email);
      const again = await agent.did('POST', `jobs/${seed}/end`, options);
      expect(JSON.stringify(again.body)).toBe(JSON.stringify(first.body));
    });

    it('J7 the end is acknowledged only after all its events are appended, even if that takes several appends', async () => {
      await start({ job_seed: named('big-end') });
      const value = 'word '.repeat(3_000);
      for (const round of range(3))
        await batch(named('big-end'), [
          ...range(40).map(() => ({ op: 'wm_insert', type: 'fact', value })),
          ...range(40).map((n) => ({
            op: 'wm_reference',
            wm_id: `wm:${named('big-end')}:${round * 40 + n + 1}`,
          })),
        ]);
      const end = await agent.did('POST', `jobs/${named('big-end')}/end`, { body: {} });
      const types = await log.types(`job-${named('big-end')}`);
      expect(types.filter((type) => type === 'episode_consolidated')).toHaveLength(120);
      expect(types.at(-1)).toBe('episodic_summary');
      const summary = (await log.events(`job-${named('big-end')}`)).at(-1);
      const path = `episodes/${summary?.data['episodic_id'] as string}`;
      await agent.get(path, { after: positionOf(end) });
    });
  });

  describe('its batches', () => {
    it('J9 a batch applies its commands in order: a later command sees the result of an earlier one', async () => {
      await start({ job_seed: named('ordered') });
      const { results, version } = await batch(named('ordered'), [
        { op: 'wm_insert', type: 'fact', value: 1 },
        { op: 'wm_reference', wm_id: `wm:${named('ordered')}:1` },
        { op: 'tick', count: 2 },
        { op: 'goal', goal: 'next' },
        { op: 'episodic_write', summary: 'noted' },
        { op: 'end' },
      ]);
      expect(results).toHaveLength(6);
      expect(results[0]?.['wm_id']).toBe(`wm:${named('ordered')}:1`);
      expect(results[2]?.['tick']).toBe(2);
      expect(String(results[4]?.['episodic_id'])).toMatch(/^ep:/);
      expect(results[5]).toMatchObject({
        status: 'ended',
        kept: { count: 2 },
        expired: { count: 0 },
      });
      expect(version).toBe((await job(named('ordered'))).version);
      expect(
        (await log.events(`job-${named('ordered')}`))
          .slice(1, 6)
          .map(({ metadata }) => metadata.command_index),
      ).toStrictEqual([0, 1, 2, 2, 3]);
    });

    it('J9 a batch with one bad command appends nothing', async () => {
      await start({ job_seed: named('atomic') });
      for (const bad of [
        { op: 'wm_reference', wm_id: `wm:${named('atomic')}:9` },
        { op: 'wm_insert', type: 'fact', value: 'x'.repeat(20_000) },
        { op: 'made_up' },
        { op: 'tick', count: 1_001 },
      ]) {
        const commands = [{ op: 'wm_insert', type: 'fact', value: 1 }, bad, { op: 'tick' }];
        const { status } = await agent.ask('POST', `jobs/${named('atomic')}/commands`, {
          body: { commands },
        });
        expect(status === 400 || status === 404).toBe(true);
      }
      const body = { commands: [{ op: 'end' }, { op: 'tick' }] };
      await agent.refused('JOB_ENDED', 'POST', `jobs/${named('atomic')}/commands`, { body });
      expect(await log.types(`job-${named('atomic')}`)).toStrictEqual(['job_started']);
    });

    it('J9 a batch with more than 900 KiB of events is refused as a whole, and quickly', async () => {
      await start({ job_seed: named('too-much') });
      const value = 'x'.repeat(15_000);
      const inserts = Array(65).fill({ op: 'wm_insert', type: 'temp', value });
      await agent.refused('INVALID_INPUT', 'POST', `jobs/${named('too-much')}/commands`, {
        body: { commands: inserts },
      });
      const ticks = Array(500).fill({ op: 'tick', count: 1_000 });
      await agent.refused('INVALID_INPUT', 'POST', `jobs/${named('too-much')}/commands`, {
        body: { commands: ticks },
      });
      expect(await log.types(`job-${named('too-much')}`)).toStrictEqual(['job_started']);
    });

    it('J9 expected_version applies to each command of a batch', async () => {
      const { version } = await start({ job_seed: named('expected') });
      const stale = { expected_version: version + 1 };
      for (const [path, body] of [
        ['wm', { type: 'fact', value: 1 }],
        ['ticks', {}],
        ['goals', { goal: 'g' }],
        ['episodes', { summary: 's' }],
        ['end', {}],
        ['commands', { commands: [{ op: 'tick' }] }],
      ] as const)
        await agent.refused('VERSION_CONFLICT', 'POST', `jobs/${named('expected')}/${path}`, {
          body: { ...body, ...stale },
        });
      const first = await agent.post(`jobs/${named('expected')}/ticks`, {
        expected_version: version,
      });
      expect(first['version']).toBe(version + 1);
      await agent.refused('VERSION_CONFLICT', 'POST', `jobs/${named('expected')}/ticks`, {
        body: { expected_version: version },
      });
      expect(await log.types(`job-${named('expected')}`)).toStrictEqual(['job_started', 'ticked']);
    });

    it('I7 twenty ticks that are sent at the same time count as twenty', async () => {
      await start({ job_seed: named('race') });
      await Promise.all(range(20).map(() => tick(named('race'))));
      expect((await job(named('race'))).tick).toBe(20);
    });
  });

  it('J10 X3 a job can be read at any version', async () => {
    await start({ job_seed: named('travel') });
    const seen: Job[] = [await job(named('travel'))];
    for (const value of ['a', 'b']) {
      await insert(named('travel'), value);
      seen.push(await job(named('travel')));
    }
    await tick(named('travel'), 3);
    for (const state of seen)
      expect(await agent.get(`jobs/${named('travel')}?version=${state.version}`)).toStrictEqual(
        state,
      );
    const { version } = seen.at(-1)!;
    for (const beyond of [-1, version + 100, 2_147_483_647])
      await agent.refused('INVALID_INPUT', 'GET', `jobs/${named('travel')}?version=${beyond}`);
  });

  it('§13 every write returns its position, and a read with that position as its minimum shows the write', async () => {
    const started = await agent.did('POST', 'jobs', { body: { job_seed: named('positions') } });
    expect(started.status).toBe(201);
    let last = BigInt(positionOf(started));
    for (const [path, body, status] of [
      ['wm', { type: 'fact', value: 1 }, 201],
      [`wm/wm:${named('positions')}:1/references`, undefined, 200],
      ['ticks', undefined, 200],
      ['goals', { goal: 'g' }, 200],
      ['episodes', { summary: 's' }, 201],
      ['wm/find', {}, 200],
      ['commands', { commands: [{ op: 'tick' }] }, 200],
      ['end', undefined, 200],
    ] as const) {
      const answer = await agent.did('POST', `jobs/${named('positions')}/${path}`, { body });
      expect([path, answer.status]).toStrictEqual([path, status]);
      const position = BigInt(positionOf(answer));
      expect(position).toBeGreaterThan(last);
      last = position;
    }
  });
});
