import { Injectable } from '@nestjs/common';

const SUBJECTS_PER_GENERATION = 5_000;

/**
 * For each subject, the log position that a read must show to include the subject's own writes on this
 * instance (SPEC C1).
 */
@Injectable()
export class OwnWrites {
  // There are two generations of entries. Dropping the older generation is fast, while finding the
  // oldest entry of a Map is not.
  private recent = new Map<string, bigint>();
  private older: ReadonlyMap<string, bigint> = new Map();
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
   * such as the ReflectiveLog of an ended job, are appended by now and count as the subject's own. Keeps at
   * least the 5,000 subjects with the latest writes.
   */
  noteAnswer(sub: string, position: bigint): void {
    this.recent.set(sub, position > this.appended ? position : this.appended);
    if (this.recent.size < SUBJECTS_PER_GENERATION) return;
    this.older = this.recent;
    this.recent = new Map();
  }

  /** Returns the position that the subject must see; undefined if no write of the subject is known. */
  positionOf(sub: string): bigint | undefined {
    return this.recent.get(sub) ?? this.older.get(sub);
  }
}
