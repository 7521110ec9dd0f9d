import { type Metadata, status, type StatusObject } from '@grpc/grpc-js';
import type { ClientHttp2Stream } from 'node:http2';
import { streamUnder, type Transport, Wire } from './wire.js';

/** What hears a call. */
export interface Replies {
  message(bytes: Buffer): void;
  /** Nothing more comes; `failure` is undefined where the server has said all that it had to say. */
  ended(failure: Error | undefined): void;
}

/**
 * A call on the database client's channel, in bytes. The library's own calls are not used: the objects and
 * streams that they put around each message take more time than the message. It finds the server, opens
 * the call and tells how it ended; once the server has answered, messages pass it by.
 */
export class Call {
  #heard = true;
  #paused = false;
  #hasAsked = false;
  /** Messages behind the first: before the call stands, the channel keeps but one. */
  #unsent: Buffer[] = [];
  /** Once the server has answered. */
  #wire: Wire | undefined;

  constructor(
    private readonly transport: Transport,
    metadata: Metadata,
    private readonly replies: Replies,
    private readonly onAnswered: (stream: ClientHttp2Stream) => void,
    onEnd: (failure: Error | undefined) => void,
  ) {
    transport.start(metadata, {
      onReceiveMetadata: () => this.#answered(),
      onReceiveMessage: () => undefined,
      onReceiveStatus: (ending) => {
        const failed = this.#heard && ending.code !== status.OK;
        const failure = failed ? failureOf(ending) : undefined;
        onEnd(failure);
        if (this.#heard) replies.ended(failure);
        this.#heard = false;
      },
    });
    transport.startRead();
  }

  /** Sends the only message of a call that is then listened to. */
  ask(message: Buffer): void {
    this.transport.sendMessageWithContext({}, message);
    this.transport.halfClose();
  }

  /** `isAlone`: no other message is on its way that this one could leave with. */
  send(message: Buffer, isAlone = false): void {
    if (this.#wire !== undefined) return this.#wire.send(message, isAlone);
    if (this.#hasAsked) return void this.#unsent.push(message);
    this.#hasAsked = true;
    this.transport.sendMessageWithContext({}, message);
  }

  /** The server is held back until `resume`. What has come already is heard. */
  pause(): void {
    this.#paused = true;
    this.#wire?.pause();
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#wire?.resume();
  }

  /** Ends the call without another word to whoever hears it. */
  cancel(): void {
    this.#heard = false;
    this.abort();
  }

  /** Ends the call as a failure. */
  abort(): void {
    this.transport.cancelWithStatus(status.CANCELLED, 'The connection is being closed');
  }

  #answered(): void {
    const hear = (message: Buffer): void => {
      if (this.#heard) this.replies.message(message);
    };
    // What cannot be read ends the call; thrown on, it would end the process.
    const fail = (cause: unknown): void => {
      this.cancel();
      this.replies.ended(cause instanceof Error ? cause : new Error(String(cause)));
    };
    const stream = streamUnder(this.transport);
    this.#wire = new Wire(stream, hear, fail);
    // A call that was ended at once is on no connection any more.
    if (stream.session !== undefined) this.onAnswered(stream);
    for (const message of this.#unsent) this.#wire.send(message);
    this.#unsent = [];
  }
}

export const failureOf = (ending: StatusObject): Error =>
  Object.assign(new Error(`${status[ending.code]}: ${ending.details}`), ending);
