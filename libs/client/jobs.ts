import { bodyOf, pathPart, requireArguments } from './arguments.js';
import { BatchedJob, type BatchingOptions } from './batched-job.js';
import { type FollowJobOptions, followJob, type LogEvent } from './events.js';
import { pagesOf } from './pages.js';
import type { LogAccount } from './reflective-logs.js';
import type { QueryOf, Schemas } from './schemas.js';
import {
  type AccessOptions,
  type CallOptions,
  type OwnOptions,
  type ReadOptions,
  requireCallOptions,
  type Transport,
  type WriteOptions,
} from './transport.js';

/** The options of a job's start; all are optional. */
export type StartJob = Schemas['StartJob'];

/** A job's current state, or its state at the requested version. */
export type Job = Schemas['JobDto'];

/** A working-memory entry. */
export type WmEntry = Schemas['WmEntryDto'];

/** An item of the consolidated working memory. */
export type CwmItem = Schemas['CwmItemDto'];

export type WmType = WmEntry['type'];

/** One command of a batch. */
export type JobCommand = Schemas['RunBatch']['commands'][number];

export type WriteEpisode = Omit<Schemas['WriteEpisode'], 'expected_version'>;

export type EpisodeSource = Schemas['EpisodeViewDto']['source'];

/** What stays of an ended job's memory, and what is gone. */
export type JobEnded = Schemas['JobEndedDto'];

export interface EndOptions extends WriteOptions {
  /** The ReflectiveLog that the runtime itself writes for the job; it replaces the one that the service would write. */
  readonly reflectiveLog?: LogAccount;
}

/** Conditions of a batch. */
export interface BatchOptions extends WriteOptions {
  /** The call fails with VERSION_CONFLICT unless the job is at this version. */
  readonly expectedVersion?: number;
}

const END_OPTIONS = { reflectiveLog: 'logAccount?' } as const satisfies OwnOptions<EndOptions>;
const BATCH_OPTIONS = { expectedVersion: 'version?' } as const satisfies OwnOptions<BatchOptions>;

/** A condition on the structure of an entry. Its pointers are JSON Pointers such as `/value/color`. */
export type FindPredicate = Schemas['FindWm'];

/** An event as it is stored in the log. */
export type JobEvent = Schemas['JobEventDto'];

/** The type of each of a job's events, and where each tick begins. */
export type JobTimeline = Schemas['JobTimelineDto'];

/** A job's state after one of its events. */
export type JobStateAfter = Schemas['JobStateDto'];

/** What a job knew after one of its events. */
export type JobKnew = Schemas['JobKnewDto'];

/** The result of a replay. */
export type ReplayReport = Schemas['ReplayReportDto'];

/** A job in a list. */
export type JobListing = Schemas['ListedJobDto'];

/** Starts and lists jobs. */
export class Jobs {
  constructor(private readonly transport: Transport) {}

  /**
   * Starts a job. Fails with JOB_EXISTS, with PERMISSION_DENIED for another owner's session or user, and
   * with PROJECTION_LAG.
   */
  start(job: StartJob = {}, options?: WriteOptions): Promise<Job> {
    return this.transport.post('/v1/jobs', bodyOf('job?', job, 'POST /v1/jobs'), options);
  }

  /**
   * Returns one page of jobs, newest first, with at most `limit` jobs (1 to 500; default 50). Pass
   * `next_cursor` to get the next page.
   */
  list(filter: QueryOf<'/v1/jobs'> = {}, options?: ReadOptions): Promise<Schemas['JobsPageDto']> {
    return this.transport.get('/v1/jobs', bodyOf('filter?', filter, 'GET /v1/jobs'), options);
  }

  /** Yields all jobs that the caller may see, and fetches them page by page. */
  async *all(filter: Omit<QueryOf<'/v1/jobs'>, 'cursor' | 'limit'> = {}, options?: ReadOptions) {
    const pages = pagesOf((next) =>
      this.list(
        { ...bodyOf('filter?', filter, 'GET /v1/jobs', ['cursor', 'limit']), limit: 500, ...next },
        options,
      ),
    );
    for await (const { jobs } of pages) yield* jobs;
  }
}

/**
 * One job. Every command can fail with NOT_FOUND, PERMISSION_DENIED or JOB_ENDED, or with INVALID_INPUT
 * if it would exceed a limit. An ended job can still be read, replayed and exported.
 */
