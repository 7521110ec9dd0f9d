import { Injectable } from '@nestjs/common';

const MOST_SUBJECTS = 10_000;

/** How far a subject must be shown the log to see its own writes on this instance (SPEC C1). */
@Injectable()
export class OwnWrites {
  /** The least recently written first. */
  private readonly positions = new Map<string, bigint>();
  private appended = 0n;

  /** This process has appended an event at `position`. */
  noteAppend(position: bigint): void {
    if (position > this.appended) this.appended = position;
  }

  /**
   * A write of `sub` at `position` is being acknowledged. What followed from it in other streams, such as the
   * ReflectiveLog of an ended job, is appended by now, and counts as its own.
   */
  noteAnswer(sub: string, position: bigint): void {
    this.positions.delete(sub);
    this.positions.set(sub, position > this.appended ? position : this.appended);
    const [oldest] = this.positions.size > MOST_SUBJECTS ? this.positions.keys() : [];
    if (oldest !== undefined) this.positions.delete(oldest);
  }

  /** Undefined: nothing of this subject is remembered. */
  positionOf(sub: string): bigint | undefined {
    return this.positions.get(sub);
  }
}
