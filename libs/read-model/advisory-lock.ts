import type pg from 'pg';
import { setTimeout as delay } from 'node:timers/promises';
import type { Postgres } from './postgres.js';

// The number is arbitrary. An advisory lock is valid in one database only, so programs in other
// databases can use the same number.
const LOCK_KEY = 7_263_451_102;
const STANDBY_POLL_MS = 300;

/**
 * Ensures that only one process at a time runs the projections: the process whose connection holds the
 * advisory lock. Other processes poll the lock, because a waiting statement would hold back vacuum on
 * the whole database.
 */
export class AdvisoryLock {
  private constructor(private readonly connection: pg.Client) {}

  /** Resolves when this process holds the lock; resolves with undefined if `signal` aborts first. */
  static async acquire(postgres: Postgres, signal: AbortSignal): Promise<AdvisoryLock | undefined> {
    const connection = await postgres.connect();
    try {
      while (!signal.aborted) {
        const { rows } = await connection.query<{ taken: boolean }>(
          'select pg_try_advisory_lock($1) as taken',
          [LOCK_KEY],
        );
        if (rows[0]?.taken) return new AdvisoryLock(connection);
        await delay(STANDBY_POLL_MS, undefined, { signal }).catch(() => undefined);
      }
    } catch (cause) {
      await end(connection);
      throw cause;
    }
    await end(connection);
    return undefined;
  }

  /** Calls back when the connection is lost, and with it the lock. */
  onLost(callback: () => void): void {
    this.connection.once('end', callback);
  }

  /** Records that this process is alive. Fails if the connection is gone. */
  async heartbeat(process: string): Promise<void> {
    await this.connection.query(
      `insert into read_models.owner (process, heartbeat_at) values ($1, now())
       on conflict (only_row) do update set process = $1, heartbeat_at = now()`,
      [process],
    );
  }

  async release(): Promise<void> {
    await end(this.connection);
  }
}

const end = async (connection: pg.Client): Promise<void> => {
  await connection.end().catch(() => undefined);
};
