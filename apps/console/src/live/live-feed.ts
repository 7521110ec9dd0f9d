import type { EventsOptions, LogEvent } from '#client/index.js';

/** The part of the SDK's client that the feed uses. */
interface Events {
  events(options: EventsOptions): AsyncIterable<LogEvent>;
}

/** Which events make what a page shows out of date. */
export interface Watch {
  /** Categories of streams, such as `request`, or single streams, such as `sem-world/colour/sky/name`. */
  readonly streams: readonly string[];
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
  /** How often the pages read again while there is no stream, and how often a refused stream is tried again. */
  readonly poll: number;
}

const TIMES: FeedTimes = { gather: 150, between: 3_000, settle: 2_000, poll: 15_000 };
/** The time in ms in which the watches of a new page come together before the stream is opened again. */
const RESTART_MS = 50;

const categoryOf = (stream: string): string => stream.split('-', 1)[0] ?? stream;

/**
 * Follows the log for all open pages by one stream, which has only the categories that they watch. While there is no
 * stream, because the service refuses it or is away, the pages read again at intervals.
 */
export class LiveFeed {
  private readonly watches = new Set<Watch>();
  private readonly stale = new Set<Watch>();
  /** Watches that read once more when no event has come for a while. */
  private readonly unsettled = new Set<Watch>();
  private isRunning = false;
  private isOpen = false;
  private stream: AbortController | undefined;
  private followed: ReadonlySet<string> = new Set();
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
      for (const watches of [this.watches, this.stale, this.unsettled]) watches.delete(watch);
      this.restart();
    };
  }

  start(): void {
    this.isRunning = true;
    this.polling ??= setInterval(() => {
      if (!this.isOpen) this.refreshAll();
    }, this.times.poll);
    this.restart();
  }

  /** Closes the stream. What comes until the next start is missed, so `refreshAll` belongs before it. */
  stop(): void {
    this.isRunning = false;
    this.close();
    for (const timer of [this.restarting, this.refreshing, this.settling]) clearTimeout(timer);
    clearInterval(this.polling);
    this.restarting = this.refreshing = this.settling = this.polling = undefined;
  }

  /** Reads again everything that is watched. */
  refreshAll(): void {
    for (const { refresh } of this.watches) refresh();
  }

  /** Opens the stream again if the pages watch a category that it does not have. */
  private restart(): void {
    if (!this.isRunning) return;
    this.restarting ??= setTimeout(() => {
      this.restarting = undefined;
      const wanted = new Set([...this.watches].flatMap(({ streams }) => streams.map(categoryOf)));
      if (wanted.size > 0 && [...wanted].every((category) => this.followed.has(category))) return;
      this.close();
      if (wanted.size === 0) return;
      this.followed = wanted;
      this.stream = new AbortController();
      void this.follow([...wanted], this.stream.signal);
    }, RESTART_MS);
  }

  private close(): void {
    this.stream?.abort();
    this.followed = new Set();
    this.isOpen = false;
  }

  private async follow(categories: readonly string[], signal: AbortSignal): Promise<void> {
    const onConnection = (isOpen: boolean): void => {
      if (!signal.aborted) this.connected(isOpen);
    };
    while (!signal.aborted) {
      try {
        for await (const event of this.log.events({
          ...{ after: 'end', categories, signal, onConnection },
        }))
          this.note(event);
      } catch {
        // The stream was refused, or the service is away; each page shows the failures of its own reads.
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, this.times.poll);
        signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
      });
    }
  }

  /** What came before the stream was open, and after the pages were read, is not in it. */
  private connected(isOpen: boolean): void {
    this.isOpen = isOpen;
    if (isOpen) this.settle([...this.watches]);
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
    for (const { refresh } of stale) refresh();
    this.settle(stale);
  }

  private settle(watches: readonly Watch[]): void {
    for (const watch of watches) this.unsettled.add(watch);
    clearTimeout(this.settling);
    this.settling = setTimeout(() => {
      for (const { refresh } of this.unsettled) refresh();
      this.unsettled.clear();
    }, this.times.settle);
  }
}
