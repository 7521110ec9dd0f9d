/** The header of each gRPC message: a compression flag (1 byte) and the length (4 bytes). */
export const FRAME_HEADER = 5;

/** Thrown for a compressed message and for one beyond the length limit. */
export class UnreadableFrame extends Error {
  override readonly name = 'UnreadableFrame';
  constructor(readonly reason: 'compressed' | 'too long') {
    super(`A message is ${reason}`);
  }
}

/** Writes the header of an uncompressed message of this length. Returns the offset after the header. */
export function writeFrameHeader(target: Buffer, offset: number, length: number): number {
  target[offset] = 0;
  return target.writeUInt32BE(length, offset + 1);
}

/** The bytes of a message beyond the length limit that its receiver gets, to answer it. */
const START_LENGTH = 4_096;

/** Splits a stream of bytes into gRPC messages. */
export class FrameSplitter {
  #parts: Buffer[] = [];
  #buffered = 0;
  #needed = FRAME_HEADER;
  #skipping = 0;

  /**
   * With `tooLong`, a message beyond `maxLength` is skipped, and `tooLong` gets its first bytes. Without it,
   * such a message ends the stream with UnreadableFrame.
   */
  constructor(
    private readonly maxLength: number,
    private readonly deliver: (message: Buffer) => void,
    private readonly tooLong?: (start: Buffer) => void,
  ) {}

  /** Delivers every message that this chunk completes. @throws UnreadableFrame. */
  push(received: Buffer): void {
    const chunk = this.#afterSkipped(received);
    if (chunk.length === 0) return;
    this.#parts.push(chunk);
    this.#buffered += chunk.length;
    if (this.#buffered < this.#needed) return;
    const bytes = this.#parts.length === 1 ? chunk : Buffer.concat(this.#parts);
    let at = 0;
    for (;;) {
      const available = bytes.length - at;
      const length = available < FRAME_HEADER ? 0 : this.#length(bytes, at);
      const isTooLong = length > this.maxLength;
      this.#needed = FRAME_HEADER + (isTooLong ? START_LENGTH : length);
      if (available < this.#needed) break;
      const content = bytes.subarray(at + FRAME_HEADER, at + this.#needed);
      if (isTooLong) {
        this.tooLong?.(content);
        this.#skipping = Math.max(0, FRAME_HEADER + length - available);
      } else this.deliver(content);
      at = Math.min(bytes.length, at + FRAME_HEADER + length);
    }
    this.#parts = at === bytes.length ? [] : [bytes.subarray(at)];
    this.#buffered = bytes.length - at;
  }

  #afterSkipped(chunk: Buffer): Buffer {
    const skipped = Math.min(this.#skipping, chunk.length);
    this.#skipping -= skipped;
    return chunk.subarray(skipped);
  }

  #length(bytes: Buffer, at: number): number {
    if (bytes[at] !== 0) throw new UnreadableFrame('compressed');
    const length = bytes.readUInt32BE(at + 1);
    if (length > this.maxLength && !this.tooLong) throw new UnreadableFrame('too long');
    return length;
  }
}
