import { Inject, Injectable } from '@nestjs/common';
import { REASON_CODES, type ReasonCode } from '#domain/action-request/events.js';
import { hashJson } from '#domain/determinism/hash.js';
import { developerMessage, ERROR_TABLE, type ErrorCode } from '#domain/errors/error-table.js';
import { clearFacts } from '#domain/errors/envelope.js';
import { Refusal } from '#domain/errors/refusal.js';
import type { RuleSet } from '#domain/privacy/rule-set.js';
import type { Actor } from '#domain/recorded-event.js';
import { requestStream } from '#domain/stream-names.js';
import { inParallel } from '#platform/in-parallel.js';
import { RequestClaims } from '../../platform/request-claims.js';
import { RefusalAudit } from '../../platform/errors/refusal-audit.js';
import { PRIVACY_RULES } from '../../platform/tokens.js';
import { laterOf } from '#read-model/later-of.js';
import { Answer } from '../../platform/http/answer.js';
import { ListOf, OneOf } from '../../platform/http/fields.js';
import { Describes, WriteRequest } from '../../platform/http/request.js';
import { REVIEWERS, Words } from '../request-fields.js';
import { type BallotResultDto, BallotResultsDto, NamedProposalDto } from './vote-view.js';
import { VoteCasting } from './vote-casting.js';

/** The refusals that concern one request. Any other failure ends the whole command, which can then be repeated. */
const OF_ONE: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...(['NOT_FOUND', 'PERMISSION_DENIED', 'VERSION_CONFLICT', 'INVALID_INPUT'] as const),
]);
const AT_ONCE = 8;

/** The same vote on several requests. */
abstract class ManyVotes extends WriteRequest<BallotResultsDto> {
  @ListOf(NamedProposalDto, { max: 100 }) requests!: NamedProposalDto[];
  @Words() reason!: string;
}

@Describes({
  summary: 'Reject up to 100 requests, each by a vote of its own',
  roles: REVIEWERS,
  answers: [200, BallotResultsDto],
  fails: ['PRIVACY_BLOCKED'],
})
export class RejectMany extends ManyVotes {
  readonly vote = 'reject';

  @OneOf(REASON_CODES, { optional: true }) reason_code?: ReasonCode;
}

@Describes({
  summary: 'Approve up to 100 requests, but none of high risk',
  roles: REVIEWERS,
  answers: [200, BallotResultsDto],
  fails: ['PRIVACY_BLOCKED'],
})
export class ApproveMany extends ManyVotes {
  readonly vote = 'approve';
}

/**
 * Casts the same vote on several requests, each as an event of its own. A repeat with the same Idempotency-Key
 * casts only the votes that are missing. Requests of high risk are not approved in this way (SPEC G9).
 */
@Injectable()
export class VoteOnManyHandler {
  constructor(
    private readonly votes: VoteCasting,
    private readonly claims: RequestClaims,
    private readonly audit: RefusalAudit,
    @Inject(PRIVACY_RULES) private readonly rules: RuleSet,
  ) {}

  async execute(ballot: RejectMany | ApproveMany): Promise<Answer<BallotResultsDto>> {
    const { identity, requests } = ballot;
    const ids = requests.map(({ request_id }) => request_id);
    if (ids.length === 0)
      throw new Refusal('INVALID_INPUT', { reason: 'requests: name at least one' });
    if (new Set(ids).size !== ids.length)
      throw new Refusal('INVALID_INPUT', { reason: 'requests: one of them is named twice' });
    // The claim refuses another body under the same key.
    await this.claims.streamFor(identity, requestStream(ids[0] ?? ''));
    const done = await inParallel(requests, AT_ONCE, (one) => this.castOne(ballot, one));
    const positions = done.flatMap(({ position }) => (position === undefined ? [] : [position]));
    const results = done.map(({ result }) => result);
    return Answer.written({ results }, positions.reduce<bigint | undefined>(laterOf, undefined));
  }

  private async castOne(
    ballot: RejectMany | ApproveMany,
    { request_id, proposal_hash }: NamedProposalDto,
  ): Promise<{ result: BallotResultDto; position: bigint | undefined }> {
    const { actor, vote, reason, identity: whole } = ballot;
    const code = 'reason_code' in ballot ? ballot.reason_code : undefined;
    const coded = code === undefined ? {} : { reason_code: code };
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
