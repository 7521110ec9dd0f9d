import { FieldReader } from '#event-store-protocol/protobuf.js';
import { type Call, type CallHandler, guarded } from '../protocol/grpc-server.js';
import { invalid } from '../protocol/status.js';
import { type EventLog, type Outcome } from '../storage/event-log.js';
import { type ProposedEvent } from '../storage/record.js';
import {
  MAX_APPEND_SIZE,
  readProposedEvent,
  readWriteTarget,
  requireStreamName,
  sizeOnDisk,
  type WriteTarget,
} from './requests.js';
import { appended, appendedNot, failureOf, tooLarge } from './responses.js';

/** Serves Streams.Append: the client sends the options, then one message for each event, and gets one answer. */
export function append(log: EventLog, call: Call): CallHandler {
  let target: WriteTarget | undefined;
  const draft = new Draft();
  return {
    message(body) {
      const fields = new FieldReader(body);
      while (fields.next()) {
        if (fields.field === 1) {
          target = readWriteTarget(fields.nested());
          requireStreamName(target.stream);
        } else if (fields.field === 2) draft.add(fields.nested());
        else fields.skip();
      }
    },
    tooLong() {
      throw tooLarge();
    },
    end() {
      if (!target) throw invalid('The append names no stream');
      const to = target;
      log.write({
        kind: 'append',
        ...to,
        events: draft.finished(),
        done: guarded(call, (outcome: Outcome) => {
          if (outcome.kind === 'written') call.send(appended(outcome));
          else if (outcome.kind === 'wrong-version') {
            call.send(appendedNot(to.expected, outcome.current));
          } else throw failureOf(to, outcome);
          call.finish();
        }),
      });
    },
  };
}

/** Collects the events of an append as they arrive. `finished` reports the first error in them. */
export class Draft {
  private readonly events: ProposedEvent[] = [];
  private size = 0;
  private refusal: unknown;

  add(fields: FieldReader): void {
    this.attempt(() => {
      const event = readProposedEvent(fields);
      this.size += sizeOnDisk(event);
      if (this.size > MAX_APPEND_SIZE) throw tooLarge();
      this.events.push(event);
    });
  }

  /** Runs a step of reading the append, unless an earlier step has failed. */
  attempt(step: () => void): void {
    if (this.refusal) return;
    try {
      step();
    } catch (error) {
      this.refusal = error;
    }
  }

  finished(): readonly ProposedEvent[] {
    if (this.refusal) throw this.refusal as Error;
    return this.events;
  }
}
