import { FieldReader } from '#event-store-protocol/protobuf.js';
import { type Call, type CallHandler } from '../protocol/grpc-server.js';
import { invalid, Refused } from '../protocol/status.js';
import { type EventLog } from '../storage/event-log.js';
import { type ProposedEvent } from '../storage/record.js';
import {
  MAX_APPEND_SIZE,
  readProposedEvent,
  readId,
  readWriteTarget,
  sizeOnDisk,
  type WriteTarget,
} from './requests.js';
import {
  appended,
  appendedNot,
  batchAppended,
  batchAppendedNot,
  failureOf,
  tooLarge,
} from './responses.js';

/** Streams.Append: the options, then one message for each event, then one answer. */
export function append(log: EventLog, call: Call): CallHandler {
  let target: WriteTarget | undefined;
  const draft = new Draft();
  return {
    message(body) {
      const fields = new FieldReader(body);
      while (fields.next()) {
        if (fields.field === 1) target = readWriteTarget(fields.nested());
        else if (fields.field === 2) draft.add(fields.nested());
        else fields.skip();
      }
    },
    end() {
      if (!target) throw invalid('The append names no stream');
      const to = target;
      log.write({
        kind: 'append',
        ...to,
        events: draft.finished(),
        done: (outcome) => {
          if (outcome.kind === 'written') call.send(appended(outcome));
          else if (outcome.kind === 'wrong-version') {
            call.send(appendedNot(to.expected, outcome.current));
          } else return call.refuse(failureOf(to, outcome));
          call.finish();
        },
      });
    },
  };
}

/** Streams.BatchAppend: many appends on one call, identified by their correlation ids. */
export function batchAppend(log: EventLog, call: Call): CallHandler {
  const drafts = new Map<string, BatchDraft>();
  call.open();
  return {
    message: (body) => addToBatch(log, call, drafts, body),
    end: () => call.finish(),
  };
}

interface BatchDraft {
  readonly target: WriteTarget;
  readonly draft: Draft;
}

function addToBatch(
  log: EventLog,
  call: Call,
  drafts: Map<string, BatchDraft>,
  body: Buffer,
): void {
  const fields = new FieldReader(body);
  let correlation: Buffer | undefined;
  let options: FieldReader | undefined;
  let isFinal = false;
  const proposed: FieldReader[] = [];
  while (fields.next()) {
    if (fields.field === 1) correlation = fields.view();
    else if (fields.field === 2) options = fields.nested();
    else if (fields.field === 3) proposed.push(fields.nested());
    else if (fields.field === 4) isFinal = fields.number() !== 0;
    else fields.skip();
  }
  if (!correlation) throw invalid('A batch has no correlation id');
  const id = correlation;
  const key = readId(new FieldReader(id));
  const entry: BatchDraft | undefined = options
    ? { target: readWriteTarget(options), draft: new Draft() }
    : drafts.get(key);
  if (!entry) throw invalid('A batch begins without its options');
  for (const event of proposed) entry.draft.add(event);
  if (!isFinal) {
    drafts.set(key, entry);
    return;
  }
  drafts.delete(key);
  submit(log, call, id, entry);
}

function submit(log: EventLog, call: Call, id: Buffer, { target, draft }: BatchDraft): void {
  let events: readonly ProposedEvent[];
  try {
    events = draft.finished();
  } catch (error) {
    // A refused append does not end the other appends of its call.
    if (!(error instanceof Refused)) throw error;
    call.send(batchAppendedNot(id, target, { kind: 'refused', error }));
    return;
  }
  log.write({
    kind: 'append',
    ...target,
    events,
    done: (outcome) =>
      call.send(
        outcome.kind === 'written'
          ? batchAppended(id, target.stream, outcome)
          : batchAppendedNot(id, target, outcome),
      ),
  });
}

/** Collects the events of an append as they arrive. `finished` reports the first error in them. */
class Draft {
  private readonly events: ProposedEvent[] = [];
  private size = 0;
  private refusal: unknown;

  add(fields: FieldReader): void {
    if (this.refusal) return;
    try {
      const event = readProposedEvent(fields);
      this.size += sizeOnDisk(event);
      if (this.size > MAX_APPEND_SIZE) throw tooLarge();
      this.events.push(event);
    } catch (error) {
      this.refusal = error;
    }
  }

  finished(): readonly ProposedEvent[] {
    if (this.refusal) throw this.refusal as Error;
    return this.events;
  }
}
