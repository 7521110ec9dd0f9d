/**
 * An entry that may be among the results. `created` is ordered like created_seeded_ts, and is NaN while
 * it is unknown.
 */
export interface Candidate {
  readonly ordinal: number;
  readonly score: number;
  readonly created: number;
}

const PRUNE_AT = 8_192;

/**
 * Keeps every candidate that can still be among the best `limit`, including those with equal scores,
 * whose order depends on their time or id.
 */
export class TopScores {
  /** The best scores so far in ascending order. The first one is the score that a candidate must reach. */
  private readonly best: number[] = [];
  private candidates: Candidate[] = [];
  private pruneAt = PRUNE_AT;

  constructor(private readonly limit: number) {}

  /** Takes a candidate, and returns the score that the next one must reach. */
  offer(ordinal: number, score: number, created: number): number {
    if (score < this.scoreToReach()) return this.scoreToReach();
    this.recordScore(score);
    this.candidates.push({ ordinal, score, created });
    if (this.candidates.length >= this.pruneAt) this.prune();
    return this.scoreToReach();
  }

  /**
   * Returns the entries that are certainly among the best, and the entries with equal scores from which
   * the missing ones are chosen.
   */
  result(): { readonly sure: readonly Candidate[]; readonly tied: readonly Candidate[] } {
    const ranked = this.candidates
      .filter(({ score }) => score >= this.scoreToReach())
      .sort(byKnownRank);
    const last = ranked[this.limit - 1];
    if (last === undefined || ranked.length === this.limit) return { sure: ranked, tied: [] };
    const isTied = (one: Candidate): boolean => byKnownRank(one, last) === 0;
    return {
      sure: ranked.slice(0, this.limit).filter((one) => !isTied(one)),
      tied: ranked.filter(isTied),
    };
  }

  private scoreToReach(): number {
    return this.best.length < this.limit ? 0 : (this.best[0] ?? 0);
  }

  private recordScore(score: number): void {
    if (this.best.length === this.limit) {
      if (score === this.best[0]) return;
      this.best.shift();
    }
    let at = this.best.length;
    while (at > 0 && (this.best[at - 1] ?? 0) > score) at -= 1;
    this.best.splice(at, 0, score);
  }

  /**
   * Drops candidates that cannot be among the best. If times are known, they order most entries with
   * equal scores.
   */
  private prune(): void {
    const { sure, tied } = this.result();
    this.candidates = [...sure, ...tied];
    this.pruneAt = Math.max(PRUNE_AT, 2 * this.candidates.length);
  }
}

const byKnownRank = (left: Candidate, right: Candidate): number => {
  if (left.score !== right.score) return right.score - left.score;
  return Number.isNaN(left.created) ? 0 : right.created - left.created;
};
