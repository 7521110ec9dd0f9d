import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { Caller, positionOf } from '#test/support/caller.js';
import { LogReader } from '#test/support/read-log.js';
import { TestService } from '#test/support/service.js';
import { ensure } from '#test/support/ensure.js';
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
    const baseOf = async (seed: string): Promise<string> =>
      String((await log.events(`job-${seed}`))[0]?.metadata.seeded_ts);

    it('I3 with a UUIDv7 seed, an event’s time is the seed’s time plus the event’s number in milliseconds', async () => {
      const seed = `018c2b3e-7a00-7000-8000-${randomBytes(6).toString('hex')}`;
      await start({ job_seed: seed });
      await tick(seed, 2);
      const base = Number.parseInt('018c2b3e7a00', 16);
      const stamps = (await log.events(`job-${seed}`)).map(({ metadata }) => metadata.seeded_ts);
      expect(stamps).toStrictEqual(range(3).map((number) => new Date(base + number).toISOString()));
    });

    it('I3 a ULID seed also gives the event times; any other seed gives times in the ten years from 2025', async () => {
      const ulid = `01ARZ3NDEK${randomBytes(8).toString('hex').toUpperCase()}`;
      await start({ job_seed: ulid });
      expect(await baseOf(ulid)).toBe('2016-07-30T23:54:10.259Z');
      await start({ job_seed: named('plain-seed') });
      const base = await baseOf(named('plain-seed'));
      expect([base, base >= '2025-01-01' && base < '2035-01-01']).toStrictEqual([base, true]);
      expect(base).toMatch(/\.000Z$/);
    });

    it('I3 seeded_epoch sets the time of a job’s events; an impossible date is refused', async () => {
      await start({ job_seed: named('epoch'), seeded_epoch: '2030-05-06T07:08:09Z' });
      expect(await baseOf(named('epoch'))).toBe('2030-05-06T07:08:09.000Z');
      for (const seeded_epoch of ['2030-02-30T00:00:00Z', '2030-05-06', '9999-12-31T00:00:00Z'])
        await agent.refused('INVALID_INPUT', 'POST', 'jobs', {
          body: {
            job_seed: named('no-epoch'),
            seeded_epoch,
            session_id: named('no-epoch'),
            user_id: named('no-epoch'),
          },
        });
      for (const stream of [
        `job-${named('no-epoch')}`,
        `session-${named('no-epoch')}`,
        `owner-${named('no_epoch')}`,
      ])
        expect(await log.types(stream)).toStrictEqual([]);
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

  it('I4 a seed with other characters, or with more than 128, is refused', async () => {
    for (const job_seed of ['a b', 'a/b', 'ü', '', 'x'.repeat(129)])
      await agent.refused('INVALID_INPUT', 'POST', 'jobs', { body: { job_seed } });
    const longest = named('x').padEnd(128, 'x');
    expect((await start({ job_seed: longest })).job_seed).toBe(longest);
  });

  describe('its start', () => {
    it('J1 a job’s first event pins the three snapshots with their counts', async () => {
      const { snapshots } = await start({ job_seed: named('pins') });
      const [first] = await log.events(`job-${named('pins')}`);
      expect(first?.data['snapshots']).toStrictEqual(snapshots);
      expect(String(snapshots['sem_snapshot_id'])).toMatch(/^sem:[0-9a-f]{64}$/);
      expect(snapshots['sem_snapshot_id']).toBe(`sem:${snapshots['sem_snapshot_hash']}`);
      expect(String(snapshots['episodic_snapshot_id'])).toMatch(/^episodes:[0-9a-f]{64}$/);
      expect(String(snapshots['brainstate_snapshot_id'])).toMatch(/^brainstate:[0-9a-f]{64}$/);
      expect(typeof snapshots['sem_event_count']).toBe('number');
      expect(typeof snapshots['episodic_count']).toBe('number');
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

    it('J1 the brainstate hash depends only on constants, goal and carried CWM', async () => {
      const brainstate = async (body: object) =>
        (await start(body)).snapshots['brainstate_snapshot_id'];
      const plain = await brainstate({ job_seed: named('brain-1') });
      expect(await brainstate({ job_seed: named('brain-2') })).toBe(plain);
      expect(await brainstate({ job_seed: named('brain-3'), goal: 'other' })).not.toBe(plain);
      const constants = { cwm_ttl_ticks: 11 };
      expect(await brainstate({ job_seed: named('brain-4'), constants })).not.toBe(plain);
    });

    it('J1 a start can override constants, and the job uses them', async () => {
      const constants = {
        promotion_references: 1,
        promotion_window: 1,
        wm_default_ttl_ticks: 5,
        cwm_ttl_ticks: 1,
        min_confidence: 0.75,
        auto_tie_break: true,
        council_weights: { alice: 2 },
        router_toggles: { creative: false },
      };
      await start({ job_seed: named('constants'), constants });
      await insert(named('constants'), 'x');
      expect((await job(named('constants'))).wm[0]?.ttl_ticks).toBe(5);
      await use(named('constants'), `wm:${named('constants')}:1`);
      await tick(named('constants'));
      expect((await job(named('constants'))).cwm.items).toHaveLength(1);
      await tick(named('constants'));
      expect((await job(named('constants'))).cwm.items).toHaveLength(0);
      const pinned = (await log.events(`job-${named('constants')}`))[0]?.data[
        'constants'
      ] as typeof constants;
      expect(pinned.min_confidence).toBe(0.75);
      expect(pinned.council_weights).toStrictEqual({ alice: 2 });
      const toggles = pinned.router_toggles as Record<string, boolean>;
      expect(toggles['creative']).toBe(false);
      expect(toggles['search']).toBe(true);
    });

    it('J1 an unknown constant, a value out of range or a fixed constant is refused, and no job starts', async () => {
      for (const constants of [
        { promotion_references: 0 },
        { promotion_window: 10_001 },
        { wm_default_ttl_ticks: 1.5 },
        { cwm_token_budget: '512' },
        { min_confidence: 1.1 },
        { auto_tie_break: 'yes' },
        { router_toggles: { privacy: false } },
        { privacy_rule_set_version: 'none' },
        { made_up: 1 },
      ])
        await agent.refused('INVALID_INPUT', 'POST', 'jobs', {
          body: { job_seed: named('bad-constants'), session_id: named('bad-constants'), constants },
        });
      expect(await log.types(`job-${named('bad-constants')}`)).toStrictEqual([]);
      expect(await log.types(`session-${named('bad-constants')}`)).toStrictEqual([]);
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

  describe('its working memory', () => {
    it('J2 working memory shows entries newest first, with no references and the default ttl of 3', async () => {
      await start({ job_seed: named('wm') });
      await insert(named('wm'), { city: 'Bern' });
      await insert(named('wm'), null, { type: 'hint', ttl_ticks: 7 });
      const { wm } = await job(named('wm'));
      expect(wm).toStrictEqual([
        {
          wm_id: `wm:${named('wm')}:2`,
          type: 'hint',
          value: null,
          created_at_tick: 0,
          ttl_ticks: 7,
          references: 0,
        },
        {
          wm_id: `wm:${named('wm')}:1`,
          type: 'fact',
          value: { city: 'Bern' },
          created_at_tick: 0,
          ttl_ticks: 3,
          references: 0,
        },
      ]);
      await use(named('wm'), `wm:${named('wm')}:1`);
      expect((await job(named('wm'))).wm[1]?.references).toBe(1);
    });

    it('J2 working memory accepts a value of 16 KB and refuses one byte more', async () => {
      await start({ job_seed: named('sizes') });
      const fits = 'x'.repeat(16 * 1024 - 2);
      await insert(named('sizes'), fits);
      await agent.refused('INVALID_INPUT', 'POST', `jobs/${named('sizes')}/wm`, {
        body: { type: 'fact', value: `${fits}x` },
      });
      // The limit counts bytes, not characters.
      await agent.refused('INVALID_INPUT', 'POST', `jobs/${named('sizes')}/wm`, {
        body: { type: 'fact', value: 'ü'.repeat(8 * 1024) },
      });
    });

    it('J2 working memory accepts the 1,000th entry and refuses the 1,001st', async () => {
      await start({ job_seed: named('full') });
      const entries = (count: number) =>
        range(count).map((value) => ({ op: 'wm_insert', type: 'temp', value }));
      await batch(named('full'), entries(500));
      await batch(named('full'), entries(500));
      await agent.refused('INVALID_INPUT', 'POST', `jobs/${named('full')}/wm`, {
        body: { type: 'temp', value: 1_000 },
      });
      expect((await job(named('full'))).wm).toHaveLength(1_000);
    });

    it('J2 a reference to a missing entry is refused', async () => {
      await start({ job_seed: named('no-entry') });
      await agent.refused(
        'INVALID_INPUT',
        'POST',
        `jobs/${named('no-entry')}/wm/not%20an%20id/references`,
      );
      await agent.refused(
        'NOT_FOUND',
        'POST',
        `jobs/${named('no-entry')}/wm/wm:${named('no-entry')}:1/references`,
      );
      await agent.refused(
        'NOT_FOUND',
        'POST',
        `jobs/${named('no-entry')}/cwm/cwmi:wm:${named('no-entry')}:1/references`,
      );
    });

    it('J3 a tick records its outcomes in order: promotion, then return, then expiry, oldest first', async () => {
      await start({ job_seed: named('order'), constants: { cwm_ttl_ticks: 2 } });
      await batch(named('order'), [
        ...['a', 'b', 'c'].map((value) => ({ op: 'wm_insert', type: 'fact', value, ttl_ticks: 1 })),
        { op: 'wm_reference', wm_id: `wm:${named('order')}:2` },
        { op: 'wm_reference', wm_id: `wm:${named('order')}:2` },
        { op: 'tick' },
      ]);
      expect((await log.types(`job-${named('order')}`)).slice(-4)).toStrictEqual([
        'ticked',
        'promotion_event',
        'wm_expired',
        'wm_expired',
      ]);
      const expired = (await log.events(`job-${named('order')}`))
        .slice(-2)
        .map(({ data }) => data['wm_id']);
      expect(expired).toStrictEqual([`wm:${named('order')}:1`, `wm:${named('order')}:3`]);
      await batch(named('order'), [
        { op: 'wm_insert', type: 'fact', value: 'd', ttl_ticks: 1 },
        { op: 'cwm_reference', item_id: `cwmi:wm:${named('order')}:2` },
        { op: 'cwm_reference', item_id: `cwmi:wm:${named('order')}:2` },
        { op: 'tick' },
      ]);
      const last = (await log.events(`job-${named('order')}`)).slice(-3);
      expect(last.map(({ type }) => type)).toStrictEqual(['ticked', 'cwm_returned', 'wm_expired']);
      // The returned item is a new entry, which does not age in the same tick.
      const { wm } = await job(named('order'));
      expect(
        wm.map(({ wm_id, value, ttl_ticks, references }) => [wm_id, value, ttl_ticks, references]),
      ).toStrictEqual([[`wm:${named('order')}:5`, 'b', 3, 0]]);
    });

    it('J3 a command of N ticks adds the same events as N commands of one tick, in one append', async () => {
      await start({ job_seed: named('single-ticks') });
      await start({ job_seed: named('counted-tick') });
      for (const seed of [named('single-ticks'), named('counted-tick')])
        await insert(seed, 'x', { ttl_ticks: 2 });
      for (const _ of range(4)) await tick(named('single-ticks'));
      await tick(named('counted-tick'), 4);
      const [singles, counted] = await Promise.all([
        log.types(`job-${named('single-ticks')}`),
        log.types(`job-${named('counted-tick')}`),
      ]);
      expect(counted).toStrictEqual(singles);
      expect((await job(named('counted-tick'))).tick).toBe(4);
    });

    it('J3 uses outside the window do not promote an entry', async () => {
      await start({ job_seed: named('window') });
      await insert(named('window'), 'x', { ttl_ticks: 10 });
      await use(named('window'), `wm:${named('window')}:1`);
      await tick(named('window'), 4);
      await use(named('window'), `wm:${named('window')}:1`);
      // The first use was at tick 0 and this is the fifth tick, so that use is outside the window.
      await tick(named('window'));
      const { cwm, wm } = await job(named('window'));
      expect(cwm.items).toStrictEqual([]);
      expect(wm[0]?.references).toBe(2);
    });
  });

  describe('its consolidated memory', () => {
    it('J4 J5 if the CWM is over its token budget, the least used item leaves, and the token estimate is that of the remaining items', async () => {
      await start({ job_seed: named('budget'), constants: { cwm_token_budget: 10 } });
      const promoting = (counter: number, value: string, uses: number) => [
        { op: 'wm_insert', type: 'fact', value },
        ...range(uses).map(() => ({
          op: 'wm_reference',
          wm_id: `wm:${named('budget')}:${counter}`,
        })),
      ];
      // The canonical JSON of "aaaaaaaaaaaaaa" is 16 bytes, which count as 4 tokens.
      await batch(named('budget'), [
        ...promoting(1, 'a'.repeat(14), 2),
        ...promoting(2, 'b'.repeat(14), 2),
        { op: 'tick' },
      ]);
      expect((await job(named('budget'))).cwm.token_estimate).toBe(8);
      await agent.post(`jobs/${named('budget')}/cwm/cwmi:wm:${named('budget')}:1/references`);
      await batch(named('budget'), [...promoting(3, 'c'.repeat(14), 2), { op: 'tick' }]);
      const { cwm } = await job(named('budget'));
      expect(cwm.token_estimate).toBe(8);
      expect(
        (await log.types(`job-${named('budget')}`)).filter((type) => type === 'cwm_evicted'),
      ).toHaveLength(1);
      expect(cwm.items.some(({ value }) => value === 'a'.repeat(14))).toBe(true);
    });

    it('J6 a new goal becomes the topic, and items that share no word with it age at once', async () => {
      await start({ job_seed: named('goals'), goal: 'first', constants: { cwm_ttl_ticks: 2 } });
      await insert(named('goals'), 'about trains');
      await insert(named('goals'), 'about boats');
      await batch(named('goals'), [
        ...[1, 1, 2, 2].map((n) => ({ op: 'wm_reference', wm_id: `wm:${named('goals')}:${n}` })),
        { op: 'tick' },
      ]);
      await agent.post(`jobs/${named('goals')}/goals`, { goal: 'All about TRAINS' });
      const { cwm } = await job(named('goals'));
      expect(cwm.topic).toBe('All about TRAINS');
      await agent.post(`jobs/${named('goals')}/goals`, { goal: 'Trains only' });
      const aged = (await log.events(`job-${named('goals')}`)).filter(
        ({ type }) => type === 'cwm_aged',
      );
      expect(aged.map(({ data }) => data['item_id'])).toStrictEqual([
        `cwmi:wm:${named('goals')}:2`,
      ]);
    });
  });

  describe('its end', () => {
    it('J7 the end writes an episode for each referenced fact, oldest first, then one summary; then the job refuses commands', async () => {
      await start({ job_seed: named('ends'), goal: 'Topic' });
      await batch(named('ends'), [
        { op: 'wm_insert', type: 'fact', value: 'kept' },
        { op: 'wm_insert', type: 'fact', value: 'never used' },
        { op: 'wm_insert', type: 'hint', value: 'no fact' },
        { op: 'wm_insert', type: 'fact', value: { b: 2, a: 1 } },
        ...[1, 3, 4].map((n) => ({ op: 'wm_reference', wm_id: `wm:${named('ends')}:${n}` })),
      ]);
      const end = await agent.did<Record<string, unknown>>('POST', `jobs/${named('ends')}/end`, {
        body: {},
      });
      expect(end.body['status']).toBe('ended');
      const events = (await log.events(`job-${named('ends')}`)).slice(-4);
      expect(events.map(({ type }) => type)).toStrictEqual([
        'job_ended',
        'episode_consolidated',
        'episode_consolidated',
        'episodic_summary',
      ]);
      expect(events.slice(1).map(({ data }) => data['summary'])).toStrictEqual([
        'kept',
        '{"a":1,"b":2}',
        'Topic: ',
      ]);
      expect(events[3]?.data['reflective_log_id']).toBe(end.body['reflective_log_id']);
      const command = new Set(events.map(({ metadata }) => metadata.command_id));
      expect(command.size).toBe(1);
      for (const [path, body] of [
        ['wm', { type: 'fact', value: 1 }],
        ['ticks', {}],
        ['goals', { goal: 'more' }],
        ['episodes', { summary: 'more' }],
        ['end', {}],
        ['commands', { commands: [{ op: 'tick' }] }],
      ] as const)
        await agent.refused('JOB_ENDED', 'POST', `jobs/${named('ends')}/${path}`, { body });
      expect((await log.types(`job-${named('ends')}`)).at(-1)).toBe('episodic_summary');
      expect((await job(named('ends'))).status).toBe('ended');
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

  describe('its searches', () => {
    it('J8 J10 wm/find matches values exactly by JSON Pointers, and records the ids that it found', async () => {
      await start({ job_seed: named('finds') });
      await insert(named('finds'), { city: 'Bern', 'a/b': [1, 2] });
      await insert(named('finds'), { city: 'Basel' });
      await insert(named('finds'), 'text', { type: 'hint' });
      const find = async (predicate: object): Promise<unknown[]> => {
        const { entries } = await agent.post<{ entries: Entry[] }>(
          `jobs/${named('finds')}/wm/find`,
          predicate,
        );
        return entries.map(({ wm_id }) => wm_id);
      };
      expect(await find({})).toStrictEqual([
        `wm:${named('finds')}:3`,
        `wm:${named('finds')}:2`,
        `wm:${named('finds')}:1`,
      ]);
      expect(await find({ equals: { '/value/city': 'Bern' } })).toStrictEqual([
        `wm:${named('finds')}:1`,
      ]);
      expect(await find({ equals: { '/value/city': 'bern' } })).toStrictEqual([]);
      expect(await find({ equals: { '/value/a~1b/1': 2 } })).toStrictEqual([
        `wm:${named('finds')}:1`,
      ]);
      expect(await find({ exists: ['/value/city'] })).toStrictEqual([
        `wm:${named('finds')}:2`,
        `wm:${named('finds')}:1`,
      ]);
      expect(await find({ absent: ['/value/city'], equals: { '/type': 'hint' } })).toStrictEqual([
        `wm:${named('finds')}:3`,
      ]);
      await agent.refused('INVALID_INPUT', 'POST', `jobs/${named('finds')}/wm/find`, {
        body: { exists: ['value'] },
      });
      const reads = (await log.events(`job-${named('finds')}`)).filter(
        ({ type }) => type === 'memory_read',
      );
      expect(reads).toHaveLength(6);
      ensure(reads[1]?.data['kind'] === 'wm_find');
      expect(reads[1].data['ids']).toStrictEqual([`wm:${named('finds')}:1`]);
      expect(String(reads[1].metadata.trace_id)).toMatch(/^[0-9a-f]{32}$/);
      expect(reads[1].data['sem_snapshot_hash'] as string).toMatch(/^[0-9a-f]{64}$/);
    });

    it('J8 cwm/find returns matching items in insertion order', async () => {
      await start({ job_seed: named('cwm-finds') });
      await insert(named('cwm-finds'), 'one');
      await insert(named('cwm-finds'), 'two');
      for (const n of [2, 1]) await promote(named('cwm-finds'), `wm:${named('cwm-finds')}:${n}`);
      const { entries } = await agent.post<{ entries: Item[] }>(
        `jobs/${named('cwm-finds')}/cwm/find`,
        {},
      );
      expect(entries.map(({ value }) => value)).toStrictEqual(['two', 'one']);
      const equals = { '/value': 'two', '/promoted_from_wm': true };
      const found = await agent.post<{ entries: Item[] }>(`jobs/${named('cwm-finds')}/cwm/find`, {
        equals,
      });
      expect(found.entries.map(({ cwm_id_item }) => cwm_id_item)).toStrictEqual([
        `cwmi:wm:${named('cwm-finds')}:2`,
      ]);
    });

    it('J8 an ended job can be searched, and the search records nothing', async () => {
      await start({ job_seed: named('found-ended') });
      await insert(named('found-ended'), 'x');
      await agent.post(`jobs/${named('found-ended')}/end`);
      const { entries } = await agent.post<{ entries: Entry[] }>(
        `jobs/${named('found-ended')}/wm/find`,
        {},
      );
      expect(entries).toHaveLength(1);
      expect((await log.types(`job-${named('found-ended')}`)).at(-1)).toBe('episodic_summary');
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
      expect(results[5]?.['status']).toBe('ended');
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

    it('J9 a batch may have 1 to 500 commands', async () => {
      await start({ job_seed: named('five-hundred') });
      const insertion = { op: 'wm_insert', type: 'temp', value: 1 };
      const { results } = await batch(named('five-hundred'), Array(500).fill(insertion));
      expect(results).toHaveLength(500);
      for (const commands of [Array(501).fill(insertion), []])
        await agent.refused('INVALID_INPUT', 'POST', `jobs/${named('five-hundred')}/commands`, {
          body: { commands },
        });
    });

    it('J9 a batch may have up to 1,000 ticks in all; 1,001 and 0 are refused', async () => {
      await start({ job_seed: named('thousand') });
      await tick(named('thousand'), 1_000);
      expect((await job(named('thousand'))).tick).toBe(1_000);
      for (const count of [1_001, 0, 1.5])
        await agent.refused('INVALID_INPUT', 'POST', `jobs/${named('thousand')}/ticks`, {
          body: { count },
        });
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

  it('J10 a read of a job shows every command that was acknowledged before it', async () => {
    await start({ job_seed: named('fresh') });
    for (const n of range(20)) {
      const { version } = await insert(named('fresh'), n);
      expect((await job(named('fresh'))).version).toBe(version);
    }
  });

  it('E1 an episode has at most 2,000 characters of summary and 256 KB of payload', async () => {
    await start({ job_seed: named('episode-sizes') });
    await agent.post(`jobs/${named('episode-sizes')}/episodes`, {
      summary: '😀'.repeat(2_000),
      payload: 'x'.repeat(256 * 1024 - 2),
      evidence: [{ seen: 'here' }],
      source: 'executor',
    });
    for (const body of [
      { summary: 'x'.repeat(2_001) },
      { summary: 's', payload: 'x'.repeat(256 * 1024 - 1) },
      { summary: 's', source: 'somebody' },
      { summary: 's', evidence: ['text'] },
      { payload: 1 },
    ])
      await agent.refused('INVALID_INPUT', 'POST', `jobs/${named('episode-sizes')}/episodes`, {
        body,
      });
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
