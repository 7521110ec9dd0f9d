import { expect } from 'expect';
import { reflectiveLogId } from '#domain/determinism/ids.js';
import type { JsonObject } from '#domain/json.js';
import type { EventStore, LoggedEvent } from '#event-store/event-store.js';
import type { Postgres } from '#read-model/postgres.js';
import type { ServiceClient } from '#test/support/service-client.js';
import type { SentCommand, Ledger } from './ledger.js';
import { streamsOf } from './log.js';
import { tell } from './writers.js';
import { ensure } from '#test/support/ensure.js';

type Streams = ReadonlyMap<string, readonly LoggedEvent[]>;

/**
 * Returns the mark that the writer put into its command, so that its event can be found; undefined if
 * the event has no mark.
 */
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

/**
 * Asserts that the log holds each acknowledged command exactly once, no refused command, and no other
 * command (SPEC I7).
 */
export async function assertNothingLostOrDoubled(log: EventStore, ledger: Ledger): Promise<void> {
  const streams = await streamsOf(log);
  const times = new Map<string, number>();
  for (const event of [...streams.values()].flat()) {
    const mark = markIn(event);
    if (mark !== undefined) times.set(mark, (times.get(mark) ?? 0) + 1);
  }
  const timesOf = ({ mark }: SentCommand): number => times.get(mark ?? '') ?? 0;
  const marked = (asked: readonly SentCommand[]): SentCommand[] => asked.filter(({ mark }) => mark);
  for (const asked of marked(ledger.of('acknowledged')))
    expect([`${asked.path} was acknowledged: ${String(asked.mark)}`, timesOf(asked)]).toStrictEqual(
      [`${asked.path} was acknowledged: ${String(asked.mark)}`, 1],
    );
  for (const asked of marked(ledger.of('refused')))
    expect([`${asked.path} was refused: ${String(asked.mark)}`, timesOf(asked)]).toStrictEqual([
      `${asked.path} was refused: ${String(asked.mark)}`,
      0,
    ]);
  for (const asked of marked(ledger.of('nothing'))) expect(timesOf(asked)).toBeLessThanOrEqual(1);
  assertEachAnswerHasItsCommand(streams, ledger);
}

const JOB_COMMAND = /^\/v1\/jobs\/([^/]+)\/(?:wm|ticks|commands)/;

/**
 * Asserts that the version in every answer was made by the command that got the answer, even if the
 * event at that version has no mark.
 */
function assertEachAnswerHasItsCommand(streams: Streams, ledger: Ledger): void {
  const commandsOfSeed = new Map<string, Set<string>>();
  for (const { asked, body } of ledger.answers()) {
    const seed = JOB_COMMAND.exec(asked.path)?.[1];
    if (seed === undefined) continue;
    const event = streams.get(`job-${seed}`)?.[Number(body['version'])];
    ensure(event);
    const commands = commandsOfSeed.get(seed) ?? new Set();
    const { command_id } = event.metadata;
    expect(commands.has(command_id)).toBe(false);
    commandsOfSeed.set(seed, commands.add(command_id));
  }
  for (const [seed, commands] of commandsOfSeed) {
    const open = ledger.of('nothing').filter(({ path }) => path.startsWith(`/v1/jobs/${seed}/`));
    const made = new Set(streams.get(`job-${seed}`)?.map(({ metadata }) => metadata.command_id));
    // JOB_COMMAND matches commands, but neither the start nor the end of a job.
    const extra = [...made].filter((id) => !commands.has(id)).length;
    expect(extra).toBeLessThanOrEqual(open.length + 2);
  }
}

/**
 * Asserts that late retries get the first answer and append no event (SPEC I7). Retries one command in
 * `every`.
 */
