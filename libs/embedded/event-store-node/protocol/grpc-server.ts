import { FrameSplitter, UnreadableFrame } from '#event-store-protocol/frames.js';
import { MalformedMessage } from '#event-store-protocol/protobuf.js';
import http2 from 'node:http2';
import { type AddressInfo } from 'node:net';
import { invalid, Refused, Status, unimplemented } from './status.js';

/** In bytes. Clients read events of up to 17 MiB and send batches of 3 MiB. */
const MAX_MESSAGE = 20 * 1024 * 1024;
const WINDOW = 4 * 1024 * 1024;
/** The most unread bytes of a client before the server pauses its call. */
const MAX_UNREAD = 512 * 1024;

/** Handles one call. Both callbacks may throw `Refused`. */
export interface CallHandler {
  message(body: Buffer): void;
  /** The client has sent its last message. */
  end?(): void;
  /** The call is over, whichever side ended it. */
  closed?(): void;
}

export type Method = (call: Call) => CallHandler;

/** One gRPC call on one HTTP/2 stream. */
export class Call {
  isOpen = true;
  private outbox: Buffer[] = [];
  private outboxBytes = 0;
  private trailers: http2.OutgoingHttpHeaders | undefined;

  constructor(private readonly stream: http2.ServerHttp2Stream) {
    stream.on('wantTrailers', () => {
      if (!stream.destroyed)
        stream.sendTrailers(this.trailers ?? { 'grpc-status': Status.internal });
    });
  }

  /** Sends framed messages; those of one turn of the event loop leave in one write. */
  send(frames: Buffer): void {
    if (!this.isOpen) return;
    this.outboxBytes += frames.length;
    if (this.outbox.push(frames) === 1) queueMicrotask(() => this.flush());
  }

  /** Whether the client keeps up with reading. */
  get isWritable(): boolean {
    return this.isOpen && this.outboxBytes + this.stream.writableLength < MAX_UNREAD;
  }

  onDrain(resume: () => void): void {
    this.stream.once('drain', resume);
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
    if (frames.length === 0 || this.stream.destroyed || this.stream.writableEnded) return;
    this.open();
    this.stream.write(frames.length === 1 ? frames[0] : Buffer.concat(frames));
  }

  /** Sends only the headers, so that the client knows that the call was accepted. */
  open(): void {
    if (this.stream.headersSent || this.stream.destroyed) return;
    this.stream.respond(
      { ':status': 200, 'content-type': 'application/grpc+proto' },
      { waitForTrailers: true },
    );
  }

  private end(code: number, text: string, extra: Readonly<Record<string, string>>): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.flush();
    if (this.stream.destroyed) return;
    this.trailers = {
      'grpc-status': code,
      ...(text === '' ? {} : { 'grpc-message': encodeURIComponent(text) }),
      ...Object.fromEntries(
        Object.entries(extra).map(([name, value]) => [name, headerSafe(value)]),
      ),
    };
    this.open();
    this.stream.end();
  }
}

function refusalOf(error: unknown): Refused {
  if (error instanceof Refused) return error;
  if (error instanceof MalformedMessage) {
    return invalid(`The message could not be read: ${error.message}`);
  }
  if (error instanceof UnreadableFrame) {
    return error.reason === 'compressed'
      ? unimplemented('A compressed message')
      : new Refused(Status.resourceExhausted, 'The message is too long');
  }
  return new Refused(Status.internal, error instanceof Error ? error.message : String(error));
}

const headerSafe = (value: string): string =>
  /^[\x20-\x7e]*$/.test(value) ? value : encodeURIComponent(value);

/** Serves gRPC methods on HTTP/2 without TLS. Unknown methods answer UNIMPLEMENTED. */
export class GrpcServer {
  private readonly server = http2.createServer({
    // Node keeps counting the unsent bytes of cancelled calls, and refuses all calls of the connection at
    // this limit. MAX_UNREAD already limits the bytes of each call.
    maxSessionMemory: Number.MAX_SAFE_INTEGER,
    settings: { initialWindowSize: WINDOW, maxConcurrentStreams: 0x7fffffff },
  });
  private readonly sessions = new Set<http2.ServerHttp2Session>();

  constructor(private readonly methods: ReadonlyMap<string, Method>) {
    this.server.on('session', (session) => {
      this.sessions.add(session);
      session.setLocalWindowSize(WINDOW);
      session.on('close', () => this.sessions.delete(session));
      // A broken connection is not an error of the server; its calls are closed one by one.
      session.on('error', () => undefined);
    });
    this.server.on('stream', (stream, headers) => this.accept(stream, headers[':path'] ?? ''));
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
    for (const session of this.sessions) session.destroy();
    await closed;
  }

  private accept(stream: http2.ServerHttp2Stream, path: string): void {
    stream.on('error', () => undefined);
    const call = new Call(stream);
    const method = this.methods.get(path);
    if (!method) {
      stream.resume();
      call.refuse(unimplemented(path));
      return;
    }
    const handler = method(call);
    const guarded = (step: () => void) => {
      if (!call.isOpen) return;
      try {
        step();
      } catch (error) {
        call.refuse(error);
      }
    };
    const frames = new FrameSplitter(MAX_MESSAGE, (body) => guarded(() => handler.message(body)));
    stream.on('data', (chunk: Buffer) => guarded(() => frames.push(chunk)));
    stream.on('end', () => guarded(() => handler.end?.()));
    stream.on('close', () => {
      call.isOpen = false;
      handler.closed?.();
    });
  }
}
