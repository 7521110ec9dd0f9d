import { Inject, Injectable } from '@nestjs/common';
import { actionRequestDecider } from '#domain/action-request/action-request.decider.js';
import type { ReasonCode, Vote } from '#domain/action-request/events.js';
import type { ActionRequestState } from '#domain/action-request/state.js';
import { isOwnVote } from '#domain/action-request/vote-sight.js';
import { permit } from '#domain/errors/permit.js';
import { personOf } from '#domain/ownership/access.js';
import type { Actor, CommandIdentity } from '#domain/recorded-event.js';
import { eventOf } from '#domain/upcast.js';
import type { EventStore } from '#event-store/event-store.js';
import { newestFirst } from '#event-store/newest-first.js';
import { requestStream } from '#domain/stream-names.js';
import type { ActionRequestStore } from '../../platform/stores.js';
import { ACTION_REQUEST_STORE, EVENT_STORE } from '../../platform/tokens.js';
import type { SourceEventDto } from '../action-request-view.js';
import { sourceEventOf } from '../evidence/source-events.js';
import { RequestExecution } from '../execute/request-execution.js';
import { RequestGate } from '../propose/request-gate.js';
import { RequestReport } from '../execute/request-report.js';
import { RiskOfVote } from './risk-of-vote.js';

/** A vote as its caller sends it. */
export interface Ballot {
  readonly vote: Vote;
  readonly reason: string;
  readonly reason_code?: ReasonCode;
  readonly proposal_hash: string;
}

export interface CastBallot {
  readonly state: ActionRequestState;
  readonly position: bigint | undefined;
  readonly receipt: SourceEventDto | null;
}

const isPending = ({ request, status }: ActionRequestState): boolean =>
  request !== null && status === 'pending';

/** Records votes; if a vote approves the request, the sem_put follows at once (SPEC G2, G3). */
@Injectable()
export class VoteCasting {
  constructor(
    @Inject(ACTION_REQUEST_STORE) private readonly requests: ActionRequestStore,
    private readonly execution: RequestExecution,
    private readonly report: RequestReport,
    private readonly gate: RequestGate,
    private readonly risks: RiskOfVote,
    @Inject(EVENT_STORE) private readonly eventStore: EventStore,
  ) {}

  /** @param belowHigh refuses a new vote unless the risk is known and not high */
  async cast(
    actor: Actor,
    requestId: string,
    ballot: Ballot,
    { at, identity }: { readonly at: string; readonly identity: CommandIdentity },
    { belowHigh = false } = {},
  ): Promise<CastBallot> {
    const stream = requestStream(requestId);
    const vote = { ...ballot, ...(await this.gate.text(ballot.reason, 'reason')) };
    const { state, position: last } = await this.requests.load(stream);
    const { request } = state;
    const risk = request === null ? undefined : await this.risks.of(request, last);
    const isNew = isPending(state) && !state.votes.some((cast) => isOwnVote(actor, cast));
    const isAllowed = !belowHigh || !isNew || (risk !== undefined && risk.level !== 'high');
    permit(isAllowed, 'approve a request of high risk together with others', 'G9');
    const recorded = risk === undefined ? {} : { risk };
    const { version } = await this.requests.execute(
      stream,
      [{ type: 'vote', voter: personOf(actor), ...vote, ...recorded, at }],
      identity,
    );
    // If the put or the report fails, the vote stays valid, and the obligation worker does the rest later.
    await this.execution.execute(stream).catch(() => undefined);
    await this.report.write(stream).catch(() => undefined);
    const receipt = await this.receiptOf(actor, stream, version);
    return { ...(await this.answer(stream, version)), receipt };
  }

  /**
   * Returns the event of the caller's last vote up to a version of the request; null without one. If the log cannot be
   * read now, the request fails, and its retry gets the answer with the receipt (SPEC I7).
   */
  private async receiptOf(
    actor: Actor,
    stream: string,
    version: number,
  ): Promise<SourceEventDto | null> {
    for await (const stored of newestFirst(this.eventStore, stream, version)) {
      const event = eventOf(actionRequestDecider, stored);
      if (event.type === 'vote_cast' && isOwnVote(actor, event.data)) return sourceEventOf(stored);
    }
    return null;
  }

  /**
   * Returns the request after this vote or, if the vote approved it, after the event of its execution. A
   * retry gets the same answer.
   */
  private async answer(stream: string, version: number) {
    const voted = await this.requests.loadAt(stream, version);
    return voted.state.status === 'approved' ? this.requests.loadAt(stream, version + 1) : voted;
  }
}
