import { type ChannelInterface, type Metadata, status, type StatusObject } from '@grpc/grpc-js';

type Transport = ReturnType<ChannelInterface['createCall']>;

/** What hears a call. */
export interface Replies {
  message(bytes: Buffer): void;
  /** Nothing more comes; `failure` is undefined where the server has said all that it had to say. */
  ended(failure: Error | undefined): void;
}

/**
 * A call on the database client's channel, in bytes. The library's own calls are not used: the objects and
 * streams that they put around each message take more time than the message.
 */
export class Call {
  #heard = true;
  #paused = false;
  #mayRead = false;
  /** Messages behind the one that is being sent: before the call stands, the channel keeps but one. */
  #unsent: Buffer[] = [];
  #sending: 'nothing' | 'first' | 'freely' = 'nothing';

  constructor(
    private readonly transport: Transport,
    metadata: Metadata,
    private readonly replies: Replies,
    onEnd: (failure: Error | undefined) => void,
  ) {
    transport.start(metadata, {
      onReceiveMetadata: () => undefined,
      onReceiveMessage: (bytes: Buffer) => this.#receive(bytes),
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

  send(message: Buffer): void {
    if (this.#sending === 'freely') return this.transport.sendMessageWithContext({}, message);
    if (this.#sending === 'first') return void this.#unsent.push(message);
    this.#sending = 'first';
    const callback = (): void => {
      this.#sending = 'freely';
      for (const next of this.#unsent) this.transport.sendMessageWithContext({}, next);
      this.#unsent = [];
    };
    this.transport.sendMessageWithContext({ callback }, message);
  }

  /** The server is held back until `resume`. */
  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    if (!this.#mayRead) return;
    this.#mayRead = false;
    this.transport.startRead();
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

  #receive(bytes: Buffer): void {
    try {
      if (this.#heard) this.replies.message(bytes);
    } catch (cause) {
      // What cannot be read ends the call; thrown on, it would end the process.
      this.cancel();
      this.replies.ended(cause instanceof Error ? cause : new Error(String(cause)));
      return;
    }
    if (this.#paused) this.#mayRead = true;
    else this.transport.startRead();
  }
}

const failureOf = (ending: StatusObject): Error =>
  Object.assign(new Error(`${status[ending.code]}: ${ending.details}`), ending);
