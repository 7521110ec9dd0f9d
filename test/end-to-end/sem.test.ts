import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { canonicalJson } from '#domain/determinism/canonical-json.js';
import type { Json } from '#domain/json.js';
import { Caller } from '#test/support/caller.js';
import { named } from '#test/support/named.js';
import { LogReader } from '#test/support/read-log.js';
import {
  type OwnEventStore,
  startOwnEventStore,
  startTestPostgres,
} from '#test/support/servers.js';
import { TestService } from '#test/support/service.js';
import { ensure } from '#test/support/ensure.js';

interface Fact {
  readonly key: string;
  readonly value: Json;
  readonly source: string;
  readonly last_updated: string;
  readonly meta: unknown;
  readonly version: number;
}
interface Written {
  readonly superseded: boolean;
  readonly timestamp: string;
  readonly version: number;
}
interface Page {
  readonly facts: readonly Fact[];
  readonly next_cursor: string | null;
}
interface Started {
  readonly snapshots: Readonly<Record<string, string | number>>;
}

describe('Stable facts', () => {
  let eventStore: OwnEventStore;
  let service: TestService;
  let log: LogReader;
  let admin: Caller;
  let agent: Caller;
  let auditor: Caller;

  beforeAll(async () => {
    // The last test kills the event store.
    eventStore = await startOwnEventStore();
    service = await TestService.start({
      servers: { eventStore, postgres: await startTestPostgres() },
    });
    log = new LogReader(service.eventStore.url);
    admin = await Caller.of(service, 'admin');
    agent = await Caller.of(service, 'agent');
    auditor = await Caller.of(service, 'auditor');
  });
  afterAll(async () => {
    await log?.close();
    await service?.stop();
    await Promise.all([eventStore?.stop(), service?.postgres.stop()]);
  });

  const put = async (key: string, body: object, by = admin): Promise<Written> =>
    (await by.did<Written>('PUT', `sem/${key}`, { body })).body;
  const get = (key: string, query = '', by = admin): Promise<Fact> =>
    by.get<Fact>(`sem/${key}${query}`);
  const missing = (key: string, query = '', by = admin) =>
    by.refused('SEM_NOT_FOUND', 'GET', `sem/${key}${query}`);
  const start = (job_seed: string): Promise<Started> => agent.post<Started>('jobs', { job_seed });

  it('S1 a read of a missing fact is SEM_NOT_FOUND, and the error’s result says that the fact does not exist', async () => {
    const body = await missing('world/fact/nothing/here');
    expect(body.status).toBe(400);
    expect(body['result']).toStrictEqual({ exists: false, value: null });
  });

  it('K1 a path that is not a canonical key is refused; the service never searches for similar keys', async () => {
    await put('world/fact/exact/value', { value: 1 });
    for (const key of [
      'World/fact/exact/value',
      'world/fact/Exact/value',
      'planet/fact/exact/value',
      'world/fact/ex%20act/value',
      `world/fact/${'x'.repeat(65)}/value`,
      'world/fact/exact/va-lue',
    ])
      await admin.refused('INVALID_INPUT', 'GET', `sem/${key}`);
    await missing('world/fact/exac/value');
  });

  it('S2 a value can be any JSON, and is returned unchanged', async () => {
    const values = [null, false, 0, -1.5, '', 'naïve 😀', [], {}, [[{ a: null }]], '__proto__'];
    for (const [index, value] of values.entries()) {
      await put(`world/value/v${index}/json`, { value });
      expect((await get(`world/value/v${index}/json`)).value).toStrictEqual(value);
    }
    const hostile = '{"value":{"__proto__":{"x":1},"constructor":2}}';
    await admin.did('PUT', 'sem/world/value/hostile/json', { body: hostile });
    const back = (await get('world/value/hostile/json')).value as object;
    expect(Object.keys(back).sort()).toStrictEqual(['__proto__', 'constructor']);
  });

  it('X3 reading a fact at an impossible version is refused', async () => {
    await put('world/fact/versions/value', { value: 1 });
    for (const version of ['-1', '1', '2147483648', '1e3', 'x'])
      await admin.refused(
        'INVALID_INPUT',
        'GET',
        `sem/world/fact/versions/value?version=${version}`,
      );
  });

  describe('who may write', () => {
    const value = { body: { value: 1 } };

    it('S4 S5 a user writes facts under the user’s own entity id, an admin writes and deletes every fact, and other roles do neither', async () => {
      const cleo = await Caller.of(service, 'user', { sub: 'cleo' });
      const council = await Caller.of(service, 'council');
      await put('user/settings/user_cleo/theme', { value: 'dark', source: 'user' }, cleo);
      await cleo.refused('PERMISSION_DENIED', 'PUT', 'sem/user/settings/user_cleo/theme', {
        body: { value: 'light', source: 'system' },
      });
      for (const key of ['user/profile/user_ann/city', 'world/fact/a/b', 'mace/config/a/b']) {
        for (const caller of [cleo, agent, auditor, council])
          await caller.refused('PERMISSION_DENIED', 'PUT', `sem/${key}`, value);
        await put(key, { value: 1 });
        for (const caller of [cleo, agent, auditor, council])
          await caller.refused('PERMISSION_DENIED', 'DELETE', `sem/${key}`);
        expect(await log.types(`sem-${key}`)).toStrictEqual(['fact_put']);
      }
    });

    it('S3 S5 a deletion competes with puts by its timestamp, and a fact that it has hidden is missing', async () => {
      const key = 'world/fact/deleted/value';
      await put(key, { value: 1, timestamp: at(5) });
      const erase = async (timestamp: string) =>
        (await admin.did<Written>('DELETE', `sem/${key}?timestamp=${timestamp}`)).body.superseded;
      expect([await erase(at(4)), await erase(at(7))]).toStrictEqual([true, false]);
      await missing(key);
      await admin.refused('SEM_NOT_FOUND', 'DELETE', `sem/${key}`);
      expect((await put(key, { value: 2, timestamp: at(6) })).superseded).toBe(true);
      await missing(key);
      await put(key, { value: 3, timestamp: at(8) });
      expect((await get(key)).value).toBe(3);
      expect(await log.types(`sem-${key}`)).toStrictEqual([
        ...['fact_put', 'fact_deleted', 'fact_deleted', 'fact_put', 'fact_put'],
      ]);
    });

    it('S4 agents on the trusted list write agent and world facts as soon as the list names them', async () => {
      const list = 'mace/config/agents_allowed_writes/subs';
      const trusted = await Caller.of(service, 'agent', { sub: 'trusted' });
      const world = 'sem/world/fact/trusted/value';
      await trusted.refused('PERMISSION_DENIED', 'PUT', world, value);
      await put(list, { value: ['trusted'] });
      await trusted.did('PUT', world, value);
      await trusted.did('PUT', 'sem/agent/note/trusted/value', value);
      expect((await get('world/fact/trusted/value')).source).toBe('agent:trusted');
      for (const key of ['mace/config/x/y', 'user/profile/user_ann/x', 'system/a/b/c', list])
        await trusted.refused('PERMISSION_DENIED', 'PUT', `sem/${key}`, value);
      await agent.refused('PERMISSION_DENIED', 'PUT', world, value);
      await put(list, { value: [] });
      await trusted.refused('PERMISSION_DENIED', 'PUT', world, value);
      await put(list, { value: 'trusted' });
      await trusted.refused('PERMISSION_DENIED', 'PUT', world, value);
    });
  });

  it('S6 a read or list sees every write that was acknowledged before it began', async () => {
    for (let round = 0; round < 15; round += 1) {
      await put('world/fact/fresh/value', { value: round });
      expect((await get('world/fact/fresh/value')).value).toBe(round);
      await put(`world/fresh/f${round}/value`, { value: round });
      const { facts } = await admin.get<Page>('sem?prefix=world/fresh/');
      expect(facts).toHaveLength(round + 1);
    }
  });

  it('S1 search lists facts by prefix, in byte order, in pages', async () => {
    for (const id of ['b', 'a_1', 'a', 'a-1']) await put(`config/listed/${id}/v`, { value: id });
    const pages: string[][] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: Page = await agent.get(
        `sem?prefix=config/listed/&limit=3&cursor=${encodeURIComponent(cursor)}`,
      );
      pages.push(page.facts.map(({ key }) => key));
      cursor = page.next_cursor;
    }
    const keys = ['a', 'a-1', 'a_1', 'b'].map((id) => `config/listed/${id}/v`);
    expect(pages.flat()).toStrictEqual([...keys].sort());
    expect(pages.map(({ length }) => length)).toStrictEqual([3, 1]);
    const typed = await agent.get<Page>(`sem?prefix=${encodeURIComponent('Config/Listed/A-')}`);
    expect(typed.facts.map(({ key }) => key)).toStrictEqual(['config/listed/a-1/v']);
  });

  describe('snapshots', () => {
    it('S8 a snapshot’s hash covers the key, the canonical value and the timestamp of each current fact', async () => {
      const { snapshots } = await start('hashed');
      const lines: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const page: Page = await admin.get(`sem?limit=1000&cursor=${cursor}`);
        for (const { key, value, last_updated } of page.facts)
          lines.push(`${key}\t${canonicalJson(value)}\t${last_updated}`);
        cursor = page.next_cursor;
      }
      const bytes = lines
        .map((line) => Buffer.from(line))
        .sort((left, right) => Buffer.compare(left, right));
      const hash = createHash('sha256').update(bytes.join('\n')).digest('hex');
      expect(snapshots['sem_snapshot_hash']).toBe(hash);
    });

    it('S8 X3 a fact that is read at a snapshot, at a job’s snapshot or at a version never changes', async () => {
      const key = 'world/fact/history/value';
      const first = await put(key, { value: 'one', timestamp: at(1) });
      const { snapshots } = await start('history-1');
      const id = String(snapshots['sem_snapshot_id']);
      await put(key, { value: 'lost', timestamp: at(0) });
      await put(key, { value: 'two', timestamp: at(2) });
      await start('history-2');
      await admin.did('DELETE', `sem/${key}?timestamp=${at(3)}`);
      for (let round = 0; round < 2; round += 1) {
        expect((await get(key, `?snapshot_id=${id}`)).value).toBe('one');
        expect((await get(key, '?job_seed=history-1', agent)).value).toBe('one');
        expect((await get(key, '?job_seed=history-2', agent)).value).toBe('two');
        const values: unknown[] = [];
        for (const version of [0, 1, 2]) values.push((await get(key, `?version=${version}`)).value);
        expect(values).toStrictEqual(['one', 'one', 'two']);
        await missing(key, '?version=3');
        await admin.refused('INVALID_INPUT', 'GET', `sem/${key}?version=2147483647`);
        await missing(key);
        await put(key, { value: `later ${round}`, timestamp: at(4 + round) });
        await admin.did('DELETE', `sem/${key}?timestamp=${at(4.5 + round)}`);
      }
      expect(first.version).toBe(0);
    });

    it('S8 a snapshot does not contain facts that were written later', async () => {
      const { snapshots } = await start('early');
      await put('world/fact/late/value', { value: 1 });
      await missing('world/fact/late/value', `?snapshot_id=${snapshots['sem_snapshot_id']}`);
      await missing('world/fact/late/value', '?job_seed=early', agent);
    });

    it('S8 an auditor can read a whole snapshot once it is pinned, and the snapshot never changes', async () => {
      await put('world/fact/audited/value', { value: 'then' });
      const { snapshots } = await start('audited');
      const id = String(snapshots['sem_snapshot_id']);
      const read = async () => {
        const facts: Fact[] = [];
        let cursor: string | null = '';
        while (cursor !== null) {
          const page: Page = await auditor.get(`sem-snapshots/${id}?limit=7&cursor=${cursor}`);
          facts.push(...page.facts);
          cursor = page.next_cursor;
        }
        return facts.map(({ key, value }) => [key, value]);
      };
      const facts = await read();
      expect(
        facts.some(([key, value]) => key === 'world/fact/audited/value' && value === 'then'),
      ).toBe(true);
      await put('world/fact/audited/value', { value: 'now' });
      await put('world/fact/another/value', { value: 'now' });
      expect(await read()).toStrictEqual(facts);
      await auditor.refused('NOT_FOUND', 'GET', `sem-snapshots/sem:${'0'.repeat(64)}`);
      await agent.refused('PERMISSION_DENIED', 'GET', `sem-snapshots/${id}`);
    });

    it('J10 a job’s reads are recorded in order, hits and misses alike', async () => {
      const { snapshots } = await start('reads');
      await get('world/fact/exact/value', '?job_seed=reads', agent);
      await missing('world/fact/none/value', '?job_seed=reads', agent);
      await agent.post('episodes/query', { query_terms: 'nothing at all', job_seed: 'reads' });
      const reads = (await log.events('job-reads')).filter(({ type }) => type === 'memory_read');
      expect(reads.map(({ data }) => [data['kind'], data['ids']])).toStrictEqual([
        ['sem_get', ['world/fact/exact/value']],
        ['sem_get', ['world/fact/none/value']],
        ['episodes_query', []],
      ]);
      for (const { data } of reads)
        expect(data['sem_snapshot_hash']).toBe(snapshots['sem_snapshot_hash']);
      const other = await Caller.of(service, 'agent', { sub: 'other' });
      await other.refused('PERMISSION_DENIED', 'GET', 'sem/world/fact/exact/value?job_seed=reads');
      await agent.refused(
        'INVALID_INPUT',
        'GET',
        'sem/world/fact/exact/value?job_seed=reads&version=0',
      );
    });
  });

  it('S10 a write records its author and the keyed hash of the value, which differs from any plain hash', async () => {
    await put('world/fact/recorded/value', { value: 'secret' });
    const [event] = await log.events('sem-world/fact/recorded/value');
    ensure(event?.metadata.actor === named('admin'));
    const hash = event.metadata['value_hash'] as string;
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(hash).not.toBe(createHash('sha256').update('"secret"').digest('hex'));
  });

  it('S10 one metric counts the keys of each scope, and another counts the appended events', async () => {
    const { body } = await service.call<string>('GET', '/metrics');
    const scopes = [...body.matchAll(/^mace_sem_keys\{scope="(\w+)"\} (\d+)$/gm)];
    const counts = new Map(scopes.map(([, scope, count]) => [scope, Number(count)]));
    const { facts } = await admin.get<Page>('sem?prefix=config/&limit=1000');
    expect(counts.get('config')).toBe(facts.length);
    expect(Number(counts.get('world'))).toBeGreaterThan(10);
    expect(body).toMatch(/^mace_events_appended_total\{category="sem"\} [1-9]\d+$/m);
    expect(body).toMatch(/^mace_events_appended_total\{category="job"\} [1-9]\d*$/m);
  });

  describe('keys', () => {
    const key = async (body: object, by = admin) => by.post('sem-keys', body);
    const fact = { scope: 'world', entity_type: 'fact', attribute: 'definition' };

    it('K4 a caller that may not claim keys gets the title’s key, a free key, or VERSION_CONFLICT', async () => {
      const ask = (entity_id: string, by = agent) => key({ ...fact, entity_id }, by);
      const owned = { key: 'world/fact/ohms_law/definition', claimed: true };
      expect(await ask('Ohms Law!', admin)).toStrictEqual(owned);
      expect(await ask('Ohms law!')).toStrictEqual(owned);
      await agent.refused('VERSION_CONFLICT', 'POST', 'sem-keys', {
        body: { ...fact, entity_id: 'Ohms, law' },
      });
      const free = { key: 'world/fact/nobodys/definition', claimed: false };
      expect(await ask('Nobody’s')).toStrictEqual(free);
      expect(await log.types(`sem-${free.key}`)).toStrictEqual([]);
    });

    it('K4 titles that are claimed at the same time get different keys', async () => {
      const titles = ['Race!', 'race', 'RACE?', '(race)'];
      const answers = await Promise.all(titles.map((entity_id) => key({ ...fact, entity_id })));
      expect(new Set(answers.map((answer) => answer['key'])).size).toBe(4);
      expect(answers.every(({ claimed }) => claimed === true)).toBe(true);
    });
  });

  describe('aliases', () => {
    const alias = async (body: object, by = agent) =>
      (await by.post('sem-aliases/resolve', body))['key'];

    it('K5 in a text without a phrase, the words after “my” are the attribute, provided that a fact with that attribute exists', async () => {
      const dan = await Caller.of(service, 'user', { sub: 'dan' });
      const body = { text: 'when is my dentist appointment?' };
      expect(await alias(body, dan)).toBeNull();
      await put('user/profile/user_dan/dentist_appointment', { value: 'Monday' }, dan);
      expect(await alias(body, dan)).toBe('user/profile/user_dan/dentist_appointment');
      expect(await alias(body)).toBeNull();
    });
  });

  it('S6 a read may be out of date only while the log cannot be reached, and then says so', async () => {
    // A new instance, which has not loaded this user's facts.
    const { postgres } = service;
    const twin = await TestService.start({ servers: { eventStore, postgres } });
    const ed = await Caller.of(twin, 'user', { sub: 'ed' });
    const other = await Caller.of(twin, 'user', { sub: 'other', user_id: 'éd' });
    const name = 'user/profile/user_ed/name';
    await put(name, { value: 'Ed' }, await Caller.of(service, 'user', { sub: 'ed' }));
    await get(name);
    const fresh = await admin.did('GET', 'sem/world/fact/exact/value');
    expect(fresh.headers.get('mace-stale')).toBeNull();
    await log.close();
    await eventStore.kill();
    const stale = await admin.did<Fact>('GET', 'sem/world/fact/exact/value');
    expect(stale.headers.get('mace-stale')).toBe('true');
    expect(stale.body.value).toBe(1);
    const past = await admin.did('GET', 'sem/world/fact/exact/value?version=0');
    expect(past.headers.get('mace-stale')).toBe('true');
    const own = await ed.did<Fact>('GET', `sem/${name}`);
    expect([own.body.value, own.headers.get('mace-stale')]).toStrictEqual(['Ed', 'true']);
    const listed = await ed.did<Page>('GET', 'sem?prefix=user/');
    expect([listed.body.facts.length, listed.headers.get('mace-stale')]).toStrictEqual([1, 'true']);
    await other.refused('PERMISSION_DENIED', 'GET', `sem/${name}`);
    await admin.refused('SEM_WRITE_FAIL', 'PUT', 'sem/world/fact/exact/value', {
      body: { value: 2 },
    });
    await twin.stop();
    await eventStore.restart();
  });
});

const at = (minute: number): string =>
  new Date(Date.parse('2026-03-04T05:00:00Z') + minute * 60_000).toISOString();
