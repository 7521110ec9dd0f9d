import type { JsonObject } from '#domain/json.js';
import type { EventMetadata } from '#domain/recorded-event.js';
import type { LoggedEvent } from '../event-store.js';
import { MessageReader, MessageWriter } from './protobuf.js';

/** Read of EventStoreDB's streams.proto: the fields that we write and read, by their numbers. */
export const READ = '/event_store.client.streams.Streams/Read';

const writer = new MessageWriter();

interface StreamRange {
  /** The first number to read; undefined: the stream's beginning, or backwards its end. */
  readonly from: number | undefined;
  readonly backwards: boolean;
  readonly count: number;
}

/** The bytes of a ReadReq for a stream. */
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
  return writer.finish();
}

/** $all from its end towards its beginning, with `$` streams in it. */
export function readAllBackwardsRequest(count: number): Buffer {
  const options = writer.mark;
  writePlainOptions(true, count);
  const place = writer.mark;
  writer.empty(3);
  writer.close(2, place);
  writer.close(1, options);
  return writer.finish();
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

/** Follows $all after a position; the server leaves `$` streams out and reports how far it has looked. */
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
  else {
    const position = writer.mark;
    writer.number(2, Number(after));
    writer.number(1, Number(after));
    writer.close(1, position);
  }
  writer.close(2, place);
  writer.close(1, options);
  return writer.finish();
}

/** What one response says; one that carries nothing of ours is empty. */
export interface ReadResponse {
  readonly event?: LoggedEvent;
  /** Everything wanted up to this position has been sent. */
  readonly checkpoint?: bigint;
  readonly caughtUp?: true;
}

const NOTHING: ReadResponse = {};
const CAUGHT_UP: ReadResponse = { caughtUp: true };

/** Reads a ReadResp. */
export function readResponse(bytes: Buffer): ReadResponse {
  const reader = new MessageReader(bytes);
  for (let field; (field = reader.next(bytes.length)) !== 0;) {
    if (field === 1) return readEvent(reader);
    if (field === 3) return { checkpoint: readCheckpoint(reader) };
    if (field === 8) return CAUGHT_UP;
    reader.skip();
  }
  return NOTHING;
}

function readCheckpoint(reader: MessageReader): bigint {
  const end = reader.open();
  let commit = 0;
  for (let field; (field = reader.next(end)) !== 0;) {
    if (field === 1) commit = reader.varint();
    else reader.skip();
  }
  return BigInt(commit);
}

function readEvent(reader: MessageReader): ReadResponse {
  const end = reader.open();
  let event: LoggedEvent | undefined;
  for (let field; (field = reader.next(end)) !== 0;) {
    if (field === 1) event = readRecord(reader);
    else reader.skip();
  }
  return event === undefined || event.stream.startsWith('$') ? NOTHING : { event };
}

/**
 * A RecordedEvent. One that others wrote without JSON comes with empty data and metadata, which no schema
 * accepts.
 */
function readRecord(reader: MessageReader): LoggedEvent {
  const end = reader.open();
  let [id, stream, type, contentType, data, metadata] = ['', '', '', '', '', ''];
  let [number, position] = [0, 0];
  for (let field; (field = reader.next(end)) !== 0;) {
    if (field === 1) id = readTextField(reader, 2);
    else if (field === 2) stream = readTextField(reader, 3);
    else if (field === 3) number = reader.varint();
    else if (field === 5) position = reader.varint();
    else if (field === 6) {
      const [key, value] = readEntry(reader);
      if (key === 'type') type = value;
      else if (key === 'content-type') contentType = value;
    } else if (field === 7) metadata = reader.text();
    else if (field === 8) data = reader.text();
    else reader.skip();
  }
  return {
    id,
    stream,
    number,
    type,
    position: BigInt(position),
    data: (contentType === 'application/json' ? objectIn(data) : {}) as JsonObject,
    metadata: objectIn(metadata) as EventMetadata,
  };
}

/** The text of one field of a nested message. */
function readTextField(reader: MessageReader, wanted: number): string {
  const end = reader.open();
  let text = '';
  for (let field; (field = reader.next(end)) !== 0;) {
    if (field === wanted) text = reader.text();
    else reader.skip();
  }
  return text;
}

function readEntry(reader: MessageReader): [key: string, value: string] {
  const end = reader.open();
  let [key, value] = ['', ''];
  for (let field; (field = reader.next(end)) !== 0;) {
    if (field === 1) key = reader.text();
    else if (field === 2) value = reader.text();
    else reader.skip();
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
