import { FRAME_HEADER, writeFrameHeader } from '#event-store-protocol/frames.js';
import {
  FieldReader,
  readMapEntry,
  varintSize,
  writeVarint,
} from '#event-store-protocol/protobuf.js';

/** An event that a client wants to append. `id` is a UUID as lower-case text. */
export interface ProposedEvent {
  readonly id: string;
  readonly type: Buffer;
  readonly isJson: boolean;
  readonly metadata: Buffer;
  readonly data: Buffer;
}

/**
 * The bytes of a record's header. A record is the stored form of an event: first a header with the fields
 * that the node itself reads, then the event as the protocol's RecordedEvent, ready to be sent. The fields
 * of the header, each with its offset and its size in bytes if that is not 2:
 *   0 layout (1) · 1 flags (1) · 2 name at · 4 name length · 6 type at · 8 type length · 10 id at · 12 number (8)
 */
const HEADER = 20;
const LAYOUT = 1;
const TOMBSTONE = 1;
const METADATA_FIELD = 6;
const DATA_FIELD = 8;
/** EventStoreDB counts time in units of 100 nanoseconds. */
const TICKS_PER_MS = 10_000;
const ID_LENGTH = 36;

const mapEntry = (key: string, value: string): Buffer => {
  const entry = Buffer.alloc(4 + key.length + value.length);
  entry[0] = 0x0a;
  entry[1] = key.length;
  entry.write(key, 2, 'latin1');
  entry[2 + key.length] = 0x12;
  entry[3 + key.length] = value.length;
  entry.write(value, 4 + key.length, 'latin1');
  return Buffer.concat([Buffer.from([0x32, entry.length]), entry]);
};
const JSON_ENTRY = mapEntry('content-type', 'application/json');
const BINARY_ENTRY = mapEntry('content-type', 'application/octet-stream');

/** Encodes the creation time in EventStoreDB's unit: 100 nanoseconds since 1970. */
const createdEntry = (now: number): Buffer => mapEntry('created', `${now}0000`);

let createdAt = 0;
let createdBytes = createdEntry(0);

export interface RecordPlace {
  readonly name: Buffer;
  readonly number: number;
  readonly position: number;
}

const ID_FIELD = 4 + ID_LENGTH;
/** The number of the event that ends a stream: the largest signed 64-bit number, as in EventStoreDB. */
const TOMBSTONE_VARINT = Buffer.from('ffffffffffffffff7f', 'hex');

export function encodeRecord(
  event: ProposedEvent,
  place: RecordPlace,
  options: { tombstone?: boolean } = {},
): Buffer {
  const now = Date.now();
  if (now !== createdAt) {
    createdAt = now;
    createdBytes = createdEntry(now);
  }
  const { name, number, position } = place;
  const { type, metadata, data } = event;
  const contentType = event.isJson ? JSON_ENTRY : BINARY_ENTRY;
  const nameField = 1 + varintSize(name.length) + name.length;
  const typeEntry = 7 + varintSize(type.length) + type.length;
  const numberSize = options.tombstone ? TOMBSTONE_VARINT.length : varintSize(number);
  const size =
    HEADER +
    ID_FIELD +
    (1 + varintSize(nameField) + nameField) +
    (1 + numberSize) +
    2 * (1 + varintSize(position)) +
    (1 + varintSize(typeEntry) + typeEntry) +
    contentType.length +
    createdBytes.length +
    (metadata.length > 0 ? 1 + varintSize(metadata.length) + metadata.length : 0) +
    (data.length > 0 ? 1 + varintSize(data.length) + data.length : 0);
  const record = Buffer.allocUnsafe(size);
  let at = HEADER;
  record[at++] = 0x0a;
  record[at++] = ID_LENGTH + 2;
  record[at++] = 0x12;
  record[at++] = ID_LENGTH;
  const idAt = at;
  at += record.write(event.id, at, 'latin1');
  record[at++] = 0x12;
  at = writeVarint(record, at, nameField);
  record[at++] = 0x1a;
  at = writeVarint(record, at, name.length);
  const nameAt = at;
  at += name.copy(record, at);
  record[at++] = 0x18;
  if (options.tombstone) at += TOMBSTONE_VARINT.copy(record, at);
  else at = writeVarint(record, at, number);
  record[at++] = 0x20;
  at = writeVarint(record, at, position);
  record[at++] = 0x28;
  at = writeVarint(record, at, position);
  record[at++] = 0x32;
  at = writeVarint(record, at, typeEntry);
  at += record.write('\x0a\x04type\x12', at, 'latin1');
  at = writeVarint(record, at, type.length);
  const typeAt = at;
  at += type.copy(record, at);
  at += contentType.copy(record, at);
  at += createdBytes.copy(record, at);
  if (metadata.length > 0) {
    record[at++] = 0x3a;
    at = writeVarint(record, at, metadata.length);
    at += metadata.copy(record, at);
  }
  if (data.length > 0) {
    record[at++] = 0x42;
    at = writeVarint(record, at, data.length);
    at += data.copy(record, at);
  }
  record[0] = LAYOUT;
  record[1] = options.tombstone ? TOMBSTONE : 0;
  record.writeUInt16BE(nameAt, 2);
  record.writeUInt16BE(name.length, 4);
  record.writeUInt16BE(typeAt, 6);
  record.writeUInt16BE(type.length, 8);
  record.writeUInt16BE(idAt, 10);
  record.writeDoubleBE(number, 12);
  return record;
}

