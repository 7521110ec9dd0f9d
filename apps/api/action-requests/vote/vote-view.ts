import { ApiSchema } from '@nestjs/swagger';
import {
  ACTION_REQUEST_STATUSES,
  type ActionRequestStatus,
} from '#domain/action-request/events.js';
import { ApiField, many, one, oneOf, orNull, TEXT } from '../../platform/http/answer-fields.js';
import { IdText, Text } from '../../platform/http/fields.js';
import { ActionRequestViewDto, SourceEventDto } from '../action-request-view.js';

/** The request after a vote, with the vote's receipt. */
export class VotedRequestDto extends ActionRequestViewDto {
  @ApiField(orNull(one(SourceEventDto)), {
    description:
      'The event of the vote; null if the vote is recorded but its event could not be read again.',
  })
  readonly receipt!: SourceEventDto | null;
}

@ApiSchema({ description: 'A request, and the proposal that the reviewer saw.' })
export class NamedProposalDto {
  @IdText() request_id!: string;
  @Text({
    min: 64,
    max: 64,
    pattern: /^[0-9a-f]{64}$/,
    form: 'be the proposal_hash of the request: 64 hex digits',
  })
  proposal_hash!: string;
}

@ApiSchema({ description: 'Why the vote on one of the requests was refused.' })
export class BallotErrorDto {
  @ApiField(TEXT) readonly error_code!: string;
  @ApiField(TEXT) readonly user_message!: string;
  @ApiField(TEXT) readonly developer_message!: string;
}

@ApiSchema({
  description: 'The vote on one of several requests: cast, with its receipt, or refused.',
})
export class BallotResultDto {
  @ApiField(TEXT) readonly request_id!: string;

  @ApiField(orNull(oneOf(...ACTION_REQUEST_STATUSES)), {
    description: 'The status after the vote.',
  })
  readonly status!: ActionRequestStatus | null;

  @ApiField(orNull(one(SourceEventDto)), { description: 'The event of the vote.' })
  readonly receipt!: SourceEventDto | null;

  @ApiField(orNull(one(BallotErrorDto)), { description: 'null if the vote was cast.' })
  readonly error!: BallotErrorDto | null;
}

export class BallotResultsDto {
  @ApiField(many(BallotResultDto), { description: 'In the order of the requests.' })
  readonly results!: readonly BallotResultDto[];
}
