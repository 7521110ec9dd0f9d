import { createHash } from 'node:crypto';
import { pseudoRandom } from '../../bench/harness/load.js';

/** Random choices that depend only on the seed and on the name of who makes them. */
export class Random {
  private readonly next: () => number;

  constructor(
    private readonly seed: number,
    private readonly name: string,
  ) {
    this.next = pseudoRandom(
      createHash('sha256').update(`${seed} ${name}`).digest().readUInt32LE(),
    );
  }

  /** Returns choices for a part, independent of those that the other parts make. */
  of(part: string): Random {
    return new Random(this.seed, `${this.name}/${part}`);
  }

  /** Returns a whole number; both limits are included. */
  between(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<Value>(values: readonly [Value, ...Value[]]): Value {
    return values[this.between(0, values.length - 1)] as Value;
  }
}
