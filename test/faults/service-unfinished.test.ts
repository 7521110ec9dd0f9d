import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { reflectiveLogId } from '#domain/determinism/ids.js';
import type { JsonObject } from '#domain/json.js';
import { reflectiveStream } from '#domain/stream-names.js';
import { connectEventStore } from '#event-store/event-store-db.js';
import type { EventStore, LoggedEvent } from '#event-store/event-store.js';
import { APPEND_LIMIT } from '#event-store/draft.js';
import { Postgres } from '#read-model/postgres.js';
import { startOwnEventStore, startTestPostgres, type TestServer } from '#test/support/servers.js';
import { TestService } from '#test/support/service.js';
import { assertJobsAreWhole } from './support/checks.js';
import { streamsOf } from './support/log.js';
import { assertRowsAreTheFold, settled } from './support/read-models.js';
import { until } from './support/until.js';

/** The key of an approved fact that is not yet written when the crash happens. */
const UNWRITTEN = 'world/fact/unwritten/value';
const NAMES = ['only-ended', 'half-written', 'unnamed', 'intact', 'long'];

/** The size of a job whose outcomes need more than one append. */
const MANY = { entries: 70, characters: 15_000 };

/**
 * The log of `whole` has all work finished; the log of the second server is a copy in which some streams
 * end early.
 */
let whole: TestServer;
let cut: TestServer;
let postgres: TestServer;
let wholeLog: EventStore;
let cutLog: EventStore;
let finished: ReadonlyMap<string, readonly LoggedEvent[]>;

beforeAll(async () => {
  [whole, cut, postgres] = await Promise.all([
    startOwnEventStore(),
    startOwnEventStore(),
    startTestPostgres(),
  ]);
  wholeLog = connectEventStore(whole.url);
  cutLog = connectEventStore(cut.url);
});

afterAll(async () => {
  await Promise.all([wholeLog.close(), cutLog.close()]);
  await Promise.all([whole.stop(), cut.stop(), postgres.stop()]);
});

class Story {
  private constructor(
    private readonly service: TestService,
    private readonly agent: string,
    private readonly council: string,
  ) {}

  static async on(service: TestService): Promise<Story> {
    return new Story(service, await service.token('agent'), await service.token('council'));
  }

  async post(path: string, body: JsonObject, token = this.agent): Promise<JsonObject> {
    const answer = await this.service.call<JsonObject>('POST', path, { token, body });
    expect(answer.status).toBeLessThan(300);
    return answer.body;
  }

  /** Runs a job to the point where it can end, in a session with the job's name. */
  async work(name: string, { entries = 3, characters = 10 } = {}): Promise<void> {
    const path = `/v1/jobs/${name}`;
    const constants = { wm_default_ttl_ticks: 50 };
    await this.post('/v1/jobs', { job_seed: name, session_id: name, goal: name, constants });
    const inserts = Array.from({ length: entries }, (_, index) => ({
      op: 'wm_insert',
      type: 'fact',
      value: `${index} ${'x'.repeat(characters)}`,
    }));
    for (let first = 0; first < entries; first += 35)
      await this.post(`${path}/commands`, { commands: inserts.slice(first, first + 35) });
    const uses = inserts.map((_, index) => ({
      op: 'wm_reference',
      wm_id: `wm:${name}:${index + 1}`,
    }));
    await this.post(`${path}/commands`, { commands: [...uses, uses[0] ?? {}, { op: 'tick' }] });
  }

  end(name: string): Promise<JsonObject> {
    return this.post(`/v1/jobs/${name}/end`, {});
  }

  /** Starts a job and writes the episode that a request cites; returns the episode's id. */
  async episode(job_seed: string): Promise<string> {
    await this.post('/v1/jobs', { job_seed });
    const episodes = `/v1/jobs/${job_seed}/episodes`;
    const { episodic_id } = await this.post(episodes, { summary: job_seed });
    const path = `/v1/episodes/${episodic_id as string}`;
    await until('the episode is known', async () => {
      return (await this.service.call('GET', path, { token: this.agent })).status === 200;
    });
    return episodic_id as string;
  }

  /** Proposes a fact that the council approves; returns the stream of the request. */
  async approval(target_sem_key: string, episodic_id: string): Promise<string> {
    const proposal = { episodic_id, target_sem_key, value: 'blue', justification: 'it was said' };
    const { request_id, proposal_hash } = await this.post('/v1/action-requests', proposal);
    const vote = { vote: 'approve', reason: 'yes', proposal_hash: proposal_hash as string };
    const path = `/v1/action-requests/${request_id as string}/votes`;
    expect((await this.post(path, vote, this.council))['status']).toBe('executed');
    return `request-${request_id as string}`;
  }
}

/**
 * Returns the stream and the number of events to keep: those before the first event of the type, plus
 * `more`.
 */
const before_ = (stream: string, type: string, more = 0): [string, number] => {
  const index = finished.get(stream)?.findIndex((event) => event.type === type) ?? -1;
  expect(index).toBeGreaterThanOrEqual(0);
  return [stream, index + more];
};

/**
 * Copies the log in its order. If `kept` names a stream, only that number of its first events is copied.
 */
async function copyCut(kept: ReadonlyMap<string, number>): Promise<void> {
  const events = [...finished.values()].flat();
  events.sort((left, right) => Number(left.position - right.position));
  for (const { stream, number, id, type, data, metadata } of events) {
    if (number >= (kept.get(stream) ?? Infinity)) continue;
    const expected = number === 0 ? 'no_stream' : number - 1;
    await cutLog.append(stream, expected, [{ id, type, data, metadata }]);
  }
}

