import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { EventStreamBody } from '#apps/api/events/event-stream-body.js';
import { MAX_STREAMS } from '#apps/api/events/event-streams.js';
import type { ErrorEnvelope } from '#domain/errors/envelope.js';
import { Caller, positionOf } from '#test/support/caller.js';
import { type FollowedEvent, FollowedEvents } from '#test/support/followed-events.js';
import { named } from '#test/support/named.js';
import { LogReader } from '#test/support/read-log.js';
import { startOwnEventStore, startTestPostgres } from '#test/support/servers.js';
import { TestService } from '#test/support/service.js';

describe('Streams of server-sent events (SPEC §13)', () => {
  let service: TestService;
  let log: LogReader;
  let agent: Caller;
  let auditor: Caller;

  beforeAll(async () => {
    service = await TestService.start({ ownLog: true });
    log = new LogReader(service.eventStore.url);
    agent = await Caller.of(service, 'agent');
    auditor = await Caller.of(service, 'auditor');
  });
  afterAll(async () => {
    await log?.close();
    await service?.stop();
  });

  const follow = (
    path: string,
    { by = auditor, lastEventId }: { by?: Caller; lastEventId?: string } = {},
  ): Promise<FollowedEvents> =>
    FollowedEvents.open(service, path, {
      token: by.token,
      ...(lastEventId === undefined ? {} : { lastEventId }),
    });
  const namesOf = (events: readonly FollowedEvent[]): string[] =>
    events.map(({ stream, number }) => `${stream}/${number}`);
  const logged = async (after: string): Promise<string[]> =>
    namesOf((await log.since(BigInt(after))) as unknown as FollowedEvent[]);
  /** Starts a job and returns the position of its start. */
  const startJob = async (seed: string, by = agent): Promise<string> =>
    positionOf(await by.did('POST', 'jobs', { body: { job_seed: named(seed) } }));

  describe('GET /v1/jobs/{seed}/events', () => {
    it('shows each event as the JSON route shows it, with its position as its id', async () => {
      await startJob('shown');
      await agent.post(`jobs/${named('shown')}/wm`, { type: 'hint', value: 'mail a@example.org' });
      const { events } = await agent.get<{ events: FollowedEvent[] }>(
        `jobs/${named('shown')}/events`,
      );
      const followed = await follow(`jobs/${named('shown')}/events`, { by: agent });
      expect(followed.response.status).toBe(200);
      expect(followed.response.headers.get('content-type')).toMatch(/^text\/event-stream/);
      expect(await followed.next(events.length)).toStrictEqual(events);
      expect(followed.lastEventId).toBe(events.at(-1)?.position);
      expect(JSON.stringify(events)).not.toContain('a@example.org');
      followed.close();
    });

    it('shows new events as they are appended, and nothing of other jobs', async () => {
      await startJob('live');
      const followed = await follow(`jobs/${named('live')}/events?from=1`, { by: agent });
      await startJob('neighbour');
      await agent.post(`jobs/${named('live')}/ticks`);
      await agent.post(`jobs/${named('neighbour')}/ticks`);
      await agent.post(`jobs/${named('live')}/ticks`);
      expect(namesOf(await followed.next(2))).toStrictEqual([
        `job-${named('live')}/1`,
        `job-${named('live')}/2`,
      ]);
      followed.close();
    });

    it('goes on after Last-Event-ID, without loss or repeat', async () => {
      await startJob('resumed');
      const tick = () => agent.post(`jobs/${named('resumed')}/ticks`);
      const path = `jobs/${named('resumed')}/events`;
      const seen: string[] = [];
      let lastEventId: string | undefined;
      for (let round = 0; round < 4; round += 1) {
        const followed = await follow(path, { by: agent, ...(lastEventId && { lastEventId }) });
        await tick();
        seen.push(...namesOf(await followed.next(1)));
        ({ lastEventId } = followed);
        followed.close();
      }
      await tick();
      const followed = await follow(path, { by: agent, ...(lastEventId && { lastEventId }) });
      seen.push(...namesOf(await followed.next(2)));
      followed.close();
      const numbers = [0, 1, 2, 3, 4, 5];
      expect(seen).toStrictEqual(numbers.map((number) => `job-${named('resumed')}/${number}`));
    });

    it('is refused for another owner’s job, for a page’s parameters, and for a wrong Last-Event-ID', async () => {
      await startJob('guarded');
      const path = `/v1/jobs/${named('guarded')}/events`;
      const code = async (asked: string, headers = {}, by = agent): Promise<string> => {
        const { body } = await service.call<ErrorEnvelope>('GET', asked, {
          token: by.token,
          headers: { accept: 'text/event-stream', ...headers },
        });
        return body.error_code;
      };
      const stranger = await Caller.of(service, 'agent', { sub: named('stranger') });
      expect(await code(path, {}, stranger)).toBe('PERMISSION_DENIED');
      expect(await code('/v1/jobs/unknown/events')).toBe('NOT_FOUND');
      expect(await code(`${path}?limit=1`)).toBe('INVALID_INPUT');
      expect(await code(path, { 'last-event-id': 'x' })).toBe('INVALID_INPUT');
      expect(await code(path, { 'last-event-id': '99999999999' })).toBe('INVALID_INPUT');
    });
  });

  describe('GET /v1/events', () => {
    it('shows an auditor the whole log in its order, without $ streams', async () => {
      await startJob('whole');
      const followed = await follow('events?until=end');
      const events = await followed.rest();
      const all = await log.since(undefined);
      expect(namesOf(events)).toStrictEqual(all.map((e) => `${e.stream}/${e.number}`));
      expect(events.some(({ stream }) => stream.startsWith('$'))).toBe(false);
    });

    it('shows what follows a position, and then what is appended', async () => {
      const start = await startJob('followed');
      const followed = await follow(`events?after=${start}`);
      for (let count = 0; count < 3; count += 1)
        await agent.post(`jobs/${named('followed')}/ticks`);
      const events = await followed.next(3);
      expect(namesOf(events)).toStrictEqual(await logged(start));
      followed.close();
    });

    it('begins at the end of the log with after=end', async () => {
      const followed = await follow('events?after=end');
      await startJob('after-end');
      const [first] = await followed.next(1);
      expect(first?.data['job_seed']).toBe(named('after-end'));
      followed.close();
    });

    it('shows only the asked categories', async () => {
      const start = await startJob('category');
      await agent.post('jobs', { job_seed: named('in-session'), session_id: named('session') });
      const followed = await follow(`events?after=${start}&until=end&categories=session,sem`);
      expect(namesOf(await followed.rest())).toStrictEqual([`session-${named('session')}/0`]);
    });

    it('many readers at different places each get every event once', async () => {
      const start = await startJob('crowd');
      const tick = () => agent.post(`jobs/${named('crowd')}/ticks`, { count: 1 });
      const crowd: FollowedEvents[] = [];
      for (let count = 0; count < 12; count += 1) {
        crowd.push(await follow(`events?after=${start}&categories=job`));
        await tick();
      }
      const expected = Array.from({ length: 12 }, (_, at) => `job-${named('crowd')}/${at + 1}`);
      for (const followed of crowd) {
        expect(namesOf(await followed.next(12))).toStrictEqual(expected);
        followed.close();
      }
    });

    it.each([
      ['after=x', 'INVALID_INPUT'],
      ['after=-1', 'INVALID_INPUT'],
      ['after=99999999999', 'INVALID_INPUT'],
      ['until=99999999999', 'INVALID_INPUT'],
      ['categories=unheard', 'INVALID_INPUT'],
      ['categories=job;sem', 'INVALID_INPUT'],
      ['categories=audit', 'PERMISSION_DENIED'],
      ['limit=1', 'INVALID_INPUT'],
    ] as const)('?%s is refused with %s for an agent', async (query, code) => {
      await agent.refused(code, 'GET', `events?${query}`);
    });

    it('refuses a subject’s further streams once 16 are open, and one more after one has ended', async () => {
      const greedy = await Caller.of(service, 'auditor', { sub: named('greedy') });
      const open = await Promise.all(
        Array.from({ length: MAX_STREAMS }, () => follow('events?after=end', { by: greedy })),
      );
      await greedy.refused('RATE_LIMITED', 'GET', 'events?after=end');
      open[0]?.close();
      let again = await follow('events?after=end', { by: greedy });
      while (again.response.status === 429)
        again = await follow('events?after=end', { by: greedy });
      expect(again.response.status).toBe(200);
      for (const followed of [...open, again]) followed.close();
    });
  });

  describe('I9 What agents, users and the council get', () => {
    const user_id = named('ada');
    let start: string;
    let ada: Caller;
    let adasAgent: Caller;
    let council: Caller;

    beforeAll(async () => {
      start = await startJob('begin');
      ada = await Caller.of(service, 'user', { sub: named('ada-1'), user_id });
      adasAgent = await Caller.of(service, 'agent', { sub: named('bot'), user_id });
      council = await Caller.of(service, 'council');
      const bob = await Caller.of(service, 'agent', { sub: named('bob'), user_id: named('bob') });
      for (const [owner, name] of [
        [adasAgent, 'adas'],
        [bob, 'bobs'],
      ] as const) {
        const job_seed = named(`${name}-job`);
        await owner.post('jobs', { job_seed, session_id: named(`${name}-session`) });
        const { episodic_id } = await owner.post(`jobs/${job_seed}/episodes`, { summary: 'Seen' });
        const key = `user/profile/user_${named(name === 'adas' ? 'ada' : 'bob')}/boat`;
        await owner.did('PUT', `sem/${key}`, { body: { value: 'sloop' } });
        await owner.post('action-requests', {
          ...{ episodic_id, target_sem_key: key, value: 'yawl', justification: 'It was said.' },
        });
        await owner.post('memory/interactions', {
          assistant: 'helper',
          session_id: named(`${name}-talk`),
          memory: { short_term: 4, semantic: true, profile: true },
          user_text: 'I prefer tea. Remember this for me.',
          ai_text: 'Noted.',
        });
        await owner.post('consents', { text: 'Keep it.', scope: 'persistent' });
        await owner.post(`conversations/${name}-chat/items`, { items: [{ said: name }] });
        await owner.did('PUT', 'notes', { body: { namespace: ['trips'], key: name, value: name } });
        await owner.post(`jobs/${job_seed}/end`);
      }
    });

    const streamsFor = async (by: Caller, query = ''): Promise<string[]> => {
      const followed = await follow(`events?after=${start}&until=end${query}`, { by });
      return [...new Set((await followed.rest()).map(({ stream }) => stream))].toSorted();
    };
    const isOwn = (stream: string): boolean => !stream.includes('bob');

    it('an agent gets the streams of its jobs, sessions, requests, logs and user, and no others', async () => {
      const streams = await streamsFor(adasAgent);
      const categories = new Set(streams.map((stream) => stream.replace(/-.*/s, '')));
      expect([...categories].toSorted()).toStrictEqual([
        'consent',
        'conversation',
        'job',
        'memory',
        'note',
        'reflective',
        'request',
        'sem',
        'session',
      ]);
      expect(streams.filter((stream) => !isOwn(stream))).toStrictEqual([]);
      expect(streams).toContain(`memory-user:${named('ada')}`);
      expect(streams.filter((stream) => stream.startsWith('conversation-'))).toHaveLength(1);
      expect(streams.filter((stream) => stream.startsWith('note-'))).toHaveLength(1);
      expect(streams.filter((stream) => stream.startsWith('request-'))).toHaveLength(1);
      expect(streams.filter((stream) => stream.startsWith('reflective-'))).toHaveLength(1);
    });

    it('a user gets what concerns the user, and not the jobs that an agent’s sub has started', async () => {
      const streams = await streamsFor(ada);
      expect(streams).toContain(`sem-user/profile/user_${named('ada')}/boat`);
      expect(streams).toContain(`consent-user_${named('ada')}`);
      expect(streams.filter((stream) => stream.startsWith('job-'))).toStrictEqual([]);
      expect(streams.filter((stream) => !isOwn(stream))).toStrictEqual([]);
    });

    it('an agent without a user gets nothing of users that it has not acted for', async () => {
      const other = await Caller.of(service, 'agent', { sub: named('other') });
      expect(await streamsFor(other)).toStrictEqual([]);
    });

    it('the council gets all jobs, requests, logs, facts, memory and notes, but no consents and no refusals', async () => {
      const streams = await streamsFor(council);
      expect(streams).toContain(`job-${named('bobs-job')}`);
      expect(streams).toContain(`job-${named('adas-job')}`);
      expect(streams.filter((stream) => stream.startsWith('note-'))).toHaveLength(2);
      expect(streams.some((stream) => /^(audit|consent|owner|command)-/.test(stream))).toBe(false);
    });

    it('an open stream shows nothing more of a slug that another raw id has claimed since', async () => {
      const slug = `${named('kim')}_lee`;
      const agentOf = (user: string) =>
        Caller.of(service, 'agent', { sub: named(`for-${user}`), user_id: user });
      const admin = await Caller.of(service, 'admin');
      const late = await agentOf(`${named('kim')}.lee`);
      const owner = await agentOf(slug);
      const put = (by: Caller, value: string) =>
        by.did('PUT', `sem/user/profile/user_${slug}/boat`, { body: { value } });
      const followed = await follow('events?after=end', { by: late });
      await put(admin, 'sloop');
      expect((await followed.next(1))[0]?.data).toMatchObject({ value: 'sloop' });
      await put(owner, 'yawl');
      await late.did('PUT', 'notes', { body: { namespace: ['own'], key: 'k', value: 'ketch' } });
      expect((await followed.next(1))[0]?.data).toMatchObject({ value: 'ketch' });
      followed.close();
    });

    it('a stream that resumes in the middle knows the owner of a job whose start it has not seen', async () => {
      const position = await startJob('middle', adasAgent);
      const followed = await follow(`events?after=${position}`, { by: adasAgent });
      await startJob('others');
      await agent.post(`jobs/${named('others')}/ticks`);
      await adasAgent.post(`jobs/${named('middle')}/ticks`);
      expect(namesOf(await followed.next(1))).toStrictEqual([`job-${named('middle')}/1`]);
      followed.close();
    });
  });

  it('a stream ends when the caller’s token expires', async () => {
    const token = await service.token('auditor', { ttl: 2 });
    const followed = await FollowedEvents.open(service, 'events?after=end', { token });
    expect(followed.response.status).toBe(200);
    await followed.rest();
    expect(Number(await openStreams())).toBe(0);
  });

  const openStreams = async (): Promise<string | undefined> => {
    const { body } = await service.call<string>('GET', '/metrics');
    return /^mace_event_streams (\d+)$/m.exec(body)?.[1];
  };
});

