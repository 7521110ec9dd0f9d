import type { CouncilVote, VoteScores } from '#domain/reflective-log/fields.js';

interface Judged {
  readonly scores?: Partial<VoteScores>;
  readonly approve: boolean;
  readonly suggested_changes?: string;
  readonly note: string;
}

/** A vote of a member that judges only some of the scores; to the others it has no objection, which is 1. */
export const voteOf = (
  council_agent_id: string,
  { scores, approve, suggested_changes = '', note }: Judged,
): CouncilVote => ({
  council_agent_id,
  scores: { factuality: 1, coherence: 1, safety: 1, ...scores },
  approve,
  suggested_changes,
  note,
});
