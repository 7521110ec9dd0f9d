import { nodeMessages } from '#event-store-protocol/messages.js';
import { Refused, Status } from '../protocol/status.js';
import { type Expected } from '../storage/decide.js';
import { type Outcome } from '../storage/event-log.js';
import { recordedEventIn } from '../storage/record.js';
import { MAX_APPEND_SIZE, textOf } from './requests.js';

const { AppendResp, BatchAppendResp, DeleteResp, ReadResp } = nodeMessages;
const { WrongExpectedVersion, StreamDeleted, MaximumAppendSizeExceeded, BadRequest } = nodeMessages;

type Written = Extract<Outcome, { kind: 'written' }>;

/** The part that AppendResp and BatchAppendResp share. */
const successOf = ({ revision, position }: Written) => ({ revision, position });

// Every answer is a gRPC frame.
export const appended = (written: Written): Buffer =>
  AppendResp.frame({ success: successOf(written) });

/**
 * Returns the answer to an Append with a wrong expected version, which the protocol does not treat as an
 * error.
 */
export const appendedNot = (expected: Expected, current: number): Buffer =>
  AppendResp.frame({ wrongVersion: { expected, current } });

/** Returns the answer to one append of a BatchAppend call. */
export const batchAppended = (correlation: Buffer, stream: string, written: Written): Buffer =>
  BatchAppendResp.frame({ correlation, success: successOf(written), stream });

/**
 * Returns the answer to a failed append of a BatchAppend call: a google.rpc.Status, whose detail the
 * client turns into its error.
 */
export const batchAppendedNot = (
  correlation: Buffer,
  target: { stream: string; expected: Expected },
  failure: Exclude<Outcome, Written>,
): Buffer =>
  BatchAppendResp.frame({ correlation, error: errorOf(target, failure), stream: target.stream });

const statusOf = (code: number, text: string, type: string, value: Buffer) => ({
  ...{ code, text },
  detail: { type: `type.googleapis.com/event_store.client.${type}`, value },
});

function errorOf(
  { stream, expected }: { stream: string; expected: Expected },
  failure: Exclude<Outcome, Written>,
): ReturnType<typeof statusOf> {
  const code = Status.failedPrecondition;
  switch (failure.kind) {
    case 'wrong-version': {
      const detail = WrongExpectedVersion.encode({ expected, current: failure.current });
      return statusOf(code, 'Wrong expected version', 'WrongExpectedVersion', detail);
    }
    case 'tombstoned':
      return statusOf(
        code,
        'The stream is deleted',
        'StreamDeleted',
        StreamDeleted.encode({ stream }),
      );
    case 'too-late':
      return statusOf(
        Status.deadlineExceeded,
        'The deadline had passed',
        'Timeout',
        Buffer.alloc(0),
      );
    case 'full':
    case 'refused':
      return refusal(failure.kind === 'full' ? full() : failure.error);
  }
}

/** Returns a refusal with the detail that the protocol defines for it; otherwise the client shows the text. */
function refusal({ code, message: text, trailers }: Refused): ReturnType<typeof statusOf> {
  if (trailers['exception'] === 'maximum-append-size-exceeded') {
    const detail = MaximumAppendSizeExceeded.encode({ bytes: MAX_APPEND_SIZE });
    return statusOf(code, text, 'MaximumAppendSizeExceeded', detail);
  }
  const bytes = Buffer.from(text).toString('latin1');
  return statusOf(code, bytes, 'BadRequest', BadRequest.encode({ text: bytes }));
}

/** Returns the answer to Delete and Tombstone, with the position of the deletion. */
export const deleted = (position: number): Buffer => DeleteResp.frame({ position });

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
  ReadResp.frame({
    event: { event: event && recordedEventIn(event), link: recordedEventIn(link), position },
  });

export const streamNotFound = (stream: string): Buffer => ReadResp.frame({ notFound: stream });

export const confirmation = (subscriptionId: string): Buffer =>
  ReadResp.frame({ confirmation: subscriptionId });

export const checkpoint = (position: number): Buffer => ReadResp.frame({ checkpoint: position });

export const caughtUp = (): Buffer => ReadResp.frame({ caughtUp: true });
