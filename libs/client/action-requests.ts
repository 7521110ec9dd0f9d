import type { Json, JsonObject } from './json.js';
import type { ReadOptions, Transport, WriteOptions } from './transport.js';

export type Vote = 'approve' | 'reject' | 'abstain';
export type ActionRequestStatus =
  'pending' | 'approved' | 'executed' | 'execution_refused' | 'rejected' | 'expired';

export interface ProposeAction {
  readonly kind?: 'sem_put';
  /** The episode that the proposal rests on. */
  readonly episodic_id: string;
  readonly target_sem_key: string;
  readonly value: Json;
  readonly justification: string;
  readonly evidence?: readonly JsonObject[];
}

export interface ActionRequest {
  readonly request_id: string;
  readonly kind: 'sem_put';
  readonly status: ActionRequestStatus;
  readonly episodic_id: string;
  readonly target_sem_key: string;
  readonly value: Json;
  readonly justification: string;
  readonly evidence: readonly JsonObject[];
  /** `user`, `system` or `agent:<id>`: the source of the fact that it becomes. */
  readonly source: string;
  readonly requested_at: string;
  readonly expires_at: string;
  /** What a vote must name, so that nobody votes on another proposal than the one they saw. */
  readonly proposal_hash: string;
}

/** Proposals to turn an episode into a stable fact; the council decides. */
export class ActionRequests {
  constructor(private readonly transport: Transport) {}

  /** Proposes a fact. Nothing is written to it until the council has approved. */
  propose(proposal: ProposeAction, options?: WriteOptions): Promise<ActionRequest> {
    return this.transport.json({
      method: 'POST',
      path: '/v1/action-requests',
      body: proposal,
      options,
    });
  }

  /** One page of requests. */
  list(
    filter: { status?: ActionRequestStatus; cursor?: string } = {},
    options?: ReadOptions,
  ): Promise<{
    readonly action_requests: readonly ActionRequest[];
    readonly next_cursor: string | null;
  }> {
    return this.transport.json({
      method: 'GET',
      path: '/v1/action-requests',
      query: filter,
      options,
    });
  }

  get(requestId: string, options?: ReadOptions): Promise<ActionRequest> {
    return this.transport.json({ method: 'GET', path: pathOf(requestId), options });
  }

  /**
   * Votes, once a council member. Fails with VERSION_CONFLICT when the proposal is not the one named, with
   * PERMISSION_DENIED for the proposer and for whoever the request was made for.
   */
  vote(
    requestId: string,
    vote: { vote: Vote; reason: string; proposal_hash: string },
    options?: WriteOptions,
  ): Promise<ActionRequest> {
    return this.transport.json({
      method: 'POST',
      path: `${pathOf(requestId)}/votes`,
      body: vote,
      options,
    });
  }
}

const pathOf = (requestId: string): string =>
  `/v1/action-requests/${encodeURIComponent(requestId)}`;
