import type { Json } from '#domain/json.js';
import { ErrorEnvelopeDto } from '../platform/errors/error-envelope.dto.js';
import {
  INSTANT,
  JSON_VALUE,
  list,
  many,
  NUMBER,
  one,
  orNull,
  ApiField,
  TEXT,
  WHOLE,
} from '../platform/http/answer-fields.js';
import { PersonDto } from '../action-requests/action-request-view.js';

class RoutedFields {
  @ApiField(TEXT) readonly agent_id!: string;

  @ApiField(TEXT, { description: 'The rule that matched.' })
  readonly route_reason!: string;
}

/** The router's decision for a query. */
export class RoutedDto extends RoutedFields {
  @ApiField(WHOLE) readonly depth!: number;
}

export class ProposalDto {
  @ApiField(TEXT) readonly key!: string;
  @ApiField(JSON_VALUE) readonly value!: Json;
}

export class QueryAnswerDto extends RoutedFields {
  @ApiField(TEXT) readonly answer!: string;

  @ApiField(NUMBER, { description: 'From 0 to 1.' })
  readonly confidence!: number;

  @ApiField(list(TEXT), { description: 'Agents that failed during the query.' })
  readonly degraded!: readonly string[];

  @ApiField(many(ErrorEnvelopeDto), {
    description: 'Problems that did not prevent the answer, or a warning (LOW_CONFIDENCE).',
  })
  readonly notices!: readonly ErrorEnvelopeDto[];

  @ApiField(TEXT, { description: 'The id of the query’s signed ReflectiveLog.' })
  readonly log_id!: string;

  @ApiField(TEXT) readonly job_seed!: string;

  @ApiField(one(ProposalDto), {
    optional: true,
    description: 'The fact that `confirm` would store.',
  })
  readonly proposal?: ProposalDto;
}

/** An answer that waits for a human review. */
export class OpenReviewDto {
  @ApiField(TEXT) readonly review_id!: string;
  @ApiField(TEXT) readonly log_id!: string;
  @ApiField(TEXT) readonly job_seed!: string;
  @ApiField(TEXT) readonly query_id!: string;
  @ApiField(JSON_VALUE) readonly final_answer!: Json;
  @ApiField(orNull(NUMBER)) readonly final_confidence!: number | null;
  @ApiField(INSTANT) readonly requested_at!: string;
  @ApiField(one(PersonDto)) readonly requested_by!: PersonDto;
  @ApiField(TEXT) readonly reason!: string;
}

export class ReviewsPageDto {
  @ApiField(many(OpenReviewDto), { description: 'Oldest first.' })
  readonly reviews!: readonly OpenReviewDto[];

  @ApiField(orNull(TEXT)) readonly next_cursor!: string | null;
}
