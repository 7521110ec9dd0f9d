import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { canonicalJson } from '#domain/determinism/canonical-json.js';
import { chainHash } from '#domain/determinism/hash-chain.js';
import { eventId } from '#domain/determinism/ids.js';
import { jobDecider } from '#domain/job/decider.js';
import type { JsonObject } from '#domain/json.js';
import type { EventMetadata } from '#domain/recorded-event.js';
import { verifyBundle } from '#domain/replay/verify-bundle.js';
import { auditStream } from '#domain/stream-names.js';
import { Caller } from '#test/support/caller.js';
import { LogReader } from '#test/support/read-log.js';
import { TestService } from '#test/support/service.js';
import { ensure } from '#test/support/ensure.js';

interface Report {
  readonly identical: boolean;
  readonly events_checked: number;
  readonly head_hash: string;
  readonly content_hash: string;
  readonly state_hash: string | null;
  readonly code?: string;
  readonly divergence?: {
    readonly number: number;
    readonly expected: unknown;
    readonly actual: unknown;
  };
}
interface Stored {
  readonly number: number;
  readonly type: string;
  readonly data: JsonObject;
  readonly metadata: { readonly hash: string };
}
interface Page {
  readonly events: readonly Stored[];
  readonly next_from: number | null;
}
interface Listed {
  readonly jobs: readonly { readonly job_seed: string; readonly status: string }[];
  readonly next_cursor: string | null;
}

