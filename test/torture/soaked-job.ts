import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Job } from '#client/jobs.js';
import { TortureClient, type Workplace } from './client.js';
import { Journal } from './journal.js';
import type { Random } from './random.js';

/** No entry expires and none is promoted, so each acknowledged entry must be there at any time. */
const KEPT_FOR_EVER = { wm_default_ttl_ticks: 10_000, promotion_references: 10_000 };
const ENTRIES = [20, 80] as const;
const RETRY_AFTER_MS = 100;
const INSTANCES = [0, 1] as const;

const KINDS = ['404', 'other', 'missing', 'doubled', 'lost'] as const;
type WrongKind = (typeof KINDS)[number];

/** What the clients have done and found. */
export class SoakFigures {
  jobs = 0;
  entries = 0;
  askedAtOnce = 0;
  askedLater = 0;
  /** Requests without a final answer, which were sent again. */
  unanswered = 0;
  readonly found: string[] = [];
  readonly #wrong = new Map<WrongKind, number>();

  wrong(kind: WrongKind, what: string): void {
    this.#wrong.set(kind, (this.#wrong.get(kind) ?? 0) + 1);
    this.found.push(`${new Date().toISOString()} ${kind}: ${what}`);
  }

  text(): string {
    const wrong = KINDS.map((kind) => `${kind} ${this.#wrong.get(kind) ?? 0}`).join(', ');
    return (
      `${this.jobs} jobs, ${this.entries} entries acknowledged, asked at once ${this.askedAtOnce}, ` +
      `later ${this.askedLater}, unanswered ${this.unanswered}; ${wrong}`
    );
  }
}

/** A job whose acknowledged entries are asked for on both instances. */
export class SoakedJob {
  /** The acknowledged entries: the value of each by its id. */
  readonly #entries = new Map<string, string>();
  #position = 0n;

  private constructor(
    private readonly place: Workplace,
    private readonly figures: SoakFigures,
    private readonly random: Random,
    private readonly sub: string,
    private readonly token: string,
    readonly seed: string,
  ) {}

  get journal(): Journal {
    return this.place.journal;
  }

  static async start(
    place: Omit<Workplace, 'journal'>,
    figures: SoakFigures,
    random: Random,
    sub: string,
  ): Promise<SoakedJob | undefined> {
    const journal = new Journal();
    const client = await TortureClient.of({ ...place, journal }, random.of('start'), 'agent', {
      sub,
    });
    const job = await client.write({ kind: 'start', adds: { job_started: 1 } }, (mace, o) =>
      mace.jobs.start({ goal: 'soak', constants: KEPT_FOR_EVER }, o),
    );
    if (job === undefined) return undefined;
    figures.jobs += 1;
    const token = await place.instances[0].token('agent', { sub, ttl: 86_400 });
    return new SoakedJob({ ...place, journal }, figures, random, sub, token, job.job_seed);
  }

  /** Lets some clients write entries, and asks for each of them. */
  async write(clients: number): Promise<void> {
    await Promise.all(
      Array.from({ length: clients }, async (_, index) => {
        const own = this.random.of(`client-${index}`);
        const { place, sub } = this;
        const client = await TortureClient.of(place, own.of('sends'), 'agent', { sub });
        const count = own.between(...ENTRIES);
        for (let done = 0; done < count && !client.isClosing; done += 1) {
          await this.#step(client, own);
          await client.pause(20, 300);
        }
      }),
    );
    await this.askForAll(0.5);
  }

  async #step(client: TortureClient, random: Random): Promise<void> {
    const mark = randomUUID();
    const done = await client.write({ kind: 'insert', adds: { wm_inserted: 1 } }, (mace, o) =>
      mace.job(this.seed).insert({ type: 'fact', value: mark }, o),
    );
    if (done !== undefined) {
      this.figures.entries += 1;
      this.#entries.set(done.wm_id, mark);
      const { position = 0n } = client.mace;
      if (position > this.#position) this.#position = position;
      await Promise.all(
        INSTANCES.map(async (instance) => {
          const job = await this.#ask(instance, random.chance(0.5) ? position : undefined);
          if (job === undefined) return;
          this.figures.askedAtOnce += 1;
          this.#compare(job, instance, new Map([[done.wm_id, mark]]));
        }),
      );
      // A NOT_FOUND is noted by the client.
      if (random.chance(0.3))
        await client.write({ kind: 'refer', adds: { wm_referenced: 1 } }, (mace, o) =>
          mace.job(this.seed).referenceWm(done.wm_id, o),
        );
    }
    if (random.chance(0.1))
      await client.write({ kind: 'tick', adds: { ticked: 1 } }, (mace, o) =>
        mace.job(this.seed).tick(1, o),
      );
    if (random.chance(0.1)) await this.askForAll(0.5);
  }

  /** Asks both instances for all entries that were acknowledged so far. @param waiting how many wait for the position */
  async askForAll(waiting: number): Promise<void> {
    for (const instance of INSTANCES) {
      const known = new Map(this.#entries);
      const position = this.random.chance(waiting) ? this.#position : undefined;
      const job = await this.#ask(instance, position);
      if (job === undefined) continue;
      this.figures.askedLater += known.size;
      this.#compare(job, instance, known);
    }
  }

  /** Drops the operations, which have been compared with the log. */
  forget(): void {
    this.journal.operations.length = 0;
  }

  #compare(job: Job, instance: number, known: ReadonlyMap<string, string>): void {
    const where = `job ${this.seed} at service-${instance + 1}, version ${job.version}`;
    const shown = new Map(job.wm.map(({ wm_id, value }) => [wm_id, value]));
    const values = new Set(shown.values());
    if (shown.size !== job.wm.length || values.size !== job.wm.length)
      this.figures.wrong('doubled', `${where} shows an entry twice`);
    for (const [wm_id, mark] of known)
      if (shown.get(wm_id) !== mark)
        this.figures.wrong('missing', `${where} does not show the acknowledged entry ${wm_id}`);
  }

  /** Asks an instance for the job until it answers; undefined if the answer is wrong or the time is over. */
  async #ask(instance: 0 | 1, position: bigint | undefined): Promise<Job | undefined> {
    const { figures, place, seed, token } = this;
    const headers: Record<string, string> =
      position === undefined ? {} : { 'mace-min-position': String(position) };
    while (!place.closed.aborted) {
      try {
        const { status, body } = await place.instances[instance].call<Job>(
          'GET',
          `/v1/jobs/${seed}`,
          { token, headers },
        );
        if (status === 200) return body;
        if (status < 500) {
          figures.wrong(
            status === 404 ? '404' : 'other',
            `job ${seed} at service-${instance + 1} was answered ${status}: ${JSON.stringify(body)}`,
          );
          return undefined;
        }
      } catch {
        // The instance cannot be reached; it is asked again.
      }
      figures.unanswered += 1;
      await delay(RETRY_AFTER_MS);
    }
    return undefined;
  }
}
