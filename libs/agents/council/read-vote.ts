import type { CouncilVote } from '#domain/reflective-log/fields.js';
import { cutToCodePoints } from '#domain/episode/tokens.js';
import { VOTE_NOTE } from '#domain/reflective-log/schema.js';

/** Thrown if a model was asked for a vote and its answer is not a vote. The error quotes nothing of the answer. */
export class MalformedVote extends Error {
  override readonly name = 'MalformedVote';

  constructor() {
    super('what the model said is no vote');
  }
}

const MAX_CHANGES = 1_000;
const FENCED = /^```(?:json)?[^\S\n]*\n([^`]*)```$/;

const score = (of: unknown): number => {
  if (typeof of !== 'number' || !(of >= 0 && of <= 1)) throw new MalformedVote();
  return of;
};

const text = (of: unknown, limit: number): string => {
  if (of !== undefined && typeof of !== 'string') throw new MalformedVote();
  return cutToCodePoints((of ?? '').replaceAll('\u0000', '').toWellFormed(), limit);
};

/**
 * Reads the vote in a model's answer: one JSON object with every score and `approve`, with or without a code
 * fence.
 * @throws MalformedVote for any other answer.
 */
export function readVote(said: string): Omit<CouncilVote, 'council_agent_id'> {
  const { factuality, coherence, safety, approve, suggested_changes, note } = objectIn(said.trim());
  if (typeof approve !== 'boolean') throw new MalformedVote();
  return {
    scores: { factuality: score(factuality), coherence: score(coherence), safety: score(safety) },
    approve,
    suggested_changes: text(suggested_changes, MAX_CHANGES),
    note: text(note, VOTE_NOTE),
  };
}

function objectIn(said: string): Readonly<Record<string, unknown>> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(FENCED.exec(said)?.[1] ?? said);
  } catch {
    throw new MalformedVote();
  }
  if (typeof parsed !== 'object' || parsed === null) throw new MalformedVote();
  return parsed as Readonly<Record<string, unknown>>;
}