describe('What an auditor reads', () => {
  let service: TestService;
  let log: LogReader;
  let agent: Caller;
  let auditor: Caller;

  beforeAll(async () => {
    // The tests forge events, which stop read models.
    service = await TestService.start({ ownLog: true });
    log = new LogReader(service.eventStore.url);
    agent = await Caller.of(service, 'agent');
    auditor = await Caller.of(service, 'auditor');
  });
  afterAll(async () => {
    await log?.close();
    await service?.stop();
  });

  /** Runs a job whose commands cause every kind of outcome. */
  async function lively(job_seed: string, more: object = {}): Promise<void> {
    await agent.post('jobs', { job_seed, goal: 'Colours', ...more });
    await agent.post(`jobs/${job_seed}/commands`, {
      commands: [
        { op: 'wm_insert', type: 'fact', value: 'cerulean' },
        { op: 'wm_insert', type: 'temp', value: { n: 1 }, ttl_ticks: 1 },
        { op: 'wm_reference', wm_id: `wm:${job_seed}:1` },
        { op: 'wm_reference', wm_id: `wm:${job_seed}:1` },
        { op: 'tick', count: 2 },
        { op: 'goal', goal: 'Something else' },
        { op: 'episodic_write', summary: 'noted', payload: [1] },
        { op: 'wm_insert', type: 'fact', value: 'kept' },
        { op: 'wm_reference', wm_id: `wm:${job_seed}:3` },
      ],
    });
    await agent.post(`jobs/${job_seed}/wm/find`, {});
    await agent.post(`jobs/${job_seed}/end`);
  }
  const replay = (seed: string, mode = 'audit', by = auditor): Promise<Report> =>
    by.post<Report>(`jobs/${seed}/replays`, { mode });
  const bundle = async (seed: string): Promise<string> => {
    const { body, headers } = await auditor.did<string>('GET', `jobs/${seed}/bundle`);
    expect(String(headers.get('content-type'))).toMatch(/^application\/x-ndjson/);
    return body;
  };
  const linesOf = (text: string): string[] => text.trimEnd().split('\n');

  /**
   * Appends an event directly to the log. Its hash fits the chain, unless the caller passes another
   * hash.
   */
  async function forge(
    stream: string,
    type: string,
    data: JsonObject,
    hash?: string,
  ): Promise<number> {
    const last = (await log.events(stream)).at(-1);
    ensure(last);
    const number = last.number + 1;
    const { hash: prev, ...before } = last.metadata;
    const metadata = {
      ...before,
      kind: 'input',
      command_id: 'forged',
      command_index: 0,
      event_id: eventId(stream, number, type),
      seeded_ts: new Date(Date.parse(before.seeded_ts) + 1).toISOString(),
    };
    const chained = chainHash(prev, { stream, number, type, data, metadata });
    await log.eventStore.append(stream, last.number, [
      {
        id: randomUUID(),
        type,
        data,
        metadata: { ...metadata, hash: hash ?? chained } as EventMetadata,
      },
    ]);
    return number;
  }

  // Later tests forge events, which stop the read model of jobs.
  it('§13 jobs are listed newest first, by status and session', async () => {
    for (const n of [1, 2, 3])
      await agent.post('jobs', { job_seed: `l-${n}`, session_id: 'listed' });
    const end = await agent.did('POST', 'jobs/l-2/end', { body: {} });
    const after = String(end.headers.get('mace-position'));
    const list = async (query: string): Promise<string[]> =>
      (await auditor.get<Listed>(`jobs?${query}`, { after })).jobs.map(({ job_seed }) => job_seed);
    expect(await list('session_id=listed')).toStrictEqual(['l-3', 'l-2', 'l-1']);
    expect(await list('session_id=listed&status=ended')).toStrictEqual(['l-2']);
    expect(await list('session_id=listed&status=running')).toStrictEqual(['l-3', 'l-1']);
  });

  describe('replay', () => {
    it('X1 replay decides a job again from its inputs and finds every event identical', async () => {
      await lively('lively');
      const events = await log.events('job-lively');
      for (const mode of ['audit', 'strict']) {
        const report = await replay('lively', mode);
        expect(report.identical).toBe(true);
        expect(report.events_checked).toBe(events.length);
        expect(report.head_hash).toBe(events.at(-1)?.metadata.hash);
        expect(String(report.state_hash)).toMatch(/^[0-9a-f]{64}$/);
      }
      expect((await replay('lively', 'audit', agent)).identical).toBe(true);
    });

    it('X1 X2 replay reports an outcome that does not follow from the inputs as REPLAY_DIVERGENCE, with the event’s number', async () => {
      await agent.post('jobs', { job_seed: 'diverged' });
      await agent.post('jobs/diverged/ticks');
      // This tick has a correct hash, so only replaying the rules can detect it.
      const number = await forge('job-diverged', 'ticked', { tick: 7 });
      const report = await replay('diverged');
      expect([report.identical, report.code, report.divergence?.number]).toStrictEqual([
        false,
        'REPLAY_DIVERGENCE',
        number,
      ]);
      const refused = await auditor.refused('REPLAY_DIVERGENCE', 'POST', 'jobs/diverged/replays', {
        body: { mode: 'strict' },
      });
      expect((refused['report'] as Report).divergence?.number).toBe(number);
    });

    it('X1 X2 I6 replay reports an event whose hash does not match its content as INTEGRITY_FAILURE, with the event’s number', async () => {
      await agent.post('jobs', { job_seed: 'tampered' });
      await agent.post('jobs/tampered/ticks');
      const number = await forge('job-tampered', 'ticked', { tick: 2 }, 'f'.repeat(64));
      const report = await replay('tampered');
      expect([report.identical, report.code, report.divergence?.number]).toStrictEqual([
        false,
        'INTEGRITY_FAILURE',
        number,
      ]);
      await auditor.refused('INTEGRITY_FAILURE', 'POST', 'jobs/tampered/replays', {
        body: { mode: 'strict' },
      });
    });

    it('X1 I6 a service that has not loaded the job before names the broken event as well', async () => {
      const { eventStore, postgres } = service;
      const fresh = await TestService.start({ servers: { eventStore, postgres } });
      try {
        const elsewhere = await Caller.of(fresh, 'auditor');
        expect((await replay('tampered', 'audit', elsewhere)).code).toBe('INTEGRITY_FAILURE');
        expect((await replay('diverged', 'audit', elsewhere)).code).toBe('REPLAY_DIVERGENCE');
        await elsewhere.did('GET', 'jobs/tampered/bundle');
        expect((await elsewhere.get<Page>('jobs/tampered/events')).events).toHaveLength(3);
      } finally {
        await fresh.stop();
      }
    });

    it('X3 I6 the states before a broken event are shown, and none from it on', async () => {
      const timeline = await auditor.get<{ version: number; broken_at: number }>(
        'jobs/tampered/timeline',
      );
      expect([timeline.version, timeline.broken_at]).toStrictEqual([2, 2]);
      expect((await auditor.get<{ tick: number }>('jobs/tampered/states/1')).tick).toBe(1);
      await auditor.refused('INTEGRITY_FAILURE', 'GET', 'jobs/tampered/states/2');
    });

    it('I6 a job with a broken record accepts no command', async () => {
      const before = (await log.events('job-tampered')).length;
      await agent.refused('INTEGRITY_FAILURE', 'POST', 'jobs/tampered/ticks', { body: {} });
      expect(await log.events('job-tampered')).toHaveLength(before);
    });
  });

  describe('bundles', () => {
    const verify = (text: string) => verifyBundle(jobDecider, linesOf(text));

    it('X4 a bundle begins with a header that names the stream, the event count and the head, and each line is canonical JSON (JCS)', async () => {
      const text = await bundle('lively');
      const events = await log.events('job-lively');
      const [header = '', ...lines] = linesOf(text);
      expect(JSON.parse(header)).toStrictEqual({
        ...(JSON.parse(header) as object),
        stream: 'job-lively',
        event_count: events.length,
        head_hash: events.at(-1)?.metadata.hash,
      });
      expect(lines).toHaveLength(events.length);
      for (const line of [header, ...lines]) expect(line).toBe(canonicalJson(JSON.parse(line)));
    });

    it('X4 a bundle verifies offline, and each export of a job gives the same bytes', async () => {
      const text = await bundle('lively');
      expect((await verify(text)).intact).toBe(true);
      expect(await bundle('lively')).toBe(text);
    });
  });

  describe('events', () => {
    it('§13 a job’s events are shown in order, exactly as they are stored', async () => {
      const stored = await log.events('job-lively');
      const { events: seen } = await auditor.get<Page>('jobs/lively/events?limit=1000');
      expect(
        seen.map(({ number, type, data, metadata }) => ({ number, type, data, metadata })),
      ).toStrictEqual(
        stored.map(({ number, type, data, metadata }) => ({ number, type, data, metadata })),
      );
      expect(await auditor.get('jobs/lively/events?from=999')).toStrictEqual({
        events: [],
        next_from: null,
      });
      for (const query of ['limit=0', 'limit=1001', 'from=-1', 'format=xml'])
        await auditor.refused('INVALID_INPUT', 'GET', `jobs/lively/events?${query}`);
    });

    it('§13 a page of large events holds fewer of them, and names the number of the next event', async () => {
      await agent.post('jobs', { job_seed: 'large' });
      for (let round = 0; round < 10; round += 1)
        await agent.post('jobs/large/commands', {
          commands: Array(3).fill({
            ...{ op: 'episodic_write', summary: 'large', payload: 'x'.repeat(250_000) },
          }),
        });
      const first = await auditor.get<Page>('jobs/large/events?limit=1000');
      expect(first.events.length).toBeLessThan(31);
      const rest = await auditor.get<Page>(`jobs/large/events?limit=1000&from=${first.next_from}`);
      expect(first.events.length + rest.events.length).toBe(31);
      expect(rest.next_from).toBeNull();
    });

    it('§13 M19 the plain view of events has one key per line, with sorted keys', async () => {
      const { body, headers } = await auditor.did<string>(
        'GET',
        'jobs/lively/events?format=plain&limit=1',
      );
      expect(String(headers.get('content-type'))).toMatch(/^text\/plain/);
      expect(body).toMatch(/^data\.goal: Colours$/m);
      expect(body).toMatch(/^type: job_started$/m);
      const keys = body
        .trimEnd()
        .split('\n')
        .map((line) => line.slice(0, line.indexOf(': ')));
      expect(keys.indexOf('data.goal')).toBeLessThan(keys.indexOf('metadata.hash'));
    });
  });

  describe('refused commands', () => {
    it('I1 a refused command adds an event to the caller’s audit stream, never to the stream that it addressed', async () => {
      const sub = 'refused-agent';
      const refused = await Caller.of(service, 'agent', { sub });
      const value = { body: { value: 1 } };
      const before = (await log.events('job-lively')).length;
      await refused.refused('PERMISSION_DENIED', 'POST', 'jobs/lively/ticks', { body: {} });
      await refused.refused('PERMISSION_DENIED', 'PUT', 'sem/world/fact/a/b', value);
      await refused.post('jobs', { job_seed: 'short' });
      await refused.post('jobs/short/end');
      await refused.refused('JOB_ENDED', 'POST', 'jobs/short/ticks', { body: {} });
      await refused.refused('JOB_EXISTS', 'POST', 'jobs', { body: { job_seed: 'short' } });
      const events = await log.events(auditStream(sub));
      expect(events.map(({ type, data }) => [type, data['code'], data['route']])).toStrictEqual([
        ['command_refused', 'PERMISSION_DENIED', 'POST /v1/jobs/:seed/ticks'],
        [
          'command_refused',
          'PERMISSION_DENIED',
          'PUT /v1/sem/:scope/:entity_type/:entity_id/:attribute',
        ],
        ['command_refused', 'JOB_ENDED', 'POST /v1/jobs/:seed/ticks'],
        ['command_refused', 'JOB_EXISTS', 'POST /v1/jobs'],
      ]);
      expect(await log.events('job-lively')).toHaveLength(before);
      expect(await log.types('sem-world/fact/a/b')).toStrictEqual([]);
    });

    it('I1 invalid input, a missing resource and a refused read add no event', async () => {
      const sub = 'clumsy-agent';
      const clumsy = await Caller.of(service, 'agent', { sub });
      await clumsy.post('jobs', { job_seed: 'clumsy' });
      await clumsy.refused('INVALID_INPUT', 'POST', 'jobs/clumsy/wm', { body: { type: 'none' } });
      await clumsy.refused('NOT_FOUND', 'POST', 'jobs/nothing/ticks', { body: {} });
      await clumsy.refused('VERSION_CONFLICT', 'POST', 'jobs/clumsy/ticks', {
        body: { expected_version: 9 },
      });
      await clumsy.refused('SEM_NOT_FOUND', 'GET', 'sem/world/fact/nothing/here');
      await clumsy.refused('PERMISSION_DENIED', 'GET', 'jobs/lively');
      expect(await log.types(auditStream(sub))).toStrictEqual([]);
    });

    it('I1 refused commands add at most 60 audit events a minute; further ones are only counted', async () => {
      const sub = 'flooding-agent';
      const flooding = await Caller.of(service, 'agent', { sub });
      for (let n = 0; n < 70; n += 1)
        await flooding.refused('PERMISSION_DENIED', 'DELETE', 'sem/world/fact/a/b');
      const events = await log.events(auditStream(sub));
      const counted = events.reduce((sum, { data }) => sum + Number(data['uncounted_before']), 0);
      // If a new minute begins during the test, more than 60 events are recorded.
      expect(events.length).toBeGreaterThanOrEqual(60);
      expect(events.length + counted).toBeLessThanOrEqual(70);
      const { body } = await service.call<string>('GET', '/metrics');
      expect(body).toMatch(/^mace_audit_uncounted_total \d+$/m);
    });

    it('I1 P6 a refused command is recorded without ids and values, and each refusal is logged in one line', async () => {
      const failures = service.log.filter(({ type }) => type === 'error');
      expect(failures.length).toBeGreaterThan(0);
      const [denied] = failures.filter(({ error_code }) => error_code === 'PERMISSION_DENIED');
      for (const field of [
        'query_id',
        'trace_id',
        'time_ms',
        'system_version',
        'severity',
        'route',
      ])
        expect(denied?.[field]).toBeDefined();
      expect(JSON.stringify(service.log)).not.toContain('refused-agent');
      expect(JSON.stringify(service.log)).not.toContain('cerulean');
    });
  });
});
