import { FieldReader, MessageWriter, readUuid } from '#event-store-protocol/protobuf.js';
import type { EventToAppend, ExpectedRevision } from '../event-store.js';
import { readCommitPosition } from './read.js';

/**
 * The path of the method BatchAppend in EventStoreDB's streams.proto. This file refers to fields by
 * their numbers.
 */
export const BATCH_APPEND = '/event_store.client.streams.Streams/BatchAppend';

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

const writer = new MessageWriter();

/** Encodes a whole BatchAppendReq as a gRPC frame. */
export function appendRequest(request: AppendRequest): Buffer {
  const { correlation, stream, expected, events, deadline } = request;
  writer.number(4, 1);
  for (let index = events.length - 1; index >= 0; index -= 1) writeEvent(events[index]!);
  const options = writer.mark;
  writeDeadline(deadline);
  if (expected === 'no_stream') writer.empty(3);
  else writer.number(2, expected);
  const name = writer.mark;
  writer.text(3, stream);
  writer.close(1, name);
  writer.close(2, options);
  writeUuid(1, correlation);
  return writer.frame();
}

/** Writes a ProposedMessage. */
function writeEvent({ id, type, data, metadata, json }: EventToAppend): void {
  const event = writer.mark;
  writer.text(4, json?.data ?? JSON.stringify(data));
  writer.text(3, json?.metadata ?? JSON.stringify(metadata));
  writeEntry('type', type);
  writeEntry('content-type', 'application/json');
  writeUuid(1, id);
  writer.close(3, event);
}

function writeEntry(key: string, value: string): void {
  const entry = writer.mark;
  writer.text(2, value);
  writer.text(1, key);
  writer.close(2, entry);
}

function writeUuid(field: number, text: string): void {
  const uuid = writer.mark;
  writer.text(2, text);
  writer.close(field, uuid);
}

function writeDeadline(deadline: number): void {
  const timestamp = writer.mark;
  writer.number(2, (deadline % 1000) * 1_000_000);
  writer.number(1, Math.floor(deadline / 1000));
  writer.close(6, timestamp);
}

/** Reads a BatchAppendResp. */
export function appendResponse(bytes: Buffer): AppendResponse {
  const fields = new FieldReader(bytes);
  let correlation = '';
  let done = { revision: 0, position: 0n };
  let error: AppendError | undefined;
  while (fields.next()) {
    if (fields.field === 1) correlation = readUuid(fields.nested());
    else if (fields.field === 2) error = readStatus(fields.nested());
    else if (fields.field === 3) done = readSuccess(fields.nested());
    else fields.skip();
  }
  return { correlation, ...done, error };
}

function readSuccess(fields: FieldReader): { revision: number; position: bigint } {
  let revision = 0;
  let position = 0n;
  while (fields.next()) {
    if (fields.field === 1) revision = fields.number();
    else if (fields.field === 3) position = readCommitPosition(fields.nested());
    else fields.skip();
  }
  return { revision, position };
}

function readStatus(fields: FieldReader): AppendError {
  let [code, message] = [0, ''];
  let detail: Pick<AppendError, 'type' | 'actual'> = { type: undefined, actual: 'no_stream' };
  while (fields.next()) {
    if (fields.field === 1) code = fields.number();
    else if (fields.field === 2) message = fields.text();
    else if (fields.field === 3) detail = readDetail(fields.nested());
    else fields.skip();
  }
  return { code, message, ...detail };
}

export const WRONG_EXPECTED_VERSION = 'event_store.client.WrongExpectedVersion';

/** Reads a google.protobuf.Any. Only a WrongExpectedVersion inside it is decoded. */
function readDetail(fields: FieldReader): Pick<AppendError, 'type' | 'actual'> {
  let type: string | undefined;
  let actual: ExpectedRevision = 'no_stream';
  while (fields.next()) {
    if (fields.field === 1) type = fields.text().replace(/^.*\//, '');
    else if (fields.field === 2 && type === WRONG_EXPECTED_VERSION) {
      actual = readActual(fields.nested());
    } else fields.skip();
  }
  return { type, actual };
}

function readActual(fields: FieldReader): ExpectedRevision {
  let actual: ExpectedRevision = 'no_stream';
  while (fields.next()) {
    if (fields.field === 1) actual = fields.number();
    else fields.skip();
  }
  return actual;
}
