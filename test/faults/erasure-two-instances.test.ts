import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { Caller } from '#test/support/caller.js';
import {
  askedErasure,
  DataSubject,
  decided,
  EMAIL,
  execution,
  type Receipt,
} from '#test/support/data-subject.js';
import { named } from '#test/support/named.js';
import { LogReader } from '#test/support/read-log.js';
import { startTestEventStore, startTestPostgres, type TestServer } from '#test/support/servers.js';
import { TestService } from '#test/support/service.js';
import { KillableService } from './support/killable-service.js';
import { until } from './support/until.js';

const VALUES = 10_000;
const BATCH = 500;
const LIMIT_MS = 5_000;

describe('An erasure with two instances (SPEC G6)', () => {
  let servers: { eventStore: TestServer; postgres: TestServer };
  let log: LogReader;
  let first: TestService;
  let second: TestService;

  beforeAll(async () => {
    servers = { eventStore: await startTestEventStore(), postgres: await startTestPostgres() };
    log = new LogReader(servers.eventStore.url);
    first = await TestService.start({ servers });
    second = await TestService.start({ servers });
    for (const service of [first, second]) await service.caughtUp();
  });
  afterAll(async () => {
    await log?.close();
    await first?.stop();
    await second?.stop();
    await servers?.postgres.stop();
    await servers?.eventStore.stop();
  });

  async function approved(person: DataSubject) {
    const request = await askedErasure(person.user, person.subject);
    await decided(await Caller.of(first, 'council'), request);
    return request;
  }

  it('after its answer, the other instance neither opens nor seals with the destroyed key', async () => {
    const person = await DataSubject.of(first, 'two-instances');
    const there = await Caller.of(second, 'user', { sub: person.user_id });
    // The other instance has the key in memory.
    expect(await there.get(`sem/${person.key}`)).toMatchObject({ value: EMAIL });
    await there.did('PUT', `sem/${person.key}`, { body: { value: `b.${EMAIL}` } });
    const request = await approved(person);
    await (await Caller.of(first, 'admin')).post(execution(request));
    expect(await there.get(`sem/${person.key}`)).toMatchObject({ value: { erased: true } });
    await there.did('PUT', `sem/${person.key}`, { body: { value: `c.${EMAIL}` } });
    expect(await there.get(`sem/${person.key}`)).toMatchObject({ value: `c.${EMAIL}` });
    const kids = (await log.events(`sem-${person.key}`)).map(({ data }) => {
      const { jwe } = (data as { sealed: { jwe: string } }).sealed;
      const header = Buffer.from(jwe.split('.')[0] ?? '', 'base64url').toString();
      return (JSON.parse(header) as { kid: string }).kid.slice(person.subject.length);
    });
    expect(kids).toStrictEqual(['#1', '#1', '#2']);
  });

  it('writes that the other instance seals meanwhile are in the manifest if they came before the order, or under a new key', async () => {
    const person = await DataSubject.of(first, 'meanwhile');
    const there = await Caller.of(second, 'agent', { user_id: person.user_id });
    const request = await approved(person);
    let isDone = false;
    const writing = (async () => {
      const path = `jobs/${person.job_seed}/wm`;
      for (let count = 0; !isDone; count += 1, await delay(5)) {
        const write = { body: { type: 'fact', value: EMAIL }, key: `meanwhile-${count}` };
        // What is sealed with the old key after the order is not acknowledged; its retry seals it anew.
        let answer = await there.ask('POST', path, write);
        for (; answer.body.error_code === 'MEMORY_WRITE_FAIL'; await delay(5))
          answer = await there.ask('POST', path, write);
        expect(answer.status).toBeLessThan(300);
      }
    })();
    const receipt = await (await Caller.of(first, 'admin')).post<Receipt>(execution(request));
    isDone = true;
    await writing;
    const events = [
      ...(await log.events(`job-${person.job_seed}`)),
      ...(await log.events(`sem-${person.key}`)),
    ];
    const order = (await log.events(receipt.event.stream)).find(
      ({ type }) => type === 'erasure_ordered',
    );
    const under = (kid: string, before = Infinity) =>
      events.filter(({ data, position }) => {
        if (position > before) return false;
        const header = (data as { sealed?: { jwe: string } }).sealed?.jwe.split('.')[0] ?? '';
        return Buffer.from(header, 'base64url').toString().includes(`"${kid}"`);
      }).length;
    expect(receipt.manifest.events).toBe(under(`${person.subject}#1`, Number(order?.position)));
    expect(under(`${person.subject}#2`)).toBeGreaterThan(0);
  });

  it(`an erasure of ${VALUES} sealed values counts them all, and takes less than ${LIMIT_MS} ms`, async () => {
    const person = await DataSubject.of(first, 'many');
    for (let written = 0; written < VALUES; written += BATCH) {
      const job_seed = named(`many-${written}`);
      await person.agent.post('jobs', { job_seed });
      const insert = { op: 'wm_insert', type: 'fact', value: { mail: EMAIL } };
      const commands = new Array<object>(BATCH).fill(insert);
      await person.agent.post(`jobs/${job_seed}/commands`, { commands });
    }
    const request = await approved(person);
    const admin = await Caller.of(first, 'admin');
    const began = performance.now();
    const { manifest } = await admin.post<Receipt>(execution(request));
    const took = performance.now() - began;
    console.info(`An erasure of ${VALUES} sealed values took ${Math.round(took)} ms.`);
    // With those that the person has written before.
    expect(manifest).toMatchObject({ events: VALUES + 2, streams: VALUES / BATCH + 2 });
    expect(took).toBeLessThan(LIMIT_MS);
  });
});

