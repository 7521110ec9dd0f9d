import type { QueryOf, Schemas } from './schemas.js';
import type { ReadOptions, Transport, WriteOptions } from './transport.js';

export type ProposeAction = Schemas['ActionRequestDto'];

/** A proposal with its votes and what came of it. */
export type ActionRequest = Schemas['ActionRequestViewDto'];

/** A proposal in a list. */
export type ActionRequestListing = Schemas['ListedActionRequestDto'];

export type ActionRequestStatus = ActionRequest['status'];
export type Vote = Schemas['VoteDto']['vote'];

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
   * Votes, once a council member. Fails with VERSION_CONFLICT when the proposal is not the one named, with
   * PERMISSION_DENIED for the proposer and for whoever the request was made for.
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
