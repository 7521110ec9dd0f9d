import { isUserOrEntity, sameUser } from '../canonical-key/canonical-key.js';
import { permit } from '../errors/permit.js';
import { Refusal } from '../errors/refusal.js';
import { heldOf } from '../held.js';
import { normalizeTimestamp } from '../sem/timestamp.js';
import type { ActionRequested, ActionRequestEvent, ExecutionLink, VoteCast } from './events.js';
import { actionRequested, requestEpisode, requireText, type ProposeAction } from './proposal.js';
import { type ActionRequestState, idOfRequestStream } from './state.js';

/**
 * The commands of an action request. The caller checks beforehand that a voter is a council member or an
 * admin, and takes all times from the wall clock.
 */
export type ActionRequestCommand =
  | ({ readonly type: 'request' } & ProposeAction)
  | ({ readonly type: 'vote' } & VoteCast)
  /**
   * The process manager for expiry sends this command. It changes nothing before `expires_at` or after a
   * decision.
   */
  | { readonly type: 'expire'; readonly at: string }
  /** The approved sem_put is in the log (SPEC G3). */
  | ({ readonly type: 'link_execution'; readonly superseded: boolean } & ExecutionLink)
  /** The approved sem_put was refused with this error code (SPEC G3). */
  | { readonly type: 'refuse_execution'; readonly code: string };

/** The code of an approved write that lost to a later one (SPEC S3, G3). */
export const SUPERSEDED = 'SUPERSEDED';

type Events = readonly ActionRequestEvent[];

export function decideActionRequest(
  command: ActionRequestCommand,
  state: ActionRequestState,
): Events {
  switch (command.type) {
    case 'request':
      return request(command, state);
    case 'vote':
      return vote(command, state);
    case 'expire':
      return expire(command.at, state);
    case 'link_execution': {
      const { sem_stream, sem_event_number, superseded } = command;
      const link = { sem_stream, sem_event_number };
      if (superseded) return refused({ code: SUPERSEDED, link }, state);
      return isPerformed(state) ? [] : [{ type: 'request_executed', data: link }];
    }
    case 'refuse_execution':
      return refused({ code: command.code, link: null }, state);
  }
}

const conflict = (what: string, expected: string, actual: string): Refusal =>
  new Refusal('VERSION_CONFLICT', { what, expected, actual });

function request(command: ProposeAction, state: ActionRequestState): Events {
  if (state.request !== null) throw conflict(state.stream, 'a new request', 'one that was made');
  const data = actionRequested(command);
  return [
    { type: 'action_requested', data },
    { type: 'episode_written', data: requestEpisode(state.stream, data) },
  ];
}

function requireRequest({ stream, request }: ActionRequestState): ActionRequested {
  if (request === null)
    throw new Refusal('NOT_FOUND', { what: 'action request', id: idOfRequestStream(stream) });
  return request;
}

type Person = VoteCast['voter'];

const idsOf = ({ sub, user_id }: Person): readonly string[] =>
  user_id === null ? [sub] : [sub, user_id];

const isOneOf = (person: Person, ids: readonly string[]): boolean =>
  idsOf(person).some((id) => ids.some((other) => sameUser(id, other)));

/**
 * True if the request concerns this person. `made_for` is the user's raw id, or the entity id if the raw
 * id is unknown.
 */
const isMadeFor = (person: Person, { made_for }: ActionRequested): boolean =>
  made_for !== null && idsOf(person).some((id) => isUserOrEntity(id, made_for));

function vote(command: VoteCast, state: ActionRequestState): Events {
  const requested = requireRequest(state);
  const { voter, reason, proposal_hash } = command;
  const isConcerned = isOneOf(voter, idsOf(requested.proposer)) || isMadeFor(voter, requested);
  permit(!isConcerned, 'vote on a request made by or for itself', 'G2');
  if (proposal_hash !== requested.proposal_hash)
    throw conflict('the proposal', requested.proposal_hash, 'another hash in the vote');
  const earlier = state.votes.find((cast) => isOneOf(voter, idsOf(cast.voter)));
  if (earlier) {
    if (earlier.vote === command.vote && earlier.reason === reason) return [];
    throw conflict("this member's vote", 'not cast yet', earlier.vote);
  }
  const at = normalizeTimestamp(command.at);
  const status =
    state.status === 'pending' && at >= requested.expires_at ? 'expired' : state.status;
  if (status !== 'pending') throw conflict('the request', 'pending', status);
  requireText('a reason', reason);
  const data: VoteCast = { voter, vote: command.vote, reason, proposal_hash, at };
  return [{ type: 'vote_cast', data }, ...outcome(data, state.votes, requested.quorum)];
}

/** Abstentions do not count towards the quorum; a tie at quorum is a rejection (SPEC G2). */
function outcome(last: VoteCast, before: readonly VoteCast[], quorum: number): Events {
  const votes = [...before, last].map(({ vote }) => vote);
  const approvals = votes.filter((cast) => cast === 'approve').length;
  const rejections = votes.filter((cast) => cast === 'reject').length;
  const { at } = last;
  if (approvals + rejections < quorum) return [];
  if (approvals > rejections) return [{ type: 'request_approved', data: { at } }];
  const reason = approvals === rejections ? 'tie' : 'votes';
  return [{ type: 'request_rejected', data: { at, reason } }];
}

function expire(at: string, state: ActionRequestState): Events {
  const { expires_at } = requireRequest(state);
  const time = normalizeTimestamp(at);
  if (state.status !== 'pending' || time < expires_at) return [];
  return [{ type: 'request_expired', data: { at: time } }];
}

function refused(
  data: { readonly code: string; readonly link: ExecutionLink | null },
  state: ActionRequestState,
): Events {
  return isPerformed(state) ? [] : [{ type: 'execution_refused', data }];
}

/**
 * True if the approved write was already executed or refused. Repeating the command then changes
 * nothing.
 */
function isPerformed(state: ActionRequestState): boolean {
  requireRequest(state);
  const performed = state.status === 'executed' || state.status === 'execution_refused';
  if (!performed && state.status !== 'approved')
    throw conflict('the request', 'approved', state.status);
  return performed;
}

/** Returns the command that an input event recorded, for replay. */
export function commandOfActionRequest(event: ActionRequestEvent): ActionRequestCommand {
  switch (event.type) {
    case 'action_requested': {
      const { proposal_hash: _, ...proposal } = event.data;
      return { type: 'request', ...proposal, ...heldOf(event.data) };
    }
    case 'vote_cast':
      return { type: 'vote', ...event.data };
    case 'request_expired':
      return { type: 'expire', at: event.data.at };
    case 'request_executed':
      return { type: 'link_execution', superseded: false, ...event.data };
    case 'execution_refused': {
      const { code, link } = event.data;
      if (link === null) return { type: 'refuse_execution', code };
      return { type: 'link_execution', superseded: true, ...link };
    }
    case 'episode_written':
    case 'request_approved':
    case 'request_rejected':
      throw new TypeError(`${event.type} is an outcome, not an input`);
  }
}