describe('An erasure whose instance dies between the order and the deletion_event (SPEC G6)', () => {
  let servers: { eventStore: TestServer; postgres: TestServer };
  let dying: KillableService;
  let other: TestService;
  let log: LogReader;
  let rows: pg.Client;

  beforeAll(async () => {
    servers = { eventStore: await startTestEventStore(), postgres: await startTestPostgres() };
    dying = await KillableService.start({
      MACE_EVENTSTORE_URL: servers.eventStore.url,
      MACE_POSTGRES_URL: servers.postgres.url,
    });
    log = new LogReader(servers.eventStore.url);
    rows = new pg.Client({ connectionString: servers.postgres.url });
    await rows.connect();
  });
  afterAll(async () => {
    await rows?.end();
    await log?.close();
    await other?.stop();
    await dying?.stop();
    await servers?.postgres.stop();
    await servers?.eventStore.stop();
  });

  it('is finished by another instance, once', async () => {
    const person = await DataSubject.of(dying, 'dying');
    const request = await askedErasure(person.user, person.subject);
    await decided(await Caller.of(dying, 'council'), request);
    const admin = await Caller.of(dying, 'admin');
    const stream = `request-${request.request_id}`;
    const types = () => log.types(stream);
    const lost = admin.ask('POST', execution(request), { body: {} }).catch(() => undefined);
    await until('the key is destroyed', async () => {
      const { rows: keys } = await rows.query(
        'select from subject_keys.subject_key where subject = $1 and wrapped is null',
        [person.subject],
      );
      return keys.length > 0;
    });
    await dying.kill();
    await lost;
    expect(await types()).not.toContain('deletion_event');

    other = await TestService.start({ servers });
    await until('the erasure is finished', async () => (await types()).includes('deletion_event'));
    const there = await Caller.of(other, 'admin');
    const receipt = await there.post<Receipt>(execution(request));
    expect(receipt).toMatchObject({
      destroyed_keys: [`${person.subject}#1`],
      manifest: { events: 2 },
    });
    await dying.restart();
    expect(await (await Caller.of(dying, 'admin')).post(execution(request))).toStrictEqual(receipt);
    expect((await types()).filter((type) => type === 'deletion_event')).toHaveLength(1);
  });
});
