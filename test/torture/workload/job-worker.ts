import type { JobHandle } from '#client/jobs.js';
import type { TortureClient } from '../client.js';
import type { Journal } from '../journal.js';
import type { Random } from '../random.js';

const LONG = { wm_default_ttl_ticks: 30, cwm_ttl_ticks: 40 };

export interface JobWorkerOptions {
  readonly client: TortureClient;
  readonly random: Random;
  readonly journal: Journal;
  /** The session in which the jobs run, one after the other; undefined for jobs without a session. */
  readonly session: string | undefined;
}

/** Runs one job after the other, each from its start to its end, then replays and exports it. */
export async function runJobs(options: JobWorkerOptions): Promise<void> {
  const { client, random, session } = options;
  while (!client.isClosing) {
    const start = session === undefined ? {} : { session_id: session };
    const job = await client.write({ kind: 'start', adds: { job_started: 1 } }, (mace, write) =>
      mace.jobs.start({ ...start, goal: client.sub, constants: LONG }, write),
    );
    if (job === undefined) continue;
    const worker = new JobWorker(options, job.job_seed);
    const steps = random.between(5, 40);
    for (let step = 0; step < steps && !client.isClosing; step += 1) {
      await worker.step();
      await client.pause(10, 120);
    }
    await worker.end();
  }
}

/** Works on one job that this client alone may change or, if it is shared, with others. */
export class JobWorker {
  private entry: string | undefined;
  private version = 0;

  constructor(
    private readonly options: JobWorkerOptions,
    private readonly seed: string,
  ) {}

  async step(): Promise<void> {
    const { client, random } = this.options;
    const kind = random.pick([
      'insert',
      'insert',
      'tick',
      'batch',
      'refer',
      'goal',
      'find',
      'read',
    ]);
    const say = `word${random.between(0, 50)} ${client.sub}`;
    switch (kind) {
      case 'insert': {
        const entry = { type: 'fact' as const, value: { say, by: client.sub } };
        const done = await this.write('insert', { wm_inserted: 1 }, (job, o) =>
          job.insert(entry, o),
        );
        this.entry = done?.wm_id ?? this.entry;
        return;
      }
      case 'tick':
        await this.write('tick', { ticked: 1 }, (job, o) => job.tick(1, o));
        return;
      case 'batch': {
        const commands = [
          { op: 'wm_insert' as const, type: 'context' as const, value: { say, by: client.sub } },
          { op: 'tick' as const, count: 2 },
          { op: 'episodic_write' as const, summary: `${client.sub} noted ${say}` },
        ];
        const adds = { wm_inserted: 1, ticked: 2, episode_written: 1 };
        await this.write('batch', adds, (job, o) => job.batch(commands, o));
        return;
      }
      case 'refer': {
        const { entry } = this;
        if (entry === undefined) return;
        // The entry may have expired, or been promoted.
        const gone = ['NOT_FOUND'];
        await this.write(
          'refer',
          { wm_referenced: 1 },
          (job, o) => job.referenceWm(entry, o),
          gone,
        );
        return;
      }
      case 'goal':
        await this.write('goal', { goal_set: 1 }, (job, o) => job.goal(say, o));
        return;
      case 'find':
        await this.write('find', { memory_read: 1 }, (job, o) =>
          job.findWm({ exists: ['/value'] }, o),
        );
        return;
      case 'read':
        await this.read();
    }
  }

  /** Ends the job, then replays it and reads its bundle. */
  async end(): Promise<void> {
    const { client, random, journal } = this.options;
    const ended = await this.write('end', { job_ended: 1 }, (job, o) => job.end(o));
    if (ended === undefined || !random.chance(0.5)) return;
    const report = await client.read('replay', (mace) => mace.job(this.seed).replay('strict'));
    if (report !== undefined && !report.identical)
      journal.mustNotBe(`job ${this.seed} does not replay: ${JSON.stringify(report)}`);
    let lines = 0;
    const isComplete = await client.read('export', async (mace) => {
      for await (const _ of mace.job(this.seed).bundle()) lines += 1;
      return true;
    });
    // The header, and every event up to the job's end.
    if (isComplete && lines < ended.version + 2)
      journal.mustNotBe(
        `the bundle of job ${this.seed} has ${lines} lines; the job has ended at ${ended.version}`,
      );
  }

  private async write<Answer extends { readonly version: number }>(
    kind: string,
    adds: Readonly<Record<string, number>>,
    send: (job: JobHandle, options: { idempotencyKey?: string }) => Promise<Answer>,
    mayBeRefused: readonly string[] = [],
  ): Promise<Answer | undefined> {
    const answer = await this.options.client.write({ kind, adds, mayBeRefused }, (mace, o) =>
      send(mace.job(this.seed), o),
    );
    if (answer !== undefined) this.expectLater(kind, answer.version);
    return answer;
  }

  /** A job includes every command that was acknowledged before, on either instance. */
  private async read(): Promise<void> {
    const job = await this.options.client.read('job', (mace) => mace.job(this.seed).get());
    if (job !== undefined && job.version < this.version)
      this.options.journal.mustNotBe(
        `job ${this.seed} was read at version ${job.version} after ${this.version} was acknowledged`,
      );
  }

  private expectLater(kind: string, version: number): void {
    if (version <= this.version && kind !== 'find')
      this.options.journal.mustNotBe(
        `${kind} of job ${this.seed} was acknowledged at version ${version} after ${this.version}`,
      );
    this.version = Math.max(this.version, version);
  }
}
