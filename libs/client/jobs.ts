import type { LogAccount } from './reflective-logs.js';
import type { QueryOf, Schemas } from './schemas.js';
import type { CallOptions, ReadOptions, Transport, WriteOptions } from './transport.js';

/** The options of a job's start; all are optional. */
export type StartJob = Schemas['StartJobDto'];

/** A job's current state, or its state at the requested version. */
export type Job = Schemas['JobDto'];

/** A working-memory entry. */
export type WmEntry = Schemas['WmEntryDto'];

/** An item of the consolidated working memory. */
export type CwmItem = Schemas['CwmItemDto'];

export type WmType = WmEntry['type'];

/** One command of a batch. */
export type JobCommand = Schemas['JobBatchDto']['commands'][number];

export type WriteEpisode = Omit<Schemas['EpisodeDto'], 'expected_version'>;

export type EpisodeSource = Schemas['EpisodeViewDto']['source'];

export interface EndOptions extends WriteOptions {
  /** The runtime's own log of the job. */
  readonly reflectiveLog?: LogAccount;
}

/** Conditions of a batch. */
export interface BatchOptions extends WriteOptions {
  /** The call fails with VERSION_CONFLICT unless the job is at this version. */
  readonly expectedVersion?: number;
}

/** A structural condition on an entry; pointers are JSON Pointers such as `/value/color`. */
export type FindPredicate = Schemas['FindDto'];

/** An event as stored in the log. */
export type JobEvent = Schemas['JobEventDto'];

/** The result of a replay. */
export type ReplayReport = Schemas['ReplayReportDto'];

/** A job in a list. */
export type JobListing = Schemas['ListedJobDto'];

/** Starts and lists jobs. */
export class Jobs {
  constructor(private readonly transport: Transport) {}

  /**
   * Starts a job. Fails with JOB_EXISTS, PERMISSION_DENIED (another owner's session or user), PROJECTION_LAG.
   */
  start(job: StartJob = {}, options?: WriteOptions): Promise<Job> {
    return this.transport.json({ method: 'POST', path: '/v1/jobs', body: job, options });
  }

  /**
   * One page of jobs, newest first, with at most `limit` jobs (1 to 500; default 50); pass `next_cursor` to
   * get the next page.
   */
  list(filter: QueryOf<'/v1/jobs'> = {}, options?: ReadOptions): Promise<Schemas['JobsPageDto']> {
    return this.transport.json({ method: 'GET', path: '/v1/jobs', query: filter, options });
  }

  /** All jobs that the caller may see, fetched page by page. */
  async *all(filter: Omit<QueryOf<'/v1/jobs'>, 'cursor' | 'limit'> = {}, options?: ReadOptions) {
    let cursor: string | undefined;
    do {
      const page = await this.list({ ...filter, limit: 500, ...(cursor && { cursor }) }, options);
      yield* page.jobs;
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
  }
}

/**
 * One job. Every command fails with NOT_FOUND, PERMISSION_DENIED, JOB_ENDED or, at a limit,
 * INVALID_INPUT; an ended job can still be read, replayed and exported.
 */
export class JobHandle {
  readonly #path: string;

  constructor(
    private readonly transport: Transport,
    readonly seed: string,
  ) {
    this.#path = `/v1/jobs/${encodeURIComponent(seed)}`;
  }

