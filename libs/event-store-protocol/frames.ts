/** The header of each gRPC message: a compression flag (1 byte) and the length (4 bytes). */
export const FRAME_HEADER = 5;

/** A compressed message, or one beyond the length limit. */
export class UnreadableFrame extends Error {
  override readonly name = 'UnreadableFrame';
  constructor(readonly reason: 'compressed' | 'too long') {
    super(`A message is ${reason}`);
  }
}

/** Writes the header of an uncompressed message of that length; returns the offset after it. */
export function writeFrameHeader(target: Buffer, offset: number, length: number): number {
  target[offset] = 0;
  return target.writeUInt32BE(length, offset + 1);
}

/** Splits a stream of bytes into gRPC messages. */
export class FrameSplitter {
  #parts: Buffer[] = [];
  #buffered = 0;
  #needed = FRAME_HEADER;

  constructor(
    private readonly maxLength: number,
    private readonly deliver: (message: Buffer) => void,
  ) {}

  /** Delivers every message that this chunk completes. Throws `UnreadableFrame`. */
  push(chunk: Buffer): void {
    this.#parts.push(chunk);
    this.#buffered += chunk.length;
    if (this.#buffered < this.#needed) return;
    const bytes = this.#parts.length === 1 ? chunk : Buffer.concat(this.#parts);
    let at = 0;
    for (;;) {
      const available = bytes.length - at;
      this.#needed =
        available < FRAME_HEADER ? FRAME_HEADER : FRAME_HEADER + this.#length(bytes, at);
      if (available < this.#needed) break;
      this.deliver(bytes.subarray(at + FRAME_HEADER, at + this.#needed));
      at += this.#needed;
    }
    this.#parts = at === bytes.length ? [] : [bytes.subarray(at)];
    this.#buffered = bytes.length - at;
  }

  #length(bytes: Buffer, at: number): number {
    if (bytes[at] !== 0) throw new UnreadableFrame('compressed');
    const length = bytes.readUInt32BE(at + 1);
    if (length > this.maxLength) throw new UnreadableFrame('too long');
    return length;
  }
}
