import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { type ActionRequest, type Dossier, isMaceError, type Json } from '#client/index.js';
import { randomKey } from '#client/random-key.js';
import { useMace } from '../session/session-provider';
import { useAnnounce } from '../ui/announcer';
import type { Draft } from './drafts';
import { useHold, VOTED_WORDS } from './held-votes-provider';
import { rememberDecision } from './decided';
import { dossierOptions, dropFromQueues, keepRequest } from './requests-data';
import { codeOf } from './send-vote';
import { seenRequest } from './target';
import { nameOf, type ReasonCode } from './words';

export type Decision =
  | {
      readonly type: 'vote';
      readonly vote: 'approve' | 'reject' | 'abstain';
      readonly reason: string;
      readonly code?: ReasonCode;
    }
  | { readonly type: 'revise'; readonly value: Json; readonly reason: string }
  | { readonly type: 'ask'; readonly question: string };

/** A request after a decision; a vote also has its receipt. */
type Answer = ActionRequest & { readonly receipt?: Dossier['source_event'] | null };

/** What was done, without the name of the request. */
const doneWords = (decision: Decision): string => {
  switch (decision.type) {
    case 'vote':
      return VOTED_WORDS[decision.vote];
    case 'revise':
      return 'Proposed other words for';
    case 'ask':
      return 'Asked the proposer of';
  }
};

/** True if a vote on a request is held, so that it can be undone. Other votes need a typed word. */
export const isUndoable = ({ kind }: Pick<ActionRequest, 'kind'>): boolean => kind === 'sem_put';

/** Takes decisions about the words that the reviewer has seen: a vote on a fact is held, everything else is sent. */
export function useDecision(seen: ActionRequest, typed: Draft, onSent: () => void) {
  const mace = useMace();
  const queries = useQueryClient();
  const holdVote = useHold();
  const { isPending, error, mutate } = useSending(seen, onSent);
  const hold = ({ vote, reason, code }: Decision & { type: 'vote' }): void => {
    const { queryKey } = dossierOptions(mace, seen.request_id);
    const present = queries.getQueryData(queryKey)?.present_fact;
    const requests = [seenRequest(present === undefined ? seen : { ...seen, present })];
    holdVote({ vote, reason, requests, typed, ...(code === undefined ? {} : { code }) });
    onSent();
  };
  return {
    ...{ isPending, error },
    decide: (decision: Decision): void => {
      if (decision.type === 'vote' && isUndoable(seen)) hold(decision);
      else if (!isPending) mutate(decision);
    },
  };
}

/**
 * Sends a decision at once. What could not be sent keeps its identity, so that sending it again never decides twice
 * (SPEC I7).
 */
function useSending(seen: ActionRequest, onSent: () => void) {
  const mace = useMace();
  const queries = useQueryClient();
  const announce = useAnnounce();
  const keyOf = useAttemptKeys();
  return useMutation({
    mutationFn: (decision: Decision): Promise<Answer> => {
      const options = { idempotencyKey: keyOf(JSON.stringify([seen.proposal_hash, decision])) };
      const { request_id, proposal_hash } = seen;
      switch (decision.type) {
        case 'vote': {
          const { vote, reason, code } = decision;
          const ballot = { vote, reason, proposal_hash, ...codeOf(code) };
          return mace.actionRequests.vote(request_id, ballot, options);
        }
        case 'revise': {
          const { value, reason } = decision;
          return mace.actionRequests.revise(request_id, { value, reason }, options);
        }
        case 'ask':
          return mace.actionRequests.ask(request_id, decision.question, options);
      }
    },
    onSuccess: (request, decision) => {
      keepRequest(queries, request);
      if (decision.type === 'vote') dropFromQueues(queries, [request.request_id]);
      const words = `${doneWords(decision)} ${nameOf(request)}.`;
      rememberDecision(queries, { words, request, receipt: request.receipt ?? null });
      announce(words);
      onSent();
    },
    onError: (error) => {
      if (isMaceError(error, 'VERSION_CONFLICT'))
        void queries.invalidateQueries({ queryKey: ['requests', 'one', seen.request_id] });
    },
  });
}

/** Returns a function that gives the same content the same key, until other content is sent. */
function useAttemptKeys(): (content: string) => string {
  const last = useRef({ content: '', key: '' });
  return (content) => {
    if (last.current.content !== content) last.current = { content, key: randomKey() };
    return last.current.key;
  };
}
