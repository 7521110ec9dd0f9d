import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  use,
  useEffect,
  useMemo,
  useSyncExternalStore,
} from 'react';
import type { MaceClient } from '#client/index.js';
import { personOf } from '../session/session';
import { useMace, useSession } from '../session/session-provider';
import { useAnnounce } from '../ui/announcer';
import { type HeldState, type HeldVote, HeldVotes, type VoteSender } from './held-votes';
import { rememberDecision } from './decided';
import { VOTE_KEYS } from './key-tables';
import { dropFromQueues, keepRequest, readAgain } from './requests-data';
import { sendVote } from './send-vote';

const HeldVotesContext = createContext<HeldVotes | undefined>(undefined);

interface HeldVotesProviderProps {
  /** False while the session's token is refused. */
  readonly isOn: boolean;
  readonly children: ReactNode;
}

/** Holds the votes of the signed-in person, and sends what is held when the person or the page leaves. */
export function HeldVotesProvider({ isOn, children }: HeldVotesProviderProps) {
  const mace = useMace();
  const person = personOf(useSession());
  const queries = useQueryClient();
  const announce = useAnnounce();
  const votes = useMemo(() => new HeldVotes(person), [person]);
  useEffect(() => {
    const leave = (): void => votes.leave();
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      // Before the effect below ends the connection: the person signs out, or another one signs in.
      leave();
    };
  }, [votes]);
  useEffect(() => {
    if (!isOn) return undefined;
    return votes.connect(senderOf(mace, queries, announce));
  }, [votes, mace, queries, announce, isOn]);
  return <HeldVotesContext value={votes}>{children}</HeldVotesContext>;
}

export function useHeldVotes(): HeldVotes {
  const votes = use(HeldVotesContext);
  if (votes === undefined) throw new Error('useHeldVotes is used outside HeldVotesProvider');
  return votes;
}

export function useHeldState(): HeldState {
  const votes = useHeldVotes();
  return useSyncExternalStore(votes.subscribe, votes.current);
}

/** Returns the function that holds a vote and says how it can be undone. */
export function useHold(): HeldVotes['hold'] {
  const votes = useHeldVotes();
  const announce = useAnnounce();
  return (ballot, isBulk) => {
    votes.hold(ballot, isBulk);
    announce(`${voteWords(ballot)}. Press ${VOTE_KEYS.undo.key} to undo.`);
  };
}

export const VOTED_WORDS = {
  approve: 'Approved',
  reject: 'Rejected',
  abstain: 'Abstained on',
} as const;

/** Names a vote and what it is on: `Approved northwind › office`. */
export const voteWords = ({ vote, requests }: Pick<HeldVote, 'vote' | 'requests'>): string =>
  `${VOTED_WORDS[vote]} ${requests.length === 1 ? requests[0]?.name : `${requests.length} requests`}`;

/** Sends votes through the SDK, and shows in the cache and to the person what came of them. */
function senderOf(
  mace: MaceClient,
  queries: QueryClient,
  announce: (text: string) => void,
): VoteSender {
  return {
    send: (vote) => sendVote(mace, vote),
    onAnswer: (vote, { cast, refused, voted }) => {
      dropFromQueues(queries, cast);
      if (voted !== undefined) keepRequest(queries, voted);
      const counted = vote.requests.filter(({ request_id }) => cast.includes(request_id));
      const words = `${voteWords({ ...vote, requests: counted })}.`;
      if (cast.length > 0)
        rememberDecision(queries, { words, request: voted, receipt: voted?.receipt ?? null });
      if (refused.length > 0) readAgain(queries, refused);
      const rest = `${refused.length} could not be counted and ${refused.length === 1 ? 'is' : 'are'} back in the queue.`;
      announce([cast.length > 0 ? words : '', refused.length > 0 ? rest : ''].join(' ').trim());
    },
  };
}
