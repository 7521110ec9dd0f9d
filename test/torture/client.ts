import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { MaceClient } from '#client/mace-client.js';
import { MaceError } from '#client/mace-error.js';
import type { WriteOptions } from '#client/transport.js';
import type { JobOwner } from '#domain/job/events.js';
import { personOf } from '#domain/ownership/access.js';
import type { Role } from '#platform/auth/roles.js';
import type { ServiceClient, TokenOptions } from '#test/support/service-client.js';
import type { Journal, Operation } from './journal.js';
import type { Random } from './random.js';

const ANY_INSTANCE = 'http://mace.invalid';
const ATTEMPT_MS = 10_000;
const RETRY_AFTER_MS = 100;
const REPEATED = 0.05;
const IMPATIENT = 0.05;
const DAY_SECONDS = 86_400;

/** The events that an operation adds, and the refusals that a rule may answer to it. */
export interface Intent {
  readonly kind: string;
  readonly adds: Readonly<Record<string, number>>;
  /** The codes with which a rule may refuse the operation; none by default. */
  readonly mayBeRefused?: readonly string[];
}

type Send<Answer> = (mace: MaceClient, options: WriteOptions) => Promise<Answer>;

/** The instances, the journal and the signals that all clients of a round use. */
export interface Workplace {
  readonly instances: readonly [ServiceClient, ServiceClient];
  readonly journal: Journal;
  /** Aborts when the clients shall begin nothing new. */
  readonly closing: AbortSignal;
  /** Aborts when the clients shall also give up what they have begun. */
  readonly closed: AbortSignal;
}

/**
 * A user of the product with the product's own client. It sends each attempt to one of the instances, and
 * after a failure to the other one, with the same Idempotency-Key.
 */
export class TortureClient {
  readonly mace: MaceClient;
  readonly sub: string;
  /** True if the last answer was marked as a last known value (Mace-Stale). */
  lastWasStale = false;
  private readonly open = new Map<string, Operation>();

  private constructor(
    private readonly place: Workplace,
    private readonly person: JobOwner,
    private readonly random: Random,
    token: string,
    private instance: number,
  ) {
    this.sub = person.sub;
    this.mace = new MaceClient({
      ...{ baseUrl: ANY_INSTANCE, token, timeoutMs: ATTEMPT_MS, retries: 2 },
      fetch: (url, init) => this.fetch(url as string, init ?? {}),
    });
  }

  static async of(
    place: Workplace,
    random: Random,
    roles: Role | readonly Role[],
    { instance = random.between(0, 1), ...token }: TokenOptions & { instance?: number } = {},
  ): Promise<TortureClient> {
    const sub = token.sub ?? `${String(roles)}-1`;
    const minted = await place.instances[0].token(roles, { ...token, sub, ttl: DAY_SECONDS });
    const person = personOf({ ...token, sub, roles: [roles].flat() });
    return new TortureClient(place, person, random, minted, instance);
  }

  get isClosing(): boolean {
    return this.place.closing.aborted;
  }

  /** Waits as a real client does between two requests. */
  async pause(min: number, max: number): Promise<void> {
    await delay(this.random.between(min, max), undefined, { signal: this.place.closing }).catch(
      () => undefined,
    );
  }

  /**
   * Sends an operation until it is acknowledged or refused, and notes its outcome. Returns undefined for any
   * other outcome than an acknowledgement.
   */
  async write<Answer>(
    { kind, adds, mayBeRefused = [] }: Intent,
    send: Send<Answer>,
    key: string = randomUUID(),
  ): Promise<Answer | undefined> {
    const { journal } = this.place;
    const operation: Operation = {
      ...{ kind, adds, ...this.person, key, attempts: 0, outcome: 'unknown' },
    };
    journal.note(operation);
    this.open.set(key, operation);
    const options = { idempotencyKey: key };
    const mayGiveUp = this.random.chance(IMPATIENT);
    try {
      for (;;) {
        try {
          const answer = await send(this.mace, options);
          operation.outcome = 'acknowledged';
          operation.answer = JSON.stringify(answer);
          if (this.random.chance(REPEATED)) operation.repeat = () => send(this.mace, options);
          return answer;
        } catch (error) {
          operation.code = codeOf(error);
          if (isFinal(error)) {
            operation.outcome = 'refused';
            if (!mayBeRefused.includes(error.code))
              journal.mustNotBe(
                `${kind} (${operation.route}, key ${key}) was refused: ${error.code}, ${error.developerMessage}`,
              );
            return undefined;
          }
          if (mayGiveUp || this.place.closed.aborted) return undefined;
          await delay(RETRY_AFTER_MS);
        }
      }
    } finally {
      this.open.delete(key);
    }
  }

  /** Reads, and returns undefined if the service cannot answer at present. */
  async read<Answer>(
    what: string,
    read: (mace: MaceClient) => Promise<Answer>,
    mayBeRefused: readonly string[] = [],
  ): Promise<Answer | undefined> {
    try {
      return await read(this.mace);
    } catch (error) {
      if (isFinal(error) && !mayBeRefused.includes(error.code))
        this.place.journal.mustNotBe(
          `${what} was refused: ${error.code}, ${error.developerMessage}`,
        );
      return undefined;
    }
  }

  private async fetch(url: string, init: RequestInit): Promise<Response> {
    const { journal, instances } = this.place;
    const headers = new Headers(init.headers);
    const path = url.slice(ANY_INSTANCE.length);
    const operation = this.open.get(headers.get('idempotency-key') ?? '');
    if (operation !== undefined) {
      operation.attempts += 1;
      operation.route = `${init.method} ${path.split('?')[0]}`;
    }
    if (this.random.chance(0.2)) this.instance = 1 - this.instance;
    const at = instances[this.instance as 0 | 1].url;
    try {
      const response = await fetch(at + path, init);
      this.lastWasStale = response.headers.get('mace-stale') === 'true';
      if (response.status < 500) journal.answered();
      else await this.noteFailure(response.clone(), init.method ?? 'GET', path);
      return response;
    } catch (error) {
      journal.failed('no answer');
      this.instance = 1 - this.instance;
      throw error;
    }
  }

  private async noteFailure(response: Response, method: string, path: string): Promise<void> {
    const body = (await response.json().catch(() => ({}))) as { error_code?: string };
    const code = body.error_code ?? `status ${response.status} without a code`;
    this.place.journal.failed(code);
    if (body.error_code === undefined || body.error_code === 'INTERNAL')
      this.place.journal.mustNotBe(
        `${method} ${path} was answered with ${response.status}: ${JSON.stringify(body)}`,
      );
    this.instance = 1 - this.instance;
  }
}

/** True for an answer that a retry does not change. */
const isFinal = (error: unknown): error is MaceError =>
  error instanceof MaceError && error.status < 500;

const codeOf = (error: unknown): string => (error instanceof MaceError ? error.code : 'no answer');
