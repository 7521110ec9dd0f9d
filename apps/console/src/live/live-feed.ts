import type { EventsOptions, LogEvent } from '#client/index.js';

/** The part of the SDK's client that the feed uses. */
interface Events {
  events(options: EventsOptions): AsyncIterable<LogEvent>;
}

/** Which events make what a page shows out of date. */
export interface Watch {
  /** Categories of streams, such as `request` or `sem`. */
  readonly categories: readonly string[];
  /** Reads again what the page shows. */
  readonly refresh: () => void;
}

/** The times in ms of the feed. */
export interface FeedTimes {
  /** How long events are gathered before the pages read again. */
  readonly gather: number;
  /** The least time between two refreshes while events keep coming. */
  readonly between: number;
  /** After the last event, the pages read once more, because the read models may be a moment behind the log. */
  readonly settle: number;
  /** How often a page reads again if there is no stream. */
  readonly poll: number;
}

const TIMES: FeedTimes = { gather: 150, between: 1_000, settle: 2_000, poll: 15_000 };
/** The time in ms in which the watches of a new page come together before the stream is opened again. */
const RESTART_MS = 50;

const categoryOf = ({ stream }: LogEvent): string => stream.split('-', 1)[0] ?? stream;

/**
 * Follows the log for all open pages by one stream, which has only the categories that they watch. Without a
 * stream, because the service refuses it or is away, the pages read again at intervals.
 */
export class LiveFeed {
  private readonly watches = new Set<Watch>();
  private readonly stale = new Set<Watch>();
  private isRunning = false;
  private stream: AbortController | undefined;
  private restarting: ReturnType<typeof setTimeout> | undefined;
  private refreshing: ReturnType<typeof setTimeout> | undefined;
  private settling: ReturnType<typeof setTimeout> | undefined;
  private refreshedAt = -Infinity;

  constructor(
    private readonly log: Events,
    private readonly times: FeedTimes = TIMES,
  ) {}

  /** Watches until the returned function is called. */
  watch(watch: Watch): () => void {
    this.watches.add(watch);
    this.restart();
    return () => {
      this.watches.delete(watch);
      this.stale.delete(watch);
      this.restart();
    };
  }

  start(): void {
    this.isRunning = true;
    this.restart();
  }

  /** Closes the stream. What comes until the next start is missed, so `refreshAll` belongs before it. */
  stop(): void {
    this.isRunning = false;
    this.stream?.abort();
    for (const timer of [this.restarting, this.refreshing, this.settling]) clearTimeout(timer);
    this.restarting = this.refreshing = this.settling = undefined;
  }

  /** Reads again everything that is watched. */
  refreshAll(): void {
    for (const { refresh } of this.watches) refresh();
  }

  private restart(): void {
    if (!this.isRunning) return;
    this.restarting ??= setTimeout(() => {
      this.restarting = undefined;
      this.stream?.abort();
      const categories = [...new Set([...this.watches].flatMap((watch) => watch.categories))];
      if (categories.length === 0) return;
      this.stream = new AbortController();
      void this.follow(categories, this.stream.signal);
    }, RESTART_MS);
  }

  private async follow(categories: readonly string[], signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        for await (const event of this.log.events({ after: 'end', categories, signal }))
          this.note(categoryOf(event));
      } catch {
        // The stream was refused, or the service is away; each page shows the failures of its own reads.
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, this.times.poll);
        signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
      });
      if (!signal.aborted) this.refreshAll();
    }
  }

  private note(category: string): void {
    for (const watch of this.watches)
      if (watch.categories.includes(category)) this.stale.add(watch);
    const sinceLast = Date.now() - this.refreshedAt;
    const wait = Math.max(this.times.gather, this.times.between - sinceLast);
    this.refreshing ??= setTimeout(() => this.refreshStale(), wait);
  }

  private refreshStale(): void {
    const stale = [...this.stale];
    this.stale.clear();
    this.refreshing = undefined;
    this.refreshedAt = Date.now();
    for (const { refresh } of stale) refresh();
    clearTimeout(this.settling);
    this.settling = setTimeout(() => {
      for (const watch of stale) if (this.watches.has(watch)) watch.refresh();
    }, this.times.settle);
  }
}
