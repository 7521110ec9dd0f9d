import type { CouncilVote, VoteScores } from '#domain/reflective-log/fields.js';

/** A vote of a member that judges only some of the scores; to the others it has no objection, which is 1. */
export const voteOf = (
  council_agent_id: string,
  scores: Partial<VoteScores>,
  { approve, suggested_changes = '', note }: VoteDetails,
): CouncilVote => ({
  council_agent_id,
  scores: { factuality: 1, coherence: 1, safety: 1, ...scores },
  approve,
  suggested_changes,
  note,
});

interface VoteDetails {
  readonly approve: boolean;
  readonly suggested_changes?: string;
  readonly note: string;
}
