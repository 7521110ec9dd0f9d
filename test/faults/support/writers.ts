import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { JsonObject } from '#domain/json.js';
import type { ServiceClient } from '#test/support/service.js';
import type { Asked, Ledger, Told } from './ledger.js';

const RETRY_AFTER_MS = 30;
const PATIENCE_MS = 60_000;
const JOBS = 8;
const KEYED = 24;
const UNKEYED = 24;
const FACT_WRITERS = 8;
const LIVES = 8;

/** Answers that do not say what became of the command: it may be asked again. */
const isOpen = (status: number): boolean => status >= 500;

export interface Tokens {
  readonly agent: string;
  readonly admin: string;
}

export const tokensFor = async (client: ServiceClient): Promise<Tokens> => ({
  agent: await client.token('agent', { sub: 'writer' }),
  admin: await client.token('admin'),
});

/**
 * 64 writers: on a few shared jobs some with Idempotency-Keys, who retry until they are told, and some
 * without, who go on; some who race for the same facts; and some whose jobs follow each other in a session.
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
      ...range(LIVES).map((index) => this.liveOn(`l${index}`)),
    ];
    // A writer that gives up is told of when all of them are stopped.
    for (const writer of running) writer.catch(() => undefined);
    this.running = running;
  }

  /** Resolves when every writer has been told what became of its last command. */
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

  /** One job after the other, each from its start to its end, in one session. */
  private async liveOn(writer: string): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const job = await this.startJob({ session_id: `${this.name}-${writer}` });
      const path = `/v1/jobs/${job?.['job_seed'] as string}`;
      const mark = this.mark(writer);
      const body = { type: 'fact', value: { mark } };
      const entry = await this.ask({ path: `${path}/wm`, body, mark, keyed: true });
      const use = `${path}/wm/${entry?.['wm_id'] as string}/references`;
      for (let use_ = 0; use_ < 2; use_ += 1) await this.ask({ path: use, body: {}, keyed: true });
      await this.ask({ path: `${path}/ticks`, body: {}, keyed: true });
      await this.ask({ path: `${path}/end`, body: {}, keyed: true });
    }
  }

  private mark(writer: string): string {
    return `${this.name}:${writer}:${randomUUID()}`;
  }

  /** The answer, once there is one; undefined for a refusal, and where nobody will ever say. */
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
    const asked: Asked = { method, path, body, token, key, mark };
    let told = await tell(this.client, asked);
    const patience = Date.now() + PATIENCE_MS;
    while (keyed && told.kind === 'nothing') {
      if (Date.now() > patience) throw new Error(`${method} ${path} is never taken: ${told.why}`);
      await delay(RETRY_AFTER_MS);
      told = await tell(this.client, asked);
    }
    this.ledger.note(asked, told);
    if (told.kind === 'nothing') await delay(RETRY_AFTER_MS);
    return told.kind === 'acknowledged' ? told.body : undefined;
  }
}

/** Many ticks pass while the writers are at work, and what they insert should live to be used. */
const LONG = { wm_default_ttl_ticks: 30, cwm_ttl_ticks: 40 };

const range = (length: number): number[] => Array.from({ length }, (_, index) => index);

/** Sends a command once. */
export async function tell(client: ServiceClient, asked: Asked): Promise<Told> {
  const { method, path, token, body, key } = asked;
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
  try {
    const answer = await client.call<JsonObject>(method, path, { token, body, headers });
    if (isOpen(answer.status)) return { kind: 'nothing', why: JSON.stringify(answer.body) };
    const kind = answer.status < 300 ? 'acknowledged' : 'refused';
    return { kind, status: answer.status, body: answer.body };
  } catch (cause) {
    return { kind: 'nothing', why: String(cause) };
  }
}
