import { EventStoreDBClient } from '@eventstore/db-client';
import grpcStreams, {
  type StreamsClient,
} from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { CallOptions, ChannelInterface, Metadata } from '@grpc/grpc-js';
import { Call, type Replies } from './call.js';
import { DirectCall, NotTaken, type Way, wayOf } from './direct-call.js';

/**
 * What the client keeps for its own methods: the channel with its discovery, credentials and leader
 * changes. It is not public, so the client's version is pinned exactly.
 */
interface ClientCore {
  getGRPCClient(service: typeof StreamsClient, debugName: string): Promise<StreamsClient>;
  callArguments(base: object, options: CallOptions): [Metadata, CallOptions];
  getChannel(): Promise<ChannelInterface>;
  /** Finds another server where the failure says that this one is gone or no leader. */
  handleError(streams: StreamsClient, failure: Error): Promise<void>;
}

let links = 0;

/**
 * Channels with equal settings share their TCP connections, so a new client would go on with the one that
 * the old client was stuck on: every link therefore differs by a millisecond of its keep-alive.
 */
function unshared(url: string): string {
  links += 1;
  const asked = /[?&]keepAliveTimeout=(\d+)/i.exec(url)?.[1] ?? '10000';
  return `${url}${url.includes('?') ? '&' : '?'}keepAliveTimeout=${Number(asked) + links}`;
}

/** One client of the server, as long as it is good for anything. */
export class Link {
  readonly #core: ClientCore;
  readonly #calls = new Set<Call | DirectCall>();
  /** Where the server answered last, over which of the client's channels. */
  #known: { readonly way: Way; readonly streams: StreamsClient } | undefined;

  constructor(url: string) {
    this.#core = EventStoreDBClient.connectionString(unshared(url)) as unknown as ClientCore;
  }

  /**
   * Starts a call with one question, without a deadline: timeouts are ours. Where the server has answered
   * before, there is no need to look for it again. Fails when there is no server to be found.
   */
  async question(method: string, replies: Replies): Promise<Call | DirectCall> {
    const known = this.#known;
    if (known === undefined || !DirectCall.isPossible(known.way)) return this.open(method, replies);
    const call = new DirectCall(known.way, method, replies, (failure) =>
      this.#ended(call, known.streams, failure),
    );
    this.#calls.add(call);
    return call;
  }

  /** As `question`, for every kind of call: through the client, which finds the server. */
  async open(method: string, replies: Replies): Promise<Call> {
    const streams = await this.#core.getGRPCClient(grpcStreams.StreamsClient, 'call');
    const [metadata, { credentials }] = this.#core.callArguments({}, { deadline: Infinity });
    const transport = streams.getChannel().createCall(method, Infinity, null, null, null);
    if (credentials !== undefined) transport.setCredentials(credentials);
    const call = new Call(
      transport,
      metadata,
      replies,
      (stream) => (this.#known = { way: wayOf(stream), streams }),
      (failure) => this.#ended(call, streams, failure),
    );
    this.#calls.add(call);
    return call;
  }

  #ended(call: Call | DirectCall, streams: StreamsClient, failure: Error | undefined): void {
    this.#calls.delete(call);
    if (failure === undefined) return;
    this.#known = undefined;
    // The client may look for another server now; if it finds none, the next call tells.
    if (!(failure instanceof NotTaken))
      this.#core.handleError(streams, failure).catch(() => undefined);
  }

  async close(): Promise<void> {
    for (const call of this.#calls) call.abort();
    const channel = await this.#core.getChannel();
    channel.close();
  }
}

/**
 * The client in use. One that let a call run into its timeout is not asked again: a new one takes its
 * place, and the old one is closed when every call that it could still answer has timed out.
 */
export class Connection {
  #link: Link;
  readonly #retired = new Map<Link, NodeJS.Timeout>();

  constructor(
    readonly url: string,
    private readonly graceMs: number,
  ) {
    this.#link = new Link(url);
  }

  get link(): Link {
    return this.#link;
  }

  retire(link: Link): void {
    if (link !== this.#link) return;
    this.#link = new Link(this.url);
    const timer = setTimeout(() => {
      this.#retired.delete(link);
      link.close().catch(() => undefined);
    }, this.graceMs).unref();
    this.#retired.set(link, timer);
  }

  async close(): Promise<void> {
    for (const timer of this.#retired.values()) clearTimeout(timer);
    await Promise.all([...this.#retired.keys(), this.#link].map((link) => link.close()));
    this.#retired.clear();
  }
}
