import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { ReasonCode } from '#domain/action-request/events.js';
import { requestStream } from '#domain/action-request/state.js';
import { hashJson } from '#domain/determinism/hash.js';
import { developerMessage, ERROR_TABLE, type ErrorCode } from '#domain/errors/error-table.js';
import { clearFacts } from '#domain/errors/envelope.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { RuleSet } from '#domain/privacy/rule-set.js';
import type { Actor } from '#domain/recorded-event.js';
import { inParallel } from '#platform/in-parallel.js';
import { RequestClaims } from '../../platform/request-claims.js';
import { RefusalAudit } from '../../platform/errors/refusal-audit.js';
import type { RequestIdentity } from '../../platform/http/identity.decorator.js';
import { PRIVACY_RULES } from '../../platform/tokens.js';
import type { BallotResultDto, NamedProposalDto } from '../dto/votes.dto.js';
import { VoteCasting } from './vote-casting.js';

/** The refusals that concern one request. Any other failure ends the whole command, which can then be repeated. */
const OF_ONE: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...(['NOT_FOUND', 'PERMISSION_DENIED', 'VERSION_CONFLICT', 'INVALID_INPUT'] as const),
]);
const AT_ONCE = 8;

export interface ManyVotes {
  readonly vote: 'approve' | 'reject';
  readonly requests: readonly NamedProposalDto[];
  readonly reason: string;
  readonly reason_code?: ReasonCode;
}

interface VotesOnMany {
  readonly results: readonly BallotResultDto[];
  readonly position: bigint | undefined;
}

export class VoteOnMany extends Command<VotesOnMany> {
  constructor(
    readonly actor: Actor,
    readonly ballot: ManyVotes,
    readonly identity: RequestIdentity,
  ) {
    super();
  }
}

/**
 * Casts the same vote on several requests, each as an event of its own. A repeat with the same Idempotency-Key
 * casts only the votes that are missing. Requests of high risk are not approved in this way (SPEC G9).
 */
@CommandHandler(VoteOnMany)
export class VoteOnManyHandler implements ICommandHandler<VoteOnMany> {
  constructor(
    private readonly votes: VoteCasting,
    private readonly claims: RequestClaims,
    private readonly audit: RefusalAudit,
    @Inject(PRIVACY_RULES) private readonly rules: RuleSet,
  ) {}

  async execute({ actor, ballot, identity }: VoteOnMany): Promise<VotesOnMany> {
    const { requests } = ballot;
    const ids = requests.map(({ request_id }) => request_id);
    if (ids.length === 0)
      throw new Refusal('INVALID_INPUT', { reason: 'requests: name at least one' });
    if (new Set(ids).size !== ids.length)
      throw new Refusal('INVALID_INPUT', { reason: 'requests: one of them is named twice' });
    // The claim refuses another body under the same key.
    await this.claims.streamFor(identity, requestStream(ids[0] ?? ''));
    const done = await inParallel(requests, AT_ONCE, (one) =>
      this.castOne(actor, ballot, one, identity),
    );
    const positions = done.flatMap(({ position }) => (position === undefined ? [] : [position]));
    return {
      results: done.map(({ result }) => result),
      position: positions.reduce<bigint | undefined>(
        (last, each) => (last === undefined || each > last ? each : last),
        undefined,
      ),
    };
  }

  private async castOne(
    actor: Actor,
    { vote, reason, reason_code }: ManyVotes,
    { request_id, proposal_hash }: NamedProposalDto,
    whole: RequestIdentity,
  ): Promise<{ result: BallotResultDto; position: bigint | undefined }> {
    const coded = reason_code === undefined ? {} : { reason_code };
    const { body_hash, actor: sub, trace_id } = whole;
    const command_id = hashJson([whole.command_id, request_id]);
    const identity = { command_id, body_hash, actor: sub, trace_id };
    try {
      const { state, position, receipt } = await this.votes.cast(
        actor,
        request_id,
        { vote, reason, ...coded, proposal_hash },
        { at: whole.received_at, identity },
        { belowHigh: vote === 'approve' },
      );
      return { result: { request_id, status: state.status, receipt, error: null }, position };
    } catch (cause) {
      if (!(cause instanceof Refusal) || !OF_ONE.has(cause.code)) throw cause;
      await this.record(actor, vote, cause, trace_id);
      const error = errorOf(cause, this.rules);
      return { result: { request_id, status: null, receipt: null, error }, position: undefined };
    }
  }

  /** Records a refused vote in the caller's audit stream, as the refusal of a whole request is (SPEC I1). */
  private async record(actor: Actor, vote: string, { code, facts }: Refusal, trace_id: string) {
    if (!ERROR_TABLE[code].audited) return;
    const route = `POST /v1/action-requests/${vote === 'approve' ? 'approvals' : 'rejections'}`;
    const stream = facts['stream'] === undefined ? null : String(facts['stream']);
    await this.audit.record(actor.sub, { code, route, stream, trace_id });
  }
}

const errorOf = (
  { code, facts, isBesideErasure }: Refusal,
  rules: RuleSet,
): NonNullable<BallotResultDto['error']> => ({
  error_code: code,
  user_message: ERROR_TABLE[code].user_message,
  developer_message: developerMessage(code, clearFacts(facts, rules), isBesideErasure),
});
