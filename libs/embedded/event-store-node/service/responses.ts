import { MessageWriter } from '#event-store-protocol/protobuf.js';
import { Refused, Status } from '../protocol/status.js';
import { Expectation, type Expected } from '../storage/decide.js';
import { type Outcome } from '../storage/event-log.js';
import { recordedEventIn } from '../storage/record.js';
import { MAX_APPEND_SIZE } from './requests.js';

// Every answer is a gRPC frame. Fields are written in reverse order, as MessageWriter requires.
const writer = new MessageWriter();

const textOf = (name: string): string => Buffer.from(name, 'latin1').toString('utf8');

/** Writes a field with the content that `write` writes. */
function nested(field: number, write: () => void): void {
  const mark = writer.mark;
  write();
  writer.close(field, mark);
}

const frameOf = (field: number, write: () => void): Buffer => {
  nested(field, write);
  return writer.frame();
};

/** Writes a StreamIdentifier. */
function writeStream(field: number, name: string): void {
  const mark = writer.mark;
  writer.text(3, name, 'latin1');
  writer.close(field, mark);
}

function writePosition(field: number, position: number): void {
  const mark = writer.mark;
  writer.number(2, position);
  writer.number(1, position);
  writer.close(field, mark);
}

type Written = Extract<Outcome, { kind: 'written' }>;

/** Writes AppendResp.Success or BatchAppendResp.Success, which use the same field numbers. */
function writeSuccess(field: number, { revision, position }: Written): void {
  const mark = writer.mark;
  writePosition(3, position);
  if (revision < 0) writer.empty(2);
  else writer.number(1, revision);
  writer.close(field, mark);
}

export function appended(written: Written): Buffer {
  writeSuccess(1, written);
  return writer.frame();
}

/** Returns the answer to an Append with a wrong expected version, which the protocol does not treat as an error. */
export const appendedNot = (expected: Expected, current: number): Buffer =>
  frameOf(2, () => {
    if (expected >= 0) writer.number(8, expected);
    else writer.empty(EXPECTED_ON_APPEND[expected]!);
    if (current < 0) writer.empty(7);
    else writer.number(6, current);
  });

const EXPECTED_ON_APPEND: Readonly<Record<number, number>> = {
  [Expectation.any]: 9,
  [Expectation.streamExists]: 10,
  [Expectation.noStream]: 11,
};

const EXPECTED_IN_BATCH: Readonly<Record<number, number>> = {
  [Expectation.any]: 4,
  [Expectation.streamExists]: 5,
  [Expectation.noStream]: 6,
};

/** Returns the answer to one append of a BatchAppend call. */
export function batchAppended(correlationId: Buffer, stream: string, written: Written): Buffer {
  writeStream(4, stream);
  writeSuccess(3, written);
  writer.bytes(1, correlationId);
  return writer.frame();
}

/**
 * Returns the answer to a failed append of a BatchAppend call: a google.rpc.Status, whose detail the
 * client turns into its error.
 */
export function batchAppendedNot(
  correlationId: Buffer,
  target: { stream: string; expected: Expected },
  failure: Exclude<Outcome, Written>,
): Buffer {
  writeStream(4, target.stream);
  writeStatus(2, target, failure);
  writer.bytes(1, correlationId);
  return writer.frame();
}

/** Writes a google.rpc.Status with one detail, which `writeDetail` writes. */
function writeRpcStatus(
  field: number,
  { code, text, type }: { code: number; text: string; type: string },
  writeDetail: () => void,
): void {
  nested(field, () => {
    nested(3, () => {
      nested(2, writeDetail);
      writer.text(1, `type.googleapis.com/event_store.client.${type}`);
    });
    writer.text(2, text);
    writer.number(1, code);
  });
}

