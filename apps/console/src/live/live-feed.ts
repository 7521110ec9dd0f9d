import type { EventsOptions, LogEvent } from '#client/index.js';
import { categoryOf } from '#domain/stream-names.js';

/** The part of the SDK's client that the feed uses. */
interface Events {
  events(options: EventsOptions): AsyncIterable<LogEvent>;
}

/** Which events make what a page shows out of date. */
export interface Watch {
  /** Categories of streams, such as `request`, or single streams, such as `sem-world/colour/sky/name`. */
  readonly streams: readonly string[];
  /** True if the page shows what has no events for this person, so that it is read again at intervals as well. */
  readonly isPolled?: boolean;
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
  /** How often a page reads again if it is polled, or if there is no stream. */
  readonly poll: number;
}

const TIMES: FeedTimes = { gather: 150, between: 3_000, settle: 2_000, poll: 15_000 };
/** The time in ms in which the watches of a new page come together before the stream is opened again. */
const RESTART_MS = 50;

/**
 * Follows the log for all open pages by one stream, which has only the categories that they watch. Each further
 * stream goes on where the one before ended. Without a stream, because the service refuses it or is away, the
 * pages read again at intervals.
 */
export class LiveFeed {
  private readonly watches = new Set<Watch>();
  private readonly stale = new Set<Watch>();
  /** Watches that read once more when no event has come for a while. */
  private readonly unsettled = new Set<Watch>();
  private isRunning = false;
  private stream: AbortController | undefined;
  /** The categories of the stream. */
  private followed = '';
  /** The position up to which the pages know the log; undefined if events may have been missed. */
  private position: string | undefined;
  private restarting: ReturnType<typeof setTimeout> | undefined;
  private refreshing: ReturnType<typeof setTimeout> | undefined;
  private settling: ReturnType<typeof setTimeout> | undefined;
  private polling: ReturnType<typeof setInterval> | undefined;
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
      // A stale watch stays in `stale`, because the next page may show the same data.
      this.watches.delete(watch);
      this.restart();
    };
  }

  start(): void {
    this.isRunning = true;
    this.polling ??= setInterval(() => this.poll(), this.times.poll);
    this.restart();
  }

  /** Closes the stream. When the next one opens, everything that is watched is read again. */
  stop(): void {
    this.isRunning = false;
    this.stream?.abort();
    this.followed = '';
    this.position = undefined;
    clearInterval(this.polling);
    for (const timer of [this.restarting, this.refreshing, this.settling]) clearTimeout(timer);
    this.polling = this.restarting = this.refreshing = this.settling = undefined;
  }

  /** Reads again everything that is watched. */
  refreshAll(): void {
    for (const { refresh } of this.watches) refresh();
  }

  private poll(): void {
    for (const { isPolled, refresh } of this.watches) if (isPolled) refresh();
  }

  private restart(): void {
    if (!this.isRunning) return;
    this.restarting ??= setTimeout(() => {
      this.restarting = undefined;
      const named = [...this.watches].flatMap(({ streams }) => streams.map(categoryOf));
      const watched = [...new Set(named)].sort();
      const categories = watched.join();
      // Between two pages, the stream stays open, so that the next one knows where to go on.
      if (watched.length === 0 || categories === this.followed) return;
      this.stream?.abort();
      this.stream = new AbortController();
      this.followed = categories;
      void this.follow(watched, this.stream.signal);
    }, RESTART_MS);
  }

  private async follow(categories: readonly string[], signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const after = this.position ?? 'end';
        const onPosition = (position: string): void => this.reached(position, signal);
        for await (const event of this.log.events({ after, categories, onPosition, signal }))
          this.note(event);
      } catch {
        // The stream was refused, or the service is away; each page shows the failures of its own reads.
      }
      if (signal.aborted) return;
      this.position = undefined;
      this.refreshAll();
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, this.times.poll);
        signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
      });
    }
  }

  private reached(position: string, signal: AbortSignal): void {
    if (signal.aborted) return;
    const isFirst = this.position === undefined;
    this.position = position;
    // A page may have read before the stream opened, so it misses the events in between unless it reads again.
    if (isFirst) this.refreshAll();
  }

  private note({ stream }: LogEvent): void {
    const category = categoryOf(stream);
    for (const watch of this.watches)
      if (watch.streams.includes(category) || watch.streams.includes(stream)) this.stale.add(watch);
    if (this.stale.size === 0) return;
    const sinceLast = Date.now() - this.refreshedAt;
    const wait = Math.max(this.times.gather, this.times.between - sinceLast);
    this.refreshing ??= setTimeout(() => this.refreshStale(), wait);
  }

  private refreshStale(): void {
    const stale = [...this.stale];
    this.stale.clear();
    this.refreshing = undefined;
    this.refreshedAt = Date.now();
    for (const watch of stale) {
      this.unsettled.add(watch);
      watch.refresh();
    }
    clearTimeout(this.settling);
    this.settling = setTimeout(() => {
      for (const { refresh } of this.unsettled) refresh();
      this.unsettled.clear();
    }, this.times.settle);
  }
}
