import { bodyOf, pathPart, requireArguments } from './arguments.js';
import type { QueryOf, Schemas } from './schemas.js';
import {
  type AccessOptions,
  type CallOptions,
  GET_OPTIONS,
  type ReadOptions,
  requireCallOptions,
  type Transport,
  type WriteOptions,
} from './transport.js';

export type ProposeAction = Schemas['Propose'];

/** A proposal with its votes and its outcome. */
export type ActionRequest = Schemas['ActionRequestViewDto'];

/** A proposal in a list. */
export type ActionRequestListing = Schemas['ListedActionRequestDto'];

/** Everything to decide on one request. */
export type Dossier = Schemas['DossierDto'];

/** What would become of a proposal that is not made. */
export type DryRun = Schemas['DryRunDto'];

/** What a request has come to while it waits. */
export type RecheckedRequest = Schemas['RecheckedRequestDto'];

export type ActionRequestStatus = ActionRequest['status'];
export type Vote = Schemas['CastVote']['vote'];

const PROPOSE = 'POST /v1/action-requests';

/** Proposals to turn an episode into a fact; the council decides on them. */
export class ActionRequests {
  constructor(private readonly transport: Transport) {}

  /** Proposes a fact. The fact is not written before the council approves. */
  propose(proposal: ProposeAction, options?: WriteOptions): Promise<ActionRequest> {
    return this.transport.post(
      '/v1/action-requests',
      bodyOf('proposal', proposal, PROPOSE),
      options,
    );
  }

  /**
   * Returns what would become of a proposal now, and proposes nothing. Fails as `propose` would. `would_be_refused` is null
   * if the approval depends on a consent of a user for whom the token is not.
   */
  dryRun(proposal: ProposeAction, options?: CallOptions): Promise<DryRun> {
    return this.transport.json({
      method: 'POST',
      path: '/v1/action-requests',
      query: { dry_run: 'true' },
      body: bodyOf('proposal', proposal, PROPOSE),
      repeatable: true,
      options,
    });
  }

  /** Returns one page of requests. */
  list(
    filter: QueryOf<'/v1/action-requests'> = {},
    options?: ReadOptions,
  ): Promise<Schemas['ActionRequestsPageDto']> {
    return this.transport.get(
      '/v1/action-requests',
      bodyOf('filter?', filter, 'GET /v1/action-requests'),
      options,
    );
  }

  get(
    requestId: string,
    options: ReadOptions & AccessOptions & QueryOf<'/v1/action-requests/{id}'> = {},
  ): Promise<ActionRequest> {
    requireCallOptions(options, { ...GET_OPTIONS, at: 'moment?' });
    const { unredacted, at, ...rest } = options;
    return this.transport.get(pathOf(requestId), { unredacted, at }, rest);
  }

  /** Returns everything to decide on one request, for the council, admins and auditors. */
  dossier(requestId: string, options?: ReadOptions): Promise<Dossier> {
    return this.transport.get(`${pathOf(requestId)}/dossier`, {}, options);
  }

  /**
   * Casts the vote of a council member or an admin, once for each value. Fails with VERSION_CONFLICT if
   * `proposal_hash` is not that of the current value, and with PERMISSION_DENIED for the proposer, for the user whom
   * the request concerns, and for the editor of a revision.
   */
  vote(
    requestId: string,
    vote: Schemas['CastVote'],
    options?: WriteOptions,
  ): Promise<Schemas['VotedRequestDto']> {
    return this.transport.post(
      `${pathOf(requestId)}/votes`,
      bodyOf('vote', vote, 'POST /v1/action-requests/{id}/votes'),
      options,
    );
  }

  /** Rejects up to 100 requests, each by a vote of its own. An answer for each says whether it was cast. */
  rejectMany(
    rejections: Schemas['RejectMany'],
    options?: WriteOptions,
  ): Promise<Schemas['BallotResultsDto']> {
    return this.transport.post(
      '/v1/action-requests/rejections',
      bodyOf('rejections', rejections, 'POST /v1/action-requests/rejections'),
      options,
    );
  }

  /** Approves up to 100 requests, each by a vote of its own. Requests of high risk are refused. */
  approveMany(
    approvals: Schemas['ApproveMany'],
    options?: WriteOptions,
  ): Promise<Schemas['BallotResultsDto']> {
    return this.transport.post(
      '/v1/action-requests/approvals',
      bodyOf('approvals', approvals, 'POST /v1/action-requests/approvals'),
      options,
    );
  }

