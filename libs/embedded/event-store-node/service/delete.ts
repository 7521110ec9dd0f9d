import { FieldReader } from '#event-store-protocol/protobuf.js';
import { type Call, type CallHandler, guarded } from '../protocol/grpc-server.js';
import { type EventLog, type Outcome } from '../storage/event-log.js';
import { readWriteTarget, requireStreamName } from './requests.js';
import { deleted, failureOf } from './responses.js';

/** Serves Streams.Delete and Streams.Tombstone. A tombstone also prevents later appends. */
export function deleteStream(log: EventLog, call: Call, kind: 'delete' | 'tombstone'): CallHandler {
  return {
    message(body) {
      const fields = new FieldReader(body);
      while (fields.next()) {
        if (fields.field !== 1) {
          fields.skip();
          continue;
        }
        const target = readWriteTarget(fields.nested());
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
      }
    },
  };
}
