import type { Slices } from '#domain/slices.js';
import type { Candidate } from '../top-scores.js';

export const byScoreAndTime = (left: Candidate, right: Candidate): number =>
  right.score - left.score || right.created - left.created;

/** Candidates in the order of their ranks, found as far as they are taken: a heap. */
export class RankedCandidates {
  private constructor(private readonly heap: Candidate[]) {}

  /** @param candidates in any order; the list belongs to the heap from now on */
  static *of(candidates: Candidate[]): Slices<RankedCandidates> {
    const ranked = new RankedCandidates(candidates);
    for (let at = (candidates.length >> 1) - 1; at >= 0; at -= 1) {
      ranked.sink(at);
      yield;
    }
    return ranked;
  }

  /** Takes the next candidates: so many, and those that tie with the last one. */
  take(count: number): Candidate[] {
    const taken: Candidate[] = [];
    for (let next = this.heap[0]; next !== undefined; next = this.heap[0]) {
      if (taken.length >= count && byScoreAndTime(taken.at(-1)!, next) !== 0) break;
      taken.push(next);
      const last = this.heap.pop()!;
      if (this.heap.length === 0) break;
      this.heap[0] = last;
      this.sink(0);
    }
    return taken;
  }

  private sink(from: number): void {
    const { heap } = this;
    const moved = heap[from]!;
    let at = from;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && byScoreAndTime(heap[child + 1]!, heap[child]!) < 0) child += 1;
      if (byScoreAndTime(heap[child]!, moved) >= 0) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = moved;
  }
}
