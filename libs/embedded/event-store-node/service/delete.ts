import { FieldReader } from '#event-store-protocol/protobuf.js';
import { type Call, type CallHandler } from '../protocol/grpc-server.js';
import { type EventLog } from '../storage/event-log.js';
import { readWriteTarget } from './requests.js';
import { deleted, failureOf } from './responses.js';

/** Streams.Delete and Streams.Tombstone; a tombstone also prevents later appends. */
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
        log.write({
          kind,
          ...target,
          events: [],
          done: (outcome) => {
            if (outcome.kind !== 'written') return call.refuse(failureOf(target, outcome));
            call.send(deleted(outcome.position));
            call.finish();
          },
        });
      }
    },
  };
}
