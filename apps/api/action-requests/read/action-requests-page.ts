import { ApiSchema } from '@nestjs/swagger';
import { VOTES, type ActionRequestStatus, type Vote } from '#domain/action-request/events.js';
import type { RiskLevel } from '#domain/action-request/risk-reasons.js';
import {
  ApiField,
  FLAG,
  INSTANT,
  JSON_OBJECT,
  JSON_VALUE,
  list,
  many,
  one,
  oneOf,
  orNull,
  TEXT,
  WHOLE,
} from '../../platform/http/answer-fields.js';
import type { Json, JsonObject } from '#domain/json.js';
import type { QuestionState } from '#projections/action-requests/queue-sql.js';
import { ActionRequestFields, PersonDto, RiskDto } from '../action-request-view.js';

const COUNT_BY_NAME = { type: 'object', additionalProperties: { type: 'integer' } };

@ApiSchema({ description: 'The present value of a target. Personal data is redacted.' })
export class PresentValueDto {
  @ApiField(JSON_VALUE) readonly value!: Json;

  @ApiField(WHOLE, { description: 'The number of the last event of its stream.' })
  readonly version!: number;
}

/** A proposal in a list. */
export class ListedActionRequestDto extends ActionRequestFields {
  @ApiField(list(JSON_OBJECT), {
    description: 'The first entries; together they have at most 2,000 characters as JSON.',
  })
  override readonly evidence!: readonly JsonObject[];

  @ApiField(WHOLE, { description: 'The number of all entries of the evidence.' })
  readonly evidence_count!: number;

  @ApiField(orNull(TEXT), {
    description: 'The job whose episode a proposed fact is based on; null without one.',
  })
  readonly job_seed!: string | null;

  @ApiField(orNull(one(PersonDto)), {
    description: 'The reviewer who revised the value last.',
  })
  readonly editor!: PersonDto | null;

  @ApiField(orNull(one(RiskDto)), {
    description:
      'The present risk of a pending request, else the risk at the last vote; null if it recorded none, and for agents and users.',
  })
  readonly risk!: RiskDto | null;

  @ApiField(orNull(one(PresentValueDto)), {
    description:
      'The present value of the target; null without a target or a fact, and for callers who may not read it.',
  })
  readonly present!: PresentValueDto | null;

  @ApiField(orNull(oneOf(...VOTES)), { description: 'The caller’s vote on the current value.' })
  readonly own_vote!: Vote | null;

  @ApiField(orNull(INSTANT), { description: 'When the proposer last answered a question.' })
  readonly answered_at!: string | null;

  @ApiField(FLAG, { description: 'Whether the last question of a reviewer is answered.' })
  readonly answers_reviewer!: boolean;

  @ApiField(FLAG, { description: 'Whether the caller’s last question is answered.' })
  readonly answers_caller!: boolean;

  @ApiField(WHOLE, { description: 'The number of times that reviewers replaced the value.' })
  readonly revisions!: number;

  @ApiField(orNull(oneOf('votes', 'tie'))) readonly rejection_reason!: 'votes' | 'tie' | null;
  @ApiField(orNull(TEXT)) readonly sem_stream!: string | null;
  @ApiField(orNull(WHOLE)) readonly sem_event_number!: number | null;

  @ApiField(WHOLE, { description: 'The number of the request’s last event.' })
  readonly revision!: number;
}

@ApiSchema({
  description:
    'The numbers of the requests that the other filters select, whatever `would_be_refused`.',
})
export class ActionRequestCountsDto {
  @ApiField(COUNT_BY_NAME, {
    description: 'By status, in the question of the filter, whatever its status and risk.',
  })
  readonly by_status!: Readonly<Record<ActionRequestStatus, number>>;

  @ApiField(orNull(COUNT_BY_NAME), {
    description: 'By risk, in the status and question of the filter; null for agents and users.',
  })
  readonly by_risk!: Readonly<Record<RiskLevel, number>> | null;

  @ApiField(COUNT_BY_NAME, {
    description: 'By the states of questions, which overlap, in the status and risk of the filter.',
  })
  readonly by_question!: Readonly<Record<QuestionState, number>>;
}

export class ActionRequestsPageDto {
  @ApiField(many(ListedActionRequestDto))
  readonly action_requests!: readonly ListedActionRequestDto[];

  @ApiField(one(ActionRequestCountsDto), { optional: true, description: 'With `counts=true`.' })
  readonly counts?: ActionRequestCountsDto;

  @ApiField(orNull(TEXT)) readonly next_cursor!: string | null;
}
