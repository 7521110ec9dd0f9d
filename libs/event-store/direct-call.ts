import { Metadata, status } from '@grpc/grpc-js';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  constants,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
  type OutgoingHttpHeaders,
} from 'node:http2';
import { failureOf, type Replies } from './call.js';
import { Wire } from './wire.js';

const OK: number = status.OK;

/** A message that is compressed could not be read. */
const UNCOMPRESSED = { 'grpc-accept-encoding': 'identity' };

/** Where a call went that the server has answered, and what it began with. */
export interface Way {
  readonly session: ClientHttp2Session;
  readonly headers: OutgoingHttpHeaders;
}

export function wayOf({ session, sentHeaders }: ClientHttp2Stream): Way {
  const headers = { ...sentHeaders, ...UNCOMPRESSED };
  return { session: session as ClientHttp2Session, headers };
}

/** The server has not looked at the call: it may be asked again. */
export class NotTaken extends Error {
  override readonly name = 'NotTaken';
}

/**
 * A call with one question, beside one that the server has answered: on the same connection, with the same
 * headers, so to the same node and in the same user's name. It goes past the library, which takes longer to
 * make a call than the server takes to answer a short read.
 */
export class DirectCall {
  #heard = true;
  #isOver = false;
  /** All that came has been heard. */
  #hasEnded = false;
  #isTaken = false;
  /** What holds the call's status, once it has come. */
  #ending: IncomingHttpHeaders | undefined;
  #trouble = 'the connection was lost';
  readonly #stream: ClientHttp2Stream;
  readonly #wire: Wire;

  constructor(
    { session, headers }: Way,
    method: string,
    private readonly replies: Replies,
    private readonly onEnd: (failure: Error | undefined) => void,
  ) {
    const stream = session.request({ ...headers, ':path': method });
    this.#stream = stream;
    const hear = (message: Buffer): void => {
      if (this.#heard) replies.message(message);
    };
    // What cannot be read ends the call; thrown on, it would end the process.
    const fail = (cause: unknown): void => {
      this.#end(cause instanceof Error ? cause : new Error(String(cause)));
      this.#stop();
    };
    this.#wire = new Wire(stream, hear, fail);
    stream.on('response', (head) => this.#headed(head));
    stream.on('trailers', (head: IncomingHttpHeaders) => this.#headed(head));
    stream.on('end', () => {
      this.#hasEnded = true;
      if (this.#ending !== undefined) this.#end(this.#failure());
    });
    stream.on('error', ({ message }: Error) => (this.#trouble = message));
    stream.on('close', () => this.#end(this.#failure()));
  }

  /** Whether that way is still open. */
  static isPossible({ session }: Way): boolean {
    return !session.closed && !session.destroyed;
  }

  ask(message: Buffer): void {
    this.#wire.sendLast(message);
  }

  /** The server is held back until `resume`. What has come already is heard. */
  pause(): void {
    this.#wire.pause();
  }

  resume(): void {
    this.#wire.resume();
  }

  /** Ends the call without another word to whoever hears it. */
  cancel(): void {
    this.#heard = false;
    this.#end(undefined);
    this.#stop();
  }

  /** Ends the call as a failure. */
  abort(): void {
    this.#trouble = 'the connection is being closed';
    this.#stream.destroy();
  }

  /** What is left is passed by: a stream that is held back would never close, nor would its connection. */
  #stop(): void {
    this.#stream.close(constants.NGHTTP2_CANCEL);
    this.#stream.resume();
  }

  /** The status comes behind the last message, or with the headers where there is none. */
  #headed(head: IncomingHttpHeaders & IncomingHttpStatusHeader): void {
    this.#isTaken = true;
    if (head['grpc-status'] !== undefined) this.#ending = head;
    else if (head[':status'] !== 200) this.#trouble = `HTTP ${head[':status']}`;
    if (this.#hasEnded && this.#ending !== undefined) this.#end(this.#failure());
  }

  #end(failure: Error | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.onEnd(failure);
    if (this.#heard) this.replies.ended(failure);
    this.#heard = false;
  }

  /** The status may have come before what it speaks of was heard: it then says nothing of the rest. */
  #failure(): Error | undefined {
    const ending = this.#ending;
    const code = Number(ending?.['grpc-status']);
    if (ending !== undefined && code !== OK) {
      const details = unescaped(String(ending['grpc-message'] ?? ''));
      return failureOf({ code, details, metadata: Metadata.fromHttp2Headers(ending) });
    }
    if (ending !== undefined && this.#hasEnded) return undefined;
    if (!this.#isTaken && this.#stream.rstCode === constants.NGHTTP2_REFUSED_STREAM)
      return new NotTaken(this.#trouble);
    const metadata = new Metadata();
    return failureOf({ code: status.UNAVAILABLE, details: this.#trouble, metadata });
  }
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
