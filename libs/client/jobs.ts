import type { LogAccount } from './reflective-logs.js';
import type { QueryOf, Schemas } from './schemas.js';
import type { CallOptions, ReadOptions, Transport, WriteOptions } from './transport.js';

/** How a job begins; everything is optional. */
export type StartJob = Schemas['StartJobDto'];

/** A job as it stands, or stood at the version asked for. */
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
  /** The runtime's own account of the job. */
  readonly reflectiveLog?: LogAccount;
}

/** Conditions of a batch. */
export interface BatchOptions extends WriteOptions {
  /** Refuses with VERSION_CONFLICT unless the job is at this version. */
  readonly expectedVersion?: number;
}

/** A structural match over an entry; pointers are JSON Pointers such as `/value/color`. */
export type FindPredicate = Schemas['FindDto'];

/** An event as it stands in the log. */
export type JobEvent = Schemas['JobEventDto'];

/** What a replay found. */
export type ReplayReport = Schemas['ReplayReportDto'];

/** A job in a list. */
export type JobListing = Schemas['ListedJobDto'];

/** Starts and lists jobs. */
export class Jobs {
  constructor(private readonly transport: Transport) {}

  /** Starts a job. Fails with JOB_EXISTS, PERMISSION_DENIED (a session or user of somebody else), PROJECTION_LAG. */
  start(job: StartJob = {}, options?: WriteOptions): Promise<Job> {
    return this.transport.json({ method: 'POST', path: '/v1/jobs', body: job, options });
  }

  /** One page of jobs, newest first, of at most `limit` (1 to 500; default 50); `next_cursor` leads to the next. */
  list(filter: QueryOf<'/v1/jobs'> = {}, options?: ReadOptions): Promise<Schemas['JobsPageDto']> {
    return this.transport.json({ method: 'GET', path: '/v1/jobs', query: filter, options });
  }

  /** Every job that the caller may see, page by page. */
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

  /** The job now, or at an earlier version. Shows every command that was acknowledged before. */
  get(at: QueryOf<'/v1/jobs/{seed}'> = {}, options?: CallOptions): Promise<Job> {
    return this.transport.json({ method: 'GET', path: this.#path, query: at, options });
  }

  /** Puts an entry of at most 16 KB into working memory. `ttl_ticks`: default 3, counted in ticks. */
  insert(
    entry: Omit<Schemas['WmInsertDto'], 'expected_version'>,
    options?: WriteOptions,
  ): Promise<Schemas['WmDoneDto']> {
    return this.#command('/wm', entry, options);
  }

  /** Records a use of a WM entry. NOT_FOUND once it was promoted or has expired. */
  referenceWm(wmId: string, options?: WriteOptions): Promise<Schemas['WmDoneDto']> {
    return this.#command(`/wm/${encodeURIComponent(wmId)}/references`, {}, options);
  }

  /** Records a use of a CWM item. */
  referenceCwm(itemId: string, options?: WriteOptions): Promise<Schemas['CwmDoneDto']> {
    return this.#command(`/cwm/${encodeURIComponent(itemId)}/references`, {}, options);
  }

  /** Lets `count` ticks pass (1 to 1,000; default 1): promotions, expiries, the CWM's budget. */
  tick(count = 1, options?: WriteOptions): Promise<Schemas['TickedDto']> {
    return this.#command('/ticks', { count }, options);
  }

  /** Sets a new major goal: what the CWM holds beside its topic ages at once. */
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
   * Ends the job: consolidates what it knows into episodes and takes no command any more. The job's
   * ReflectiveLog gives the account that is handed over, or, without one, the service's own.
   */
  end(options: EndOptions = {}): Promise<Schemas['JobEndedDto']> {
    const { reflectiveLog, ...writing } = options;
    const account = reflectiveLog === undefined ? {} : { reflective_log: reflectiveLog };
    return this.#command('/end', account, writing);
  }

  /** At most 500 commands, all or none, in order; `results` has one answer a command. */
  batch(
    commands: readonly JobCommand[],
    { expectedVersion: expected_version, ...options }: BatchOptions = {},
  ): Promise<Schemas['BatchDoneDto']> {
    const condition = expected_version === undefined ? {} : { expected_version };
    return this.#command('/commands', { commands, ...condition }, options);
  }

  /** WM entries that match, newest first. The read is recorded as evidence of the job. */
  findWm(predicate: FindPredicate, options?: WriteOptions): Promise<Schemas['FoundWmDto']> {
    return this.#command('/wm/find', predicate, options);
  }

  /** CWM items that match, in order of insertion. The read is recorded as evidence of the job. */
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

  /** The export that `mace verify` checks offline: a head, then an event a line, without line ends. */
  bundle(options?: CallOptions): AsyncGenerator<string> {
    return this.transport.lines({ method: 'GET', path: `${this.#path}/bundle`, options });
  }

  /**
   * Runs every decision of the job again and compares. `audit` reports; `strict` stops at what is
   * missing or broken, with REPLAY_DIVERGENCE or INTEGRITY_FAILURE.
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
