import { setTimeout as delay } from 'node:timers/promises';
import { parseConnectionString } from '#event-store/connection-string.js';
import { NodeClient } from '#event-store/node-client.js';

/** A node of an event store that a test can fault. */
export interface FaultyNode {
  /** The address that clients use, such as `127.0.0.1:2113`. */
  readonly address: string;
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Stops the node's answers without closing its connections. */
  pause(): Promise<void>;
  resume(): Promise<void>;
}

/** A fault of the leader. */
export interface LeaderFault {
  readonly kind: 'kill' | 'pause';
  /** How many milliseconds the node stays dead or silent. */
  readonly forMs: number;
}

/** Asks the cluster for its leader. Fails if the leader is not one of the nodes. */
export async function leaderAmong<Node extends FaultyNode>(
  url: string,
  nodes: readonly Node[],
): Promise<Node> {
  const channel = await NodeClient.to(parseConnectionString(url).official).channel();
  const address = channel.getTarget().replace(/^[a-z]+:/, '');
  channel.close();
  const leader = nodes.find((node) => node.address === address);
  if (leader === undefined) throw new Error(`the leader ${address} is not a node of this test`);
  return leader;
}

/** Returns a function for each fault of a schedule. It faults the node that leads at that time, and then mends it. */
export const leaderFaults = (
  schedule: readonly LeaderFault[],
  url: string,
  nodes: readonly FaultyNode[],
): (() => Promise<void>)[] =>
  schedule.map(({ kind, forMs }) => async () => {
    const leader = await leaderAmong(url, nodes);
    await (kind === 'kill' ? leader.kill() : leader.pause());
    await delay(forMs);
    await (kind === 'kill' ? leader.start() : leader.resume());
  });
