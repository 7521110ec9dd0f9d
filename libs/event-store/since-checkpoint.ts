import { rulesFor } from '#domain/replay/stream-rules.js';
import type { Slices } from '#domain/slices.js';
import type { EventStore, LoggedEvent } from './event-store.js';
import { storedHash, type StreamHead } from './log-check.js';

/** The differences that a log can have from an earlier checkpoint. Scripts use the names. */
export const SINCE_PROBLEMS = [
  'stream_missing',
  /** The log, or a read of the stream, lacks events that the stream had at the checkpoint. */
  'stream_cut',
  /** The stream has another event where it ended at the checkpoint, so some event before it changed. */
  'stream_changed',
  /** The stream has an event before the checkpoint that it did not have then. */
  'stream_inserted',
] as const;
export type SinceProblem = (typeof SINCE_PROBLEMS)[number];

/** A difference in one stream. */
export interface SinceFinding {
  readonly stream: string;
  /** The first event that is missing or was inserted; of a changed stream, the event at which it ended. */
  readonly number: number;
  readonly problem: SinceProblem;
}

/** A head that the log has not shown yet. */
interface AwaitedHead {
  readonly number: number;
  readonly hash: string;
  /** The number of the stream's last event so far; -1 before its first event. */
  seen: number;
}

interface NewEvent {
  readonly number: number;
  /** The event's place in the log. */
  readonly place: number;
}

/** The type of the event by which a server deletes a stream for good. */
const TOMBSTONE = '$streamDeleted';

/** The number of streams whose first event is read at the same time. */
const READS_AT_ONCE = 64;

/** The number of heads of one slice. */
const HEADS_AT_ONCE = 1_000;

/**
 * Compares a log, which it gets in log order, with the heads of its streams at an earlier checkpoint. Log
 * positions are not compared, because a copy of the log on another server has other positions. The hashes
 * must be verified by a `LogCheck`: a head's hash then proves all events before it.
 */
export class SinceCheckpoint {
  readonly #awaited = new Map<string, AwaitedHead>();
  readonly #reached = new Set<string>();
  readonly #found: SinceFinding[] = [];
  /** The first new event of each stream, while heads are awaited. It is new to the checkpoint, not to the log. */
  readonly #new = new Map<string, NewEvent>();
  #place = 0;
  /** The place of the last head that was found unchanged. Every event before it was there at the checkpoint. */
  #lastHeadAt = 0;

  /** Begins a comparison with these heads. */
  static *with(heads: Iterable<StreamHead>): Slices<SinceCheckpoint> {
    const since = new SinceCheckpoint();
    for (const { stream, number, hash } of heads) {
      since.#awaited.set(stream, { number, hash, seen: -1 });
      if (since.#awaited.size % HEADS_AT_ONCE === 0) yield;
    }
    return since;
  }

  /** Takes the next event of the log. */
  take(event: LoggedEvent): void {
    const { stream, number, type } = event;
    this.#place += 1;
    if (type === TOMBSTONE) return this.#bury(stream);
    const head = this.#awaited.get(stream);
    if (head === undefined) {
      this.#takeNew(stream, number);
      return;
    }
    if (number < head.number) head.seen = Math.max(head.seen, number);
    if (number !== head.number) return;
    this.#awaited.delete(stream);
    this.#reached.add(stream);
    if (storedHash(event) === head.hash) this.#lastHeadAt = this.#place;
    else this.#found.push({ stream, number, problem: 'stream_changed' });
  }

  /** Notes a stream whose events the server no longer returns; a read of it fails. */
  #bury(stream: string): void {
    if (this.#reached.delete(stream))
      this.#found.push({ stream, number: 0, problem: 'stream_cut' });
  }

  #takeNew(stream: string, number: number): void {
    // A checkpoint does not cover the streams of other programs.
    if (this.#awaited.size === 0 || this.#new.has(stream) || rulesFor(stream) === undefined) return;
    this.#new.set(stream, { number, place: this.#place });
  }

  /** Yields the differences of a log that was taken to its end. */
  *findings(): Generator<SinceFinding> {
    yield* this.#found;
    for (const [stream, { seen }] of this.#awaited) {
      const problem = seen === -1 ? 'stream_missing' : 'stream_cut';
      yield { stream, number: seen + 1, problem };
    }
    for (const [stream, { number, place }] of this.#new)
      if (place < this.#lastHeadAt) yield { stream, number, problem: 'stream_inserted' };
  }

  /**
   * Yields the streams whose events are in the log, while a read of the stream does not return them, as
   * after a deletion or a truncation. Fails with `EventStoreUnavailable`.
   */
  async *hidden(
    store: EventStore,
    onStreams: (streams: number) => void,
  ): AsyncGenerator<SinceFinding> {
    const reached = [...this.#reached];
    for (let from = 0; from < reached.length; from += READS_AT_ONCE) {
      const streams = reached.slice(from, from + READS_AT_ONCE);
      const begins = await Promise.all(streams.map((stream) => hasFirstEvent(store, stream)));
      for (const [index, stream] of streams.entries())
        if (!begins[index]) yield { stream, number: 0, problem: 'stream_cut' };
      onStreams(streams.length);
    }
  }
}

async function hasFirstEvent(store: EventStore, stream: string): Promise<boolean> {
  let isFirst = false;
  for await (const { number } of store.readStream(stream, { from: 0, limit: 1 }))
    isFirst = number === 0;
  return isFirst;
}
