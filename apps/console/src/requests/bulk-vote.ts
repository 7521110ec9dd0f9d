import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ActionRequestListing } from '#client/index.js';
import { useMace } from '../session/session-provider';
import { useAnnounce } from '../ui/announcer';
import { wordsOf } from '../ui/error-notice';
import { dropFromQueues } from './requests-data';
import { nameOf, type ReasonCode } from './words';

/** One vote for several requests. */
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
 * Votes on each request, on the words that the queue showed. One that has changed meanwhile is refused, and the
 * others go on.
 */
export function useBulkVote() {
  const mace = useMace();
  const queries = useQueryClient();
  const announce = useAnnounce();
  return useMutation({
    mutationFn: async ({ rows, vote, reason, code }: BulkVote): Promise<BulkOutcome> => {
      const done: string[] = [];
      const refused: { name: string; why: string }[] = [];
      for (const row of rows) {
        const { request_id, proposal_hash } = row;
        const more = code === undefined ? {} : { reason_code: code };
        try {
          await mace.actionRequests.vote(request_id, { vote, reason, proposal_hash, ...more });
          done.push(request_id);
        } catch (error) {
          refused.push({ name: nameOf(row), why: wordsOf(error).title });
        }
      }
      return { done, refused };
    },
    onSuccess: ({ done, refused }, { vote }) => {
      dropFromQueues(queries, done);
      const words = vote === 'approve' ? 'approved' : 'rejected';
      const rest = refused.length === 0 ? '' : ` ${refused.length} could not be decided.`;
      announce(`${done.length} ${words}.${rest}`);
    },
  });
}
