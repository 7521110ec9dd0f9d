import { Metadata, status, type StatusObject } from '@grpc/grpc-js';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  constants,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
  type OutgoingHttpHeaders,
} from 'node:http2';
import { FrameSplitter } from '#event-store-protocol/frames.js';
import { DamagedEvent } from './event-store.js';
import type { ServerClock } from './server-clock.js';

/** The size of the largest event that a server may hold, plus its protocol fields. */
const MAX_MESSAGE = 17 * 1024 * 1024;

/** The callbacks of a call. */
export interface Replies {
  message(bytes: Buffer): void;
  /** Called when the call has ended; `failure` is undefined if the server completed the call. */
  ended(failure: Error | undefined): void;
}

/** Thrown if the server has not processed the call. The caller may then send the call again. */
export class CallNotProcessed extends Error {
  override readonly name = 'CallNotProcessed';
}

/**
 * One gRPC call: a stream of an HTTP/2 session. Messages that are sent in one turn of the event loop
 * leave in one write, and messages that arrive in one chunk are delivered together. The library grpc-js
 * handles one message at a time and takes three times as long for an append.
 */
export class Call {
  #isOver = false;
  /** True once every message of the server has been delivered. */
  #hasEnded = false;
  #hasResponse = false;
  /** The headers with the status of the call; undefined until they arrive. */
  #ending: IncomingHttpHeaders | undefined;
  #closeReason = new Error('the connection was lost');
  #unsent: Buffer[] = [];
  readonly #stream: ClientHttp2Stream;

  /**
   * @param onOver called whenever the call ends; after a cancel by this client, `failure` is undefined.
   */
  constructor(
    private readonly session: ClientHttp2Session,
    headers: OutgoingHttpHeaders,
    private readonly replies: Replies,
    private readonly onOver: (failure: Error | undefined) => void,
    clock?: ServerClock,
  ) {
    const stream = session.request(headers);
    this.#stream = stream;
    const frames = new FrameSplitter(MAX_MESSAGE, (message) => {
      if (!this.#isOver) replies.message(message);
    });
    stream.on('data', (chunk: Buffer) => {
      try {
        frames.push(chunk);
      } catch (cause) {
        this.abort(cause instanceof Error ? cause : new Error(String(cause)));
      }
    });
    const sentAt = Date.now();
    stream.on('response', (head) => {
      clock?.note(head.date, sentAt);
      this.#receiveHeaders(head);
    });
    stream.on('trailers', (head: IncomingHttpHeaders) => this.#receiveHeaders(head));
    stream.on('end', () => {
      this.#hasEnded = true;
      if (this.#ending !== undefined) this.#end(this.#failure());
    });
    stream.on('error', (cause: Error) => (this.#closeReason = cause));
    stream.on('close', () => this.#end(this.#failure()));
  }

  /** True if the client has left the call's node. The call can still end, and should send nothing new. */
  get isOnFormerNode(): boolean {
    return this.session.closed;
  }

  /** Sends a gRPC frame. All frames that are sent in one turn of the event loop leave in one write. */
  send(frame: Buffer): void {
    if (this.#unsent.push(frame) === 1) process.nextTick(() => this.#flush());
  }

  /** Sends the one gRPC frame of a call that has a single request. */
  sendOnly(frame: Buffer): void {
    this.#stream.end(frame);
  }

  /** Stops reading until `resume`. Data that has already arrived is still delivered. */
  pause(): void {
    this.#stream.pause();
  }

  resume(): void {
    this.#stream.resume();
  }

  /** Ends the call. The callbacks in `Replies` are not called any more. */
  cancel(): void {
    this.#close(undefined);
  }

  /** Ends the call with this failure of the client. */
  abort(failure: Error): void {
    if (this.#close(undefined)) this.replies.ended(failure);
  }

  /** Ends the call as if the server had ended it with this failure. */
  fail(failure: Error): void {
    if (this.#close(failure)) this.replies.ended(failure);
  }

  /** Returns false if the call was over already. */
  #close(failure: Error | undefined): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.#stream.close(constants.NGHTTP2_CANCEL);
    // A paused stream would never close, and its session would not either.
    this.#stream.resume();
    this.onOver(failure);
    return true;
  }

  #flush(): void {
    const frames = this.#unsent;
    this.#unsent = [];
    // If the stream cannot be written any more, its status gives the reason.
    if (this.#stream.writable) this.#stream.write(Buffer.concat(frames));
  }

  /** Keeps the status, which comes after the last message, or in the first headers if no message follows. */
  #receiveHeaders(head: IncomingHttpHeaders & IncomingHttpStatusHeader): void {
    this.#hasResponse = true;
    if (head['grpc-status'] !== undefined) this.#ending = head;
    else if (head[':status'] !== 200) this.#closeReason = new Error(`HTTP ${head[':status']}`);
    if (this.#hasEnded && this.#ending !== undefined) this.#end(this.#failure());
  }

  #end(failure: Error | undefined): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.onOver(failure);
    this.replies.ended(failure);
  }

  /**
   * Returns why the call failed, or undefined. A good status alone does not mean that the call is
   * complete, because the status may arrive before all messages are delivered.
   */
  #failure(): Error | undefined {
    const ending = this.#ending;
    if (ending !== undefined && ending['grpc-status'] !== OK) {
      return failureOf({
        code: Number(ending['grpc-status']),
        details: decoded(String(ending['grpc-message'] ?? '')),
        metadata: Metadata.fromHttp2Headers(ending),
      });
    }
    if (ending !== undefined && this.#hasEnded) return undefined;
    if (!this.#hasResponse && this.#stream.rstCode === constants.NGHTTP2_REFUSED_STREAM) {
      return new CallNotProcessed(this.#closeReason.message);
    }
    const metadata = new Metadata();
    const cause = this.#closeReason;
    return failureOf({ code: status.UNAVAILABLE, details: cause.message, metadata }, cause);
  }
}

const OK = String(status.OK);

function failureOf(ending: StatusObject, cause?: Error): Error {
  const text = (name: string): string => String(ending.metadata.get(name)[0] ?? '');
  if (text('exception') === 'damaged-event' && /^\d+$/.test(text('position'))) {
    const stream = decoded(text('stream-name'));
    const event = stream === '' ? undefined : { stream, number: Number(text('event-number')) };
    return new DamagedEvent(ending.details, BigInt(text('position')), event);
  }
  return Object.assign(new Error(`${status[ending.code]}: ${ending.details}`, { cause }), ending);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
