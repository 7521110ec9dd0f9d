import { Readable } from 'node:stream';

/** Text of a stream of server-sent events, and the position up to which the log has been read for it. */
export interface StreamPiece {
  readonly text: string;
  readonly upTo: bigint;
}

export interface EventStreamOptions {
  /** The time in ms between two comments. */
  readonly commentEveryMs: number;
  /** The wall-clock time in ms at which the stream ends, because the caller's token expires. */
  readonly until: number;
}

const BUFFER_BYTES = 64 * 1024;
const MAX_TIMER_MS = 2 ** 31 - 1;
/** The time in ms after which a client should connect again; browsers keep to it. */
const RECONNECT = 'retry: 1000\n\n';

/**
 * The body of a stream of server-sent events. It asks for the next piece only while fewer than 64 KiB wait
 * for the client, so a slow client does not fill memory. When the client is gone, its signal aborts.
 */
export class EventStreamBody extends Readable {
  readonly #abort = new AbortController();
  readonly #pieces: AsyncIterator<StreamPiece>;
  readonly #comments: NodeJS.Timeout;
  readonly #expiry: NodeJS.Timeout;
  #isPulling = false;
  #isFinished = false;
  /** The position that the client knows, and the one that it would know with the next comment. */
  #toldUpTo: bigint | undefined;
  #upTo: bigint | undefined;

  constructor(
    pieces: (signal: AbortSignal) => AsyncIterable<StreamPiece>,
    { commentEveryMs, until }: EventStreamOptions,
  ) {
    super({ highWaterMark: BUFFER_BYTES });
    this.#pieces = pieces(this.#abort.signal)[Symbol.asyncIterator]();
    this.#comments = setInterval(() => this.#comment(), commentEveryMs).unref();
    const left = Math.min(Math.max(0, until - Date.now()), MAX_TIMER_MS);
    this.#expiry = setTimeout(() => this.finish(), left).unref();
    this.push(RECONNECT);
  }

  /** Ends the stream after what already waits for the client. */
  finish(): void {
    this.#abort.abort();
    if (this.#isFinished || this.destroyed) return;
    this.#isFinished = true;
    this.push(null);
  }

  override _read(): void {
    if (!this.#isPulling) void this.#pull();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearInterval(this.#comments);
    clearTimeout(this.#expiry);
    this.#abort.abort();
    // The signal ends a generator that waits for events. This ends one that waits to be asked for more.
    this.#pieces.return?.().catch(() => undefined);
    done(error);
  }

  async #pull(): Promise<void> {
    this.#isPulling = true;
    try {
      for (let hasRoom = true; hasRoom;) {
        const piece = await this.#pieces.next();
        if (this.#isFinished || this.destroyed) return;
        if (piece.done) return this.finish();
        hasRoom = this.#send(piece.value);
      }
    } catch (cause) {
      this.destroy(cause as Error);
    } finally {
      this.#isPulling = false;
    }
  }

  #send({ text, upTo }: StreamPiece): boolean {
    this.#upTo = upTo;
    if (text === '') return true;
    this.#toldUpTo = upTo;
    return this.push(text);
  }

  /**
   * Sends a comment, unless the client is slow. If the log had nothing for this client lately, the comment
   * comes with an id, so that the client need not read the same part of the log again when it reconnects.
   */
  #comment(): void {
    if (this.#isFinished || this.readableLength >= BUFFER_BYTES) return;
    const id = this.#upTo === this.#toldUpTo ? '' : `id: ${this.#upTo}\n`;
    this.#toldUpTo = this.#upTo;
    this.push(`: the stream is open\n${id}\n`);
  }
}
