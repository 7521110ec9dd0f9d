import { FRAME_HEADER, writeFrameHeader } from './frames.js';

/** Thrown for bytes that are not a complete protobuf message. */
export class MalformedMessage extends Error {
  override readonly name = 'MalformedMessage';
}

/** Reads the fields of one protobuf message. Bytes are returned as views into the message, never as copies. */
export class FieldReader {
  field = 0;
  #wireType = 0;
  #at: number;

  constructor(
    private readonly bytes: Buffer,
    start = 0,
    private readonly end = bytes.length,
  ) {
    this.#at = start;
  }

  /** Moves to the next field. Returns false at the end of the message. */
  next(): boolean {
    if (this.#at >= this.end) return false;
    const tag = this.number();
    this.field = tag >>> 3;
    this.#wireType = tag & 7;
    return true;
  }

  /** Reads an unsigned number, exact up to 2^53. Use `uint64` for positions. */
  number(): number {
    let value = 0;
    let factor = 1;
    for (let count = 0; count < 10; count += 1) {
      if (this.#at >= this.end) break;
      const byte = this.bytes[this.#at++]!;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 128;
    }
    throw new MalformedMessage('a number is cut off');
  }

  /** Reads an unsigned 64-bit number exactly. */
  uint64(): bigint {
    const start = this.#at;
    const value = this.number();
    if (value <= Number.MAX_SAFE_INTEGER) return BigInt(value);
    let exact = 0n;
    for (let at = this.#at - 1; at >= start; at -= 1) {
      exact = (exact << 7n) | BigInt(this.bytes[at]! & 0x7f);
    }
    return BigInt.asUintN(64, exact);
  }

  view(): Buffer {
    const start = this.#enter();
    return this.bytes.subarray(start, this.#at);
  }

  /** Returns a reader of a nested message, without making a view of the message's bytes. */
  nested(): FieldReader {
    const start = this.#enter();
    return new FieldReader(this.bytes, start, this.#at);
  }

  text(encoding: 'utf8' | 'latin1' = 'utf8'): string {
    const start = this.#enter();
    return this.bytes.toString(encoding, start, this.#at);
  }

  skip(): void {
    if (this.#wireType === 0) this.number();
    else if (this.#wireType === 1) this.#at += 8;
    else if (this.#wireType === 2) this.#enter();
    else if (this.#wireType === 5) this.#at += 4;
    else throw new MalformedMessage('an unknown wire type');
  }

  /**
   * Enters a field that has a length, and returns the start of its content. The reader then stands after
   * the field.
   */
  #enter(): number {
    if (this.#wireType !== 2) throw new MalformedMessage('a length was expected');
    const length = this.number();
    const start = this.#at;
    this.#at += length;
    if (this.#at > this.end) throw new MalformedMessage('a field is cut off');
    return start;
  }
}

export function readMapEntry(fields: FieldReader): { key: string; value: Buffer } {
  let key = '';
  let value: Buffer = NOTHING;
  while (fields.next()) {
    if (fields.field === 1) key = fields.text('latin1');
    else if (fields.field === 2) value = fields.view();
    else fields.skip();
  }
  return { key, value };
}

/** Reads a UUID as text, whether it is structured or textual; returns an empty text if the UUID is missing. */
export function readUuid(fields: FieldReader): string {
  let text = '';
  while (fields.next()) {
    if (fields.field === 1) text = readStructuredUuid(fields.nested());
    else if (fields.field === 2) text = fields.text('latin1');
    else fields.skip();
  }
  return text;
}

function readStructuredUuid(fields: FieldReader): string {
  let [high, low] = [0n, 0n];
  while (fields.next()) {
    if (fields.field === 1) high = fields.uint64();
    else if (fields.field === 2) low = fields.uint64();
    else fields.skip();
  }
  return `${hex(high)}${hex(low)}`.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

const NOTHING: Buffer = Buffer.alloc(0);
const hex = (half: bigint): string => half.toString(16).padStart(16, '0');

export function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) size += 1;
  return size;
}

/** Writes an unsigned number. Returns the offset after it. */
export function writeVarint(target: Buffer, offset: number, value: number): number {
  let at = offset;
  let rest = value;
  while (rest >= 0x80000000) {
    target[at++] = (rest % 128) | 0x80;
    rest = Math.floor(rest / 128);
  }
  rest |= 0;
  while (rest >= 0x80) {
    target[at++] = (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  target[at++] = rest;
  return at;
}

const SLAB = 64 * 1024;

/**
 * Writes a protobuf message backwards. In the message, the length of a field precedes its content, but
 * the length is known only after the content is written. The caller writes fields in reverse order, and
 * calls `close` after the content of a nested message.
 */
export class MessageWriter {
  #slab = Buffer.allocUnsafeSlow(SLAB);
  #end = SLAB;
  #at = SLAB;

  /** Returns the message with its gRPC header. The writer then starts the next message. */
  frame(): Buffer {
    const length = this.#end - this.#at;
    this.#reserve(FRAME_HEADER);
    this.#at -= FRAME_HEADER;
    writeFrameHeader(this.#slab, this.#at, length);
    const frame = this.#slab.subarray(this.#at, this.#end);
    this.#end = this.#at;
    return frame;
  }

  /** The end of the nested message that is written next; pass it to `close`. */
  get mark(): number {
    return this.#end - this.#at;
  }

  /** Makes the bytes written since `mark` the content of this field. */
  close(field: number, mark: number): void {
    this.#varint(this.#end - this.#at - mark);
    this.#varint(field * 8 + 2);
  }

  number(field: number, value: number): void {
    this.#varint(value);
    this.#varint(field * 8);
  }

  /** Writes an unsigned 64-bit number exactly. */
  uint64(field: number, value: bigint): void {
    if (value <= BigInt(Number.MAX_SAFE_INTEGER)) this.#varint(Number(value));
    else {
      this.#varint(Number(value >> 49n));
      const low = Number(value & ((1n << 49n) - 1n));
      this.#reserve(7);
      this.#at -= 7;
      let rest = low;
      for (let at = this.#at; at < this.#at + 7; at += 1, rest = Math.floor(rest / 128)) {
        this.#slab[at] = (rest % 128) | 0x80;
      }
    }
    this.#varint(field * 8);
  }

  text(field: number, text: string, encoding: 'utf8' | 'latin1' = 'utf8'): void {
    const length = Buffer.byteLength(text, encoding);
    this.#reserve(length);
    this.#at -= length;
    this.#slab.write(text, this.#at, encoding);
    this.#varint(length);
    this.#varint(field * 8 + 2);
  }

  bytes(field: number, bytes: Buffer): void {
    this.#reserve(bytes.length);
    this.#at -= bytes.length;
    bytes.copy(this.#slab, this.#at);
    this.#varint(bytes.length);
    this.#varint(field * 8 + 2);
  }

  empty(field: number): void {
    this.close(field, this.mark);
  }

  #varint(value: number): void {
    const size = varintSize(value);
    this.#reserve(size);
    this.#at -= size;
    writeVarint(this.#slab, this.#at, value);
  }

  /**
   * Makes room before the written bytes, in a new buffer if necessary. Messages that were returned
   * before are not overwritten.
   */
  #reserve(size: number): void {
    if (size <= this.#at) return;
    const written = this.#slab.subarray(this.#at, this.#end);
    this.#end = Math.max(SLAB, 2 * (written.length + size));
    this.#slab = Buffer.allocUnsafeSlow(this.#end);
    this.#at = this.#end - written.length;
    written.copy(this.#slab, this.#at);
  }
}
