import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { until } from '#test/faults/support/until.js';
import { Caller } from '#test/support/caller.js';
import { ensure } from '#test/support/ensure.js';
import { named } from '#test/support/named.js';
import { LogReader } from '#test/support/read-log.js';
import { TestService } from '#test/support/service.js';

interface Hit {
  readonly kind: string;
  readonly text: string;
  readonly time: string;
  readonly shown_at: string;
  readonly source: { readonly stream: string; readonly number: number };
}

interface Recalled {
  readonly recalled: readonly { readonly text: string; readonly time: string; line: string }[];
}

/** A UUIDv7 of 2022-02-22T19:22:22Z, and a ULID of 2016-07-30T23:54:10.259Z, which no other test uses. */
const UUID_V7 = `017f22e2-79b0-7${randomUUID().slice(15)}`;
const ULID = `01ARZ3NDEK${randomUUID().replaceAll('-', '').slice(0, 16).toUpperCase()}`;

/** A word that only this file writes. */
const own = (word: string): string => named(word).replace('_', '');

describe('The time that was given, the clock, and logical time (W6)', () => {
  let service: TestService;
  let log: LogReader;
  let agent: Caller;
  let admin: Caller;

  beforeAll(async () => {
    service = await TestService.start({ ownLog: true });
    log = new LogReader(service.eventStore.url);
    agent = await Caller.of(service, 'agent', { sub: named('agent') });
    admin = await Caller.of(service, 'admin', { sub: named('admin') });
  });
  afterAll(async () => {
    await log?.close();
    await service?.stop();
  });

  const search = async (query: string, more: object = {}): Promise<readonly Hit[]> => {
    const after = (await log.position())?.toString() ?? '0';
    return (await admin.post<{ hits: Hit[] }>('search', { query, ...more }, { after })).hits;
  };
  const recordedAt = async ({ source: { stream, number } }: Hit): Promise<string> => {
    const event = (await log.events(stream))[number];
    ensure(event);
    return event.metadata.recorded_at;
  };
  const start = async (job: object = {}): Promise<string> =>
    (await agent.post<{ job_seed: string }>('jobs', job)).job_seed;
  const write = (job: string, summary: string) => agent.post(`jobs/${job}/episodes`, { summary });

  it('a hit shows the time that the start of its job gave', async () => {
    const given = [
      [{ job_seed: named('epoch'), seeded_epoch: '2024-05-01T08:00:00Z' }, '2024-05-01T08:00:00'],
      [{ job_seed: UUID_V7 }, '2022-02-22T19:22:22'],
      [{ job_seed: ULID }, '2016-07-30T23:54:10'],
    ] as const;
    for (const [job, time] of given) {
      const seed = await start(job);
      await write(seed, `${own('heron')} flew`);
      await agent.post(`jobs/${seed}/wm`, { type: 'fact', value: own('heron') });
      const hits = await search(own('heron'), { job_seed: seed });
      expect(hits.map(({ kind }) => kind).sort()).toStrictEqual(['episode', 'wm']);
      for (const hit of hits) {
        expect(hit.shown_at.slice(0, 19)).toBe(time);
        expect(hit.shown_at).toBe(hit.time);
      }
    }
    const minted = await start();
    await write(minted, `${own('stork')} flew`);
    const [hit] = await search(own('stork'));
    ensure(hit);
    expect(Date.parse(await recordedAt(hit)) - Date.parse(hit.shown_at)).toBeLessThan(60_000);
  });

  it('a hit of a job whose time is logical shows when it was written, and is ranked by the logical time', async () => {
    const seed = await start({ job_seed: named('logical') });
    await write(seed, `${own('crane')} flew`);
    const { wm_id } = await agent.post<{ wm_id: string }>(`jobs/${seed}/wm`, {
      ...{ type: 'fact', value: own('crane') },
    });
    const wm = await search(own('crane'), { kinds: ['wm'] });
    for (let use = 0; use < 2; use += 1) await agent.post(`jobs/${seed}/wm/${wm_id}/references`);
    await agent.post(`jobs/${seed}/ticks`);
    const hits = [...wm, ...(await search(own('crane'), { kinds: ['cwm', 'episode'] }))];
    expect(hits.map(({ kind }) => kind).sort()).toStrictEqual(['cwm', 'episode', 'wm']);
    for (const hit of hits) {
      expect(hit.shown_at).toBe(await recordedAt(hit));
      const event = (await log.events(hit.source.stream))[hit.source.number];
      expect(hit.time).toBe(event?.metadata.seeded_ts);
    }
  });

  it('a fact shows its own timestamp, and the episode of a proposal shows when it was written', async () => {
    const key = `world/fact/${own('egret')}/home`;
    const timestamp = '2020-01-02T03:04:05.000Z';
    await admin.did('PUT', `sem/${key}`, { body: { value: 'the marsh', timestamp } });
    expect(await search(own('egret'))).toMatchObject([{ shown_at: timestamp }]);
    const job = await start({ job_seed: named('proposing') });
    const { episodic_id } = await agent.post<{ episodic_id: string }>(`jobs/${job}/episodes`, {
      summary: 'A bird was seen.',
    });
    await agent.post('action-requests', {
      ...{ target_sem_key: `world/fact/${own('ibis')}/home`, value: 'the lake' },
      ...{ episodic_id, justification: `Somebody saw an ${own('ibis')}.` },
    });
    const [hit] = await search(own('ibis'), { kinds: ['episode'] });
    ensure(hit);
    expect(hit.source.stream).toMatch(/^request-/);
    expect(hit.shown_at).toBe(await recordedAt(hit));
  });

  it('a recall dates its lines by the shown time', async () => {
    const seed = await start({ job_seed: named('told') });
    await write(seed, `The ${own('grebe')} dives.`);
    const [hit] = await search(own('grebe'));
    ensure(hit);
    const { recalled } = await agent.post<Recalled>('recall', {
      ...{ query: own('grebe'), user_id: named('ada'), shared: true },
    });
    const found = recalled.find(({ text }) => text.includes(own('grebe')));
    expect(found).toMatchObject({
      time: hit.shown_at,
      line: `${hit.shown_at.slice(0, 10)}: The ${own('grebe')} dives.`,
    });
  });

  it('recorded_window finds by the clock what time_window finds by the time of the ranking', async () => {
    const old = await start({ job_seed: named('old'), seeded_epoch: '2001-01-01T00:00:00Z' });
    await write(old, `${own('rail')} one`);
    const logical = await start({ job_seed: named('hashed') });
    await write(logical, `${own('rail')} two`);
    const texts = async (more: object): Promise<string[]> =>
      (await search(own('rail'), more)).map(({ text }) => text.slice(-3)).sort();
    const [first] = await search(own('rail'), { job_seed: old });
    const [second] = await search(own('rail'), { job_seed: logical });
    ensure(first);
    ensure(second);
    const [from, to] = [await recordedAt(first), await recordedAt(second)];
    const before = new Date(Date.parse(from) - 1).toISOString();
    const after = new Date(Date.parse(to) + 1).toISOString();
    expect(await texts({ recorded_window: { from, to } })).toStrictEqual(['one', 'two']);
    expect(await texts({ recorded_window: { to: before } })).toStrictEqual([]);
    expect(await texts({ recorded_window: { from: after } })).toStrictEqual([]);
    expect(await texts({ time_window: { to: '2002-01-01T00:00:00Z' } })).toStrictEqual(['one']);
    const both = { recorded_window: { from }, time_window: { from: '2002-01-01T00:00:00Z' } };
    expect(await texts(both)).toStrictEqual(['two']);
    const past = { as_of: (BigInt((await log.position())!) - 1n).toString() };
    expect(await texts({ ...past, recorded_window: { from } })).toStrictEqual(['one']);
  });

  it('a rebuild shows the same times', async () => {
    const seed = await start({ job_seed: named('rebuilt') });
    await write(seed, `${own('snipe')} flew`);
    const more = { recorded_window: { from: '2026-01-01T00:00:00Z' } };
    const first = await search(own('snipe'), more);
    expect(first).toHaveLength(1);
    await admin.post('projections/search/rebuild');
    await until('the index is rebuilt', async () => {
      const { projections } = await admin.get<{ projections: { rebuilding: boolean }[] }>(
        'projections',
      );
      return projections.every(({ rebuilding }) => !rebuilding);
    });
    expect(await search(own('snipe'), more)).toStrictEqual(first);
  });
});
