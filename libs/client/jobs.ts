import type { Json, JsonObject } from './json.js';
import type { LogAccount } from './reflective-logs.js';
import type { CallOptions, ReadOptions, Transport, WriteOptions } from './transport.js';

export type WmType = 'fact' | 'context' | 'hint' | 'temp';
export type EpisodeSource = 'agent' | 'executor' | 'brainstate';

/** How a job begins; everything is optional. */
export interface StartJob {
  /** `[A-Za-z0-9._:-]{1,128}`. Default: a UUIDv7 that the service mints. */
  readonly job_seed?: string;
  /** Carries over what the session's last ended job left in its CWM. */
  readonly session_id?: string;
  readonly user_id?: string;
  /** ISO 8601 UTC; replaces the seed's own time as the base of the job's timestamps. */
  readonly seeded_epoch?: string;
  readonly goal?: string;
  /** Overrides of the defaults, for example `{ promotion_references: 3 }`. */
  readonly constants?: JsonObject;
}

/** A working-memory entry. */
export interface WmEntry {
  readonly wm_id: string;
  readonly type: WmType;
  readonly value: Json;
  readonly created_at_tick: number;
  /** Ticks left before it expires. */
  readonly ttl_ticks: number;
  readonly references: number;
  /** The CWM item that returned as this entry, if one did. */
  readonly returned_from?: string;
}

/** An item of the consolidated working memory. */
export interface CwmItem {
  readonly cwm_id_item: string;
  readonly type: WmType;
  readonly value: Json;
  readonly promoted_from_wm: true;
  readonly ttl_ticks: number;
  readonly references: number;
}

/** A job as it stands, or stood at the version asked for. */
export interface Job {
  readonly job_seed: string;
  readonly status: 'running' | 'ended';
  readonly tick: number;
  /** The number of the job's last event, from 0. */
  readonly version: number;
  /** Newest first. */
  readonly wm: readonly WmEntry[];
  readonly cwm: {
    readonly cwm_id: string;
    readonly topic: string;
    readonly items: readonly CwmItem[];
    readonly token_estimate: number;
  };
  readonly snapshots: {
    readonly sem_snapshot_id: string;
    readonly sem_snapshot_hash: string;
    readonly sem_event_count: number;
    readonly episodic_snapshot_id: string;
    readonly episodic_count: number;
    readonly brainstate_snapshot_id: string;
  };
}

/** One command of a batch. */
export type JobCommand =
  | {
      readonly op: 'wm_insert';
      readonly type: WmType;
      readonly value: Json;
      readonly ttl_ticks?: number;
    }
  | { readonly op: 'wm_reference'; readonly wm_id: string }
  | { readonly op: 'cwm_reference'; readonly item_id: string }
  | { readonly op: 'tick'; readonly count?: number }
  | { readonly op: 'goal'; readonly goal: string }
  | ({ readonly op: 'episodic_write' } & WriteEpisode)
  | { readonly op: 'end'; readonly reflective_log?: LogAccount };

export interface WriteEpisode {
  /** At most 2,000 characters; what queries look in. */
  readonly summary: string;
  /** At most 256 KB as canonical JSON. */
  readonly payload?: Json;
  readonly evidence?: readonly JsonObject[];
  readonly source?: EpisodeSource;
}

/** Conditions of a batch. */
export interface EndOptions extends WriteOptions {
  /** The runtime's own account of the job. */
  readonly reflectiveLog?: LogAccount;
}

export interface BatchOptions extends WriteOptions {
  /** Refuses with VERSION_CONFLICT unless the job is at this version. */
  readonly expectedVersion?: number;
}

/** A structural match over an entry; pointers are JSON Pointers such as `/value/color`. */
export interface FindPredicate {
  readonly equals?: Readonly<Record<string, Json>>;
  readonly exists?: readonly string[];
  readonly absent?: readonly string[];
}

/** An event as it stands in the log. */
export interface JobEvent {
  readonly stream: string;
  readonly number: number;
  /** Its place in the whole log, in decimal. */
  readonly position: string;
  readonly type: string;
  readonly data: JsonObject;
  readonly metadata: JsonObject;
}

/** What a replay found. */
export interface ReplayReport {
  readonly mode: 'audit' | 'strict';
  readonly stream: string;
  readonly events_checked: number;
  /** The hash of the stream's last event. */
  readonly head_hash: string;
  /** The same wherever the same seed met the same commands. */
  readonly content_hash: string;
  /** Of the state that the job ended in; null where the replay did not reach it. */
  readonly state_hash: string | null;
  readonly identical: boolean;
  /** REPLAY_DIVERGENCE or INTEGRITY_FAILURE where it is not identical. */
  readonly code?: string;
  /** The first event that the rules do not make again, or whose hash is broken. */
  readonly divergence?: {
    readonly number: number;
    readonly expected: Json;
    readonly actual: Json;
  };
}

