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
 * The positions of the read models, as far as this process knows them: from its own runner, from the NOTIFY
 * of a leader in another process, and from the checkpoints, which it polls while a caller waits.
 */
export class PositionWatch {
  private readonly known = new Map<string, bigint>();
  private readonly waiters = new Set<Waiter>();
  private readonly waitingListeners = new Set<(names: readonly string[]) => void>();
  private listener: pg.Client | undefined;
  private polling: Promise<void> | undefined;
  private lastFailure: PostgresUnavailable | undefined;
  private closed = false;

  constructor(private readonly postgres: Postgres) {
    // Rows are committed without waiting for the disk, so a server that crashed may have lost rows.
    postgres.onLoss(() => this.known.clear());
  }

  /** Notes that a read model's rows show the log up to `position`. */
  passed(name: string, position: bigint): void {
    const before = this.known.get(name);
    if (before !== undefined && before >= position) return;
    this.known.set(name, position);
    for (const waiter of this.waiters) {
      if (this.hasPassed(waiter.names, waiter.position)) waiter.resolve();
    }
  }

  /** Calls back when a caller starts to wait for read models, until the returned function is called. */
  onWaiting(listener: (names: readonly string[]) => void): () => void {
    this.waitingListeners.add(listener);
    return () => this.waitingListeners.delete(listener);
  }

  /** Returns the read models that callers in this process wait for. */
  awaited(): ReadonlySet<string> {
    return new Set([...this.waiters].flatMap(({ names }) => names));
  }

  /** Asks the runner to write these read models now, for a caller that is about to wait for them. */
  hurry(names: readonly string[]): void {
    for (const listener of this.waitingListeners) listener(names);
  }

  /** Returns the last known position of a read model's rows; undefined if it is unknown. */
  positionOf(name: string): bigint | undefined {
    return this.known.get(name);
  }

  /**
   * Returns the position that the rows of all named read models show; undefined if the position of one is
   * unknown, or if a caller waits for a later position of one.
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
   * Resolves when all named read models have passed `position`, without a query if this is known. Rejects
   * with PROJECTION_LAG after `timeoutMs`, or with `PostgresUnavailable` if Postgres did not answer at the
   * end.
   */
  async waitFor(names: readonly string[], position: bigint, timeoutMs: number): Promise<void> {
    if (this.hasPassed(names, position)) return;
    const inTime = await this.arrival(names, position, timeoutMs);
    if (inTime) return;
    if (this.lastFailure !== undefined) throw this.lastFailure;
    const late = names.find((name) => !this.hasPassed([name], position)) ?? names.join(', ');
    throw new Refusal('PROJECTION_LAG', { projection: late, position: position.toString() });
  }

  /** Resolves with true when the read models have passed the position, with false after the timeout. */
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
    await this.polling;
    await this.listener?.end().catch(() => undefined);
  }

  private hasPassed(names: readonly string[], position: bigint): boolean {
    return names.every((name) => {
      const known = this.known.get(name);
      return known !== undefined && known >= position;
    });
  }

  private async pollWhileAwaited(): Promise<void> {
    // A runner in this process reports its own writes; polling would only slow it down.
    if (this.waitingListeners.size > 0) await delay(POLL_MS);
    while (this.waiters.size > 0 && !this.closed) {
      try {
        await this.listen();
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

  private async listen(): Promise<void> {
    if (this.listener !== undefined) return;
    const listener = await this.postgres.connect();
    listener.once('end', () => {
      if (this.listener === listener) this.listener = undefined;
    });
    listener.on('notification', ({ payload }) => this.notified(payload ?? '{}'));
    await listener.query(`listen ${NOTIFY_CHANNEL}`);
    this.listener = listener;
  }

  private notified(payload: string): void {
    const positions = JSON.parse(payload) as Record<string, string>;
    for (const [name, position] of Object.entries(positions)) this.passed(name, BigInt(position));
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
