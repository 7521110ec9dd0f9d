import { EventStoreDBClient } from '@eventstore/db-client';
import type { OutgoingHttpHeaders } from 'node:http2';
import { type Channel, Client, credentials, Metadata, status } from '@grpc/grpc-js';
import { isLeaderless } from './leaderless.js';
import { NodeStops } from './session.js';

/**
 * The part of the official client that we use: it checks the connection string, finds the node (by
 * gossip in a cluster), makes the credentials, and leaves a failed node for another. The official client
 * offers these methods only to subclasses. This class itself opens no connection to the node.
 */
export class NodeClient extends EventStoreDBClient {
  static to(url: string): NodeClient {
    // `connectionString` always makes an object of the base class. `NodeClient` only adds methods, so
    // the object can be given the prototype of `NodeClient`.
    return Object.setPrototypeOf(super.connectionString(url), NodeClient.prototype) as NodeClient;
  }

  /**
   * Returns the channel to the current node. The target of the channel is the node's address. Fails if
   * no node is found.
   */
  channel(): Promise<Channel> {
    return this.getChannel();
  }

  /**
   * Returns the headers of every call: the connection's name and the credentials. With `requiresLeader`, only the
   * leader of a cluster may answer. What another node holds may be old, and a decision on it would be final.
   */
  async callHeaders({ requiresLeader }: { requiresLeader: boolean }): Promise<OutgoingHttpHeaders> {
    const [metadata, options] = this.callArguments({ requiresLeader });
    const signedIn = await options.credentials?.generateMetadata({
      method_name: '',
      service_url: '',
    });
    if (signedIn !== undefined) metadata.merge(signedIn);
    return {
      ...metadata.toHttp2Headers(),
      ':method': 'POST',
      'content-type': 'application/grpc',
      te: 'trailers',
      // Compressed messages are not supported.
      'grpc-accept-encoding': 'identity',
    };
  }

  /** Leaves the channel's node if the failure means that the node is gone or is not the leader. */
  leaveAfter(failure: Error, channelOverride: Channel): Promise<void> {
    const client = new Client('', credentials.createInsecure(), { channelOverride });
    // The official client stays on a node that answers that it knows no leader, and does not hear that it stops.
    const isGone = isLeaderless(failure) || failure instanceof NodeStops;
    return this.handleError(client, isGone ? asGone(failure) : failure);
  }
}

const asGone = (failure: Error): Error =>
  Object.assign(new Error(failure.message, { cause: failure }), {
    code: status.UNAVAILABLE,
    details: failure.message,
    metadata: new Metadata(),
  });
