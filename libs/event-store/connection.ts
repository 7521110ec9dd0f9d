import type { Channel } from '@grpc/grpc-js';
import type { ClientHttp2Session, OutgoingHttpHeaders } from 'node:http2';
import { Call, CallNotProcessed, type Replies } from './call.js';
import type { ConnectionSettings } from './connection-string.js';
import { NodeClient } from './node-client.js';
import { openSession } from './session.js';

/** The node that is used now, and the connection to it. */
interface Node {
  /** Identifies the node. When the client leaves the node, it makes a new channel. */
  readonly channel: Channel;
  readonly session: ClientHttp2Session;
}

/**
 * A connection to the server. It reconnects after a break, and moves to another node if the node fails.
 */
export class Link {
  readonly #client: NodeClient;
  readonly #headers: Promise<OutgoingHttpHeaders>;
  readonly #calls = new Set<Call>();
  #node: Node | undefined;

  constructor(private readonly settings: ConnectionSettings) {
    this.#client = NodeClient.to(settings.official);
    this.#headers = this.#client.callMetadata().then((metadata) => ({
      ...metadata.toHttp2Headers(),
      ':method': 'POST',
      'content-type': 'application/grpc',
      te: 'trailers',
      // Compressed messages are not supported.
      'grpc-accept-encoding': 'identity',
    }));
  }

  /** Starts a call without a deadline, so the caller sets a timeout. Fails if no node is found. */
  async open(method: string, replies: Replies): Promise<Call> {
    const headers = await this.#headers;
    const channel = await this.#client.channel();
    const call = new Call(
      this.#sessionTo(channel),
      { ...headers, ':path': method },
      replies,
      (failure) => {
        this.#calls.delete(call);
        if (failure === undefined || failure instanceof CallNotProcessed) return;
        // If no other node is found now, the next call will fail.
        this.#client.leaveAfter(failure, channel).catch(() => undefined);
      },
    );
    this.#calls.add(call);
    return call;
  }

  async close(): Promise<void> {
    for (const call of this.#calls) call.abort(new Error('the connection is being closed'));
    this.#node?.session.destroy();
    const channel = await this.#client.channel();
    channel.close();
  }

  #sessionTo(channel: Channel): ClientHttp2Session {
    const current = this.#node?.channel === channel ? this.#node.session : undefined;
    if (current !== undefined && !current.closed && !current.destroyed) return current;
    // Calls on the session of the former node can still finish there.
    this.#node?.session.close();
    const address = channel.getTarget().replace(/^[a-z]+:/, '');
    const session = openSession(address, this.settings);
    this.#node = { channel, session };
    return session;
  }
}

/**
 * The current link. After a call has timed out, a new link replaces it. The old link is closed later,
 * after the longest timeout of its calls.
 */
export class Connection {
  #link: Link;
  readonly #retired = new Map<Link, NodeJS.Timeout>();

  constructor(
    private readonly settings: ConnectionSettings,
    private readonly graceMs: number,
  ) {
    this.#link = new Link(settings);
  }

  get link(): Link {
    return this.#link;
  }

  /** Replaces the current link. If `link` was already replaced, nothing happens. */
  retire(link: Link): void {
    if (link !== this.#link) return;
    this.#link = new Link(this.settings);
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
