import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Risk } from '#domain/action-request/risk-reasons.js';
import type { ActionRequestState } from '#domain/action-request/state.js';
import { requestStream } from '#domain/action-request/state.js';
import { personOf } from '#domain/ownership/access.js';
import type { Actor } from '#domain/recorded-event.js';
import type { Loaded } from '#event-store/aggregate-store.js';
import { PostgresUnavailable } from '#read-model/postgres-unavailable.js';
import type { RequestIdentity } from '../platform/http/identity.decorator.js';
import type { ActionRequestStore } from '../platform/stores.js';
import { ACTION_REQUEST_STORE } from '../platform/tokens.js';
import type { VoteDto } from './dto/action-request.dto.js';
import { RequestExecution } from './request-execution.js';
import { RequestGate } from './request-gate.js';
import { RequestReport } from './request-report.js';
import { RequestRisks } from './request-risks.js';

export class CastVote extends Command<Loaded<ActionRequestState>> {
  constructor(
    readonly actor: Actor,
    readonly requestId: string,
    readonly body: VoteDto,
    readonly identity: RequestIdentity,
  ) {
    super();
  }
}

/**
 * Records the vote of a council member or an admin; if the vote approves the request, the sem_put follows at
 * once (SPEC G2, G3).
 */
@CommandHandler(CastVote)
export class CastVoteHandler implements ICommandHandler<CastVote> {
  constructor(
    @Inject(ACTION_REQUEST_STORE) private readonly requests: ActionRequestStore,
    private readonly execution: RequestExecution,
    private readonly report: RequestReport,
    private readonly gate: RequestGate,
    private readonly risks: RequestRisks,
  ) {}

  async execute({
    actor,
    requestId,
    body,
    identity,
  }: CastVote): Promise<Loaded<ActionRequestState>> {
    const stream = requestStream(requestId);
    const vote = { ...body, ...(await this.gate.text(body.reason, 'reason')) };
    const voter = personOf(actor);
    const risk = await this.riskOf(stream);
    const { version } = await this.requests.execute(
      stream,
      [{ type: 'vote', voter, ...vote, ...risk, at: identity.received_at }],
      identity,
    );
    // If the put or the report fails, the vote stays valid, and the obligation worker does the rest later.
    await this.execution.execute(stream).catch(() => undefined);
    await this.report.write(stream).catch(() => undefined);
    return this.answer(stream, version);
  }

  /** Returns the risk to record with the vote; none while the read models cannot be reached. */
  private async riskOf(stream: string): Promise<{ readonly risk?: Risk }> {
    const { request } = (await this.requests.load(stream)).state;
    if (request === null) return {};
    try {
      return { risk: await this.risks.of(request) };
    } catch (cause) {
      if (cause instanceof PostgresUnavailable) return {};
      throw cause;
    }
  }

  /**
   * Returns the request after this vote or, if the vote approved it, after the event of its execution. A
   * retry gets the same answer.
   */
  private async answer(stream: string, version: number): Promise<Loaded<ActionRequestState>> {
    const voted = await this.requests.loadAt(stream, version);
    return voted.state.status === 'approved' ? this.requests.loadAt(stream, version + 1) : voted;
  }
}
