import type { ActionRequestListing, ActionRequestStatus, Json, JsonObject } from '#client/index.js';
import { Badge } from '../ui/badge';

/** A request for an erasure, as its list shows it. */
export interface Erasure {
  readonly id: string;
  readonly subject: string;
  readonly reason: string;
  /** The justification. */
  readonly words: string;
  readonly status: ActionRequestStatus;
  readonly proposer: string;
  readonly requestedAt: string;
  readonly expiresAt: string;
  readonly decidedAt: string | null;
  /** True if the signed-in person has voted on it. */
  readonly isVotedOn: boolean;
}

const fieldOf = (value: Json, name: string): string => {
  const isObject = typeof value === 'object' && value !== null;
  const field = isObject ? (value as JsonObject)[name] : undefined;
  return typeof field === 'string' ? field : 'not known';
};

export const erasureOf = (request: ActionRequestListing): Erasure => ({
  id: request.request_id,
  subject: fieldOf(request.value, 'subject'),
  reason: fieldOf(request.value, 'reason_code'),
  words: request.justification,
  status: request.status,
  proposer: request.proposer.sub,
  requestedAt: request.requested_at,
  expiresAt: request.expires_at,
  decidedAt: request.decided_at,
  isVotedOn: request.own_vote !== null,
});

const WORDS: Readonly<Record<ActionRequestStatus, string>> = {
  pending: 'waits for the council',
  approved: 'waits for an admin',
  executed: 'executed',
  execution_refused: 'not executed',
  rejected: 'rejected',
  expired: 'expired',
};

export const StatusBadge = ({ status }: { readonly status: ActionRequestStatus }) => (
  <Badge
    kind={
      status === 'executed'
        ? 'good'
        : status === 'pending' || status === 'approved'
          ? 'warning'
          : 'plain'
    }
  >
    {WORDS[status]}
  </Badge>
);
