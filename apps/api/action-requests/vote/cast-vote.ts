import { CommandHandler } from '@nestjs/cqrs';
import { VoteCasting } from './vote-casting.js';
import { REASON_CODES, type ReasonCode, type Vote, VOTES } from '#domain/action-request/events.js';
import type { JsonObject } from '#domain/json.js';
import { Answer } from '../../platform/http/answer.js';
import { OneOf, Text } from '../../platform/http/fields.js';
import { VotedRequestDto } from './vote-view.js';
import { ShownRequests } from '../read/shown-requests.js';
import { RequestId, REVIEWERS, Words } from '../request-fields.js';
import { Describes, WriteRequest } from '../../platform/http/request.js';

@Describes({
  summary: 'A reviewer’s vote on the proposal with this hash',
  roles: REVIEWERS,
  example: {
    ...{
      vote: 'approve',
      reason: 'The page says so.',
      proposal_hash: 'as GET /v1/action-requests/{id} shows it',
    },
  },
  answers: [200, VotedRequestDto],
  fails: ['NOT_FOUND', 'PRIVACY_BLOCKED'],
})
export class CastVote extends WriteRequest<VotedRequestDto> {
  @RequestId() id!: string;
  @OneOf(VOTES) vote!: Vote;
  @Words() reason!: string;

  @OneOf(REASON_CODES, { optional: true, description: 'Only with `reject`.' })
  reason_code?: ReasonCode;

  @Text({
    min: 64,
    max: 64,
    pattern: /^[0-9a-f]{64}$/,
    form: 'be the proposal_hash of the request: 64 hex digits',
    description: 'The hash of the proposal that the reviewer saw.',
  })
  proposal_hash!: string;
}

@CommandHandler(CastVote)
export class CastVoteHandler {
  constructor(
    private readonly votes: VoteCasting,
    private readonly shown: ShownRequests,
  ) {}

  async execute(cast: CastVote): Promise<Answer<object>> {
    const { actor, id, identity, vote, reason, reason_code, proposal_hash } = cast;
    const coded = reason_code === undefined ? {} : { reason_code };
    const { state, position, receipt } = await this.votes.cast(
      actor,
      id,
      { vote, reason, ...coded, proposal_hash },
      { at: identity.received_at, identity },
    );
    const shown = (await this.shown.of(actor, state)) as JsonObject;
    return Answer.written({ ...shown, receipt }, position);
  }
}
