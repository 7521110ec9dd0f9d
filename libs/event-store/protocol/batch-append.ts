import { clientMessages, Expectation, Uuid } from '#event-store-protocol/messages.js';
import type { EventToAppend, ExpectedRevision } from '../event-store.js';

const { BatchAppendReq, BatchAppendResp, WrongExpectedVersion } = clientMessages;

export interface AppendRequest {
  /** A UUID, which the server repeats in its answer. */
  readonly correlation: string;
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly EventToAppend[];
  /** The deadline in milliseconds since 1970. After it, the server must not append. */
  readonly deadline: number;
}

export interface AppendResponse {
  readonly correlation: string;
  /** The number of the last event; 0 if the append failed. */
  readonly revision: number;
  /** The commit position of the last event; 0 if the append failed. */
  readonly position: bigint;
  readonly error: AppendError | undefined;
}

/** A google.rpc.Status. */
export interface AppendError {
  readonly code: number;
  readonly message: string;
  /**
   * The type of the error, such as `event_store.client.WrongExpectedVersion`; undefined if the server
   * gives no type.
   */
  readonly type: string | undefined;
  /** The revision of the stream, if `type` is WrongExpectedVersion. */
  readonly actual: ExpectedRevision;
}

/** Encodes a whole BatchAppendReq as a gRPC frame. */
export const appendRequest = ({
  correlation,
  stream,
  expected,
  events,
  deadline,
}: AppendRequest): Buffer =>
  BatchAppendReq.frame({
    correlation,
    options: {
      stream,
      expected: expected === 'no_stream' ? Expectation.noStream : expected,
      deadline,
    },
    proposed: events.map(({ id, type, data, metadata, json }) => ({
      id,
      contentType: 'application/json',
      type,
      metadata: json?.metadata ?? JSON.stringify(metadata),
      data: json?.data ?? JSON.stringify(data),
    })),
    isFinal: true,
  });

/** Reads a BatchAppendResp. */
export function appendResponse(bytes: Buffer): AppendResponse {
  const { correlation, success, error } = BatchAppendResp.decode(bytes);
  return {
    correlation: correlation ? Uuid.read(correlation) : '',
    revision: success?.revision ?? 0,
    position: success?.position ?? 0n,
    error: error && errorOf(error),
  };
}

export const WRONG_EXPECTED_VERSION = 'event_store.client.WrongExpectedVersion';

type Status = NonNullable<ReturnType<typeof BatchAppendResp.decode>['error']>;

function errorOf({ code, text, detail }: Status): AppendError {
  const type = detail?.type.replace(/^.*\//, '');
  const isWrong = type === WRONG_EXPECTED_VERSION && detail?.value;
  const actual = isWrong ? WrongExpectedVersion.read(isWrong).current : undefined;
  return {
    code,
    message: text,
    type,
    actual: actual === undefined || actual < 0 ? 'no_stream' : actual,
  };
}
