import type { JsonObject } from '#domain/json.js';
import type { EventMetadata } from '#domain/recorded-event.js';
import { FieldReader, MessageWriter } from '#event-store-protocol/protobuf.js';
import type { LoggedEvent } from '../event-store.js';

/** The path of the method Read in EventStoreDB's streams.proto. This file refers to fields by their numbers. */
export const READ = '/event_store.client.streams.Streams/Read';

const writer = new MessageWriter();

interface StreamRange {
  /** The first number to read; undefined means the stream's beginning or, backwards, its end. */
  readonly from: number | undefined;
  readonly backwards: boolean;
  readonly count: number;
}

/** Encodes a ReadReq for a stream. Each function for a request in this file returns a gRPC frame. */
export function readStreamRequest(stream: string, { from, backwards, count }: StreamRange): Buffer {
  const options = writer.mark;
  writePlainOptions(backwards, count);
  const place = writer.mark;
  if (from !== undefined) writer.number(2, from);
  else writer.empty(backwards ? 4 : 3);
  const name = writer.mark;
  writer.text(3, stream);
  writer.close(1, name);
  writer.close(1, place);
  writer.close(1, options);
  return writer.frame();
}

/** Encodes a ReadReq for $all, backwards from its end, including the `$` streams. */
export function readAllBackwardsRequest(count: number): Buffer {
  const options = writer.mark;
  writePlainOptions(true, count);
  const place = writer.mark;
  writer.empty(3);
  writer.close(2, place);
  writer.close(1, options);
  return writer.frame();
}

/** Encodes a ReadReq for the first event of $all from this position on. */
export function readAllFromRequest(position: bigint): Buffer {
  const options = writer.mark;
  writePlainOptions(false, 1);
  const place = writer.mark;
  writePosition(position);
  writer.close(2, place);
  writer.close(1, options);
  return writer.frame();
}

function writePosition(at: bigint): void {
  const position = writer.mark;
  writer.uint64(2, at);
  writer.uint64(1, at);
  writer.close(1, position);
}

function writePlainOptions(backwards: boolean, count: number): void {
  writeTextIds();
  writer.empty(8);
  writer.number(5, count);
  if (backwards) writer.number(3, 1);
}

function writeTextIds(): void {
  const ids = writer.mark;
  writer.empty(2);
  writer.close(9, ids);
}

const SEARCH_WINDOW = 1000;

/** Encodes a subscription to $all after a position. The server skips the `$` streams and sends checkpoints. */
export function subscribeRequest(after: bigint | undefined): Buffer {
  const options = writer.mark;
  writeTextIds();
  const filter = writer.mark;
  writer.number(5, 1);
  writer.number(3, SEARCH_WINDOW);
  const notSystem = writer.mark;
  writer.text(1, '^[^\\$].*');
  writer.close(1, notSystem);
  writer.close(7, filter);
  writer.empty(6);
  const place = writer.mark;
  if (after === undefined) writer.empty(2);
  else writePosition(after);
  writer.close(2, place);
  writer.close(1, options);
  return writer.frame();
}

/** The content of one response. It is empty for responses that this client does not use. */
export interface ReadResponse {
  readonly event?: LoggedEvent;
  /** Every matching event up to this position has been sent. */
  readonly checkpoint?: bigint;
  readonly caughtUp?: true;
}

const NOTHING: ReadResponse = {};
const CAUGHT_UP: ReadResponse = { caughtUp: true };

/** Reads a ReadResp. @param withTexts whether the event has its JSON texts as well */
export function readResponse(bytes: Buffer, withTexts = false): ReadResponse {
  const fields = new FieldReader(bytes);
  while (fields.next()) {
    if (fields.field === 1) return readEvent(fields.nested(), withTexts);
    if (fields.field === 3) return readCheckpoint(fields.nested());
    if (fields.field === 8) return CAUGHT_UP;
    fields.skip();
  }
  return NOTHING;
}

/** EventStoreDB before 24.10.6 sends this in place of a position while it has nothing to send. */
const NOTHING_YET = 2n ** 64n - 1n;

function readCheckpoint(fields: FieldReader): ReadResponse {
  const checkpoint = readCommitPosition(fields);
  return checkpoint === NOTHING_YET ? NOTHING : { checkpoint };
}

/** Reads the commit position in an AllStreamPosition or a checkpoint. */
export function readCommitPosition(fields: FieldReader): bigint {
  let commit = 0n;
  while (fields.next()) {
    if (fields.field === 1) commit = fields.uint64();
    else fields.skip();
  }
  return commit;
}

function readEvent(fields: FieldReader, withTexts: boolean): ReadResponse {
  let event: LoggedEvent | undefined;
  while (fields.next()) {
    if (fields.field === 1) event = readRecord(fields.nested(), withTexts);
    else fields.skip();
  }
  return event === undefined || event.stream.startsWith('$') ? NOTHING : { event };
}

/** Reads a RecordedEvent. An event that is not JSON gets empty data and metadata, which no schema accepts. */
function readRecord(fields: FieldReader, withTexts: boolean): LoggedEvent {
  let [id, stream, type, contentType, data, metadata] = ['', '', '', '', '', ''];
  let number = 0;
  let position = 0n;
  while (fields.next()) {
    if (fields.field === 1) id = readTextField(fields.nested(), 2);
    else if (fields.field === 2) stream = readTextField(fields.nested(), 3);
    else if (fields.field === 3) number = fields.number();
    else if (fields.field === 5) position = fields.uint64();
    else if (fields.field === 6) {
      const [key, value] = readEntry(fields.nested());
      if (key === 'type') type = value;
      else if (key === 'content-type') contentType = value;
    } else if (fields.field === 7) metadata = fields.text();
    else if (fields.field === 8) data = fields.text();
    else fields.skip();
  }
  const event: LoggedEvent = {
    id,
    stream,
    number,
    type,
    position,
    data: (contentType === 'application/json' ? objectIn(data) : {}) as JsonObject,
    metadata: objectIn(metadata) as EventMetadata,
  };
  if (withTexts) event.json = { data, metadata };
  return event;
}

function readTextField(fields: FieldReader, wanted: number): string {
  let text = '';
  while (fields.next()) {
    if (fields.field === wanted) text = fields.text();
    else fields.skip();
  }
  return text;
}

function readEntry(fields: FieldReader): [key: string, value: string] {
  let [key, value] = ['', ''];
  while (fields.next()) {
    if (fields.field === 1) key = fields.text();
    else if (fields.field === 2) value = fields.text();
    else fields.skip();
  }
  return [key, value];
}

function objectIn(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
