/** Reads the fields of one protobuf message. Bytes are views into the message, never copies. */
export class FieldReader {
  field = 0;
  private wireType = 0;
  private at: number;

  constructor(
    private readonly bytes: Buffer,
    start = 0,
    private readonly end = bytes.length,
  ) {
    this.at = start;
  }

  /** Moves to the next field; false at the end of the message. */
  next(): boolean {
    if (this.at >= this.end) return false;
    const tag = this.varint();
    this.field = tag >>> 3;
    this.wireType = tag & 7;
    return true;
  }

  /** An unsigned varint; exact up to 2^53, which no revision, count or position here exceeds. */
  varint(): number {
    let value = 0;
    let factor = 1;
    for (let count = 0; count < 10; count++) {
      if (this.at >= this.end) break;
      const byte = this.bytes[this.at++]!;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 128;
    }
    throw new MalformedMessage('a varint is cut off');
  }

  view(): Buffer {
    const start = this.enter();
    return this.bytes.subarray(start, this.at);
  }

  /** Passes a field that has a length, and answers where it begins. */
  private enter(): number {
    if (this.wireType !== 2) throw new MalformedMessage('a length was expected');
    const length = this.varint();
    const start = this.at;
    this.at += length;
    if (this.at > this.end) throw new MalformedMessage('a field is cut off');
    return start;
  }

  /** Reads a message within this one: cheaper than a view of it, which is an object of the engine's own. */
  nested(): FieldReader {
    const start = this.enter();
    return new FieldReader(this.bytes, start, this.at);
  }

  text(encoding: 'utf8' | 'latin1' = 'utf8'): string {
    const start = this.enter();
    return this.bytes.toString(encoding, start, this.at);
  }

  /** A signed 64-bit number as its 16 hexadecimal digits. */
  hex64(): string {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.bytes[this.at++];
      if (byte === undefined) break;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value).toString(16).padStart(16, '0');
    }
    throw new MalformedMessage('a varint is cut off');
  }

  skip(): void {
    if (this.wireType === 0) this.varint();
    else if (this.wireType === 1) this.at += 8;
    else if (this.wireType === 2) this.enter();
    else if (this.wireType === 5) this.at += 4;
    else throw new MalformedMessage('an unknown wire type');
  }
}

export class MalformedMessage extends Error {
  override readonly name = 'MalformedMessage';
}

export function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) size++;
  return size;
}

/** Writes an unsigned varint and returns the offset after it. */
export function writeVarint(target: Buffer, offset: number, value: number): number {
  let rest = value;
  while (rest >= 0x80000000) {
    target[offset++] = (rest % 128) | 0x80;
    rest = Math.floor(rest / 128);
  }
  rest = rest | 0;
  while (rest >= 0x80) {
    target[offset++] = (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  target[offset++] = rest;
  return offset;
}

/** Bytes of a field whose content is that long; its number is below 16. */
export const fieldSize = (length: number): number => 1 + varintSize(length) + length;

/** Writes what stands before a field's content and returns the offset after it. */
export function writeLength(target: Buffer, offset: number, field: number, length: number): number {
  target[offset] = field * 8 + 2;
  return writeVarint(target, offset + 1, length);
}

/** Writes a whole number field and returns the offset after it. */
export function writeNumber(target: Buffer, offset: number, field: number, value: number): number {
  target[offset] = field * 8;
  return writeVarint(target, offset + 1, value);
}

/** One field of a message that is being composed: for everything that is not on the hot path. */
export type Field = Buffer;

const tagged = (field: number, wireType: number, body: Buffer): Field => {
  const tag = Buffer.alloc(varintSize(field * 8 + wireType));
  writeVarint(tag, 0, field * 8 + wireType);
  return Buffer.concat([tag, body]);
};

export const message = (...fields: readonly Field[]): Buffer => Buffer.concat(fields);

export function numberField(field: number, value: number): Field {
  const body = Buffer.alloc(varintSize(value));
  writeVarint(body, 0, value);
  return tagged(field, 0, body);
}

export function bytesField(field: number, value: Buffer): Field {
  const length = Buffer.alloc(varintSize(value.length));
  writeVarint(length, 0, value.length);
  return tagged(field, 2, Buffer.concat([length, value]));
}

export const textField = (field: number, value: string): Field =>
  bytesField(field, Buffer.from(value, 'utf8'));

export const emptyField = (field: number): Field => bytesField(field, Buffer.alloc(0));
