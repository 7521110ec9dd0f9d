import assert from 'node:assert/strict';
import { reflectiveLogId } from '#domain/determinism/ids.js';
import type { JsonObject } from '#domain/json.js';
import type { EventStore, LoggedEvent } from '#event-store/event-store.js';
import type { Postgres } from '#read-model/postgres.js';
import type { ServiceClient } from '#test/support/service.js';
import type { Asked, Ledger } from './ledger.js';
import { streamsOf } from './log.js';
import { tell } from './writers.js';

type Streams = ReadonlyMap<string, readonly LoggedEvent[]>;

/** The text by which a command is known again in the event that it made. */
function markIn({ type, data }: LoggedEvent): string | undefined {
  switch (type) {
    case 'job_started':
      return typeof data['goal'] === 'string' ? data['goal'] : undefined;
    case 'wm_inserted': {
      const { mark } = (data['value'] ?? {}) as { mark?: string };
      return mark;
    }
    case 'fact_put':
      return typeof data['value'] === 'string' ? data['value'] : undefined;
    default:
      return undefined;
  }
}

/** SPEC I7: what was acknowledged is there exactly once, what was refused is not, and nothing was added. */
export async function assertNothingLostOrDoubled(log: EventStore, ledger: Ledger): Promise<void> {
  const streams = await streamsOf(log);
  const times = new Map<string, number>();
  for (const event of [...streams.values()].flat()) {
    const mark = markIn(event);
    if (mark !== undefined) times.set(mark, (times.get(mark) ?? 0) + 1);
  }
  const timesOf = ({ mark }: Asked): number => times.get(mark ?? '') ?? 0;
  const marked = (asked: readonly Asked[]): Asked[] => asked.filter(({ mark }) => mark);
  for (const asked of marked(ledger.of('acknowledged')))
    assert.equal(timesOf(asked), 1, `${asked.path} was acknowledged: ${String(asked.mark)}`);
  for (const asked of marked(ledger.of('refused')))
    assert.equal(timesOf(asked), 0, `${asked.path} was refused: ${String(asked.mark)}`);
  for (const asked of marked(ledger.of('nothing')))
    assert.ok(timesOf(asked) <= 1, `${asked.path} was sent once: ${String(asked.mark)}`);
  assertEachAnswerHasItsCommand(streams, ledger);
}

const JOB_COMMAND = /^\/v1\/jobs\/([^/]+)\/(?:wm|ticks|commands)/;

/** Every answer names the version that its own command made, also where an event carries no text. */
function assertEachAnswerHasItsCommand(streams: Streams, ledger: Ledger): void {
  const taken = new Map<string, Set<string>>();
  for (const { asked, body } of ledger.answers()) {
    const seed = JOB_COMMAND.exec(asked.path)?.[1];
    if (seed === undefined) continue;
    const event = streams.get(`job-${seed}`)?.[Number(body['version'])];
    assert.ok(event, `${asked.path} was answered with version ${body['version'] as number}`);
    const commands = taken.get(seed) ?? new Set();
    const { command_id } = event.metadata;
    assert.ok(!commands.has(command_id), `two answers name event ${event.number} of job ${seed}`);
    taken.set(seed, commands.add(command_id));
  }
  for (const [seed, commands] of taken) {
    const open = ledger.of('nothing').filter(({ path }) => path.startsWith(`/v1/jobs/${seed}/`));
    const made = new Set(streams.get(`job-${seed}`)?.map(({ metadata }) => metadata.command_id));
    // Its start; its end and its first entries may have been asked for elsewhere than in this list.
    const extra = [...made].filter((id) => !commands.has(id)).length;
    assert.ok(extra <= open.length + 2, `job ${seed} took ${extra} commands that nobody sent`);
  }
}

/** A retry long after gets the first answer and adds no event (SPEC I7). */
export async function assertRetriesGetTheFirstAnswer(
  client: ServiceClient,
  log: EventStore,
  ledger: Ledger,
  every: number,
): Promise<void> {
  const end = await log.lastPosition();
  const keyed = ledger.answers().filter(({ asked }) => asked.key !== undefined);
  const some = keyed.filter((_, index) => index % every === 0);
  assert.ok(some.length > 0);
  await inTurns(some, 16, async ({ asked, body }) => {
    const again = await tell(client, asked);
    assert.deepEqual(again.kind === 'nothing' ? again : again.body, body, asked.path);
  });
  assert.equal(await log.lastPosition(), end, 'a retry made no event');
}

