import type { ArgumentKind } from './argument-kinds.js';
import { bodyOf, requireArguments, requireOptions } from './arguments.js';
import { isMaceError } from './mace-error.js';
import { requestText } from './records.js';
import type { Schemas } from './schemas.js';
import { MAX_BYTES, MAX_COMMANDS } from './limits.js';

type Command = Schemas['RunBatch']['commands'][number];

/** The calls of a job that batching uses. */
interface Job {
  readonly seed: string;
  batch(commands: readonly Command[]): Promise<Schemas['BatchDoneDto']>;
}

export interface BatchingOptions {
  /**
   * The time in ms for which the first call waits for further calls. The default is 0: the calls of the same
   * turn of the event loop go together, and those that come while a request is under way.
   */
  readonly waitMs?: number;
}

const OPTIONS = { waitMs: 'count?' } as const satisfies Record<keyof BatchingOptions, ArgumentKind>;

/** What an event takes in the log beside the command's own fields, rounded up. */
const EVENT_BYTES = 1024;

interface Waiting {
  readonly command: Command;
  readonly bytes: number;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

const encoder = new TextEncoder();
const bytesOf = (command: Command): number =>
  encoder.encode(requestText(command)).length + EVENT_BYTES;

/**
 * A job whose commands are sent together. Each call returns its own answer or fails with its own error, and the
 * commands run in the order of the calls. A batch is recorded whole or not at all, so if a command is refused,
 * the others are sent again without it.
 */
export class BatchedJob {
  #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;

  constructor(
    private readonly job: Job,
    private readonly options: BatchingOptions = {},
  ) {
    requireOptions(options, OPTIONS);
  }

  get seed(): string {
    return this.job.seed;
  }

  /** As `JobHandle.insert`. */
  insert(entry: Omit<Schemas['InsertWm'], 'expected_version'>): Promise<Schemas['WmDoneDto']> {
    return this.#add({
      op: 'wm_insert',
      ...bodyOf('entry', entry, 'POST /v1/jobs/{seed}/wm', ['expected_version']),
    });
  }

  /** As `JobHandle.referenceWm`. */
  referenceWm(wmId: string): Promise<Schemas['WmDoneDto']> {
    requireArguments({ wmId }, { wmId: 'wmId' });
    return this.#add({ op: 'wm_reference', wm_id: wmId });
  }

  /** As `JobHandle.referenceCwm`. */
  referenceCwm(itemId: string): Promise<Schemas['CwmDoneDto']> {
    requireArguments({ itemId }, { itemId: 'itemId' });
    return this.#add({ op: 'cwm_reference', item_id: itemId });
  }

  /** As `JobHandle.forgetWm`. */
  forgetWm(wmId: string): Promise<Schemas['WmDoneDto']> {
    requireArguments({ wmId }, { wmId: 'wmId' });
    return this.#add({ op: 'wm_forget', wm_id: wmId });
  }

  /** As `JobHandle.forgetCwm`. */
  forgetCwm(itemId: string): Promise<Schemas['CwmDoneDto']> {
    requireArguments({ itemId }, { itemId: 'itemId' });
    return this.#add({ op: 'cwm_forget', item_id: itemId });
  }

  /** As `JobHandle.tick`. */
  tick(count = 1): Promise<Schemas['TickedDto']> {
    requireArguments({ count }, { count: 'count' });
    return this.#add({ op: 'tick', count });
  }

  /** As `JobHandle.goal`. */
  goal(goal: string): Promise<Schemas['GoalSetDto']> {
    requireArguments({ goal }, { goal: 'text' });
    return this.#add({ op: 'goal', goal });
  }

  /** As `JobHandle.writeEpisode`. */
  writeEpisode(
    episode: Omit<Schemas['WriteEpisode'], 'expected_version'>,
  ): Promise<Schemas['EpisodeWrittenDto']> {
    return this.#add({
      op: 'episodic_write',
      ...bodyOf('episode', episode, 'POST /v1/jobs/{seed}/episodes', ['expected_version']),
    });
  }

  /** Ends the job after the calls so far, as `JobHandle.end` without a log of the runtime's own. */
  end(): Promise<Schemas['JobEndedDto']> {
    return this.#add({ op: 'end' });
  }

  /** Resolves when every call so far has its answer or its error. */
  async settled(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  #add<Answer>(command: Command): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      const accept = resolve as (answer: unknown) => void;
      this.#waiting.push({ command, bytes: bytesOf(command), resolve: accept, reject });
      this.#running ??= this.#run();
    });
  }

  async #run(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, this.options.waitMs ?? 0));
    while (this.#waiting.length > 0) await this.#send(this.#take());
    this.#running = undefined;
  }

  /** Takes the calls that fit one request, at least one. */
  #take(): readonly Waiting[] {
    let count = 0;
    for (let bytes = 0; count < Math.min(this.#waiting.length, MAX_COMMANDS); count += 1) {
      bytes += this.#waiting[count]!.bytes;
      if (bytes > MAX_BYTES && count > 0) break;
    }
    return this.#waiting.splice(0, count);
  }

  async #send(calls: readonly Waiting[]): Promise<void> {
    if (calls.length === 0) return;
    try {
      const { results, version } = await this.job.batch(calls.map(({ command }) => command));
      for (const [index, { resolve }] of calls.entries())
        resolve({ ...(results[index] as object | null), version });
    } catch (error) {
      await this.#sendOthers(calls, error);
    }
  }

  /** Sends again the calls of a refused batch that are not the reason for the refusal. */
  async #sendOthers(calls: readonly Waiting[], error: unknown): Promise<void> {
    const index = isMaceError(error) ? error.commandIndex : undefined;
    const refused = index === undefined ? undefined : calls[index];
    if (index !== undefined && refused !== undefined) {
      await this.#send(calls.slice(0, index));
      refused.reject(error);
      const rest = calls.slice(index + 1);
      if (isMaceError(error, 'JOB_ENDED')) for (const { reject } of rest) reject(error);
      else await this.#send(rest);
    } else if (calls.length > 1 && isMaceError(error, 'INVALID_INPUT')) {
      // A refusal that names no command, such as that of a batch with too many events: halves of the batch are smaller.
      const half = Math.ceil(calls.length / 2);
      await this.#send(calls.slice(0, half));
      await this.#send(calls.slice(half));
    } else for (const { reject } of calls) reject(error);
  }
}
