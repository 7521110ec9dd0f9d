import { setTimeout as delay } from 'node:timers/promises';
import type { createClient } from 'redis';

/** The Redis commands that this service uses. */
export interface RedisCommands {
  readonly MGET: (keys: string[]) => Promise<(string | null)[]>;
  readonly SET: (key: string, value: string) => Promise<unknown>;
  readonly EVAL: (
    script: string,
    options: { readonly keys: string[]; readonly arguments: string[] },
  ) => Promise<unknown>;
}

/** The ids of the request that sends a command. */
export interface Trace {
  readonly trace_id: string;
  readonly query_id?: string;
}

export interface RedisLinkOptions {
  readonly url: string;
  /**
   * Runs on each new connection before any other command. If a required command could not be sent while
   * it ran, it runs again.
   */
  readonly prepare: (redis: RedisCommands) => Promise<void>;
  /** Called once per outage with a code as `reason`. */
  readonly onDown: (reason: string, trace: Trace | undefined) => void;
  /** Called when Redis answers again after an outage. */
  readonly onUp: () => void;
}

/** The timeout of a command in ms; after a timeout, Redis counts as down. */
const COMMAND_TIMEOUT_MS = 250;
const CONNECT_TIMEOUT_MS = 1_000;
const RETRY_AFTER_MS = 500;

type Client = RedisCommands & Pick<ReturnType<typeof createClient>, 'connect' | 'destroy' | 'on'>;

/**
 * A connection to a Redis that may fail. A command that fails or times out ends the connection; until a new
 * connection is open, commands are skipped and callers do not wait.
 */
export class RedisLink {
  private client: Client | undefined;
  private isDown = false;
  /** The number of required commands that were not sent because the connection was down. */
  private unsent = 0;
  private connecting: Promise<void> | undefined;
  private readonly closing = new AbortController();

  constructor(private readonly options: RedisLinkOptions) {
    this.reconnect();
  }

  /** Returns the command's answer; undefined without a connection, or if the command failed or timed out. */
  async send<T>(
    command: (redis: RedisCommands) => Promise<T>,
    trace?: Trace,
  ): Promise<T | undefined> {
    const { client } = this;
    if (client === undefined) return undefined;
    try {
      return await withTimeout(command(client), COMMAND_TIMEOUT_MS);
    } catch (cause) {
      this.disconnect(client, cause, trace);
      return undefined;
    }
  }

  /**
   * The same as `send`, for a command that Redis must receive. If it fails, commands are skipped until
   * `prepare` has run again.
   */
  async sendRequired(
    command: (redis: RedisCommands) => Promise<unknown>,
    trace?: Trace,
  ): Promise<void> {
    if (this.client === undefined) this.unsent += 1;
    else await this.send(command, trace);
  }

  /** Closes the connection and opens a new one, as after a failed command. */
  reset(cause: Error): void {
    if (this.client !== undefined) this.disconnect(this.client, cause);
  }

  async close(): Promise<void> {
    this.closing.abort();
    const { client } = this;
    this.client = undefined;
    if (client !== undefined) end(client);
    await this.connecting;
  }

  private disconnect(client: Client, cause: unknown, trace?: Trace): void {
    end(client);
    if (client !== this.client) return;
    this.client = undefined;
    this.reportDown(cause, trace);
    this.reconnect();
  }

  private reportDown(cause: unknown, trace?: Trace): void {
    if (this.isDown || this.closing.signal.aborted) return;
    this.isDown = true;
    this.options.onDown(reasonOf(cause), trace);
  }

  private reconnect(): void {
    this.connecting = this.connectUntilClosed();
  }

  private async connectUntilClosed(): Promise<void> {
    const { signal } = this.closing;
    while (!signal.aborted) {
      if (await this.connectOnce()) return;
      await delay(RETRY_AFTER_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  private async connectOnce(): Promise<boolean> {
    const client = await clientOf(this.options.url);
    client.on('error', (cause: unknown) => this.disconnect(client, cause));
    try {
      await withTimeout(client.connect(), CONNECT_TIMEOUT_MS);
      let unsent: number;
      do {
        unsent = this.unsent;
        await withTimeout(this.options.prepare(client), CONNECT_TIMEOUT_MS);
      } while (unsent !== this.unsent);
    } catch (cause) {
      end(client);
      this.reportDown(cause);
      return false;
    }
    if (this.closing.signal.aborted) end(client);
    else this.client = client;
    if (this.isDown) this.options.onUp();
    this.isDown = false;
    return true;
  }
}

async function clientOf(url: string): Promise<Client> {
  // The library is imported only if a Redis is configured, so that an installation without Redis starts
  // faster.
  const { createClient } = await import('redis');
  return createClient({
    url,
    disableOfflineQueue: true,
    socket: { reconnectStrategy: false, connectTimeout: CONNECT_TIMEOUT_MS },
  });
}

function end(client: Client): void {
  try {
    client.destroy();
  } catch {
    // The connection was closed already.
  }
}

class TooSlow extends Error {
  readonly code = 'TOO_SLOW';
}

async function withTimeout<T>(promise: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TooSlow()), timeoutMs);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns a code or an error's name: messages may contain the URL with its password (SPEC P6). */
const reasonOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return 'unknown';
  const { code } = cause as { code?: unknown };
  return typeof code === 'string' ? code : cause.name;
};