interface JobRow {
  readonly job_seed: string;
  readonly status: string;
  readonly tick: number;
  readonly version: number;
  readonly wm_count: number;
  readonly cwm_count: number;
}

interface JobView {
  readonly status: string;
  readonly tick: number;
  readonly version: number;
  readonly wm: readonly JsonObject[];
  readonly cwm: { readonly items: readonly JsonObject[] };
}

interface Report extends JsonObject {
  readonly identical: boolean;
}

/** No chain is broken, every decision comes out the same, and the list of jobs says what the jobs say. */
export async function assertJobsAreWhole(
  client: ServiceClient,
  rows: Postgres,
  only: (seed: string) => boolean,
): Promise<void> {
  const token = await client.token('auditor');
  const all = await rows.query<JobRow>('select * from jobs.job order by job_seed');
  const jobs = all.filter(({ job_seed }) => only(job_seed));
  assert.ok(jobs.length > 0);
  await inTurns(jobs, 8, async ({ job_seed, ...row }) => {
    const path = `/v1/jobs/${job_seed}`;
    const body = { mode: 'strict' };
    const replay = await client.call<Report>('POST', `${path}/replays`, { token, body });
    assert.equal(replay.body.identical, true, `${job_seed}: ${JSON.stringify(replay.body)}`);
    const { body: job } = await client.call<JobView>('GET', path, { token });
    const view = {
      ...{ status: job.status, tick: job.tick, version: job.version },
      ...{ wm_count: job.wm.length, cwm_count: job.cwm.items.length },
    };
    const { status, tick, version, wm_count, cwm_count } = row;
    assert.deepEqual({ status, tick, version, wm_count, cwm_count }, view, job_seed);
  });
}

/** SPEC J1: a session names each of its ended jobs once, and each job carries on from the one before. */
export async function assertSessionsAreWhole(log: EventStore): Promise<void> {
  const streams = await streamsOf(log);
  for (const [stream, events] of streams) {
    if (!stream.startsWith('session-')) continue;
    const ended = events
      .filter(({ type }) => type === 'session_job_ended')
      .map(({ data }) => data['job_seed'] as string);
    assert.equal(new Set(ended).size, ended.length, `${stream} names no job twice`);
    const followers = ended.slice(1).map((seed) => streams.get(`job-${seed}`)?.[0]?.data);
    const carried = followers.map((data) => data?.['carried_cwm'] as JsonObject | null);
    assert.deepEqual(
      carried.map((cwm) => cwm?.['from_job_seed']),
      ended.slice(0, -1),
      `the jobs of ${stream} carry on from each other`,
    );
    for (const seed of ended) {
      const types = streams.get(`job-${seed}`)?.map(({ type }) => type) ?? [];
      const count = (type: string): number => types.filter((one) => one === type).length;
      assert.equal(count('job_ended'), 1, seed);
      assert.equal(count('episodic_summary'), 1, seed);
    }
  }
}

/** SPEC L7: every ended job has exactly one log, which names the last hash of its stream; no other job has one. */
export async function assertLogsAreWhole(log: EventStore): Promise<void> {
  const streams = await streamsOf(log);
  const expected = new Map<string, unknown>();
  for (const [stream, events] of streams) {
    if (!events.some(({ type }) => stream.startsWith('job-') && type === 'job_ended')) continue;
    const id = reflectiveLogId(stream.slice('job-'.length));
    expected.set(`reflective-${id}`, events.at(-1)?.metadata.hash);
  }
  assert.ok(expected.size > 0);
  const found = [...streams].filter(([stream]) => stream.startsWith('reflective-'));
  const heads = found.map(([stream, events]) => {
    assert.deepEqual(
      events.map(({ type }) => type),
      ['reflective_log_written'],
      stream,
    );
    return [stream, (events[0]?.data['log'] as JsonObject)['stream_head_hash']] as const;
  });
  assert.deepEqual(new Map(heads.sort()), new Map([...expected].sort()));
}

/** Handles all items, so many at a time. */
export async function inTurns<Item>(
  items: readonly Item[],
  atOnce: number,
  handle: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = [...items];
  const work = async (): Promise<void> => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await handle(item);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}
