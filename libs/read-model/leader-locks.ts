import { setTimeout as delay } from 'node:timers/promises';
import { HEARTBEAT_MS, LockSession, SILENCE_MS } from './lock-session.js';
import type { Postgres } from './postgres.js';
import { migrateManagement } from './schema-layout.js';

const STANDBY_POLL_MS = 300;
/** Less than the pause between two renewals of a leader, so that each of them is a heartbeat. */
const BEAT_EVERY_MS = HEARTBEAT_MS - STANDBY_POLL_MS;

const DEDICATED = `select name from read_models.projection
  where name = any($1) and dedicated_at > now() - interval '${SILENCE_MS} milliseconds'`;

const BEAT = `update read_models.projection set heartbeat_at = now(), leader = $1 where name = any($2)`;

export interface Candidate {
  /** host:pid of the process, which operators see. */
  readonly process: string;
  /** The read models that this process may lead. */
  readonly names: readonly string[];
  /** True if the process was started for these read models alone. Other processes then leave them to it. */
  readonly isDedicated: boolean;
}

/**
 * Ensures that only one process at a time leads a read model: the one that holds its advisory lock. Each
 * candidate takes the locks that are free. A process without `--only` leaves a read model to a process that
 * was started for it, for as long as that process lives.
 */
export class LeaderLocks {
  private readonly locks = new Set<string>();
  private readonly unwanted = new Set<string>();
  private beatAt = -Infinity;

  private constructor(
    private readonly session: LockSession,
    private readonly candidate: Candidate,
  ) {}

  static async open(postgres: Postgres, candidate: Candidate): Promise<LeaderLocks> {
    const session = await LockSession.open(postgres);
    try {
      await migrateManagement(postgres, candidate.names);
      return new LeaderLocks(session, candidate);
    } catch (cause) {
      await session.close();
      throw cause;
    }
  }

  /** The read models that this process leads. */
  get held(): readonly string[] {
    return this.candidate.names.filter((name) => this.locks.has(name));
  }

  /** Calls back when the connection is lost, and with it all locks. */
  onLost(callback: () => void): void {
    this.session.onLost(callback);
  }

  /** Waits until this process leads a read model, or until `signal` aborts. */
  async untilHeld(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.renew();
      if (this.locks.size > 0) return;
      await standby(signal);
    }
  }

  /**
   * Keeps the locks until `signal` aborts. Resolves with true as soon as the process has to lead other read
   * models than before. Fails if the connection is gone.
   */
  async keep(signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted) {
      if (await this.renew()) return true;
      await delay(HEARTBEAT_MS, undefined, { signal }).catch(() => undefined);
    }
    return false;
  }

  /** Gives up the locks of the read models that belong to another process. */
  async yield(): Promise<void> {
    const names = [...this.unwanted];
    this.unwanted.clear();
    if (names.length === 0) return;
    for (const name of names) this.locks.delete(name);
    await this.session.give(names);
  }

  /** Gives up all locks, so that another process can take them at once. */
  async close(): Promise<void> {
    if (this.candidate.isDedicated) await this.dedicate('null').catch(() => undefined);
    await this.session.close();
  }

  /** Takes free locks, and shows that this process lives. Returns true if the set of its read models changes. */
  private async renew(): Promise<boolean> {
    const others = this.candidate.isDedicated ? new Set<string>() : await this.dedicated();
    for (const name of this.held) if (others.has(name)) this.unwanted.add(name);
    const missing = this.candidate.names.filter(
      (name) => !this.locks.has(name) && !others.has(name),
    );
    const taken = missing.length === 0 ? [] : await this.session.take(missing);
    for (const name of taken) this.locks.add(name);
    if (taken.length > 0 || performance.now() - this.beatAt >= BEAT_EVERY_MS) await this.beat();
    return taken.length > 0 || this.unwanted.size > 0;
  }

  private async dedicated(): Promise<ReadonlySet<string>> {
    const rows = await this.session.query<{ name: string }>(DEDICATED, [this.candidate.names]);
    return new Set(rows.map(({ name }) => name));
  }

  private async beat(): Promise<void> {
    this.beatAt = performance.now();
    if (this.candidate.isDedicated) await this.dedicate('now()');
    if (this.locks.size > 0) await this.session.query(BEAT, [this.candidate.process, this.held]);
  }

  private async dedicate(at: 'now()' | 'null'): Promise<void> {
    await this.session.query(
      `update read_models.projection set dedicated_at = ${at} where name = any($1)`,
      [this.candidate.names],
    );
  }
}

const standby = (signal: AbortSignal): Promise<void> =>
  delay(STANDBY_POLL_MS, undefined, { signal }).catch(() => undefined);
