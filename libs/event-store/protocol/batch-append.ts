import type { EventToAppend, ExpectedRevision } from '../event-store.js';
import { MessageReader, MessageWriter } from './protobuf.js';

/** BatchAppend of EventStoreDB's streams.proto: the fields that we write and read, by their numbers. */
export const BATCH_APPEND = '/event_store.client.streams.Streams/BatchAppend';

export interface AppendRequest {
  /** A UUID that the answer repeats. */
  readonly correlation: string;
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly EventToAppend[];
  /** Milliseconds since 1970 after which the server must not do it any more. */
  readonly deadline: number;
}

export interface AppendResponse {
  readonly correlation: string;
  /** The last event's number and commit position, where it was done. */
  readonly revision: number;
  readonly position: number;
  readonly error: AppendError | undefined;
}

/** A google.rpc.Status. */
export interface AppendError {
  readonly code: number;
  readonly message: string;
  /** What happened, such as `event_store.client.WrongExpectedVersion`, where the server says so. */
  readonly type: string | undefined;
  /** Where the stream stands, if `type` is WrongExpectedVersion. */
  readonly actual: ExpectedRevision;
}

const writer = new MessageWriter();

/** The bytes of a BatchAppendReq that is complete in itself. */
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
  return writer.finish();
}

/** A ProposedMessage. */
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
  const reader = new MessageReader(bytes);
  let correlation = '';
  let done = { revision: 0, position: 0 };
  let error: AppendError | undefined;
  for (let field; (field = reader.next(bytes.length)) !== 0;) {
    if (field === 1) correlation = readUuid(reader);
    else if (field === 2) error = readStatus(reader);
    else if (field === 3) done = readSuccess(reader);
    else reader.skip();
  }
  return { correlation, ...done, error };
}

/** A UUID in either of the protocol's forms. */
function readUuid(reader: MessageReader): string {
  const end = reader.open();
  let text = '';
  for (let field; (field = reader.next(end)) !== 0;) {
    if (field === 1) text = readStructuredUuid(reader);
    else if (field === 2) text = reader.text();
    else reader.skip();
  }
  return text;
}

const NO_BITS = '0'.repeat(16);

function readStructuredUuid(reader: MessageReader): string {
  const end = reader.open();
  let [high, low] = [NO_BITS, NO_BITS];
  for (let field; (field = reader.next(end)) !== 0;) {
    if (field === 1) high = reader.hex64();
    else if (field === 2) low = reader.hex64();
    else reader.skip();
  }
  return `${high}${low}`.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function readSuccess(reader: MessageReader): { revision: number; position: number } {
  const end = reader.open();
  let [revision, position] = [0, 0];
  for (let field; (field = reader.next(end)) !== 0;) {
    if (field === 1) revision = reader.varint();
    else if (field === 3) position = readFirstNumber(reader);
    else reader.skip();
  }
  return { revision, position };
}

/** Field 1 of a message: of a position, the commit position. */
function readFirstNumber(reader: MessageReader): number {
  const end = reader.open();
  let number = 0;
  for (let field; (field = reader.next(end)) !== 0;) {
    if (field === 1) number = reader.varint();
    else reader.skip();
  }
  return number;
}

function readStatus(reader: MessageReader): AppendError {
  const end = reader.open();
  let [code, message] = [0, ''];
  let detail: Pick<AppendError, 'type' | 'actual'> = { type: undefined, actual: 'no_stream' };
  for (let field; (field = reader.next(end)) !== 0;) {
    if (field === 1) code = reader.varint();
    else if (field === 2) message = reader.text();
    else if (field === 3) detail = readDetail(reader);
    else reader.skip();
  }
  return { code, message, ...detail };
}

/** A google.protobuf.Any; of what it holds only a WrongExpectedVersion is read. */
function readDetail(reader: MessageReader): Pick<AppendError, 'type' | 'actual'> {
  const end = reader.open();
  let type: string | undefined;
  let actual: ExpectedRevision = 'no_stream';
  for (let field; (field = reader.next(end)) !== 0;) {
    if (field === 1) type = reader.text().replace(/^.*\//, '');
    else if (field === 2 && type === WRONG_EXPECTED_VERSION) actual = readActual(reader);
    else reader.skip();
  }
  return { type, actual };
}

export const WRONG_EXPECTED_VERSION = 'event_store.client.WrongExpectedVersion';

function readActual(reader: MessageReader): ExpectedRevision {
  const end = reader.open();
  let actual: ExpectedRevision = 'no_stream';
  for (let field; (field = reader.next(end)) !== 0;) {
    if (field === 1) actual = reader.varint();
    else reader.skip();
  }
  return actual;
}
