import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MaceClient } from '#client/mace-client.js';
import { named } from '#test/support/named.js';
import { TestService } from '#test/support/service.js';

const SEED = named('moved-through');
const ENTRIES = 150;

describe('A reader who moves through a job', () => {
  let service: TestService;
  let agent: MaceClient;
  let auditor: MaceClient;

  beforeAll(async () => {
    service = await TestService.shared();
    agent = new MaceClient({ baseUrl: service.url, token: await service.token(['agent']) });
    auditor = new MaceClient({ baseUrl: service.url, token: await service.token(['auditor']) });
    await agent.jobs.start({ job_seed: SEED, goal: 'Count the boxes' });
    const job = agent.job(SEED);
    for (let box = 1; box <= ENTRIES; box += 1)
      await job.batch([
        { op: 'wm_insert', type: 'fact', value: `Box ${box} is ${box % 2 ? 'red' : 'Blue'}` },
        { op: 'tick' },
      ]);
  });
  afterAll(() => service.stop());

  it('X3 every state of a job is the one that ?version= gives', async () => {
    const job = auditor.job(SEED);
    const { version } = await job.timeline();
    expect(version).toBeGreaterThan(2 * ENTRIES);
    for (const number of [0, 1, 2, 255, 256, 300, version]) {
      const { episodes, query, ...state } = await job.stateAfter(number);
      expect(state).toStrictEqual(await job.get({ version: number }));
      expect([episodes, query]).toStrictEqual([0, null]);
    }
    await expect(job.stateAfter(version + 1)).rejects.toThrow(/beyond the last event/);
  });

  it('the timeline gives the type of every event and the events at which a tick begins, also of new ones', async () => {
    const job = auditor.job(SEED);
    const before = await job.timeline();
    await agent.job(SEED).goal('Count the lids');
    const after = await job.timeline();
    expect(after.version).toBe(before.version + 1);
    expect(after.types[after.type_of.at(-1) ?? -1]).toBe('goal_set');
    const { events } = await job.events({ limit: 1000 });
    expect(after.type_of.map((code) => after.types[code])).toStrictEqual(
      events.map(({ type }) => type),
    );
    const begun = events.filter(({ type }) => type === 'ticked');
    expect(after.ticks).toStrictEqual(begun.map(({ number }) => number));
    expect(after.broken_at).toBeNull();
  });

  it('conditions on type, kind, tick and text are combined, and the matches are counted', async () => {
    const job = auditor.job(SEED);
    const all = (await job.events({ limit: 1000 })).events;
    const blue = await job.events({
      types: 'wm_inserted',
      text: 'IS BLUE',
      from_tick: 10,
      to_tick: 19,
    });
    expect(blue.events.map(({ data }) => data['value'])).toStrictEqual(
      [12, 14, 16, 18, 20].map((box) => `Box ${box} is Blue`),
    );
    const [, second, third, fourth] = blue.events;
    const asked = { types: 'wm_inserted', text: 'is blue', from_tick: 10, to_tick: 19 };
    const middle = await job.events({ ...asked, from: third!.number, limit: 1 });
    expect(middle.matches).toStrictEqual({
      ...{ count: 5, before: 2 },
      previous: second?.number,
      next: fourth?.number,
    });
    expect(middle.next_from).toBe(fourth?.number);
    const outcomes = (await job.events({ kind: 'outcome', limit: 1000 })).events;
    expect(outcomes).toStrictEqual(all.filter(({ metadata }) => metadata['kind'] === 'outcome'));
    const skipped = await job.events({ kind: 'outcome', skip: 3, limit: 2 });
    expect(skipped.events).toStrictEqual(outcomes.slice(3, 5));
  });

  it('a search for a text sees the events that came after the first search', async () => {
    const job = auditor.job(SEED);
    const count = async () => (await job.events({ text: 'a late box', limit: 1 })).matches?.count;
    expect(await count()).toBe(0);
    await agent.job(SEED).insert({ type: 'hint', value: 'A late box' });
    expect(await count()).toBe(1);
  });

  it('an event is shown as plain text', async () => {
    expect(await auditor.job(SEED).plainEvent(0)).toContain('data.goal: Count the boxes');
  });

  it('jobs are listed by their owner', async () => {
    const sub = named('owner');
    const token = await service.token(['agent'], { sub });
    const other = new MaceClient({ baseUrl: service.url, token });
    await other.jobs.start({ job_seed: named('of-another') });
    const { jobs } = await auditor.jobs.list({ owner: sub }, { after: other.position! });
    expect(jobs.map(({ job_seed }) => job_seed)).toStrictEqual([named('of-another')]);
  });
});
