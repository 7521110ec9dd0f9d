import type pg from 'pg';
import { setTimeout as delay } from 'node:timers/promises';
import type { Postgres } from './postgres.js';

// The number is arbitrary. An advisory lock is valid in one database only, so programs in other
// databases can use the same number.
const LOCK_CLASS = 7_263_451;

/**
 * Postgres ends a session that sends nothing for this time, and frees its locks. Thus a process that was
 * stopped, or whose machine or network is gone, gives up its locks although its connection looks open.
 */
export const SILENCE_MS = 5_000;

const GOODBYE_MS = 1_000;

/** How often the holder of a lock must send something, in ms. */
export const HEARTBEAT_MS = 1_000;

/**
 * Takes free locks. Only one session at a time gets past the first lock, so that of two processes which
 * start together one takes all of them.
 */
const TAKE = `select case when pg_try_advisory_xact_lock($1, 0)
  then array(select name from unnest($2::text[]) as name where pg_try_advisory_lock($1, hashtext(name)))
  else '{}' end as taken`;

/** A connection to Postgres that holds advisory locks. They are free as soon as the connection ends. */
export class LockSession {
  private constructor(private readonly connection: pg.Client) {}

  static async open(postgres: Postgres): Promise<LockSession> {
    const connection = await postgres.connect({ answerWithinMs: SILENCE_MS });
    const session = new LockSession(connection);
    try {
      // Postgres 13 and earlier have no such setting.
      await session.query(
        `select set_config(name, $1, false) from pg_settings where name = 'idle_session_timeout'`,
        [String(SILENCE_MS)],
      );
    } catch (cause) {
      await session.close();
      throw cause;
    }
    return session;
  }

  /** Calls back when the connection is lost, and with it all locks. */
  onLost(callback: () => void): void {
    this.connection.once('end', callback);
  }

  /** Takes those of the locks that are free, and returns their names. */
  async take(names: readonly string[]): Promise<readonly string[]> {
    const [row] = await this.query<{ taken: string[] }>(TAKE, [LOCK_CLASS, names]);
    return row?.taken ?? [];
  }

  async give(names: readonly string[]): Promise<void> {
    await this.query(
      'select pg_advisory_unlock($1, hashtext(name)) from unnest($2::text[]) as name',
      [LOCK_CLASS, names],
    );
  }

  /** Runs a statement. Fails if the connection is gone, or if no answer arrives within 5 s. */
  async query<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await this.connection.query<Row>(text, [...values])).rows;
  }

  async close(): Promise<void> {
    // If the network is gone, the connection cannot say goodbye.
    const patience = delay(GOODBYE_MS, undefined, { ref: false });
    await Promise.race([this.connection.end().catch(() => undefined), patience]);
  }
}
