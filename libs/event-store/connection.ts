import { EventStoreDBClient } from '@eventstore/db-client';
import grpcStreams, {
  type StreamsClient,
} from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { CallOptions, Metadata } from '@grpc/grpc-js';
import type { Readable } from 'node:stream';

/**
 * What the client keeps for its own methods: the channel with its discovery, credentials and leader
 * changes. It is not public, so the client's version is pinned exactly.
 */
interface ClientCore {
  GRPCStreamCreator<Call extends Readable>(
    service: typeof StreamsClient,
    debugName: string,
    start: (streams: StreamsClient) => Call,
  ): () => Promise<Call>;
  callArguments(base: object, options: CallOptions): [Metadata, CallOptions];
  getChannel(): Promise<{ close(): void }>;
  dispose(): Promise<void>;
}

/** Starts one call; `metadata` carries credentials, `options` an unlimited deadline (timeouts are ours). */
export type StartCall<Call> = (
  streams: StreamsClient,
  metadata: Metadata,
  options: CallOptions,
) => Call;

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

  constructor(url: string) {
    this.#core = EventStoreDBClient.connectionString(unshared(url)) as unknown as ClientCore;
  }

  open<Call extends Readable>(start: StartCall<Call>): Promise<Call> {
    const begin = (streams: StreamsClient): Call =>
      start(streams, ...this.#core.callArguments({}, { deadline: Infinity }));
    return this.#core.GRPCStreamCreator(grpcStreams.StreamsClient, 'call', begin)();
  }

  async close(): Promise<void> {
    await this.#core.dispose();
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
      void link.close();
    }, this.graceMs).unref();
    this.#retired.set(link, timer);
  }

  async close(): Promise<void> {
    for (const timer of this.#retired.values()) clearTimeout(timer);
    await Promise.all([...this.#retired.keys(), this.#link].map((link) => link.close()));
    this.#retired.clear();
  }
}
