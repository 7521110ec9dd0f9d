import type { CouncilVote, VoteScores } from '#domain/reflective-log/fields.js';

interface Judged {
  readonly scores?: Partial<VoteScores>;
  readonly approve: boolean;
  readonly suggested_changes?: string;
  readonly note: string;
}

/** Makes the vote of a member that judges only some scores. The other scores are 1. */
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
