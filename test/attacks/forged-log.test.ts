import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventStoreDBClient } from '@eventstore/db-client';
import type { IntegrityFinding, IntegrityReport } from '#client/integrity.js';
import { CHAIN_START, chainHash } from '#domain/determinism/hash-chain.js';
import { appendedId, eventId } from '#domain/determinism/ids.js';
import type { EventMetadata } from '#domain/recorded-event.js';
import { type LoggedEvent, RevisionConflict } from '#event-store/event-store.js';
import { LogCheck } from '#event-store/log-check.js';
import { wholeLog } from '#event-store/whole-log.js';
import { mace } from '#test/support/cli-run.js';
import { AGGREGATES } from '#test/golden/golden-streams.js';
import { Caller } from '#test/support/caller.js';
import { ensure } from '#test/support/ensure.js';
import { LogReader } from '#test/support/read-log.js';
import { TestService } from '#test/support/service.js';
import { TEST_KEYS } from '#test/support/test-keys.js';

interface Health {
  readonly details: { readonly event_log: Readonly<Record<string, unknown>> };
}

/** The changes that a forger makes to an honest next event. */
interface Forgery {
  readonly id?: string;
  readonly type?: string;
  readonly metadata?: Partial<EventMetadata>;
  /** The hash, in place of the one that fits the event. */
  readonly hash?: (event: LoggedEvent) => string;
}

const byStream = (findings: readonly IntegrityFinding[]): IntegrityFinding[] =>
  [...findings].sort((left, right) => (left.stream < right.stream ? -1 : 1));

