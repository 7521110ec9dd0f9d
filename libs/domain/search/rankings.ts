/** The constants of one version of the ranking (SPEC Q2). Factors of 0 and multipliers of 1 have no effect. */
export interface Ranking {
  readonly version: number;
  /** How fast further occurrences of a term lose weight. */
  readonly k1: number;
  /** How much the length of an entry, or of a window, counts: 0 to 1. */
  readonly b: number;
  /** The part of its predecessor's own score that an entry gets. */
  readonly previous: number;
  /** The part of its successor's own score that an entry gets. */
  readonly next: number;
  /** The weight of the BM25 score of the window around an entry. */
  readonly window: number;
  /** The number of entries to each side in a window. A hit has a term of the query in its window. */
  readonly radius: number;
  /** The weight of the BM25 score of the whole group: a job, or a store of a session. */
  readonly group: number;
  /** Multiplies entries with the only label that the query names; the label is then no term of the query. */
  readonly label: number;
  /** Multiplies entries that end with a question mark. */
  readonly question: number;
  /** Multiplies entries of the period that the query names, and of the seven days after it. */
  readonly period: number;
  /** Multiplies entries with a number, if the query asks for one. */
  readonly number: number;
}

const VERSION_1: Ranking = {
  version: 1,
  k1: 1.2,
  b: 0.75,
  previous: 0.25,
  next: 0.25,
  window: 0,
  radius: 1,
  group: 0.25,
  label: 1,
  question: 1,
  period: 1,
  number: 1,
};

const VERSION_2: Ranking = {
  version: 2,
  k1: 1.5,
  b: 0.4,
  previous: 0.4,
  next: 0.2,
  window: 1,
  radius: 2,
  group: 0.8,
  label: 1.6,
  question: 0.8,
  period: 2.5,
  number: 1.3,
};

export const RANKING_VERSIONS = [1, 2] as const;
export type RankingVersion = (typeof RANKING_VERSIONS)[number];
export const LATEST_RANKING: RankingVersion = 2;

/** Every version of the ranking. A version never changes, and stays callable (SPEC Q2, Q4). */
export const RANKINGS: Readonly<Record<RankingVersion, Ranking>> = { 1: VERSION_1, 2: VERSION_2 };
