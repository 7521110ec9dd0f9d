import { EventStoreDBClient } from '@eventstore/db-client';
import { type Channel, Client, credentials, type Metadata } from '@grpc/grpc-js';

/**
 * The official client, as far as it is used: it checks the connection string, finds the node (by gossip where
 * there are several), makes the credentials, and leaves a node that failed for another. It offers this
 * to subclasses only. It opens no connection to the node itself.
 */
export class NodeClient extends EventStoreDBClient {
  static to(url: string): NodeClient {
    // `connectionString` constructs the base class, whichever class it is called on; this class adds methods only.
    return Object.setPrototypeOf(super.connectionString(url), NodeClient.prototype) as NodeClient;
  }

  /** The channel to the node in use: its target is the node's address. Fails when no node is found. */
  channel(): Promise<Channel> {
    return this.getChannel();
  }

  /** What every call is sent with: the connection's name and who is signed in. */
  async callMetadata(): Promise<Metadata> {
    const [metadata, options] = this.callArguments({});
    const signedIn = await options.credentials?.generateMetadata({
      method_name: '',
      service_url: '',
    });
    if (signedIn !== undefined) metadata.merge(signedIn);
    return metadata;
  }

  /** Leaves the node of this channel when the failure says that it is gone or is not the leader. */
  leaveAfter(failure: Error, channelOverride: Channel): Promise<void> {
    const client = new Client('', credentials.createInsecure(), { channelOverride });
    return this.handleError(client, failure);
  }
}
