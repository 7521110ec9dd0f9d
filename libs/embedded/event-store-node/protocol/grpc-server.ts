import { FrameSplitter, UnreadableFrame } from '#event-store-protocol/frames.js';
import http2 from 'node:http2';
import { type AddressInfo, type Socket } from 'node:net';
import { connectionServer } from './connections.js';
import { refusalOf, type Refused, Status } from './status.js';

/** The maximum bytes of one message, as in EventStoreDB. */
const MAX_MESSAGE = 16 * 1024 * 1024;
const WINDOW = 4 * 1024 * 1024;
/** The time in ms in which a client of the node makes a call on its new connection. */
const PATIENCE_MS = 10_000;
/** The maximum bytes that a client has not read yet. Beyond this, the server pauses the client's call. */
const MAX_UNREAD = 512 * 1024;

/** Handles one call. Both callbacks may throw `Refused`. */
export interface CallHandler {
  message(body: Buffer): void;
  /** Called instead of `message` with the first bytes of a message that is too long. */
  tooLong?(start: Buffer): void;
  /** Called after the client has sent its last message. */
  end?(): void;
  /** Called when the call is over, whichever side ended it. */
  closed?(): void;
}

export type Method = (call: Call) => CallHandler;

/** One gRPC call on one HTTP/2 stream. */
export class Call {
  isOpen = true;
  private outbox: Buffer[] = [];
  private outboxBytes = 0;
  private trailers: http2.OutgoingHttpHeaders | undefined;

  constructor(
    private readonly stream: http2.ServerHttp2Stream,
    /** The host and port to which the client sent the call. */
    readonly authority: string,
  ) {
    stream.on('wantTrailers', () => {
      if (!this.isGone) stream.sendTrailers(this.trailers ?? { 'grpc-status': Status.internal });
    });
  }

  /** True if nothing can be sent any more. A stream that its client has reset is closed first and destroyed later. */
  private get isGone(): boolean {
    return this.stream.closed || this.stream.destroyed;
  }

  /** Sends framed messages. All messages of one turn of the event loop leave in one write. */
  send(frames: Buffer): void {
    if (!this.isOpen) return;
    this.outboxBytes += frames.length;
    if (this.outbox.push(frames) === 1) queueMicrotask(() => this.flush());
  }

  /** True as long as the client reads fast enough. */
  get isWritable(): boolean {
    return this.isOpen && this.outboxBytes + this.stream.writableLength < MAX_UNREAD;
  }

  onDrain(resume: () => void): void {
    this.stream.once('drain', resume);
  }

  /** Delivers no more messages until `resume`. Messages of the chunk that is being read are still delivered. */
  pause(): void {
    this.stream.pause();
  }

  resume(): void {
    this.stream.resume();
  }

  finish(): void {
    this.end(Status.ok, '', {});
  }

  refuse(error: unknown): void {
    const refused = refusalOf(error);
    this.end(refused.code, refused.message, refused.trailers);
  }

  private flush(): void {
    const frames = this.outbox;
    this.outbox = [];
    this.outboxBytes = 0;
    if (frames.length === 0 || this.isGone || this.stream.writableEnded) return;
    this.open();
    this.stream.write(frames.length === 1 ? frames[0] : Buffer.concat(frames));
  }

  /** Sends only the headers, so that the client knows that the call was accepted. */
  open(): void {
    if (this.stream.headersSent || this.isGone) return;
    this.stream.respond(
      { ':status': 200, 'content-type': 'application/grpc+proto' },
      { waitForTrailers: true },
    );
  }

  private end(code: number, text: string, extra: Readonly<Record<string, string>>): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.flush();
    if (this.isGone) return;
    this.trailers = {
      'grpc-status': code,
      ...(text === '' ? {} : { 'grpc-message': percentEncoded(text) }),
      ...Object.fromEntries(
        Object.entries(extra).map(([name, value]) => [name, headerSafe(value)]),
      ),
    };
    this.open();
    this.stream.end();
  }
}