export class JobHandle {
  readonly #path: string;

  constructor(
    private readonly transport: Transport,
    readonly seed: string,
  ) {
    this.#path = `/v1/jobs/${pathPart('seed', seed)}`;
  }

  /**
   * Returns the job as it is now, or at an earlier version. The answer includes every command that was
   * acknowledged before.
   */
  get(at: QueryOf<'/v1/jobs/{seed}'> = {}, options?: CallOptions & AccessOptions): Promise<Job> {
    return this.transport.get(this.#path, bodyOf('at?', at, 'GET /v1/jobs/{seed}'), options);
  }

  /** Inserts an entry of at most 16 KB into working memory. The default of `ttl_ticks` is 3 ticks. */
  insert(
    entry: Omit<Schemas['InsertWm'], 'expected_version'>,
    options?: WriteOptions,
  ): Promise<Schemas['WmDoneDto']> {
    return this.#command(
      '/wm',
      bodyOf('entry', entry, 'POST /v1/jobs/{seed}/wm', ['expected_version']),
      options,
    );
  }

  /** Records a use of a WM entry. Fails with NOT_FOUND if the entry was promoted or has expired. */
  referenceWm(wmId: string, options?: WriteOptions): Promise<Schemas['WmDoneDto']> {
    return this.#command(`/wm/${pathPart('wmId', wmId)}/references`, {}, options);
  }

  /** Records a use of a CWM item. */
  referenceCwm(itemId: string, options?: WriteOptions): Promise<Schemas['CwmDoneDto']> {
    return this.#command(`/cwm/${pathPart('itemId', itemId)}/references`, {}, options);
  }

  /**
   * Removes an entry from working memory before it expires. The log keeps its events. Fails with NOT_FOUND
   * if the entry was promoted or has expired.
   */
  forgetWm(wmId: string, options?: WriteOptions): Promise<Schemas['WmDoneDto']> {
    return this.#forget(`/wm/${pathPart('wmId', wmId)}`, options);
  }

  /** Removes an item from the consolidated working memory, as `forgetWm` removes an entry. */
  forgetCwm(itemId: string, options?: WriteOptions): Promise<Schemas['CwmDoneDto']> {
    return this.#forget(`/cwm/${pathPart('itemId', itemId)}`, options);
  }

  /**
   * Advances the job by `count` ticks (1 to 1,000; default 1): entries are promoted or expire, and the CWM
   * budget is enforced.
   */
  tick(count = 1, options?: WriteOptions): Promise<Schemas['TickedDto']> {
    requireArguments({ count }, { count: 'count' });
    return this.#command('/ticks', { count }, options);
  }

  /** Sets a new major goal. CWM items that share no word with the goal immediately age by one tick. */
  goal(goal: string, options?: WriteOptions): Promise<Schemas['GoalSetDto']> {
    requireArguments({ goal }, { goal: 'text' });
    return this.#command('/goals', { goal }, options);
  }