  /**
   * The job now, or at an earlier version. The answer includes every command that was acknowledged before.
   */
  get(at: QueryOf<'/v1/jobs/{seed}'> = {}, options?: CallOptions): Promise<Job> {
    return this.transport.json({ method: 'GET', path: this.#path, query: at, options });
  }

  /** Inserts an entry of at most 16 KB into working memory. `ttl_ticks`: default 3 ticks. */
  insert(
    entry: Omit<Schemas['WmInsertDto'], 'expected_version'>,
    options?: WriteOptions,
  ): Promise<Schemas['WmDoneDto']> {
    return this.#command('/wm', entry, options);
  }

  /** Records a use of a WM entry. Fails with NOT_FOUND after the entry's promotion or expiry. */
  referenceWm(wmId: string, options?: WriteOptions): Promise<Schemas['WmDoneDto']> {
    return this.#command(`/wm/${encodeURIComponent(wmId)}/references`, {}, options);
  }

  /** Records a use of a CWM item. */
  referenceCwm(itemId: string, options?: WriteOptions): Promise<Schemas['CwmDoneDto']> {
    return this.#command(`/cwm/${encodeURIComponent(itemId)}/references`, {}, options);
  }

  /**
   * Advances the job by `count` ticks (1 to 1,000; default 1): entries are promoted or expire, and the CWM
   * budget is enforced.
   */
  tick(count = 1, options?: WriteOptions): Promise<Schemas['TickedDto']> {
    return this.#command('/ticks', { count }, options);
  }

  /** Sets a new major goal: CWM items that share no word with the topic age by one tick at once. */
  goal(goal: string, options?: WriteOptions): Promise<Schemas['GoalSetDto']> {
    return this.#command('/goals', { goal }, options);
  }

  /** Writes an episode. */
  writeEpisode(
    episode: WriteEpisode,
    options?: WriteOptions,
  ): Promise<Schemas['EpisodeWrittenDto']> {
    return this.#command('/episodes', episode, options);
  }

  /**
   * Ends the job: writes its episodes; the job takes no further command. The job's ReflectiveLog is the given
   * log or, without one, a log that the service writes.
   */
  end(options: EndOptions = {}): Promise<Schemas['JobEndedDto']> {
    const { reflectiveLog, ...writing } = options;
    const account = reflectiveLog === undefined ? {} : { reflective_log: reflectiveLog };
    return this.#command('/end', account, writing);
  }

  /** Sends at most 500 commands, applied in order, all or none; `results` has one answer for each command. */
  batch(
    commands: readonly JobCommand[],
    { expectedVersion: expected_version, ...options }: BatchOptions = {},
  ): Promise<Schemas['BatchDoneDto']> {
    const condition = expected_version === undefined ? {} : { expected_version };
    return this.#command('/commands', { commands, ...condition }, options);
  }

  /** Returns matching WM entries, newest first. The service records the read as evidence of the job. */
  findWm(predicate: FindPredicate, options?: WriteOptions): Promise<Schemas['FoundWmDto']> {
    return this.#command('/wm/find', predicate, options);
  }

  /** Returns matching CWM items in insertion order. The service records the read as evidence of the job. */
  findCwm(predicate: FindPredicate, options?: WriteOptions): Promise<Schemas['FoundCwmDto']> {
    return this.#command('/cwm/find', predicate, options);
  }

  /** A page of the job's events, from number `from` on. */
  events(
    page: Omit<QueryOf<'/v1/jobs/{seed}/events'>, 'format'> = {},
    options?: CallOptions,
  ): Promise<Schemas['JobEventsPageDto']> {
    return this.transport.json({
      method: 'GET',
      path: `${this.#path}/events`,
      query: page,
      options,
    });
  }

  /**
   * The export that `mace verify` checks offline: the header line, then one line for each event, without line
   * ends.
   */
  bundle(options?: CallOptions): AsyncGenerator<string> {
    return this.transport.lines({ method: 'GET', path: `${this.#path}/bundle`, options });
  }

  /**
   * Replays the job and compares every event. `audit` reports differences; `strict` fails at the first one
   * with REPLAY_DIVERGENCE or INTEGRITY_FAILURE.
   */
  replay(mode: ReplayReport['mode'] = 'audit', options?: CallOptions): Promise<ReplayReport> {
    return this.transport.json({
      method: 'POST',
      path: `${this.#path}/replays`,
      body: { mode },
      options,
    });
  }

  #command<Answer>(path: string, body: object, options?: WriteOptions): Promise<Answer> {
    return this.transport.json({ method: 'POST', path: this.#path + path, body, options });
  }
}
