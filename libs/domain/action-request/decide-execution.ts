import { permit } from '../errors/permit.js';
import { clearValueOf } from '../held.js';
import { normalizeTimestamp } from '../sem/timestamp.js';
import { conflict, invalid, requireRequest } from './conditions.js';
import { type DeletionData, type ErasureOrdered, erasureProposalOf } from './erasure.js';
import { hasVotedOn } from './erasure-obstacles.js';
import type { ActionRequestEvent, ExecutionLink } from './events.js';
import type { ActionRequestState } from './state.js';

/** The code of an approved write that lost to a later one (SPEC S3, G3). */
const SUPERSEDED = 'SUPERSEDED';

export function linkExecution(
  { sem_stream, sem_event_number, superseded }: ExecutionLink & { readonly superseded: boolean },
  state: ActionRequestState,
): readonly ActionRequestEvent[] {
  const link = { sem_stream, sem_event_number };
  if (superseded) return refuseExecution({ code: SUPERSEDED, link }, state);
  return isPerformed(state) ? [] : [{ type: 'request_executed', data: link }];
}

export function refuseExecution(
  data: { readonly code: string; readonly link: ExecutionLink | null },
  state: ActionRequestState,
): readonly ActionRequestEvent[] {
  return isPerformed(state) ? [] : [{ type: 'execution_refused', data }];
}

export function orderErasure(
  order: ErasureOrdered,
  state: ActionRequestState,
): readonly ActionRequestEvent[] {
  const { ordered_by, user_id, at, kids } = order;
  const { kind } = requireRequest(state);
  if (kind !== 'erasure') throw invalid(`a request of kind ${kind} is not an erasure`);
  if (isPerformed(state) || state.erasure !== undefined) return [];
  const orderer = { sub: ordered_by, ...(user_id === undefined ? {} : { user_id }) };
  permit(!hasVotedOn(state, orderer), 'execute an erasure on which it voted', 'G6');
  const data = {
    ordered_by,
    ...(user_id === undefined ? {} : { user_id }),
    at: normalizeTimestamp(at),
    ...(kids === undefined ? {} : { kids }),
  };
  return [{ type: 'erasure_ordered', data }];
}

export function recordDeletion(
  { kids: found, manifest, at }: Pick<DeletionData, 'kids' | 'manifest' | 'at'>,
  state: ActionRequestState,
): readonly ActionRequestEvent[] {
  const requested = requireRequest(state);
  if (isPerformed(state)) return [];
  if (state.erasure === undefined) throw conflict('the erasure', 'ordered', 'not ordered');
  const { subject, reason_code } = erasureProposalOf(clearValueOf(requested));
  const { ordered_by, kids = found } = state.erasure;
  const time = normalizeTimestamp(at);
  const data = { subject, reason_code, kids, manifest, ordered_by, at: time };
  return [{ type: 'deletion_event', data }];
}

/** True if the approved write was already executed or refused. Repeating the command then changes nothing. */
function isPerformed(state: ActionRequestState): boolean {
  requireRequest(state);
  const performed = state.status === 'executed' || state.status === 'execution_refused';
  if (!performed && state.status !== 'approved')
    throw conflict('the request', 'approved', state.status);
  return performed;
}