describe('A forger who can append to the event store', () => {
  let service: TestService;
  let log: LogReader;
  let auditor: Caller;
  /** The first stream of each category. */
  const streams = new Map<string, string>();

  beforeAll(async () => {
    service = await TestService.start({ ownLog: true, environment: { MACE_COUNCIL_QUORUM: '1' } });
    log = new LogReader(service.eventStore.url);
    auditor = await Caller.of(service, 'auditor');
    await aWorld();
    for (const { stream } of await everyEvent()) {
      const category = stream.slice(0, stream.indexOf('-'));
      if (!streams.has(category)) streams.set(category, stream);
    }
  });
  afterAll(async () => {
    await log?.close();
    await service?.stop();
  });

  async function everyEvent(): Promise<LoggedEvent[]> {
    const events: LoggedEvent[] = [];
    const end = await log.eventStore.lastPosition();
    for await (const page of wholeLog(log.eventStore, end)) events.push(...page);
    return events;
  }

  /** Writes events of every category through the service. */
  async function aWorld(): Promise<void> {
    const agent = await Caller.of(service, ['agent', 'user', 'admin'], { user_id: 'uma' });
    const judge = await Caller.of(service, 'council', { sub: 'judge' });
    await agent.did('PUT', 'sem/world/fact/sky/value', { body: { value: 'cerulean' } });
    await agent.did('PUT', 'sem/user/profile/user_uma/pet', { body: { value: 'a cat' } });
    await agent.post('consents', { text: 'Keep it.', scope: 'persistent' });
    const start = { job_seed: 'known', session_id: 'talk-1', goal: 'to know' };
    await agent.post('jobs', start, { key: 'start' });
    await agent.post('jobs/known/wm', { type: 'fact', value: 'sky' });
    await agent.post('jobs/known/ticks', { count: 2 });
    const { episodic_id } = await agent.post('jobs/known/episodes', { summary: 'cerulean' });
    const { request_id } = await agent.post('action-requests', {
      episodic_id,
      target_sem_key: 'world/fact/sky/value',
      value: 'azure',
      justification: 'It was said.',
    });
    const request = `action-requests/${String(request_id)}`;
    const editor = await Caller.of(service, 'council', { sub: 'editor' });
    await editor.post(`${request}/questions`, { question: 'Who said it?' });
    await agent.post(`${request}/answers`, { answer: 'Everybody.' });
    const revision = { value: 'azure blue', reason: 'It is clearer.' };
    const { proposal_hash } = await editor.post(`${request}/revisions`, revision);
    await judge.post(`${request}/votes`, {
      vote: 'approve',
      reason: 'It is so.',
      proposal_hash,
    });
    await agent.post('jobs/known/end');
    await agent.refused('JOB_ENDED', 'POST', 'jobs/known/ticks', { body: {} });
    await agent.refused('LOG_INVALID', 'POST', 'reflective-logs', { body: { log_id: 'none' } });
    await agent.post('queries', { query_text: 'What is 2 + 2?' });
    await agent.post('route', { query_text: 'flibbertigibbet' });
    await agent.post('memory/interactions', {
      assistant: 'test',
      session_id: 'talk-2',
      memory: { short_term: 4, semantic: true, profile: true },
      user_text: 'My favorite color is cerulean.',
      ai_text: 'Noted.',
    });
    await agent.did('PUT', 'notes', { body: { namespace: ['sky'], key: 'color', value: 'blue' } });
    await agent.post('conversations/talk-3/items', { items: [{ text: 'Hello.' }] });
    await agent.did('PUT', 'threads/checkpoints', {
      body: {
        ...{
          thread_id: 'graph-1',
          checkpoint_id: '1',
          checkpoint: { v: 4 },
          metadata: { step: 0 },
        },
        ...{ channel_versions: { plan: 1 }, channel_values: { plan: 'to know' } },
      },
    });
    await auditor.post('integrity/checkpoints');
  }

  const streamOf = (category: string): string => {
    const stream = streams.get(category);
    ensure(stream);
    return stream;
  };

  /** Appends an event to the first stream of a category, past the service. Returns its place. */
  async function forge(
    category: string,
    { id, type, metadata, hash }: Forgery,
  ): Promise<{ stream: string; number: number }> {
    const stream = streamOf(category);
    const last = await log.eventStore.lastOf(stream);
    ensure(last);
    const number = last.number + 1;
    const named = type ?? last.type;
    const event_id = eventId(stream, number, named);
    const event: LoggedEvent = {
      ...last,
      number,
      id: id ?? appendedId(event_id, last.metadata.command_id),
      type: named,
      metadata: { ...last.metadata, event_id, ...metadata, hash: '' },
    };
    const fitting = chainHash(last.metadata.hash, event);
    const forged = {
      ...event,
      metadata: { ...event.metadata, hash: hash === undefined ? fitting : hash(event) },
    };
    try {
      await log.eventStore.append(stream, last.number, [forged]);
    } catch (cause) {
      // The service still adds to the logs of jobs what became of their requests.
      if (!(cause instanceof RevisionConflict)) throw cause;
      return forge(category, { id, type, metadata, hash });
    }
    return { stream, number };
  }

  const verify = (decisions: boolean): Promise<IntegrityReport> =>
    auditor.post<IntegrityReport>('integrity/verification', { decisions });
  const maceVerify = (...options: string[]) =>
    mace(['verify', '--log', ...options], {
      MACE_JWT_SECRET: TEST_KEYS.MACE_JWT_SECRET,
    });

  it('an honest log of every category has no findings, with its decisions replayed', async () => {
    expect([...streams.keys()].sort()).toStrictEqual(
      AGGREGATES.map(({ category }) => category).sort(),
    );
    const report = await verify(true);
    expect(report.findings).toStrictEqual([]);
    expect(report.found).toBe(0);
    expect(report.events).toBeGreaterThan(20);
    expect(report.decided).toBe(report.streams);
    expect((await auditor.get<{ last: unknown }>('integrity/findings')).last).toStrictEqual(report);
    for (const options of [
      ['--url', service.url],
      ['--event-store', service.eventStore.url],
    ]) {
      const { code, stdout } = await maceVerify('--decisions', ...options);
      expect([code, stdout]).toStrictEqual([
        0,
        expect.stringMatching(
          /^\d+ events of \d+ streams checked, \d+ streams replayed: no findings\n$/,
        ),
      ]);
    }
  });

  it('only auditors and admins may start a verification and read its findings', async () => {
    const other = await Caller.of(service, ['agent', 'user', 'council']);
    await other.refused('PERMISSION_DENIED', 'POST', 'integrity/verification', { body: {} });
    await other.refused('PERMISSION_DENIED', 'GET', 'integrity/findings');
  });

  it('a hole in the numbers of a stream is the only finding in a log without that event', async () => {
    const stream = streamOf('job');
    const check = new LogCheck();
    const findings = (await everyEvent())
      .filter((event) => event.stream !== stream || event.number !== 2)
      .map((event) => check.take(event));
    expect(findings.filter(Boolean)).toStrictEqual([{ stream, number: 2, problem: 'missing' }]);
  });

  it('the verification names each forged event by stream, number and problem, and names nothing else', async () => {
    const forged = [
      { ...(await forge('sem', { hash: () => 'f'.repeat(64) })), problem: 'wrong_hash' },
      {
        ...(await forge('memory', { hash: (event) => chainHash(CHAIN_START, event) })),
        problem: 'wrong_hash',
      },
      { ...(await forge('request', { type: 'request_forgotten' })), problem: 'unknown_type' },
      { ...(await forge('reflective', { type: 'constructor' })), problem: 'unknown_type' },
      {
        ...(await forge('audit', { metadata: { event_id: eventId('audit-other', 0, 'refused') } })),
        problem: 'wrong_event_id',
      },
      {
        ...(await forge('session', { id: '00000000-0000-4000-8000-000000000000' })),
        problem: 'wrong_appended_id',
      },
      { ...(await forge('owner', { metadata: { schema_version: 99 } })), problem: 'unreadable' },
      { ...(await forge('conversation', { hash: () => 'f'.repeat(64) })), problem: 'wrong_hash' },
      {
        ...(await forge('note', { hash: (event) => chainHash(CHAIN_START, event) })),
        problem: 'wrong_hash',
      },
      { ...(await forge('thread', { type: 'thread_forgotten' })), problem: 'unknown_type' },
      {
        ...(await forge('consent', {
          metadata: { event_id: eventId('consent-other', 0, 'consent_given') },
        })),
        problem: 'wrong_event_id',
      },
    ] as IntegrityFinding[];
    const other = { stream: 'elsewhere-1', number: 0, problem: 'unknown_category' } as const;
    await log.copyFirst(streamOf('command'), other.stream);
    forged.push(other);

    const report = await verify(false);
    expect(byStream(report.findings)).toStrictEqual(byStream(forged));
    expect(report.found).toBe(forged.length);

    const logged = service.log.filter(({ type }) => type === 'integrity_finding');
    expect(logged.map(({ level }) => level)).toStrictEqual(forged.map(() => 'error'));
    expect(byStream(logged as unknown as IntegrityFinding[])).toMatchObject(byStream(forged));
    const { body: metrics } = await service.call<string>('GET', '/metrics');
    for (const [category, problem] of [
      ['sem', 'wrong_hash'],
      ['memory', 'wrong_hash'],
      ['unknown', 'unknown_category'],
    ])
      expect(metrics).toMatch(
        new RegExp(`^mace_integrity_findings{category="${category}",problem="${problem}"} 1$`, 'm'),
      );
    const { body } = await service.call<Health>('GET', '/health/ready');
    expect(body.details.event_log).toMatchObject({
      status: 'up',
      verified_at: report.finished_at,
      found: forged.length,
      // Health names the first ones only.
      findings: report.findings.slice(0, 10),
    });

    for (const options of [
      ['--url', service.url],
      ['--event-store', service.eventStore.url],
    ]) {
      const { code, stdout } = await maceVerify('--json', ...options);
      const printed = JSON.parse(stdout) as IntegrityReport;
      expect([code, byStream(printed.findings)]).toStrictEqual([1, byStream(forged)]);
    }
  });

  it('a replay of the decisions finds a forged event whose hash and ids all fit', async () => {
    const { found } = await verify(false);
    const place = await forge('command', {});
    expect((await verify(false)).found).toBe(found);
    const { findings } = await verify(true);
    expect(findings.slice(found)).toStrictEqual([{ ...place, problem: 'diverged' }]);
  });

  it('a replay of the decisions finds a stream that was truncated', async () => {
    const stream = streamOf('job');
    const { found } = await verify(true);
    const client = EventStoreDBClient.connectionString(service.eventStore.url);
    await client.setStreamMetadata(stream, { truncateBefore: 3 });
    await client.dispose();
    const { findings } = await verify(true);
    expect(findings).toHaveLength(found + 1);
    expect(findings).toContainEqual({ stream, number: 0, problem: 'missing' });
  });
});