export const nameIn = (record: Buffer): Buffer => {
  const at = record.readUInt16BE(2);
  return record.subarray(at, at + record.readUInt16BE(4));
};

export const typeIn = (record: Buffer): Buffer => {
  const at = record.readUInt16BE(6);
  return record.subarray(at, at + record.readUInt16BE(8));
};

export const idIn = (record: Buffer): string => {
  const at = record.readUInt16BE(10);
  return record.toString('latin1', at, at + ID_LENGTH);
};

export const numberIn = (record: Buffer): number => record.readDoubleBE(12);

export const isTombstone = (record: Buffer): boolean => (record[1]! & TOMBSTONE) !== 0;

/**
 * Returns the size in bytes of a ReadResp frame with a record: gRPC header, ReadResp.event,
 * ReadEvent.event and its position.
 */
export function frameSize(record: Buffer, position: number): number {
  const event = record.length - HEADER;
  const readEvent = 1 + varintSize(event) + event + 1 + varintSize(position);
  return FRAME_HEADER + 1 + varintSize(readEvent) + readEvent;
}

/** Writes a record as one gRPC frame with a ReadResp. Returns the offset after the frame. */
export function writeFrame(
  target: Buffer,
  offset: number,
  record: Buffer,
  position: number,
): number {
  const event = record.length - HEADER;
  const readEvent = 1 + varintSize(event) + event + 1 + varintSize(position);
  let at = writeFrameHeader(target, offset, 1 + varintSize(readEvent) + readEvent);
  target[at++] = 0x0a;
  at = writeVarint(target, at, readEvent);
  target[at++] = 0x0a;
  at = writeVarint(target, at, event);
  at += record.copy(target, at, HEADER);
  target[at++] = 0x18;
  return writeVarint(target, at, position);
}

/** Returns the event as the protocol's RecordedEvent, without the header. */
export const recordedEventIn = (record: Buffer): Buffer => record.subarray(HEADER);

/** Returns the event's own data. */
export function recordedDataIn(record: Buffer): Buffer {
  const fields = new FieldReader(record, HEADER);
  while (fields.next()) {
    if (fields.field === DATA_FIELD) return fields.view();
    fields.skip();
  }
  return record.subarray(0, 0);
}

/** Returns the creation time of an event in milliseconds since 1970. */
export function createdIn(record: Buffer): number {
  const fields = new FieldReader(record, HEADER);
  while (fields.next()) {
    if (fields.field !== METADATA_FIELD) {
      fields.skip();
      continue;
    }
    const { key, value } = readMapEntry(fields.nested());
    if (key === 'created') return Number(value.toString('latin1')) / TICKS_PER_MS;
  }
  throw new Error('An event has no creation time');
}
