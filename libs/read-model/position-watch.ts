import type pg from 'pg';
import { setTimeout as delay } from 'node:timers/promises';
import { Refusal } from '#domain/errors/refusal.js';
import type { Postgres } from './postgres.js';
import { PostgresUnavailable } from './postgres-unavailable.js';
import { liveSchema, NOTIFY_CHANNEL, positionOf } from './schema-layout.js';

const POLL_MS = 50;

interface Waiter {
  readonly names: readonly string[];
  readonly position: bigint;
  readonly resolve: () => void;
}

/**
 * The positions of the read models, as far as this process knows them. This process learns them from its own runner,
 * from the NOTIFY of a leader in another process, and from the checkpoints, which are polled while a caller waits.
 */
export class PositionWatch {
  private readonly known = new Map<string, bigint>();
  private readonly waiters = new Set<Waiter>();
  private readonly waitingListeners = new Set<(names: readonly string[]) => void>();
  private listener: pg.Client | undefined;
  private polling: Promise<void> | undefined;
  private listening: Promise<void> | undefined;
  private lastFailure: PostgresUnavailable | undefined;
  private closed = false;

  constructor(private readonly postgres: Postgres) {
    // Rows are committed without waiting for the disk, so a server that has crashed may have lost rows.
    postgres.onLoss(() => this.known.clear());
  }

  /** Notes that the rows of a read model show the log up to `position`. */
  passed(name: string, position: bigint): void {
    const before = this.known.get(name);
    if (before !== undefined && before >= position) return;
    this.known.set(name, position);
    for (const waiter of this.waiters) {
      if (this.hasPassed(waiter.names, waiter.position)) waiter.resolve();
    }
  }

  /** Notes that the rows of a read model are gone, because they came from another log. */
  emptied(name: string): void {
    this.known.delete(name);
  }

  /** Calls the listener when a caller starts to wait for read models, until the returned function is called. */
  onWaiting(listener: (names: readonly string[]) => void): () => void {
    this.waitingListeners.add(listener);
    return () => this.waitingListeners.delete(listener);
  }

  /** Returns the read models for which callers in this process wait. */
  awaited(): ReadonlySet<string> {
    return new Set([...this.waiters].flatMap(({ names }) => names));
  }

  /** Asks the runner to write these read models now, because a caller will soon wait for them. */
  hurry(names: readonly string[]): void {
    for (const listener of this.waitingListeners) listener(names);
  }

  /** Returns the last known position of a read model's rows; undefined if no position is known. */
  positionOf(name: string): bigint | undefined {
    return this.known.get(name);
  }

  /**
   * Returns the position up to which the rows of all named read models show the log. Undefined if one
   * position is unknown, or if a caller waits for a later position of one of them.
   */
  shown(names: readonly string[]): bigint | undefined {
    for (const waiter of this.waiters)
      if (waiter.names.some((name) => names.includes(name))) return undefined;
    return names
      .map((name) => this.known.get(name))
      .reduce((least, known) =>
        least === undefined || known === undefined ? undefined : known < least ? known : least,
      );
  }

  /**
   * Resolves when all named read models have passed `position`; it runs no query if this is already
   * known. Rejects after `timeoutMs`: with `PostgresUnavailable` if the last poll could not reach
   * Postgres, otherwise with PROJECTION_LAG.
   */
  async waitFor(names: readonly string[], position: bigint, timeoutMs: number): Promise<void> {
    if (this.hasPassed(names, position)) return;
    const inTime = await this.arrival(names, position, timeoutMs);
    if (inTime) return;
    if (this.lastFailure !== undefined) throw this.lastFailure;
    const late = names.find((name) => !this.hasPassed([name], position)) ?? names.join(', ');
    throw new Refusal('PROJECTION_LAG', { projection: late, position: position.toString() });
  }

  /** Resolves with true when the read models have passed the position, and with false after the timeout. */
  private arrival(names: readonly string[], position: bigint, timeoutMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (inTime: boolean): void => {
        clearTimeout(timer);
        this.waiters.delete(waiter);
        resolve(inTime);
      };
      const timer = setTimeout(() => end(false), timeoutMs);
      const waiter: Waiter = { names, position, resolve: () => end(true) };
      this.waiters.add(waiter);
      this.hurry(names);
      this.polling ??= this.pollWhileAwaited();
    });
  }

  async close(): Promise<void> {
    this.closed = true;
    await Promise.all([this.polling, this.listening]);
    await this.listener?.end().catch(() => undefined);
  }

  private hasPassed(names: readonly string[], position: bigint): boolean {
    return names.every((name) => {
      const known = this.known.get(name);
      return known !== undefined && known >= position;
    });
  }

  private async pollWhileAwaited(): Promise<void> {
    // A runner in this process reports the positions that it writes, so polling is unnecessary and would
    // only slow the runner down.
    if (this.waitingListeners.size > 0) await delay(POLL_MS);
    while (this.waiters.size > 0 && !this.closed) {
      this.listenSoon();
      try {
        await this.readCheckpoints();
        this.lastFailure = undefined;
      } catch (cause) {
        this.lastFailure =
          cause instanceof PostgresUnavailable
            ? cause
            : new PostgresUnavailable('the checkpoints cannot be read', { cause });
      }
      if (this.waiters.size > 0) await delay(POLL_MS);
    }
    this.polling = undefined;
  }

  /**
   * Opens the connection for NOTIFY, if there is none. Nothing waits for it: a busy Postgres may take seconds to
   * open a connection while it answers on the open ones at once. If it fails, the next poll tries again.
   */
  private listenSoon(): void {
    if (this.listener !== undefined) return;
    this.listening ??= this.listen()
      .catch(() => undefined)
      .finally(() => (this.listening = undefined));
  }

  private async listen(): Promise<void> {
    const listener = await this.postgres.connect();
    listener.once('end', () => {
      if (this.listener === listener) this.listener = undefined;
    });
    listener.on('notification', ({ payload }) => this.notified(payload ?? '{}'));
    try {
      await listener.query(`listen ${NOTIFY_CHANNEL}`);
      this.listener = listener;
    } catch (cause) {
      await listener.end().catch(() => undefined);
      throw cause;
    }
  }

  private notified(payload: string): void {
    const positions = JSON.parse(payload) as Record<string, string | null>;
    for (const [name, position] of Object.entries(positions))
      if (position === null) this.emptied(name);
      else this.passed(name, BigInt(position));
  }

  private async readCheckpoints(): Promise<void> {
    const names = new Set([...this.waiters].flatMap((waiter) => waiter.names));
    for (const name of names) {
      const [row] = await this.postgres.query<{ position: string | null }>(
        `select position from ${liveSchema(name)}.checkpoint`,
      );
      const position = positionOf(row?.position ?? null);
      if (position !== undefined) this.passed(name, position);
    }
  }
}
