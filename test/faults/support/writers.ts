import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { JsonObject } from '#domain/json.js';
import type { ServiceClient } from '#test/support/service-client.js';
import type { SentCommand, Ledger, CommandOutcome } from './ledger.js';

const RETRY_AFTER_MS = 30;
const PATIENCE_MS = 60_000;
const JOBS = 8;
const KEYED = 24;
const UNKEYED = 24;
const FACT_WRITERS = 8;
const SESSION_WRITERS = 8;

/** True if the answer leaves open whether the command was executed, so that a retry makes sense. */
const isUndecided = (status: number): boolean => status >= 500;

export interface Tokens {
  readonly agent: string;
  readonly admin: string;
}

export const tokensFor = async (client: ServiceClient): Promise<Tokens> => ({
  agent: await client.token('agent', { sub: 'writer' }),
  admin: await client.token('admin'),
});

/**
 * Runs 64 writers. Some of them share a few jobs: of these, some send Idempotency-Keys and retry until
 * they get an answer, and the others send no keys and do not retry. The remaining writers write the same
 * facts at the same time, or run one job after the other in a session.
 */
export class Writers {
  readonly seeds: readonly string[];
  private readonly stopping = new AbortController();
  private running: readonly Promise<void>[] = [];

  constructor(
    private readonly client: ServiceClient,
    private readonly tokens: Tokens,
    private readonly ledger: Ledger,
    private readonly name: string,
  ) {
    this.seeds = Array.from({ length: JOBS }, (_, index) => `${name}-${index}`);
  }

  async start(): Promise<void> {
    await Promise.all(this.seeds.map((job_seed) => this.startJob({ job_seed, constants: LONG })));
    const running = [
      ...range(KEYED).map((index) => this.workOnJob(`k${index}`, this.seedFor(index), true)),
      ...range(UNKEYED).map((index) => this.workOnJob(`u${index}`, this.seedFor(index), false)),
      ...range(FACT_WRITERS).map((index) => this.writeFacts(`f${index}`)),
      ...range(SESSION_WRITERS).map((index) => this.runJobsInSession(`l${index}`)),
    ];
    // `stop` reports the error of a writer that gave up, so this error is ignored here.
    for (const writer of running) writer.catch(() => undefined);
    this.running = running;
  }

  /** Resolves when every writer has finished its last command; rejects if a writer gave up. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.running);
  }

  private seedFor(index: number): string {
    return this.seeds[index % JOBS] ?? '';
  }

  private async startJob(body: JsonObject): Promise<JsonObject | undefined> {
    const mark = this.mark('start');
    return this.ask({ path: '/v1/jobs', body: { ...body, goal: mark }, mark, keyed: true });
  }

  private async workOnJob(writer: string, seed: string, keyed: boolean): Promise<void> {
    const path = `/v1/jobs/${seed}`;
    let wm_id: unknown;
    for (let round = 0; !this.stopping.signal.aborted; round += 1) {
      const mark = this.mark(writer);
      switch (round % 5) {
        case 0:
        case 2: {
          const body = { type: 'fact', value: { mark } };
          wm_id = (await this.ask({ path: `${path}/wm`, body, mark, keyed }))?.['wm_id'] ?? wm_id;
          break;
        }
        case 1: {
          if (typeof wm_id !== 'string') break;
          await this.ask({ path: `${path}/wm/${wm_id}/references`, body: {}, keyed });
          break;
        }
        case 3:
          await this.ask({ path: `${path}/ticks`, body: {}, keyed });
          break;
        case 4: {
          const commands: JsonObject[] = [
            { op: 'wm_insert', type: 'context', value: { mark } },
            { op: 'tick', count: 2 },
            { op: 'episodic_write', summary: `${writer} noted round ${round}` },
          ];
          await this.ask({ path: `${path}/commands`, body: { commands }, mark, keyed });
        }
      }
    }
  }

  private async writeFacts(writer: string): Promise<void> {
    const { admin: token } = this.tokens;
    for (let round = 0; !this.stopping.signal.aborted; round += 1) {
      const path = `/v1/sem/world/fact/${this.name.replaceAll('-', '_')}/${round % 2 ? 'shared' : writer}`;
      const mark = this.mark(writer);
      await this.ask({ method: 'PUT', path, token, body: { value: mark }, mark, keyed: true });
    }
  }

  /** Runs one job after the other in one session, each from its start to its end. */
  private async runJobsInSession(writer: string): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const job = await this.startJob({ session_id: `${this.name}-${writer}` });
      const path = `/v1/jobs/${job?.['job_seed'] as string}`;
      const mark = this.mark(writer);
      const body = { type: 'fact', value: { mark } };
      const entry = await this.ask({ path: `${path}/wm`, body, mark, keyed: true });
      const referencePath = `${path}/wm/${entry?.['wm_id'] as string}/references`;
      for (let times = 0; times < 2; times += 1)
        await this.ask({ path: referencePath, body: {}, keyed: true });
      await this.ask({ path: `${path}/ticks`, body: {}, keyed: true });
      await this.ask({ path: `${path}/end`, body: {}, keyed: true });
    }
  }

  private mark(writer: string): string {
    return `${this.name}:${writer}:${randomUUID()}`;
  }

  /**
   * Sends a command, and retries it if it has a key. Returns a 2xx answer; undefined for any other
   * outcome.
   */
  private async ask(what: {
    readonly method?: 'PUT';
    readonly path: string;
    readonly body: JsonObject;
    readonly token?: string;
    readonly mark?: string;
    readonly keyed: boolean;
  }): Promise<JsonObject | undefined> {
    const { method = 'POST', path, body, token = this.tokens.agent, mark, keyed } = what;
    const key = keyed ? randomUUID() : undefined;
    const asked: SentCommand = { method, path, body, token, key, mark };
    let outcome = await tell(this.client, asked);
    const deadline = Date.now() + PATIENCE_MS;
    while (keyed && outcome.kind === 'nothing') {
      if (Date.now() > deadline)
        throw new Error(`${method} ${path} got no final answer: ${outcome.why}`);
      await delay(RETRY_AFTER_MS);
      outcome = await tell(this.client, asked);
    }
    this.ledger.note(asked, outcome);
    if (outcome.kind === 'nothing') await delay(RETRY_AFTER_MS);
    return outcome.kind === 'acknowledged' ? outcome.body : undefined;
  }
}

/** Many ticks pass while the writers run, so entries get a long life and can still be used. */
const LONG = { wm_default_ttl_ticks: 30, cwm_ttl_ticks: 40 };

const range = (length: number): number[] => Array.from({ length }, (_, index) => index);

/** Sends a command once. */
export async function tell(client: ServiceClient, asked: SentCommand): Promise<CommandOutcome> {
  const { method, path, token, body, key } = asked;
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
  try {
    const answer = await client.call<JsonObject>(method, path, { token, body, headers });
    if (isUndecided(answer.status)) return { kind: 'nothing', why: JSON.stringify(answer.body) };
    const kind = answer.status < 300 ? 'acknowledged' : 'refused';
    return { kind, status: answer.status, body: answer.body };
  } catch (cause) {
    return { kind: 'nothing', why: String(cause) };
  }
}
