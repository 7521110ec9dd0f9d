import { FRAME_HEADER, writeFrameHeader } from '#event-store-protocol/frames.js';
import {
  FieldReader,
  MalformedMessage,
  readMapEntry,
  varintSize,
  writeVarint,
} from '#event-store-protocol/protobuf.js';
import { CHECKSUM, isIntact, seal } from './checksum.js';

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
 * that the node itself reads, then the event as the protocol's RecordedEvent, ready to be sent, then a
 * checksum. The fields of the header, each with its offset and its size in bytes if that is not 2:
 *   0 layout (1) · 1 flags (1) · 2 name at · 4 name length · 6 type at · 8 type length · 10 id at ·
 *   12 number (8) · 20 length of the whole record (4)
 */
const HEADER = 24;
const LAYOUT = 2;
/** The header of layout 1 has no length, and the record no checksum. */
const HEADER_1 = 20;
const POSITION_FIELD = 4;
const MIN_RECORD = HEADER + CHECKSUM + 64;
const MAX_RECORD = 16 * 1024 * 1024;
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

/** Returns the record of an event at its place, sealed with the node's seed. */
export function encodeRecord(
  event: ProposedEvent,
  place: RecordPlace,
  options: { seed: number; tombstone?: boolean },
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
    (data.length > 0 ? 1 + varintSize(data.length) + data.length : 0) +
    CHECKSUM;
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
  record.writeUInt32BE(size, 20);
  sealRecord(record, position, options.seed);
  return record;
}

/** The checksum covers the position too, so a record that is found at another position is not intact. */
const startAt = (position: number, seed: number): number => (seed ^ position) >>> 0;

const sealRecord = (record: Buffer, position: number, seed: number): void =>
  seal(record, startAt(position, seed));

/** True if the record is, byte for byte, the one that this node wrote at this position. */
export const isRecordAt = (record: Buffer, position: number, seed: number): boolean =>
  isIntact(record, startAt(position, seed));

/** Returns the same record, sealed with another seed. */
export function resealed(record: Buffer, position: number, seed: number): Buffer {
  const copy = Buffer.from(record);
  sealRecord(copy, position, seed);
  return copy;
}

/** Numbers beyond this one belong to tombstones. */
const MAX_NUMBER = Number.MAX_SAFE_INTEGER;

/**
 * Returns the position and the record of an event that a node has sent as the protocol's RecordedEvent, sealed
 * with the seed of another store. Fails with `MalformedMessage` for other bytes.
 */
export function recordFrom(event: Buffer, seed: number): { position: number; record: Buffer } {
  let [id, name, type]: (Buffer | undefined)[] = [];
  let number = 0;
  let position = 0;
  const fields = new FieldReader(event);
  while (fields.next()) {
    if (fields.field === 1) id = fieldIn(fields.nested(), 2);
    else if (fields.field === 2) name = fieldIn(fields.nested(), 3);
    else if (fields.field === 3) number = fields.number();
    else if (fields.field === POSITION_FIELD) position = fields.number();
    else if (fields.field === METADATA_FIELD) {
      const { key, value } = readMapEntry(fields.nested());
      if (key === 'type') type = value;
    } else fields.skip();
  }
  if (id?.length !== ID_LENGTH || !name || !type || position === 0)
    throw new MalformedMessage('an event is not whole');
  const record = Buffer.alloc(HEADER + event.length + CHECKSUM);
  event.copy(record, HEADER);
  const offsetOf = (part: Buffer): number => HEADER + part.byteOffset - event.byteOffset;
  record[0] = LAYOUT;
  record[1] = number > MAX_NUMBER ? TOMBSTONE : 0;
  record.writeUInt16BE(offsetOf(name), 2);
  record.writeUInt16BE(name.length, 4);
  record.writeUInt16BE(offsetOf(type), 6);
  record.writeUInt16BE(type.length, 8);
  record.writeUInt16BE(offsetOf(id), 10);
  record.writeDoubleBE(number, 12);
  record.writeUInt32BE(record.length, 20);
  sealRecord(record, position, seed);
  return { position, record };
}

function fieldIn(fields: FieldReader, wanted: number): Buffer | undefined {
  while (fields.next()) {
    if (fields.field === wanted) return fields.view();
    fields.skip();
  }
  return undefined;
}

/** Returns a record of layout 1 in this layout. Fails if it is not the record of this position. */
export function upgraded(old: Buffer, position: number, seed: number): Buffer {
  if (old[0] !== 1 || positionIn(old, HEADER_1) !== position) throw new Error('not a record');
  const grown = HEADER - HEADER_1;
  const record = Buffer.alloc(old.length + grown + CHECKSUM);
  old.copy(record, 0, 0, HEADER_1);
  old.copy(record, HEADER, HEADER_1);
  record[0] = LAYOUT;
  for (const at of [2, 6, 10]) record.writeUInt16BE(old.readUInt16BE(at) + grown, at);
  record.writeUInt32BE(record.length, 20);
  sealRecord(record, position, seed);
  return record;
}

/**
 * Returns the length of the record that may begin at this offset; undefined if none does. The bytes may lie
 * behind the end of the buffer.
 */
export function recordLengthAt(bytes: Buffer, at: number): number | undefined {
  if (bytes[at] !== LAYOUT || bytes[at + 11] !== HEADER + 4 || bytes[at + 10] !== 0)
    return undefined;
  if (at + HEADER > bytes.length) return undefined;
  const length = bytes.readUInt32BE(at + 20);
  return length < MIN_RECORD || length > MAX_RECORD ? undefined : length;
}

/** Returns the position of a record; undefined if the bytes are not a whole record of this node. */
export function positionOf(record: Buffer, seed: number): number | undefined {
  try {
    const position = positionIn(record, HEADER);
    return isRecordAt(record, position, seed) ? position : undefined;
  } catch {
    return undefined;
  }
}

function positionIn(record: Buffer, header: number): number {
  const fields = new FieldReader(record, header);
  while (fields.next()) {
    if (fields.field === POSITION_FIELD) return fields.number();
    fields.skip();
  }
  throw new Error('An event has no position');
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
  const event = record.length - HEADER - CHECKSUM;
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
  const event = record.length - HEADER - CHECKSUM;
  const readEvent = 1 + varintSize(event) + event + 1 + varintSize(position);
  let at = writeFrameHeader(target, offset, 1 + varintSize(readEvent) + readEvent);
  target[at++] = 0x0a;
  at = writeVarint(target, at, readEvent);
  target[at++] = 0x0a;
  at = writeVarint(target, at, event);
  at += record.copy(target, at, HEADER, record.length - CHECKSUM);
  target[at++] = 0x18;
  return writeVarint(target, at, position);
}

/** Returns the event as the protocol's RecordedEvent, without the header and the checksum. */
export const recordedEventIn = (record: Buffer): Buffer =>
  record.subarray(HEADER, record.length - CHECKSUM);

const fieldsOf = (record: Buffer): FieldReader =>
  new FieldReader(record, HEADER, record.length - CHECKSUM);

/** Returns the event's own data. */
export function recordedDataIn(record: Buffer): Buffer {
  const fields = fieldsOf(record);
  while (fields.next()) {
    if (fields.field === DATA_FIELD) return fields.view();
    fields.skip();
  }
  return record.subarray(0, 0);
}

/** Returns the creation time of an event in milliseconds since 1970. */
export function createdIn(record: Buffer): number {
  const fields = fieldsOf(record);
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
