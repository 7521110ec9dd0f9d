import { randomUUID } from 'node:crypto';
import { nodeMessages } from '#event-store-protocol/messages.js';
import { type Call, type CallHandler } from '../protocol/grpc-server.js';

const LEADER = 8;
const DEFAULT_PORT = 80;
const TICKS_PER_MS = 10_000;

const instanceId = randomUUID();

/**
 * Serves Gossip.Read, with which clients find the leader of a cluster. The node is the only member. Its
 * address is the one by which this client has reached it.
 */
export function gossip(call: Call): CallHandler {
  return {
    message() {
      const { hostname, port } = new URL(`http://${call.authority}`);
      const member = {
        id: instanceId,
        time: Date.now() * TICKS_PER_MS,
        state: LEADER,
        isAlive: true,
        endpoint: {
          host: hostname.replace(/^\[|\]$/g, ''),
          port: port === '' ? DEFAULT_PORT : Number(port),
        },
      };
      call.send(nodeMessages.ClusterInfo.frame({ members: [member] }));
      call.finish();
    },
  };
}
