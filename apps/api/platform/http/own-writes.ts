import { Injectable } from '@nestjs/common';
import { LruMap, stringBytes } from '#bounded/lru-map.js';

const MAX_BYTES = 1_500_000;
const POSITION_BYTES = 24;

/**
 * For each subject, the log position that a read must show to include the subject's own writes on this
 * instance (SPEC C1).
 */
@Injectable()
export class OwnWrites {
  private readonly positions = new LruMap<string, bigint>({
    maxBytes: MAX_BYTES,
    bytesOf: (_, sub) => stringBytes(sub) + POSITION_BYTES,
  });
  private appended = 0n;

  /** The position of the last event that this process appended; 0 before its first append. */
  get end(): bigint {
    return this.appended;
  }

  /** Notes that this process appended an event at `position`. */
  noteAppend(position: bigint): void {
    if (position > this.appended) this.appended = position;
  }

  /**
   * Notes that a write of `sub` at `position` is acknowledged. The events that it caused in other streams,
   * such as the ReflectiveLog of an ended job, are appended by now and count as the subject's own. Keeps about
   * the 5,000 subjects with the latest writes.
   */
  noteAnswer(sub: string, position: bigint): void {
    this.positions.set(sub, position > this.appended ? position : this.appended);
  }

  /** Returns the position that the subject must see; undefined if no write of the subject is known. */
  positionOf(sub: string): bigint | undefined {
    return this.positions.peek(sub);
  }
}
