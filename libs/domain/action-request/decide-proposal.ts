import { requireText } from '../free-text.js';
import { withoutHeld } from '../held.js';
import { piiRedacted, redactionsOf } from '../privacy/redactions.js';
import { requireFactValue } from '../sem/fact-limits.js';
import { normalizeTimestamp } from '../sem/timestamp.js';
import type { ReviseProposal } from './commands.js';
import {
  conflict,
  invalid,
  requirePending,
  requireRequest,
  requireReviewer,
} from './conditions.js';
import type { ActionRequestEvent, Person } from './events.js';
import { gatedValueOf } from './gated-value.js';
import { changeOf } from './large-change.js';
import { actionRequested, proposalHash, type ProposeAction, requestEpisode } from './proposal.js';
import { requireRevision } from './shares.js';
import type { ActionRequestState } from './state.js';

export function request(
  command: ProposeAction,
  state: ActionRequestState,
): readonly ActionRequestEvent[] {
  if (state.request !== null) throw conflict(state.stream, 'a new request', 'one that was made');
  const data = actionRequested(command);
  return [
    { type: 'action_requested', data },
    ...requestEpisode(state.stream, data),
    ...piiRedacted('proposal', data.redactions),
  ];
}

export function revise(
  command: ReviseProposal,
  state: ActionRequestState,
): readonly ActionRequestEvent[] {
  const requested = requireRequest(state);
  const { editor, reason } = command;
  requireReviewer(editor, requested, 'revise');
  const at = requirePending(command.at, state);
  if (requested.kind !== 'sem_put') throw invalid('only a proposed fact can be revised');
  requireFactValue(command);
  requireText('a reason', reason);
  requireRevision(editor, editorsOf(state));
  const revision = (state.earlier ?? []).length + 1;
  const held = gatedValueOf(command);
  const proposal_hash = proposalHash({ ...withoutHeld(requested), ...held }, revision);
  const gated = redactionsOf(command.redactions);
  const compared = changeOf(command);
  const data = { ...held, revision, editor, reason, at, proposal_hash, ...compared, ...gated };
  return [{ type: 'proposal_revised', data }, ...piiRedacted('revision', command.redactions)];
}

const editorsOf = ({ revised, earlier = [] }: ActionRequestState): readonly Person[] =>
  [...earlier.map((version) => version.revised), revised].flatMap((one) => one?.editor ?? []);

export function expire(at: string, state: ActionRequestState): readonly ActionRequestEvent[] {
  const { expires_at } = requireRequest(state);
  const time = normalizeTimestamp(at);
  if (state.status !== 'pending' || time < expires_at) return [];
  return [{ type: 'request_expired', data: { at: time } }];
}
