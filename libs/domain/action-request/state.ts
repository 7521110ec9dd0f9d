import type { JobOwner } from '../job/events.js';
import type {
  ActionRequested,
  ActionRequestEvent,
  ActionRequestStatus,
  ExecutionLink,
  VoteCast,
} from './events.js';

export const requestStream = (requestId: string): string => `request-${requestId}`;

export const idOfRequestStream = (stream: string): string => stream.slice('request-'.length);

export interface ActionRequestState {
  readonly stream: string;
  /** The request; null before the event `action_requested`. */
  readonly request: ActionRequested | null;
  readonly status: ActionRequestStatus;
  readonly votes: readonly VoteCast[];
  /** When the request was decided: the time of the deciding vote or of the expiry. */
  readonly decided_at: string | null;
  readonly rejected_for: 'votes' | 'tie' | null;
  readonly link: ExecutionLink | null;
  /** The code of the event `execution_refused`; null without that event. */
  readonly refusal_code: string | null;
}

export const initialActionRequest = (stream: string): ActionRequestState => ({
  stream,
  request: null,
  status: 'pending',
  votes: [],
  decided_at: null,
  rejected_for: null,
  link: null,
  refusal_code: null,
});

export function evolveActionRequest(
  state: ActionRequestState,
  event: ActionRequestEvent,
): ActionRequestState {
  switch (event.type) {
    case 'action_requested':
      return { ...state, request: event.data };
    case 'episode_written':
      return state;
    case 'vote_cast':
      return { ...state, votes: [...state.votes, event.data] };
    case 'request_approved':
      return { ...state, status: 'approved', decided_at: event.data.at };
    case 'request_rejected': {
      const { at, reason } = event.data;
      return { ...state, status: 'rejected', decided_at: at, rejected_for: reason };
    }
    case 'request_expired':
      return { ...state, status: 'expired', decided_at: event.data.at };
    case 'request_executed':
      return { ...state, status: 'executed', link: event.data };
    case 'execution_refused': {
      const { code, link } = event.data;
      return { ...state, status: 'execution_refused', refusal_code: code, link };
    }
  }
}

/**
 * The owner of the request's episode: the proposer, together with the user whom the request concerns
 * (SPEC I9, E2).
 */
export const ownerOf = ({ proposer, made_for }: ActionRequested): JobOwner => ({
  sub: proposer.sub,
  user_id: proposer.user_id ?? made_for,
});