/** A job in a list. */
export interface JobListing {
  readonly job_seed: string;
  readonly status: Job['status'];
  readonly owner_sub: string;
  readonly owner_user_id: string | null;
  readonly session_id: string | null;
  readonly goal: string | null;
  readonly tick: number;
  readonly version: number;
  readonly wm_count: number;
  readonly cwm_count: number;
  readonly promotions: number;
  readonly episodes: number;
  /** ISO 8601 UTC, by the wall clock. */
  readonly started_at: string;
  readonly last_event_at: string;
  readonly ended_at: string | null;
}

/** Starts and lists jobs. */
export class Jobs {
  constructor(private readonly transport: Transport) {}

  /** Starts a job. Fails with JOB_EXISTS, PERMISSION_DENIED (a session or user of somebody else), PROJECTION_LAG. */
  start(job: StartJob = {}, options?: WriteOptions): Promise<Job> {
    return this.transport.json({ method: 'POST', path: '/v1/jobs', body: job, options });
  }

  /** One page of jobs, newest first, of at most `limit` (1 to 500; default 50); `next_cursor` leads to the next. */
  list(
    filter: {
      status?: Job['status'];
      session_id?: string;
      cursor?: string;
      limit?: number;
    } = {},
    options?: ReadOptions,
  ): Promise<{ readonly jobs: readonly JobListing[]; readonly next_cursor: string | null }> {
    return this.transport.json({ method: 'GET', path: '/v1/jobs', query: filter, options });
  }

  /** Every job that the caller may see, page by page. */
  async *all(filter: { status?: Job['status']; session_id?: string } = {}, options?: ReadOptions) {
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
  get(at: { version?: number } = {}, options?: CallOptions): Promise<Job> {
    return this.transport.json({ method: 'GET', path: this.#path, query: at, options });
  }

  /** Puts an entry of at most 16 KB into working memory. `ttl_ticks`: default 3, counted in ticks. */
  insert(
    entry: { type: WmType; value: Json; ttl_ticks?: number },
    options?: WriteOptions,
  ): Promise<{ readonly wm_id: string; readonly version: number }> {
    return this.#command('/wm', entry, options);
  }

  /** Records a use of a WM entry. NOT_FOUND once it was promoted or has expired. */
  referenceWm(wmId: string, options?: WriteOptions): Promise<{ readonly version: number }> {
    return this.#command(`/wm/${encodeURIComponent(wmId)}/references`, {}, options);
  }

  /** Records a use of a CWM item. */
  referenceCwm(itemId: string, options?: WriteOptions): Promise<{ readonly version: number }> {
    return this.#command(`/cwm/${encodeURIComponent(itemId)}/references`, {}, options);
  }

  /** Lets `count` ticks pass (1 to 1,000; default 1): promotions, expiries, the CWM's budget. */
  tick(
    count = 1,
    options?: WriteOptions,
  ): Promise<{ readonly tick: number; readonly version: number }> {
    return this.#command('/ticks', { count }, options);
  }

  /** Sets a new major goal: what the CWM holds beside its topic ages at once. */
  goal(goal: string, options?: WriteOptions): Promise<{ readonly version: number }> {
    return this.#command('/goals', { goal }, options);
  }

  /** Writes an episode. */
  writeEpisode(
    episode: WriteEpisode,
    options?: WriteOptions,
  ): Promise<{ readonly episodic_id: string; readonly version: number }> {
    return this.#command('/episodes', episode, options);
  }

  /**
   * Ends the job: consolidates what it knows into episodes and takes no command any more. The job's
   * ReflectiveLog gives the account that is handed over, or, without one, the service's own.
   */
  end(
    options: EndOptions = {},
  ): Promise<{ readonly reflective_log_id: string; readonly version: number }> {
    const { reflectiveLog, ...writing } = options;
    const account = reflectiveLog === undefined ? {} : { reflective_log: reflectiveLog };
    return this.#command('/end', account, writing);
  }

  /** At most 500 commands, all or none, in order; `results` has one answer a command. */
  batch(
    commands: readonly JobCommand[],
    { expectedVersion: expected_version, ...options }: BatchOptions = {},
  ): Promise<{ readonly results: readonly Json[]; readonly version: number }> {
    const condition = expected_version === undefined ? {} : { expected_version };
    return this.#command('/commands', { commands, ...condition }, options);
  }

  /** WM entries that match, newest first. The read is recorded as evidence of the job. */
  findWm(
    predicate: FindPredicate,
    options?: WriteOptions,
  ): Promise<{ readonly entries: readonly WmEntry[]; readonly version: number }> {
    return this.#command('/wm/find', predicate, options);
  }

  /** CWM items that match, in order of insertion. The read is recorded as evidence of the job. */
  findCwm(
    predicate: FindPredicate,
    options?: WriteOptions,
  ): Promise<{ readonly entries: readonly CwmItem[]; readonly version: number }> {
    return this.#command('/cwm/find', predicate, options);
  }

  /** A page of the job's events, from number `from` on. */
  events(
    page: { from?: number; limit?: number } = {},
    options?: CallOptions,
  ): Promise<{ readonly events: readonly JobEvent[]; readonly next_from: number | null }> {
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
  replay(mode: 'audit' | 'strict' = 'audit', options?: CallOptions): Promise<ReplayReport> {
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
