import type { QueryOf, Schemas } from './schemas.js';
import type { ReadOptions, Transport, WriteOptions } from './transport.js';

export type ProposeAction = Schemas['ActionRequestDto'];

/** A proposal with its votes and its outcome. */
export type ActionRequest = Schemas['ActionRequestViewDto'];

/** A proposal in a list. */
export type ActionRequestListing = Schemas['ListedActionRequestDto'];

export type ActionRequestStatus = ActionRequest['status'];
export type Vote = Schemas['VoteDto']['vote'];

/** Proposals to turn an episode into a fact; the council decides on them. */
export class ActionRequests {
  constructor(private readonly transport: Transport) {}

  /** Proposes a fact. The fact is not written before the council approves. */
  propose(proposal: ProposeAction, options?: WriteOptions): Promise<ActionRequest> {
    return this.transport.json({
      method: 'POST',
      path: '/v1/action-requests',
      body: proposal,
      options,
    });
  }

  /** Returns one page of requests. */
  list(
    filter: QueryOf<'/v1/action-requests'> = {},
    options?: ReadOptions,
  ): Promise<Schemas['ActionRequestsPageDto']> {
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
   * Casts the vote of a council member, once. Fails with VERSION_CONFLICT if `proposal_hash` is not that
   * of the proposal, and with PERMISSION_DENIED for the proposer and for the user whom the request
   * concerns.
   */
  vote(
    requestId: string,
    vote: Schemas['VoteDto'],
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
