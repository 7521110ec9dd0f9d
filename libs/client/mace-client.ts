import { ActionRequests } from './action-requests.js';
import { isPlainObject } from './argument-kinds.js';
import { bodyOf, MaceArgumentError, requireArguments } from './arguments.js';
import { Admin } from './admin.js';
import { Collisions } from './collisions.js';
import { ConsoleAccess } from './console.js';
import { ConversationHandle } from './conversations.js';
import { Privacy } from './privacy.js';
import { type EventsOptions, followLog, type LogEvent } from './events.js';
import { Episodes } from './episodes.js';
import { objectOf } from './field-words.js';
import { Integrity } from './integrity.js';
import { JobHandle, Jobs, type StartJob } from './jobs.js';
import {
  forget,
  type Kept,
  Memories,
  type OfPerson,
  recall,
  type Recall,
  type RecallRequest,
  remember,
  type RememberRequest,
} from './memories.js';
import { Memory } from './memory-contract.js';
import { type Moment, momentFile, positionAt } from './moments.js';
import { Notes } from './notes.js';
import { Oversight } from './oversight.js';
import { Projections } from './projections.js';
import { Queries } from './queries.js';
import { ReflectiveLogs } from './reflective-logs.js';
import type { QueryOf } from './schemas.js';
import type { SearchRequest, SearchResult } from './search.js';
import { Sem } from './sem.js';
import { Streams } from './streams.js';
import { Threads } from './threads.js';
import {
  type MaceClientOptions,
  type ReadOptions,
  Transport,
  type WriteOptions,
} from './transport.js';
import { WhyQueries } from './why.js';
import { withJob, type WithJobOptions } from './with-job.js';

/**
 * The memory of an agent runtime, over HTTP. Bodies and answers are the service's own JSON, in snake_case.
 *
 * Each call fails with a `MaceError`, which carries the service's envelope, or with `MaceUnreachable`, when no
 * usable answer came. Every write carries an Idempotency-Key, unless a repetition of it adds nothing, so that
 * network errors and 503 are retried without ever writing twice.
 *
 * ```ts
 * const mace = new MaceClient({ baseUrl: 'http://127.0.0.1:3000', token });
 * const { job_seed } = await mace.jobs.start({ goal: 'book a flight' });
 * const job = mace.job(job_seed);
 * const { wm_id } = await job.insert({ type: 'fact', value: { destination: 'SEA' } });
 * await job.referenceWm(wm_id);
 * await job.tick();
 * await job.end();
 * ```
 */
export class MaceClient {
  readonly jobs: Jobs;
  readonly sem: Sem;
  readonly episodes: Episodes;
  readonly actionRequests: ActionRequests;
  readonly collisions: Collisions;
  readonly privacy: Privacy;
  readonly memory: Memory;
  readonly memories: Memories;
  readonly notes: Notes;
  readonly oversight: Oversight;
  readonly projections: Projections;
  readonly queries: Queries;
  readonly admin: Admin;
  readonly console: ConsoleAccess;
  readonly reflectiveLogs: ReflectiveLogs;
  readonly integrity: Integrity;
  readonly streams: Streams;
  readonly threads: Threads;
  readonly why: WhyQueries;
  readonly #transport: Transport;

