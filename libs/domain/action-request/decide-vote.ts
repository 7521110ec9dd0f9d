import { permit } from '../errors/permit.js';
import { Refusal } from '../errors/refusal.js';
import { requireText } from '../free-text.js';
import { piiRedacted, redactionsOf } from '../privacy/redactions.js';
import { clearableFindings } from './clearance.js';
import type { ClearSpan } from './commands.js';
import {
  conflict,
  invalid,
  isEditor,
  requireCurrent,
  requirePending,
  requireRequest,
  requireReviewer,
} from './conditions.js';
import type { ActionRequested, ActionRequestEvent, VoteCast } from './events.js';
import { idsOf, isOneOf } from './persons.js';
import type { ActionRequestState } from './state.js';

export function vote(command: VoteCast, state: ActionRequestState): readonly ActionRequestEvent[] {
  const requested = requireRequest(state);
  const { voter, reason, reason_code, proposal_hash, risk } = command;
  requireReviewer(voter, requested, 'vote on');
  permit(!isEditor(voter, state), 'vote on its own revision', 'G8');
  requireCurrent(proposal_hash, requested, 'the vote');
  const earlier = state.votes.find((cast) => isOneOf(voter, idsOf(cast.voter)));
  if (earlier) {
    const isSame =
      earlier.vote === command.vote &&
      earlier.reason === reason &&
      earlier.reason_code === reason_code;
    if (isSame) return [];
    throw conflict("this member's vote", 'not cast yet', earlier.vote);
  }
  const at = requirePending(command.at, state);
  requireText('a reason', reason);
  if (reason_code !== undefined && command.vote !== 'reject')
    throw invalid('reason_code: only a rejection has one');
  const coded = reason_code === undefined ? {} : { reason_code };
  const gated = redactionsOf(command.redactions);
  const data: VoteCast = {
    voter,
    vote: command.vote,
    reason,
    ...coded,
    proposal_hash,
    ...(risk === undefined ? {} : { risk }),
    at,
    ...gated,
  };
  return [
    { type: 'vote_cast', data },
    ...outcome(data, state.votes, requested),
    ...piiRedacted('vote', command.redactions),
  ];
}

/** Abstentions do not count towards the quorum; a tie at quorum is a rejection (SPEC G2). */
function outcome(
  last: VoteCast,
  before: readonly VoteCast[],
  { quorum, kind }: ActionRequested,
): readonly ActionRequestEvent[] {
  const votes = [...before, last].map(({ vote }) => vote);
  const approvals = votes.filter((cast) => cast === 'approve').length;
  const rejections = votes.filter((cast) => cast === 'reject').length;
  const { at } = last;
  if (approvals + rejections < quorum) return [];
  const approved = kind === 'erasure' ? 'erasure_approved' : 'request_approved';
  if (approvals > rejections) return [{ type: approved, data: { at } }];
  const reason = approvals === rejections ? 'tie' : 'votes';
  return [{ type: 'request_rejected', data: { at, reason } }];
}

export function clear(
  command: ClearSpan,
  state: ActionRequestState,
): readonly ActionRequestEvent[] {
  const requested = requireRequest(state);
  const { cleared_by, proposal_hash, finding, reason, redactions } = command;
  requireReviewer(cleared_by, requested, 'clear a finding in');
  permit(!isEditor(cleared_by, state), 'clear a finding in its own revision', 'W8');
  requireCurrent(proposal_hash, requested, 'the clearance');
  const span = clearableFindings(requested)[finding];
  if (span === undefined) throw new Refusal('NOT_FOUND', { what: 'finding', id: String(finding) });
  const earlier = (state.clearances ?? []).find(
    (one) => one.finding === finding && isOneOf(cleared_by, idsOf(one.cleared_by)),
  );
  if (earlier?.reason === reason) return [];
  if (earlier !== undefined)
    throw conflict("this member's clearance", 'not given yet', 'given with another reason');
  const at = requirePending(command.at, state);
  requireText('a reason', reason);
  const gated = redactionsOf(redactions);
  const data = { cleared_by, proposal_hash, finding, span, reason, at, ...gated };
  return [{ type: 'span_cleared', data }, ...piiRedacted('clearance', redactions)];
}