describe('Streams of server-sent events, when servers stop', () => {
  it('a stop of the service ends its streams, and does not wait for a client that reads nothing', async () => {
    const service = await TestService.start({ ownLog: true });
    const token = await service.token('auditor');
    const agent = await Caller.of(service, 'agent');
    const followed = await FollowedEvents.open(service, 'events?after=end', { token });
    const idle = await FollowedEvents.open(service, 'events', { token });
    await agent.post('jobs', { job_seed: named('large') });
    for (let count = 0; count < 60; count += 1)
      await agent.post(`jobs/${named('large')}/episodes`, {
        ...{ summary: 'Large', payload: { text: 'x'.repeat(200_000) } },
      });
    const stopped = service.stop();
    await followed.rest();
    await stopped;
    idle.close();
  });

  it('a stop of the service does not wait for a connection that has sent nothing', async () => {
    const service = await TestService.start({ ownLog: true });
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await new Promise((resolve) => socket.once('connect', resolve));
    await service.stop();
    await closed;
  });

  it('a stream goes on after an outage of the event store, without loss or repeat', async () => {
    const servers = { eventStore: await startOwnEventStore(), postgres: await startTestPostgres() };
    const service = await TestService.start({ servers });
    const token = await service.token('auditor');
    const agent = await Caller.of(service, 'agent');
    const seeds = ['before', 'after', 'later'].map(named);
    const start = (job_seed: string) => agent.ask('POST', 'jobs', { body: { job_seed } });
    const live = await FollowedEvents.open(service, 'events?categories=job', { token });
    await start(seeds[0]!);
    const [before] = await live.next(1);
    await servers.eventStore.kill();
    expect((await start('down')).status).toBe(500);
    await servers.eventStore.restart();
    for (let status = 0; status !== 201;) ({ status } = await start(seeds[1]!));
    await start(seeds[2]!);
    const resumed = await FollowedEvents.open(service, `events?after=${before?.position}`, {
      token,
    });
    for (const followed of [live, resumed]) {
      const seen: unknown[] = [];
      while (seen.at(-1) !== seeds[2]) {
        const [event] = await followed.next(1);
        if (event?.type === 'job_started') seen.push(event.data['job_seed']);
      }
      expect(seen).toStrictEqual(seeds.slice(1));
      followed.close();
    }
    await service.stop();
    await servers.eventStore.stop();
    await servers.postgres.stop();
  });
});

