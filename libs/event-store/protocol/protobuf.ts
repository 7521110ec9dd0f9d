/** A message that is no protobuf, or is cut off. */
export class MalformedMessage extends Error {
  override readonly name = 'MalformedMessage';
}

/**
 * Reads the fields of a protobuf message in place. A nested message is read by the same reader, up to the
 * end that `open` answers.
 */
export class MessageReader {
  #at = 0;
  #wireType = 0;

  constructor(readonly bytes: Buffer) {}

  /** The number of the next field before `end`, 0 when there is none. */
  next(end: number): number {
    if (this.#at >= end) return 0;
    const tag = this.varint();
    this.#wireType = tag & 7;
    return tag >>> 3;
  }

  /** An unsigned number; exact up to 2^53, which no revision and no position reaches. */
  varint(): number {
    let value = 0;
    let factor = 1;
    for (let count = 0; count < 10; count += 1) {
      const byte = this.bytes[this.#at];
      if (byte === undefined) break;
      this.#at += 1;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 128;
    }
    throw new MalformedMessage('a number is cut off');
  }

  /** A 64-bit number as its 16 hexadecimal digits. */
  hex64(): string {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.bytes[this.#at];
      if (byte === undefined) break;
      this.#at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value).toString(16).padStart(16, '0');
    }
    throw new MalformedMessage('a number is cut off');
  }

  /** Enters a field with a length; answers where it ends. */
  open(): number {
    const length = this.varint();
    const end = this.#at + length;
    if (this.#wireType !== 2 || end > this.bytes.length) {
      throw new MalformedMessage('a field is cut off');
    }
    return end;
  }

  text(): string {
    const end = this.open();
    const text = this.bytes.toString('utf8', this.#at, end);
    this.#at = end;
    return text;
  }

  skip(): void {
    if (this.#wireType === 0) this.varint();
    else if (this.#wireType === 1) this.#at += 8;
    else if (this.#wireType === 2) this.#at = this.open();
    else if (this.#wireType === 5) this.#at += 4;
    else throw new MalformedMessage('an unknown wire type');
  }
}

const SLAB = 64 * 1024;

/**
 * Writes a protobuf message from its end to its beginning: what is inside a field is there before the
 * length that precedes it. So fields are given in reverse, and `close` comes after what it encloses.
 */
export class MessageWriter {
  #slab = Buffer.allocUnsafeSlow(SLAB);
  #end = SLAB;
  #at = SLAB;

  /** The message, complete; the writer begins the next. */
  finish(): Buffer {
    const message = this.#slab.subarray(this.#at, this.#end);
    this.#end = this.#at;
    return message;
  }

  /** Where a nested message that is about to be written ends, for `close`. */
  get mark(): number {
    return this.#end - this.#at;
  }

  /** What was written since `mark` is this field. */
  close(field: number, mark: number): void {
    this.#varint(this.#end - this.#at - mark);
    this.#varint(field * 8 + 2);
  }

  number(field: number, value: number): void {
    this.#varint(value);
    this.#varint(field * 8);
  }

  text(field: number, text: string): void {
    const length = Buffer.byteLength(text);
    this.#reserve(length);
    this.#at -= length;
    this.#slab.write(text, this.#at, 'utf8');
    this.#varint(length);
    this.#varint(field * 8 + 2);
  }

  /** Fields that were written elsewhere. */
  fields(bytes: Buffer): void {
    this.#reserve(bytes.length);
    this.#at -= bytes.length;
    bytes.copy(this.#slab, this.#at);
  }

  empty(field: number): void {
    this.close(field, this.mark);
  }

  #varint(value: number): void {
    let size = 1;
    for (let limit = 128; value >= limit; limit *= 128) size += 1;
    this.#reserve(size);
    this.#at -= size;
    let at = this.#at;
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) {
      this.#slab[at] = (rest % 128) | 0x80;
      at += 1;
    }
    this.#slab[at] = rest;
  }

  /** Makes room before what is written. Messages that are finished keep their slab. */
  #reserve(size: number): void {
    if (size <= this.#at) return;
    const written = this.#slab.subarray(this.#at, this.#end);
    this.#end = Math.max(SLAB, 2 * (written.length + size));
    this.#slab = Buffer.allocUnsafeSlow(this.#end);
    this.#at = this.#end - written.length;
    written.copy(this.#slab, this.#at);
  }
}