  constructor(options: MaceClientOptions) {
    this.#transport = new Transport(options);
    this.jobs = new Jobs(this.#transport);
    this.sem = new Sem(this.#transport);
    this.episodes = new Episodes(this.#transport);
    this.actionRequests = new ActionRequests(this.#transport);
    this.collisions = new Collisions(this.#transport);
    this.privacy = new Privacy(this.#transport);
    this.memory = new Memory(this.#transport);
    this.memories = new Memories(this.#transport);
    this.reflectiveLogs = new ReflectiveLogs(this.#transport);
    this.integrity = new Integrity(this.#transport);
    this.notes = new Notes(this.#transport);
    this.streams = new Streams(this.#transport);
    this.threads = new Threads(this.#transport);
    this.why = new WhyQueries(this.#transport);
    this.oversight = new Oversight(this.#transport);
    this.projections = new Projections(this.#transport);
    this.queries = new Queries(this.#transport);
    this.admin = new Admin(this.#transport);
    this.console = new ConsoleAccess(this.#transport);
  }

  /**
   * Remembers a text about a person until it is forgotten: the token's user, or whom `user_id` names. With `said`, what
   * lasts of the person's words is kept. The same text is kept once.
   *
   * ```ts
   * await mace.remember({ said: 'I am allergic to peanuts. What is for dinner?', user_id: 'ada' });
   * ```
   */
  remember(what: string | RememberRequest, options?: WriteOptions): Promise<Kept> {
    return remember(this.#transport, what, options);
  }

  /** Returns what is remembered about a person: what the query finds, best first, then the newest. */
  recall(asked: string | RecallRequest = {}, options?: WriteOptions): Promise<Recall> {
    return recall(this.#transport, asked, options);
  }

  /** Forgets a memory: no recall and no list shows it any more. Returns false if it was not there. */
  forget(id: string, options: OfPerson & WriteOptions = {}): Promise<boolean> {
    return forget(this.#transport, id, options);
  }

  /** Returns a handle for the job with this seed, without a request. */
  job(seed: string): JobHandle {
    return new JobHandle(this.#transport, seed);
  }

  /** Searches everything that the caller may read; the best hits come first. A search writes only if a job records it. */
  search(request: SearchRequest, options?: ReadOptions): Promise<SearchResult> {
    const body = bodyOf('request', request, 'POST /v1/search');
    return this.#transport.json({ method: 'POST', path: '/v1/search', body, options });
  }

  /** Returns a handle for the caller's conversation with this id, without a request. */
  conversation(id: string): ConversationHandle {
    return new ConversationHandle(this.#transport, id);
  }

  /**
   * Starts a job, given by its seed or by the options of its start, runs `work` in it and returns its result.
   * Ends the job whatever happens: after an exception it tags the job's ReflectiveLog with `failed` and the
   * error's code, and throws the exception again.
   */
  withJob<Result>(
    start: string | StartJob,
    work: (job: JobHandle) => Result | Promise<Result>,
    options?: WithJobOptions,
  ): Promise<Result> {
    requireArguments({ work }, { work: 'work' });
    if (typeof start !== 'string' && !isPlainObject(start))
      throw new MaceArgumentError(
        'start',
        `the seed of a job, or ${objectOf('POST /v1/jobs')}`,
        start,
      );
    const { jobs, reflectiveLogs } = this;
    const parts = { jobs, reflectiveLogs, handle: (seed: string) => this.job(seed) };
    return withJob(parts, typeof start === 'string' ? { job_seed: start } : start, work, options);
  }

  /**
   * Yields the events of the log that the caller may read, also those that are appended later, until the
   * signal aborts. After a lost connection it goes on where it was, without loss or repeat.
   */
  events(options: EventsOptions = {}): AsyncGenerator<LogEvent, void, undefined> {
    return followLog(this.#transport, options);
  }

  /**
   * Returns the position at which the log ended at a time, and whether it is final. Reads of the past take the time itself
   * as `at`.
   */
  positionAt(time: Date | string, options?: ReadOptions): Promise<Moment> {
    return positionAt(this.#transport, time, options);
  }

  /** Yields the lines of the signed file with what the log held at a time, which `mace verify` checks offline. */
  momentFile(
    asked: QueryOf<'/v1/positions/bundle'>,
    options?: ReadOptions,
  ): AsyncGenerator<string> {
    return momentFile(this.#transport, asked, options);
  }

  /** The largest log position in all answers to this client; undefined before the first write. */
  get position(): bigint | undefined {
    return this.#transport.position;
  }
}
