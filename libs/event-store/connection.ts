import { type Channel, status } from '@grpc/grpc-js';
import type { ClientHttp2Session, OutgoingHttpHeaders } from 'node:http2';
import { Call, CallNotProcessed, type Replies } from './call.js';
import type { ConnectionSettings } from './connection-string.js';
import { isLeaderless, isNotLeader } from './leaderless.js';
import { NodeClient } from './node-client.js';
import { ServerClock } from './server-clock.js';
import { NodeStops, openSession } from './session.js';

/** The codes of a failure that says nothing about the call itself. */
const GONE: ReadonlySet<unknown> = new Set([status.UNAVAILABLE, status.CANCELLED]);

/** The node that is used now, and the connection to it. */
interface Node {
  /** Identifies the node. When the client leaves the node, it makes a new channel. */
  readonly channel: Channel;
  readonly session: ClientHttp2Session;
}

/** A connection to the server. It reconnects after a break, and moves to another node if the node fails. */
export class Link {
  readonly #client: NodeClient;
  readonly #headers: Promise<OutgoingHttpHeaders>;
  readonly #calls = new Set<Call>();
  #node: Node | undefined;
  /** The channel to the node that was found last. */
  #channel: Channel | undefined;
  #isClosed = false;
  /** Resolves when the client has left the node of a failed call, if it had to. */
  #leaving: Promise<void> = Promise.resolve();

  /** @param onLoss called when a session has ended, or another one takes its place */
  constructor(
    private readonly settings: ConnectionSettings,
    private readonly onLoss: () => void,
    private readonly clock?: ServerClock,
  ) {
    this.#client = NodeClient.to(settings.official);
    this.#headers = this.#client.callHeaders({ requiresLeader: true });
  }

  /**
   * Returns true if the same call can succeed a moment later, on another connection or on another node: the
   * call was not processed, the node is not the leader, or the connection to a cluster's node is lost.
   */
  mayMove(failure: unknown): boolean {
    if (this.#isClosed || !(failure instanceof Error)) return false;
    if (failure instanceof CallNotProcessed || isNotLeader(failure) || isLeaderless(failure))
      return true;
    const isRefused = 'code' in failure && !GONE.has(failure.code);
    return this.settings.isCluster && !isRefused;
  }

  /** Starts a call without a deadline, so the caller sets a timeout. Fails if no node is found. */
  async open(method: string, replies: Replies): Promise<Call> {
    const headers = await this.#headers;
    await this.#leaving;
    const channel = await this.#client.channel();
    this.#channel = channel;
    if (this.#isClosed) {
      channel.close();
      throw new Error('the connection is being closed');
    }
    const session = this.#sessionTo(channel);
    const onOver = (failure: Error | undefined): void => {
      this.#calls.delete(call);
      if (failure === undefined) return;
      // Every further call of this session would be refused too, perhaps by this client itself and at once.
      if (failure instanceof CallNotProcessed) return this.#leave(session);
      // If no other node is found now, the next call will fail.
      this.#leaving = this.#client.leaveAfter(failure, channel).catch(() => undefined);
    };
    const sent = { ...headers, ':path': method };
    const call = new Call(session, sent, replies, onOver, this.clock);
    this.#calls.add(call);
    return call;
  }

  close(): void {
    this.#isClosed = true;
    for (const call of this.#calls) call.abort(new Error('the connection is being closed'));
    this.#node?.session.destroy();
    this.#channel?.close();
  }

  #sessionTo(channel: Channel): ClientHttp2Session {
    const current = this.#node?.channel === channel ? this.#node.session : undefined;
    if (current !== undefined && !current.closed && !current.destroyed) return current;
    this.#leave(this.#node?.session);
    const address = channel.getTarget().replace(/^[a-z]+:/, '');
    const session = openSession(address, this.settings);
    session.once('close', () => this.#leave(session));
    session.once('goaway', () => {
      this.#leave(session);
      this.#leaving = this.#client.leaveAfter(new NodeStops(), channel).catch(() => undefined);
    });
    this.#node = { channel, session };
    return session;
  }

  #leave(session: ClientHttp2Session | undefined): void {
    if (session === undefined || session !== this.#node?.session) return;
    this.#node = undefined;
    // Calls on this session can still finish there.
    session.close();
    this.onLoss();
  }
}

/**
 * The current link. After a call has timed out, a new link replaces it. The old link is closed later,
 * after the longest timeout of its calls.
 */
export class Connection {
  /** The number of sessions that were lost or left. */
  epoch = 0;
  readonly clock = new ServerClock();
  #link: Link;
  #isClosed = false;
  readonly #retired = new Map<Link, NodeJS.Timeout>();

  constructor(
    private readonly settings: ConnectionSettings,
    private readonly graceMs: number,
  ) {
    this.#link = this.#newLink();
  }

  get link(): Link {
    return this.#link;
  }

  /** Replaces the current link. If `link` was already replaced, nothing happens. */
  retire(link: Link): void {
    if (link !== this.#link || this.#isClosed) return;
    this.#link = this.#newLink();
    this.epoch += 1;
    const timer = setTimeout(() => {
      this.#retired.delete(link);
      link.close();
    }, this.graceMs).unref();
    this.#retired.set(link, timer);
  }

  #newLink(): Link {
    return new Link(this.settings, () => (this.epoch += 1), this.clock);
  }

  close(): void {
    this.#isClosed = true;
    for (const timer of this.#retired.values()) clearTimeout(timer);
    for (const link of [...this.#retired.keys(), this.#link]) link.close();
    this.#retired.clear();
  }
}