const logOf = (seed: string): string => reflectiveStream(reflectiveLogId(seed));
/**
 * These jobs end a second time, so the last hash of their stream differs, and with it their log's
 * signature.
 */
const FINISHED_ANEW = ['only-ended', 'half-written', 'long'].map(logOf);

/** Returns stream and number of each event that the log of a job lists (SPEC G3). */
const councilEvents = (streams: ReadonlyMap<string, readonly LoggedEvent[]>, seed: string) =>
  (streams.get(logOf(seed)) ?? [])
    .filter(({ type }) => type === 'council_event')
    .map(({ data }) => [data['stream'], data['event_number']]);

const withoutHashAndSignature = ({ log, ...others }: JsonObject): JsonObject => {
  const { stream_head_hash: _, ...fields } = log as JsonObject;
  const { signature: __, ...rest } = others;
  return { log: fields, ...rest };
};

/** The part of an event that must not depend on which process finishes the work, or when. */
const contentOf = ({ stream, number, type, data, metadata }: LoggedEvent) => {
  const { event_id, seeded_ts, kind, command_id, command_index, body_hash, actor } = metadata;
  return {
    ...{ stream, number, type },
    data: FINISHED_ANEW.includes(stream) ? withoutHashAndSignature(data) : data,
    ...{ event_id, seeded_ts, kind, command_id, command_index, body_hash, actor },
  };
};

test('work across streams that a crash interrupts is finished exactly once, even by two services', async () => {
  const first = await TestService.start({
    servers: { eventStore: whole, postgres: await startTestPostgres() },
  });
  const story = await Story.on(first);
  // All jobs pin their snapshots before any event that is cut, so no job has pinned a lost event.
  for (const name of NAMES) await story.work(name, name === 'long' ? MANY : {});
  const episodes = [await story.episode('unwritten'), await story.episode('unlinked')] as const;
  await story.end('unwritten');
  const unwritten = await story.approval(UNWRITTEN, episodes[0]);
  // The log of this job lists the request when the job has ended (SPEC G3); that of the other, at once.
  const unlinked = await story.approval('world/fact/unlinked/value', episodes[1]);
  await story.end('unlinked');
  for (const name of NAMES) await story.end(name);
  await until('the logs list the requests', async () => {
    const streams = await streamsOf(wholeLog);
    return ['unwritten', 'unlinked'].every((seed) => councilEvents(streams, seed).length === 5);
  });
  await first.stop();
  finished = await streamsOf(wholeLog);

  const jobOutcomes = finished
    .get('job-long')
    ?.filter(({ metadata }) => metadata.kind === 'outcome');
  expect(JSON.stringify(jobOutcomes?.map(({ data }) => data)).length).toBeGreaterThan(APPEND_LIMIT);

  await copyCut(
    new Map([
      before_(unwritten, 'request_executed'),
      [`sem-${UNWRITTEN}`, 0],
      before_(unlinked, 'request_executed'),
      before_(logOf('unwritten'), 'council_event', 2),
      before_(logOf('unlinked'), 'council_event'),
      before_('job-only-ended', 'job_ended', 1),
      before_('session-only-ended', 'session_job_ended'),
      before_('job-half-written', 'job_ended', 2),
      before_('session-half-written', 'session_job_ended'),
      before_('session-unnamed', 'session_job_ended'),
      before_('job-long', 'job_ended', 30),
      before_('session-long', 'session_job_ended'),
      ...[...FINISHED_ANEW, logOf('unnamed')].map((stream): [string, number] => [stream, 0]),
    ]),
  );
  const servers = { eventStore: cut, postgres };
  const services = await Promise.all([
    TestService.start({ servers }),
    TestService.start({ servers }),
  ]);
  const rows = new Postgres({ url: postgres.url, maxConnections: 2 });
  try {
    await settled(cutLog, rows);

    await assertRowsAreTheFold(cutLog, rows, postgres.url);
    await assertJobsAreWhole(services[1], rows, () => true);
    const recovered = await streamsOf(cutLog);
    expect([...recovered.keys()].sort()).toStrictEqual([...finished.keys()].sort());
    for (const [stream, events] of finished)
      expect([stream, recovered.get(stream)?.map(contentOf)]).toStrictEqual([
        stream,
        events.map(contentOf),
      ]);
    for (const [seed, stream] of [
      ['unwritten', unwritten],
      ['unlinked', unlinked],
    ] as const)
      expect(councilEvents(recovered, seed)).toStrictEqual([
        ...[0, 2, 3].map((number) => [stream, number]),
        [`sem-world/fact/${seed}/value`, 0],
        [stream, 4],
      ]);
    // Each log holds the last hash of its own job's stream (SPEC L7).
    for (const seed of NAMES) {
      const { log } = recovered.get(logOf(seed))?.[0]?.data as { log: JsonObject };
      const last = recovered.get(`job-${seed}`)?.at(-1);
      expect([seed, log['stream_head_hash']]).toStrictEqual([seed, last?.metadata.hash]);
    }

    // The next job of each session carries memory from the job that the crash interrupted.
    const next = await Story.on(services[0]);
    for (const session_id of NAMES) {
      await next.post('/v1/jobs', { job_seed: `after-${session_id}`, session_id });
      const start = await cutLog.lastOf(`job-after-${session_id}`);
      const carried = start?.data['carried_cwm'] as JsonObject | null;
      expect(carried?.['from_job_seed']).toBe(session_id);
      // The next job carries the promoted item, unless the item exceeds the token budget.
      expect(carried?.['items'] as JsonObject[]).toHaveLength(session_id === 'long' ? 0 : 1);
    }
  } finally {
    await rows.close();
    await Promise.all(services.map((service) => service.stop()));
  }
});
