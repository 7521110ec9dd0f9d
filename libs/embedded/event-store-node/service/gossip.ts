import { randomUUID } from 'node:crypto';
import { MessageWriter } from '#event-store-protocol/protobuf.js';
import { type Call, type CallHandler } from '../protocol/grpc-server.js';

const LEADER = 8;
const DEFAULT_PORT = 80;
const TICKS_PER_MS = 10_000n;

const writer = new MessageWriter();
const instanceId = randomUUID();

/**
 * Serves Gossip.Read, with which clients find the leader of a cluster. The node is the only member. Its
 * address is the one by which this client has reached it.
 */
export function gossip(call: Call): CallHandler {
  return {
    message() {
      const { hostname, port } = new URL(`http://${call.authority}`);
      const member = writer.mark;
      const endpoint = writer.mark;
      writer.number(2, port === '' ? DEFAULT_PORT : Number(port));
      writer.text(1, hostname.replace(/^\[|\]$/g, ''));
      writer.close(5, endpoint);
      writer.number(4, 1);
      writer.number(3, LEADER);
      writer.uint64(2, BigInt(Date.now()) * TICKS_PER_MS);
      const id = writer.mark;
      writer.text(2, instanceId);
      writer.close(1, id);
      writer.close(1, member);
      call.send(writer.frame());
      call.finish();
    },
  };
}
