import type { PositionWatch } from './position-watch.js';

/**
 * The pause between two slices. Meanwhile, a read model that a caller in this process waits for is written
 * alone.
 */
export class Rest {
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
   * Resolves after `maxMs`, or when the rest is ended. Until then it calls `write` with the read models
   * that callers wait for.
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

  /** Requests that these read models are written during the rest. */
  hurry(names: Iterable<string>): void {
    for (const name of names) this.urgent.add(name);
    if (this.urgent.size > 0) this.wake();
  }

  end(): void {
    this.isOver = true;
    this.wake();
  }

  /** Ends the current rest and prevents further ones. */
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