  /** Returns an event of a request, such as a vote, as a document that can be checked offline. */
  receipt(
    requestId: string,
    number: number,
    options?: ReadOptions,
  ): Promise<Schemas['ReceiptDto']> {
    requireArguments({ number }, { number: 'count' });
    return this.transport.get(`${pathOf(requestId)}/receipts/${number}`, {}, options);
  }

  /**
   * Checks up to 100 waiting requests again: what has changed, and whether an approval would be refused now. For the
   * council, admins and auditors. Nothing is recorded.
   */
  recheck(requestIds: readonly string[], options?: ReadOptions): Promise<Schemas['RechecksDto']> {
    requireArguments({ requestIds }, { requestIds: 'ids' });
    return this.transport.post(
      '/v1/action-requests/rechecks',
      { request_ids: requestIds },
      options,
    );
  }

  /** Returns the council's own figures for the requests that were closed in a period. */
  figures(
    period: QueryOf<'/v1/action-requests/figures'> = {},
    options?: ReadOptions,
  ): Promise<Schemas['FiguresDto']> {
    return this.transport.get(
      '/v1/action-requests/figures',
      bodyOf('period?', period, 'GET /v1/action-requests/figures'),
      options,
    );
  }

  /** Proposes another value, as a reviewer. The votes on the earlier value no longer count. */
  revise(
    requestId: string,
    revision: Schemas['Revise'],
    options?: WriteOptions,
  ): Promise<ActionRequest> {
    return this.transport.post(
      `${pathOf(requestId)}/revisions`,
      bodyOf('revision', revision, 'POST /v1/action-requests/{id}/revisions'),
      options,
    );
  }

  /**
   * Says, as a council member, that a finding in the value is not personal data. Its number is that in `flagged_spans` of
   * the dossier. Once two members have said so of each finding, an approval writes the fact, which its readers see.
   * Fails with VERSION_CONFLICT if `proposal_hash` is not that of the current value, and with PERMISSION_DENIED for the
   * proposer, for the editor of a revision, in scope `user`, and for data of category high.
   */
  clear(
    requestId: string,
    clearance: Schemas['ClearSpan'],
    options?: WriteOptions,
  ): Promise<ActionRequest> {
    return this.transport.post(
      `${pathOf(requestId)}/clearances`,
      bodyOf('clearance', clearance, 'POST /v1/action-requests/{id}/clearances'),
      options,
    );
  }

  /** Asks the proposer a question, as a reviewer. */
  ask(requestId: string, question: string, options?: WriteOptions): Promise<ActionRequest> {
    requireArguments({ question }, { question: 'text' });
    return this.transport.post(`${pathOf(requestId)}/questions`, { question }, options);
  }

  /** Assigns a request to a reviewer, by the sub; null takes it off the reviewer. */
  assign(requestId: string, to: string | null, options?: WriteOptions): Promise<ActionRequest> {
    requireArguments({ to }, { to: 'textOrNull' });
    return this.transport.post(`${pathOf(requestId)}/assignments`, { to }, options);
  }

  /** Adds a comment for the other reviewers. The proposer and the user whom the request concerns do not see it. */
  comment(requestId: string, text: string, options?: WriteOptions): Promise<ActionRequest> {
    requireArguments({ text }, { text: 'text' });
    return this.transport.post(`${pathOf(requestId)}/comments`, { text }, options);
  }

  /** Puts a request off in the reviewer's own queue until a time, RFC 3339; null puts it back. */
  snooze(requestId: string, until: string | null, options?: WriteOptions): Promise<ActionRequest> {
    requireArguments({ until }, { until: 'timeOrNull' });
    return this.transport.post(`${pathOf(requestId)}/snoozes`, { until }, options);
  }

  /** Answers the reviewers' questions, as the proposer. */
  answer(requestId: string, answer: string, options?: WriteOptions): Promise<ActionRequest> {
    requireArguments({ answer }, { answer: 'text' });
    return this.transport.post(`${pathOf(requestId)}/answers`, { answer }, options);
  }
}

const pathOf = (requestId: string): string =>
  `/v1/action-requests/${pathPart('requestId', requestId)}`;
