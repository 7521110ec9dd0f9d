import { FRAME_HEADER, framed, writeFrameHeader } from '../protocol/grpc-server.js';
import { Refused, Status } from '../protocol/status.js';
import {
  bytesField,
  emptyField,
  fieldSize,
  message,
  numberField,
  textField,
  varintSize,
  writeLength,
  writeNumber,
} from '../protocol/wire.js';
import { Expectation, type Expected } from '../storage/decide.js';
import { type Outcome } from '../storage/event-log.js';
import { MAX_APPEND_SIZE } from './requests.js';

const bytesOf = (name: string): Buffer => Buffer.from(name, 'latin1');
const textOf = (name: string): string => bytesOf(name).toString('utf8');
const streamIdentifier = (field: number, name: string): Buffer =>
  bytesField(field, bytesField(3, bytesOf(name)));
const positionField = (field: number, position: number): Buffer =>
  bytesField(field, message(numberField(1, position), numberField(2, position)));

type Written = Extract<Outcome, { kind: 'written' }>;

/** AppendResp.Success and BatchAppendResp.Success number their fields alike. */
function success({ revision, position }: Written): Buffer {
  if (revision < 0) return message(emptyField(2), positionField(3, position));
  const place = 2 * (1 + varintSize(position));
  const bytes = Buffer.allocUnsafe(1 + varintSize(revision) + fieldSize(place));
  let at = writeNumber(bytes, 0, 1, revision);
  at = writeLength(bytes, at, 3, place);
  at = writeNumber(bytes, at, 1, position);
  writeNumber(bytes, at, 2, position);
  return bytes;
}

export const appended = (written: Written): Buffer => framed(bytesField(1, success(written)));

/** A wrong expected version on Append is an answer like any other. */
export function appendedNot(expected: Expected, current: number): Buffer {
  const wrong = message(
    current < 0 ? emptyField(7) : numberField(6, current),
    expected >= 0 ? numberField(8, expected) : emptyField(EXPECTED_ON_APPEND[expected]!),
  );
  return framed(bytesField(2, wrong));
}

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

/** The answer to one append of a batch stream. Every append gets one: it is written in one go. */
export function batchAppended(correlationId: Buffer, stream: string, written: Written): Buffer {
  const done = success(written);
  const name = 1 + varintSize(stream.length) + stream.length;
  const size = fieldSize(correlationId.length) + fieldSize(done.length) + fieldSize(name);
  const frame = Buffer.allocUnsafe(FRAME_HEADER + size);
  let at = writeFrameHeader(frame, size);
  at = writeLength(frame, at, 1, correlationId.length);
  at += correlationId.copy(frame, at);
  at = writeLength(frame, at, 3, done.length);
  at += done.copy(frame, at);
  at = writeLength(frame, at, 4, name);
  at = writeLength(frame, at, 3, stream.length);
  frame.write(stream, at, 'latin1');
  return frame;
}

/** A failed append of a batch stream: a google.rpc.Status whose detail tells the client which error it is. */
export function batchAppendedNot(
  correlationId: Buffer,
  target: { stream: string; expected: Expected },
  failure: Exclude<Outcome, Written>,
): Buffer {
  const status = batchStatus(target, failure);
  return framed(
    message(
      bytesField(1, correlationId),
      bytesField(2, status),
      streamIdentifier(4, target.stream),
    ),
  );
}

const rpcStatus = (code: number, text: string, type: string, detail: Buffer): Buffer =>
  message(
    numberField(1, code),
    textField(2, text),
    bytesField(
      3,
      message(
        textField(1, `type.googleapis.com/event_store.client.${type}`),
        bytesField(2, detail),
      ),
    ),
  );

function batchStatus(
  { stream, expected }: { stream: string; expected: Expected },
  failure: Exclude<Outcome, Written>,
): Buffer {
  switch (failure.kind) {
    case 'wrong-version':
      return rpcStatus(
        Status.failedPrecondition,
        'Wrong expected version',
        'WrongExpectedVersion',
        message(
          failure.current < 0 ? emptyField(2) : numberField(1, failure.current),
          expected >= 0 ? numberField(3, expected) : emptyField(EXPECTED_IN_BATCH[expected]!),
        ),
      );
    case 'tombstoned':
      return rpcStatus(
        Status.failedPrecondition,
        'The stream is deleted',
        'StreamDeleted',
        streamIdentifier(1, stream),
      );
    case 'too-late':
      return rpcStatus(Status.deadlineExceeded, 'The deadline had passed', 'Timeout', message());
    case 'full':
    case 'refused':
      return refusedStatus(failure.kind === 'full' ? full() : failure.error);
  }
}

/** Some refusals have a detail of their own; the client shows the text of the others. */
function refusedStatus(error: Refused): Buffer {
  if (error.trailers['exception'] === 'maximum-append-size-exceeded') {
    const detail = numberField(1, MAX_APPEND_SIZE);
    return rpcStatus(error.code, error.message, 'MaximumAppendSizeExceeded', detail);
  }
  return rpcStatus(error.code, error.message, 'BadRequest', textField(1, error.message));
}

/** Delete, Tombstone and their positions. */
export const deleted = (position: number): Buffer => framed(positionField(1, position));

/** A failure as the status and trailers of a whole call. */
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

/** What every append is told while the disk has no room. */
export const full = (): Refused =>
  new Refused(Status.resourceExhausted, 'RESOURCE_EXHAUSTED: the event store has no room');

export const tooLarge = (): Refused =>
  new Refused(Status.invalidArgument, `Maximum append size of ${MAX_APPEND_SIZE} bytes exceeded.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': String(MAX_APPEND_SIZE),
  });

export const streamNotFound = (stream: string): Buffer =>
  framed(bytesField(4, streamIdentifier(1, stream)));

export const confirmation = (subscriptionId: string): Buffer =>
  framed(bytesField(2, textField(1, subscriptionId)));

export const checkpoint = (position: number): Buffer => framed(positionField(3, position));

export const caughtUp = (): Buffer => framed(emptyField(8));