export async function assertRetriesGetTheFirstAnswer(
  client: ServiceClient,
  log: EventStore,
  ledger: Ledger,
  every: number,
): Promise<void> {
  const end = await log.lastPosition();
  const keyed = ledger.answers().filter(({ asked }) => asked.key !== undefined);
  const sample = keyed.filter((_, index) => index % every === 0);
  expect(sample.length).toBeGreaterThan(0);
  await withConcurrency(sample, 16, async ({ asked, body }) => {
    const again = await tell(client, asked);
    expect([asked.path, again.kind === 'nothing' ? again : again.body]).toStrictEqual([
      asked.path,
      body,
    ]);
  });
  // No retry appended an event.
  expect(await log.lastPosition()).toBe(end);
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

/** Asserts that each job replays identically, and that its row in the list of jobs equals the job. */
export async function assertJobsAreWhole(
  client: ServiceClient,
  rows: Postgres,
  only: (seed: string) => boolean,
): Promise<void> {
  const token = await client.token('auditor');
  const all = await rows.query<JobRow>('select * from jobs.job order by job_seed');
  const jobs = all.filter(({ job_seed }) => only(job_seed));
  expect(jobs.length).toBeGreaterThan(0);
  await withConcurrency(jobs, 8, async ({ job_seed, ...row }) => {
    const path = `/v1/jobs/${job_seed}`;
    const body = { mode: 'strict' };
    const replay = await client.call<Report>('POST', `${path}/replays`, { token, body });
    expect([`${job_seed}: ${JSON.stringify(replay.body)}`, replay.body.identical]).toStrictEqual([
      `${job_seed}: ${JSON.stringify(replay.body)}`,
      true,
    ]);
    const { body: job } = await client.call<JobView>('GET', path, { token });
    const view = {
      ...{ status: job.status, tick: job.tick, version: job.version },
      ...{ wm_count: job.wm.length, cwm_count: job.cwm.items.length },
    };
    const { status, tick, version, wm_count, cwm_count } = row;
    expect([job_seed, { status, tick, version, wm_count, cwm_count }]).toStrictEqual([
      job_seed,
      view,
    ]);
  });
}

/**
 * Asserts that a session names each of its ended jobs once, and that each job carries the CWM of the
 * previous one (SPEC J1).
 */
export async function assertSessionsAreWhole(log: EventStore): Promise<void> {
  const streams = await streamsOf(log);
  for (const [stream, events] of streams) {
    if (!stream.startsWith('session-')) continue;
    const ended = events
      .filter(({ type }) => type === 'session_job_ended')
      .map(({ data }) => data['job_seed'] as string);
    expect([`${stream} names no job twice`, new Set(ended).size]).toStrictEqual([
      `${stream} names no job twice`,
      ended.length,
    ]);
    const followers = ended.slice(1).map((seed) => streams.get(`job-${seed}`)?.[0]?.data);
    const carried = followers.map((data) => data?.['carried_cwm'] as JsonObject | null);
    expect([
      `the jobs of ${stream} carry on from each other`,
      carried.map((cwm) => cwm?.['from_job_seed']),
    ]).toStrictEqual([`the jobs of ${stream} carry on from each other`, ended.slice(0, -1)]);
    for (const seed of ended) {
      const types = streams.get(`job-${seed}`)?.map(({ type }) => type) ?? [];
      const count = (type: string): number => types.filter((one) => one === type).length;
      expect([seed, count('job_ended')]).toStrictEqual([seed, 1]);
      expect([seed, count('episodic_summary')]).toStrictEqual([seed, 1]);
    }
  }
}

/**
 * Asserts that exactly the ended jobs have a log, and that each log names the last hash of its job's
 * stream (SPEC L7).
 */
export async function assertLogsAreWhole(log: EventStore): Promise<void> {
  const streams = await streamsOf(log);
  const expected = new Map<string, unknown>();
  for (const [stream, events] of streams) {
    if (!events.some(({ type }) => stream.startsWith('job-') && type === 'job_ended')) continue;
    const id = reflectiveLogId(stream.slice('job-'.length));
    expected.set(`reflective-${id}`, events.at(-1)?.metadata.hash);
  }
  expect(expected.size).toBeGreaterThan(0);
  const found = [...streams].filter(([stream]) => stream.startsWith('reflective-'));
  const heads = found.map(([stream, events]) => {
    expect([stream, events.map(({ type }) => type)]).toStrictEqual([
      stream,
      ['reflective_log_written'],
    ]);
    return [stream, (events[0]?.data['log'] as JsonObject)['stream_head_hash']] as const;
  });
  expect(new Map(heads.sort())).toStrictEqual(new Map([...expected].sort()));
}

/** Handles all items, at most `atOnce` at a time. */
export async function withConcurrency<Item>(
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
