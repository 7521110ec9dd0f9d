import { HEARTBEAT_MS, LockSession } from './lock-session.js';
import type { Postgres } from './postgres.js';

/**
 * The right of one instance at a time to do a background task. Another instance gets it when its holder
 * releases it, ends, or falls silent for 5 s.
 */
export class Lease {
  private session: LockSession | undefined;
  private heartbeat: NodeJS.Timeout | undefined;

  /** @param task a name that no other lock of the installation has */
  constructor(
    private readonly postgres: Postgres,
    private readonly task: string,
  ) {}

  /** Takes the lease if it is free. Returns true if this process holds it; false if Postgres cannot be reached. */
  async isHeld(): Promise<boolean> {
    if (this.heartbeat !== undefined) return true;
    try {
      const session = await this.open();
      if ((await session.take([`task ${this.task}`])).length === 0) return false;
      // A lost connection has called `forget` already.
      if (this.session !== session) return false;
      this.beatLater(session);
      return true;
    } catch {
      await this.release();
      return false;
    }
  }

  async release(): Promise<void> {
    const { session } = this;
    this.forget();
    await session?.close();
  }

  private beatLater(session: LockSession): void {
    this.heartbeat = setTimeout(() => void this.beat(session), HEARTBEAT_MS).unref();
  }

  private async beat(session: LockSession): Promise<void> {
    try {
      await session.query('select 1');
      if (this.session === session) this.beatLater(session);
    } catch {
      if (this.session === session) await this.release();
    }
  }

  private async open(): Promise<LockSession> {
    if (this.session !== undefined) return this.session;
    const session = await LockSession.open(this.postgres);
    session.onLost(() => {
      if (this.session === session) this.forget();
    });
    this.session = session;
    return session;
  }

  private forget(): void {
    clearTimeout(this.heartbeat);
    this.heartbeat = undefined;
    this.session = undefined;
  }
}
