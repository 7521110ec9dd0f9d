/** A question that was asked, and what was found. */
export interface Answered {
  readonly category: string | null;
  readonly conversation: string;
  /** The turns that answer the question. */
  readonly evidence: readonly string[];
  /** The turns that were found, best first; null for another entry. */
  readonly found: readonly (string | null)[];
  /** How long the caller waited, in ms. */
  readonly ms: number;
  readonly ranking_version?: number | undefined;
}

/** How well a ranking found the evidence of some questions; each figure is a mean over the questions. */
export interface Figures {
  /** The number of questions with evidence. All others are left out of the figures. */
  readonly questions: number;
  /** The part of a question's evidence that is among its first 5, 10 or 20 hits. */
  readonly 'recall@5': number | null;
  readonly 'recall@10': number | null;
  readonly 'recall@20': number | null;
  /** The part of the questions with any, or with all, of their evidence among the first 5 hits. */
  readonly 'any@5': number | null;
  readonly 'all@5': number | null;
  /** The mean of 1 / the place of the first evidence; 0 if it is not among the first 20 hits. */
  readonly mrr: number | null;
}

/** The number of hits that a question is asked for. */
export const HITS = 20;

export function figuresOf(answers: readonly Answered[]): Figures {
  const asked = answers.filter(({ evidence }) => evidence.length > 0);
  const mean = (of: (answer: Answered) => number): number | null =>
    asked.length === 0
      ? null
      : rounded(asked.reduce((sum, answer) => sum + of(answer), 0) / asked.length);
  return {
    questions: asked.length,
    'recall@5': mean((answer) => recall(answer, 5)),
    'recall@10': mean((answer) => recall(answer, 10)),
    'recall@20': mean((answer) => recall(answer, 20)),
    'any@5': mean((answer) => Number(recall(answer, 5) > 0)),
    'all@5': mean((answer) => Number(recall(answer, 5) === 1)),
    mrr: mean(reciprocalRank),
  };
}

/** The times in ms within which half of the questions, and 95 of 100, were answered. */
export interface Latency {
  readonly p50_ms: number;
  readonly p95_ms: number;
}

export function latencyOf(answers: readonly Answered[]): Latency {
  const sorted = answers.map(({ ms }) => ms).sort((left, right) => left - right);
  const at = (part: number): number =>
    rounded(sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? 0, 2);
  return { p50_ms: at(0.5), p95_ms: at(0.95) };
}

function recall({ evidence, found }: Answered, hits: number): number {
  const first = new Set(found.slice(0, hits));
  return evidence.filter((turn) => first.has(turn)).length / evidence.length;
}

function reciprocalRank({ evidence, found }: Answered): number {
  const place = found.slice(0, HITS).findIndex((turn) => turn !== null && evidence.includes(turn));
  return place < 0 ? 0 : 1 / (place + 1);
}

const rounded = (value: number, digits = 6): number => Number(value.toFixed(digits));
