import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ActionRequestListing } from '#client/index.js';
import { useMace } from '../session/session-provider';
import { useAnnounce } from '../ui/announcer';
import { dropFromQueues } from './requests-data';
import { nameOf, type ReasonCode } from './words';

/** The service takes so many requests in one vote. */
const MAX_AT_ONCE = 100;

export interface BulkVote {
  readonly rows: readonly ActionRequestListing[];
  readonly vote: 'approve' | 'reject';
  readonly reason: string;
  readonly code?: ReasonCode;
}

/** What came of a vote on several requests. */
export interface BulkOutcome {
  readonly done: readonly string[];
  readonly refused: readonly { readonly name: string; readonly why: string }[];
}

/**
 * Votes on each request as the queue showed it. If a request has changed since then, its vote is refused; the other
 * votes continue.
 */
export function useBulkVote() {
  const mace = useMace();
  const queries = useQueryClient();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: async ({ rows, vote, reason, code }: BulkVote): Promise<BulkOutcome> => {
      const outcomes: BulkOutcome[] = [];
      for (let from = 0; from < rows.length; from += MAX_AT_ONCE) {
        const some = rows.slice(from, from + MAX_AT_ONCE);
        const requests = some.map(({ request_id, proposal_hash }) => ({
          ...{ request_id, proposal_hash },
        }));
        const { results } = await (vote === 'approve'
          ? mace.actionRequests.approveMany({ requests, reason })
          : mace.actionRequests.rejectMany({
              ...{ requests, reason },
              ...(code === undefined ? {} : { reason_code: code }),
            }));
        outcomes.push(outcomeOf(some, results));
      }
      return {
        done: outcomes.flatMap(({ done }) => done),
        refused: outcomes.flatMap(({ refused }) => refused),
      };
    },
    onSuccess: ({ done, refused }, { vote }) => {
      dropFromQueues(queries, done);
      const words = vote === 'approve' ? 'approved' : 'rejected';
      const rest = refused.length === 0 ? '' : ` ${refused.length} could not be decided.`;
      announce(`${done.length} ${words}.${rest}`);
    },
  });
}

interface BallotResult {
  readonly request_id: string;
  readonly error: { readonly user_message: string; readonly developer_message: string } | null;
}

/** Separates the votes that were cast from those that were refused. The results are in the order of the rows. */
const outcomeOf = (
  rows: readonly ActionRequestListing[],
  results: readonly BallotResult[],
): BulkOutcome => ({
  done: results.flatMap(({ request_id, error }) => (error === null ? [request_id] : [])),
  refused: results.flatMap(({ error }, index) => {
    const row = rows[index];
    return error === null || row === undefined
      ? []
      : [{ name: nameOf(row), why: `${error.developer_message} ${error.user_message}` }];
  }),
});
