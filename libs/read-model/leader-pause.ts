import type { PositionWatch } from './position-watch.js';

/**
 * The leader's pause between two slices. During the pause, a read model for which a caller in this
 * process waits is written alone.
 */
export class LeaderPause {
  private readonly stopListening: () => void;
  private urgent = new Set<string>();
  private isOver = true;
  private stopped = false;
  private wake: () => void = () => undefined;

  constructor(
    watch: PositionWatch,
    private readonly maxMs: number,
  ) {
    this.stopListening = watch.onWaiting((names) => this.hurry(names));
  }

  /**
   * Pauses for `maxMs`, or until it is ended. Meanwhile it calls `write` with the read models for
   * which callers wait.
   */
  async taken(write: (names: ReadonlySet<string>) => Promise<void>): Promise<void> {
    if (this.stopped) return;
    this.isOver = false;
    const timer = setTimeout(() => this.end(), this.maxMs);
    try {
      while (!this.isOver) {
        if (this.urgent.size === 0) await new Promise<void>((resolve) => (this.wake = resolve));
        else await write(this.takeUrgent());
      }
    } finally {
      clearTimeout(timer);
    }
  }

  /** Asks for these read models to be written during the pause. */
  hurry(names: Iterable<string>): void {
    for (const name of names) this.urgent.add(name);
    if (this.urgent.size > 0) this.wake();
  }

  end(): void {
    this.isOver = true;
    this.wake();
  }

  /** Ends the current pause and prevents further ones. */
  stop(): void {
    this.stopped = true;
    this.stopListening();
    this.end();
  }

  private takeUrgent(): ReadonlySet<string> {
    const names = this.urgent;
    this.urgent = new Set();
    return names;
  }
}