describe('The body of a stream of server-sent events', () => {
  const NEVER = 2 ** 48;
  const textOf = (chunk: unknown): string => String(chunk);

  it('sends a comment at each interval, with an id if the log has gone on without the client', async () => {
    const body = new EventStreamBody(
      async function* (signal) {
        yield { text: 'id: 3\ndata: {}\n\n', upTo: 3n };
        yield { text: '', upTo: 7n };
        await once(signal, 'abort');
      },
      { commentEveryMs: 10, until: NEVER },
    );
    let text = '';
    for await (const chunk of body) {
      text += textOf(chunk);
      if (text.split(': the stream is open').length > 3) break;
    }
    expect(text).toMatch(/^retry: 1000\n\nid: 3\ndata: \{\}\n\n/);
    expect(text.split('\n\n').slice(2, 5)).toStrictEqual([
      ': the stream is open\nid: 7',
      ': the stream is open',
      ': the stream is open',
    ]);
  });

  it('asks for no more than fits its buffer while the client does not read', async () => {
    let made = 0;
    const body = new EventStreamBody(
      async function* () {
        for (;;) {
          made += 1;
          yield { text: 'x'.repeat(16 * 1024), upTo: BigInt(made) };
        }
      },
      { commentEveryMs: 1, until: NEVER },
    );
    body.read(0);
    while (body.readableLength < body.readableHighWaterMark) await nextTurn();
    for (let turn = 0; turn < 100; turn += 1) await nextTurn();
    expect(made).toBeLessThan(8);
    expect(body.readableLength).toBeLessThan(8 * 16 * 1024);
    body.destroy();
  });

  it('ends its source when the client is gone, whether the source waits or not', async () => {
    for (const waits of [true, false]) {
      let ended: () => void;
      const end = new Promise<void>((resolve) => (ended = resolve));
      const body = new EventStreamBody(
        async function* (signal) {
          try {
            for (let upTo = 0n; ; upTo += 1n) {
              yield { text: 'x'.repeat(64 * 1024), upTo };
              if (waits) await once(signal, 'abort');
            }
          } finally {
            ended();
          }
        },
        { commentEveryMs: 1_000, until: NEVER },
      );
      await once(body, 'readable');
      body.destroy();
      await end;
    }
  });
});
