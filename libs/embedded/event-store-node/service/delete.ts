import { nodeMessages } from '#event-store-protocol/messages.js';
import { type Call, type CallHandler, guarded } from '../protocol/grpc-server.js';
import { type EventLog, type Outcome } from '../storage/event-log.js';
import { requireStreamName, writeTarget } from './requests.js';
import { deleted, failureOf } from './responses.js';

/** Serves Streams.Delete and Streams.Tombstone. A tombstone also prevents later appends. */
export function deleteStream(log: EventLog, call: Call, kind: 'delete' | 'tombstone'): CallHandler {
  return {
    message(body) {
      const { options } = nodeMessages.DeleteReq.decode(body);
      const target = writeTarget(options);
      requireStreamName(target.stream);
      log.write({
        kind,
        ...target,
        events: [],
        done: guarded(call, (outcome: Outcome) => {
          if (outcome.kind !== 'written') throw failureOf(target, outcome);
          call.send(deleted(outcome.position));
          call.finish();
        }),
      });
    },
  };
}
