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
  #held = 0;
  #wanted = FRAME_HEADER;

  constructor(
    private readonly longest: number,
    private readonly deliver: (message: Buffer) => void,
  ) {}

  /** Delivers every message that this chunk completes. Throws `UnreadableFrame`. */
  push(chunk: Buffer): void {
    this.#parts.push(chunk);
    this.#held += chunk.length;
    if (this.#held < this.#wanted) return;
    const bytes = this.#parts.length === 1 ? chunk : Buffer.concat(this.#parts);
    let at = 0;
    for (;;) {
      const here = bytes.length - at;
      this.#wanted = here < FRAME_HEADER ? FRAME_HEADER : FRAME_HEADER + this.#length(bytes, at);
      if (here < this.#wanted) break;
      this.deliver(bytes.subarray(at + FRAME_HEADER, at + this.#wanted));
      at += this.#wanted;
    }
    this.#parts = at === bytes.length ? [] : [bytes.subarray(at)];
    this.#held = bytes.length - at;
  }

  #length(bytes: Buffer, at: number): number {
    if (bytes[at] !== 0) throw new UnreadableFrame('compressed');
    const length = bytes.readUInt32BE(at + 1);
    if (length > this.longest) throw new UnreadableFrame('too long');
    return length;
  }
}