  /** Writes an episode. */
  writeEpisode(
    episode: WriteEpisode,
    options?: WriteOptions,
  ): Promise<Schemas['EpisodeWrittenDto']> {
    return this.#command(
      '/episodes',
      bodyOf('episode', episode, 'POST /v1/jobs/{seed}/episodes', ['expected_version']),
      options,
    );
  }

  /**
   * Ends the job and writes its episodes. The job then accepts no further command. Its ReflectiveLog is
   * the given log or, without one, a log by the service. The answer has the episodes that were kept, the CWM that
   * is carried to the session's next job, and the entries that are gone (`expired`).
   */
  end(options: EndOptions = {}): Promise<JobEnded> {
    requireCallOptions(options, END_OPTIONS);
    const { reflectiveLog, ...writing } = options;
    const account = reflectiveLog === undefined ? {} : { reflective_log: reflectiveLog };
    return this.#command('/end', account, writing);
  }

  /** Sends at most 500 commands, which are applied in order, all or none. `results` has one answer for each command. */
  batch(
    commands: readonly JobCommand[],
    options: BatchOptions = {},
  ): Promise<Schemas['BatchDoneDto']> {
    requireArguments({ commands }, { commands: 'commands' });
    requireCallOptions(options, BATCH_OPTIONS);
    const { expectedVersion: expected_version, ...rest } = options;
    const condition = expected_version === undefined ? {} : { expected_version };
    return this.#command('/commands', { commands, ...condition }, rest);
  }

  /**
   * Returns the same job with its commands sent together: calls of the same turn of the event loop, and those
   * that come while a request is under way, go as one request. Each call keeps its own answer or error.
   */
  batched(options?: BatchingOptions): BatchedJob {
    return new BatchedJob(this, options);
  }

  /** Returns matching WM entries, newest first. The service records the read as evidence of the job. */
  findWm(predicate: FindPredicate, options?: WriteOptions): Promise<Schemas['FoundWmDto']> {
    return this.#command(
      '/wm/find',
      bodyOf('predicate', predicate, 'POST /v1/jobs/{seed}/wm/find'),
      options,
    );
  }

  /** Returns matching CWM items in insertion order. The service records the read as evidence of the job. */
  findCwm(predicate: FindPredicate, options?: WriteOptions): Promise<Schemas['FoundCwmDto']> {
    return this.#command(
      '/cwm/find',
      bodyOf('predicate', predicate, 'POST /v1/jobs/{seed}/cwm/find'),
      options,
    );
  }

  /** Returns a page of the job's events from number `from` on, or of those that meet conditions. */
  events(
    page: Omit<QueryOf<'/v1/jobs/{seed}/events'>, 'format'> = {},
    options?: CallOptions,
  ): Promise<Schemas['JobEventsPageDto']> {
    return this.transport.get(
      `${this.#path}/events`,
      bodyOf('page?', page, 'GET /v1/jobs/{seed}/events', ['format']),
      options,
    );
  }

  /** Returns one event in the plain view: a line for each field, with dots for nesting. */
  async plainEvent(number: number, options?: CallOptions): Promise<string> {
    const path = `${this.#path}/events`;
    requireArguments({ number }, { number: 'count' });
    const query = { from: number, limit: 1, format: 'plain' };
    const lines: string[] = [];
    for await (const line of this.transport.lines(path, query, options)) lines.push(line);
    return lines.join('\n');
  }

  /** Returns the type of each event, and where each tick begins: enough to move through a long job. */
  timeline(options?: CallOptions): Promise<JobTimeline> {
    return this.transport.get(`${this.#path}/timeline`, {}, options);
  }

  /**
   * Returns what the job knew, after an event or at a time: its memory, and a page of what it had read, each fact with its
   * value and who approved it.
   */
  knew(at: QueryOf<'/v1/jobs/{seed}/knew'> = {}, options?: CallOptions): Promise<JobKnew> {
    return this.transport.get(
      `${this.#path}/knew`,
      bodyOf('at?', at, 'GET /v1/jobs/{seed}/knew'),
      options,
    );
  }

  /** Returns the job's state after one of its events. It is quick for a job of many events. */
  stateAfter(number: number, options?: CallOptions): Promise<JobStateAfter> {
    requireArguments({ number }, { number: 'count' });
    return this.transport.get(`${this.#path}/states/${number}`, {}, options);
  }

  /**
   * Yields the job's events, also those that are appended later, until the signal aborts or, with `toEnd`,
   * until the job's last event. After a lost connection it goes on where it was, without loss or repeat.
   */
  follow(options: FollowJobOptions = {}): AsyncGenerator<LogEvent, void, undefined> {
    return followJob(this.transport, `${this.#path}/events`, options);
  }

  /**
   * Yields the job's bundle, which `mace verify` checks offline: the signed header line, then one line
   * for each event. The yielded lines do not end with a line feed.
   */
  bundle(options?: CallOptions): AsyncGenerator<string> {
    return this.transport.lines(`${this.#path}/bundle`, {}, options);
  }

  /**
   * Replays the job and compares every event. With `audit` the report lists differences; with `strict`
   * the call fails at the first one with REPLAY_DIVERGENCE or INTEGRITY_FAILURE.
   */
  replay(mode: ReplayReport['mode'] = 'audit', options?: CallOptions): Promise<ReplayReport> {
    return this.transport.post(`${this.#path}/replays`, { mode }, options);
  }

  #forget<Answer>(path: string, options?: WriteOptions): Promise<Answer> {
    return this.transport.json({ method: 'DELETE', path: this.#path + path, options });
  }

  #command<Answer>(path: string, body: object, options?: WriteOptions): Promise<Answer> {
    return this.transport.post(this.#path + path, body, options);
  }
}