/** Makes a step of a call that the caller may run at any time. An error in it ends this call and nothing else. */
export const guarded =
  <Args extends unknown[]>(call: Call, step: (...args: Args) => void) =>
  (...args: Args): void => {
    if (!call.isOpen) return;
    try {
      step(...args);
    } catch (error) {
      call.refuse(error);
    }
  };

/** Encodes an error text as gRPC requires: only `%` and what is not printable ASCII. */
const percentEncoded = (text: string): string =>
  Buffer.from(text)
    .toString()
    .replace(/[^\x20-\x24\x26-\x7e]+/gu, encodeURIComponent);

const headerSafe = (value: string): string =>
  /^[\x20-\x7e]*$/.test(value) ? value : encodeURIComponent(value);

/** Serves gRPC methods on HTTP/2 without TLS, and the node's health on HTTP/1.1, on one port. */
export class GrpcServer {
  private readonly http2 = http2.createServer({
    // Node.js still counts the unsent bytes of cancelled calls and, when they reach this limit, refuses all calls of
    // the connection. The limit is not needed, because MAX_UNREAD limits the bytes of each call.
    maxSessionMemory: Number.MAX_SAFE_INTEGER,
    settings: { initialWindowSize: WINDOW, maxConcurrentStreams: 0x7fffffff },
  });
  private readonly server = connectionServer(this.http2);
  private readonly connections = new Set<Socket>();
  /** Ends the connections on which no client of the node has made a call yet. */
  private readonly unused = new Map<unknown, NodeJS.Timeout>();

  constructor(
    private readonly methods: ReadonlyMap<string, Method>,
    /** Returns the refusal of a method that the node does not serve. */
    private readonly refuseUnknown: (path: string) => Refused,
    /** Returns the refusal of a call that does not come from a client of the node; undefined for others. */
    private readonly refuseStranger: (
      path: string,
      headers: http2.IncomingHttpHeaders,
    ) => Refused | undefined,
  ) {
    this.server.on('connection', (socket) => {
      this.connections.add(socket);
      socket.on('close', () => this.connections.delete(socket));
    });
    this.http2.on('session', (session) => {
      if (!session.destroyed) session.setLocalWindowSize(WINDOW);
      // A broken connection is not an error of the server. Its calls are closed one by one.
      session.on('error', () => undefined);
      this.unused.set(
        session,
        setTimeout(() => session.destroy(), PATIENCE_MS),
      );
      session.once('close', () => this.noteUsed(session));
    });
    this.http2.on('stream', (stream, headers) => this.accept(stream, headers));
  }

  async listen(port: number, host: string): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen({ port, host }, () => {
        this.server.off('error', reject);
        resolve();
      });
    });
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    for (const connection of this.connections) connection.destroy();
    await closed;
  }

  private noteUsed(session: unknown): void {
    clearTimeout(this.unused.get(session));
    this.unused.delete(session);
  }

  private accept(stream: http2.ServerHttp2Stream, headers: http2.IncomingHttpHeaders): void {
    stream.on('error', () => undefined);
    const path = headers[':path'] ?? '';
    const call = new Call(stream, headers[':authority'] ?? '');
    const method = this.methods.get(path);
    const refusal =
      this.refuseStranger(path, headers) ?? (method ? undefined : this.refuseUnknown(path));
    if (!method || refusal) {
      stream.resume();
      call.refuse(refusal ?? this.refuseUnknown(path));
      return;
    }
    this.noteUsed(stream.session);
    let handler: CallHandler | undefined;
    guarded(call, () => {
      handler = method(call);
    })();
    const deliver = guarded(call, (body: Buffer) => handler?.message(body));
    const refuse = guarded(call, (start: Buffer) => {
      if (!handler?.tooLong) throw new UnreadableFrame('too long');
      handler.tooLong(start);
    });
    const frames = new FrameSplitter(MAX_MESSAGE, deliver, refuse);
    stream.on(
      'data',
      guarded(call, (chunk: Buffer) => frames.push(chunk)),
    );
    stream.on(
      'end',
      guarded(call, () => handler?.end?.()),
    );
    stream.on('close', () => {
      call.isOpen = false;
      handler?.closed?.();
    });
  }
}