function writeStatus(
  field: number,
  { stream, expected }: { stream: string; expected: Expected },
  failure: Exclude<Outcome, Written>,
): void {
  const code = Status.failedPrecondition;
  switch (failure.kind) {
    case 'wrong-version': {
      const status = { code, text: 'Wrong expected version', type: 'WrongExpectedVersion' };
      return writeRpcStatus(field, status, () => {
        if (expected >= 0) writer.number(3, expected);
        else writer.empty(EXPECTED_IN_BATCH[expected]!);
        if (failure.current < 0) writer.empty(2);
        else writer.number(1, failure.current);
      });
    }
    case 'tombstoned': {
      const status = { code, text: 'The stream is deleted', type: 'StreamDeleted' };
      return writeRpcStatus(field, status, () => writeStream(1, stream));
    }
    case 'too-late': {
      const text = 'The deadline had passed';
      const status = { code: Status.deadlineExceeded, text, type: 'Timeout' };
      return writeRpcStatus(field, status, () => undefined);
    }
    case 'full':
    case 'refused':
      return writeRefusal(field, failure.kind === 'full' ? full() : failure.error);
  }
}

/**
 * Writes a refusal. If the protocol defines a detail for this refusal, the function writes that detail;
 * otherwise the client shows the text.
 */
function writeRefusal(field: number, { code, message: text, trailers }: Refused): void {
  if (trailers['exception'] === 'maximum-append-size-exceeded') {
    const status = { code, text, type: 'MaximumAppendSizeExceeded' };
    return writeRpcStatus(field, status, () => writer.number(1, MAX_APPEND_SIZE));
  }
  writeRpcStatus(field, { code, text, type: 'BadRequest' }, () => writer.text(1, text));
}

/** Returns the answer to Delete and Tombstone, with the position of the deletion. */
export function deleted(position: number): Buffer {
  writePosition(1, position);
  return writer.frame();
}

/** Returns the status and trailers that end a whole call after a failure. */
export function failureOf(
  { stream, expected }: { stream: string; expected: Expected },
  failure: Exclude<Outcome, Written>,
): Refused {
  switch (failure.kind) {
    case 'wrong-version':
      return new Refused(Status.failedPrecondition, 'Wrong expected version', {
        exception: 'wrong-expected-version',
        'stream-name': textOf(stream),
        'expected-version': String(expected),
        ...(failure.current < 0 ? {} : { 'actual-version': String(failure.current) }),
      });
    case 'tombstoned':
      return tombstoned(stream);
    case 'too-late':
      return new Refused(Status.deadlineExceeded, 'The deadline had passed');
    case 'full':
      return full();
    case 'refused':
      return failure.error;
  }
}

export const tombstoned = (stream: string): Refused =>
  new Refused(Status.failedPrecondition, `Event stream '${textOf(stream)}' is deleted.`, {
    exception: 'stream-deleted',
    'stream-name': textOf(stream),
  });

/** Makes the refusal of an append while the disk is full. */
export const full = (): Refused =>
  new Refused(Status.resourceExhausted, 'RESOURCE_EXHAUSTED: the event store has no room');

export const tooLarge = (): Refused =>
  new Refused(Status.invalidArgument, `Maximum append size of ${MAX_APPEND_SIZE} bytes exceeded.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': String(MAX_APPEND_SIZE),
  });

/** Returns the answer to a link that was resolved; without its event if the link leads nowhere. */
export const resolvedLink = (link: Buffer, event: Buffer | undefined, position: number): Buffer =>
  frameOf(1, () => {
    writer.number(3, position);
    writer.bytes(2, recordedEventIn(link));
    if (event) writer.bytes(1, recordedEventIn(event));
  });

export const streamNotFound = (stream: string): Buffer => frameOf(4, () => writeStream(1, stream));

export const confirmation = (subscriptionId: string): Buffer =>
  frameOf(2, () => writer.text(1, subscriptionId));

export function checkpoint(position: number): Buffer {
  writePosition(3, position);
  return writer.frame();
}

export function caughtUp(): Buffer {
  writer.empty(8);
  return writer.frame();
}
