import { Injectable } from '@nestjs/common';

const SUBJECTS_A_GENERATION = 5_000;

/** How far a subject must be shown the log to see its own writes on this instance (SPEC C1). */
@Injectable()
export class OwnWrites {
  // Two generations: dropping the older one is quick, where finding the oldest entry of a Map is not.
  private recent = new Map<string, bigint>();
  private older: ReadonlyMap<string, bigint> = new Map();
  private appended = 0n;

  /** This process has appended an event at `position`. */
  noteAppend(position: bigint): void {
    if (position > this.appended) this.appended = position;
  }

  /**
   * A write of `sub` at `position` is being acknowledged. What followed from it in other streams, such as the
   * ReflectiveLog of an ended job, is appended by now, and counts as its own. The least recently written of at
   * least 5,000 subjects are forgotten.
   */
  noteAnswer(sub: string, position: bigint): void {
    this.recent.set(sub, position > this.appended ? position : this.appended);
    if (this.recent.size < SUBJECTS_A_GENERATION) return;
    this.older = this.recent;
    this.recent = new Map();
  }

  /** Undefined: nothing of this subject is remembered. */
  positionOf(sub: string): bigint | undefined {
    return this.recent.get(sub) ?? this.older.get(sub);
  }
}
