import type { ChannelInterface } from '@grpc/grpc-js';
import type { ClientHttp2Stream } from 'node:http2';

export type Transport = ReturnType<ChannelInterface['createCall']>;

/**
 * What the library keeps under a call that the server has begun to answer. It is not public, so the
 * library's version is pinned exactly.
 */
interface AnsweredTransport {
  readonly child: {
    readonly committedCallIndex: number;
    readonly underlyingCalls: readonly {
      readonly call: { readonly child: { readonly http2Stream: ClientHttp2Stream } };
    }[];
  };
}

/** The HTTP/2 stream of a call that the server has begun to answer. */
export function streamUnder(transport: Transport): ClientHttp2Stream {
  const { child } = transport as unknown as AnsweredTransport;
  return child.underlyingCalls[child.committedCallIndex]!.call.child.http2Stream;
}

/** Before each message: whether it is compressed (1 byte; none here is), and its length (4 bytes). */
const HEADER = 5;
/** The largest event that a server may hold, and what is around it. */
const LONGEST = 17 * 1024 * 1024;

/**
 * The messages of a call, straight on its HTTP/2 stream. The library hands over one message at a
 * time in either direction, and lets each be written before it takes the next; here all that are sent in
 * one turn leave in one write, and all that come in one chunk are heard at once.
 */
export class Wire {
  readonly #stream: ClientHttp2Stream;
  #unsent: Buffer[] = [];
  /** What has come of a message that is not complete. */
  #begun: Buffer[] = [];
  #begunBytes = 0;
  #wanted = HEADER;

  /** `fail` gets what `hear` throws, or that something came which is no message. */
  constructor(
    stream: ClientHttp2Stream,
    private readonly hear: (message: Buffer) => void,
    fail: (cause: unknown) => void,
  ) {
    this.#stream = stream;
    this.#stream.removeAllListeners('data');
    this.#stream.on('data', (chunk: Buffer) => {
      try {
        this.#receive(chunk);
      } catch (cause) {
        fail(cause);
      }
    });
  }

  /** A message that is alone leaves as soon as what runs now is done; others leave together, once a turn. */
  send(message: Buffer, isAlone = false): void {
    const isFirst = this.#unsent.push(headerOf(message), message) === 2;
    if (isAlone) process.nextTick(() => this.#flush());
    else if (isFirst) setImmediate(() => this.#flush());
  }

  /** Sends the only message; no other can follow. */
  sendLast(message: Buffer): void {
    this.#stream.end(Buffer.concat([headerOf(message), message]));
  }

  pause(): void {
    this.#stream.pause();
  }

  resume(): void {
    this.#stream.resume();
  }

  #flush(): void {
    const frames = this.#unsent;
    if (frames.length === 0) return;
    this.#unsent = [];
    // How a call has ended is told by its status.
    if (this.#stream.writable) this.#stream.write(Buffer.concat(frames));
  }

  #receive(chunk: Buffer): void {
    this.#begun.push(chunk);
    this.#begunBytes += chunk.length;
    if (this.#begunBytes < this.#wanted) return;
    const bytes = this.#begun.length === 1 ? chunk : Buffer.concat(this.#begun);
    let at = 0;
    for (;;) {
      const here = bytes.length - at;
      this.#wanted = here < HEADER ? HEADER : HEADER + bytes.readUInt32BE(at + 1);
      if (this.#wanted > LONGEST) throw new Error('A message is too long');
      if (here < this.#wanted) break;
      if (bytes[at] !== 0) throw new Error('A message is compressed');
      this.hear(bytes.subarray(at + HEADER, at + this.#wanted));
      at += this.#wanted;
    }
    this.#begun = at === bytes.length ? [] : [bytes.subarray(at)];
    this.#begunBytes = bytes.length - at;
  }
}

function headerOf(message: Buffer): Buffer {
  const header = Buffer.allocUnsafe(HEADER);
  header[0] = 0;
  header.writeUInt32BE(message.length, 1);
  return header;
}
