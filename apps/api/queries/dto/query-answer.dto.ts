import type { Json } from '#domain/json.js';
import { ErrorEnvelopeDto } from '../../platform/errors/error-envelope.dto.js';
import {
  INSTANT,
  JSON_VALUE,
  list,
  many,
  NUMBER,
  one,
  orNull,
  Shown,
  TEXT,
  WHOLE,
} from '../../platform/http/answer-fields.js';
import { PersonDto } from '../../action-requests/dto/action-request-view.dto.js';

class RoutedFields {
  @Shown(TEXT)
  readonly agent_id!: string;

  @Shown(TEXT, { description: 'The rule that matched.' })
  readonly route_reason!: string;
}

/** The router's decision for a query. */
export class RoutedDto extends RoutedFields {
  @Shown(WHOLE)
  readonly depth!: number;
}

export class ProposalDto {
  @Shown(TEXT)
  readonly key!: string;

  @Shown(JSON_VALUE)
  readonly value!: Json;
}

export class QueryAnswerDto extends RoutedFields {
  @Shown(TEXT)
  readonly answer!: string;

  @Shown(NUMBER, { description: 'From 0 to 1.' })
  readonly confidence!: number;

  @Shown(list(TEXT), { description: 'Agents that failed during the query.' })
  readonly degraded!: readonly string[];

  @Shown(many(ErrorEnvelopeDto), {
    description: 'Problems that did not prevent the answer, or a warning (LOW_CONFIDENCE).',
  })
  readonly notices!: readonly ErrorEnvelopeDto[];

  @Shown(TEXT, { description: 'The id of the query’s signed ReflectiveLog.' })
  readonly log_id!: string;

  @Shown(TEXT)
  readonly job_seed!: string;

  @Shown(one(ProposalDto), { optional: true, description: 'The fact that `confirm` would store.' })
  readonly proposal?: ProposalDto;
}

/** An answer that waits for a human review. */
export class OpenReviewDto {
  @Shown(TEXT)
  readonly review_id!: string;

  @Shown(TEXT)
  readonly log_id!: string;

  @Shown(TEXT)
  readonly job_seed!: string;

  @Shown(TEXT)
  readonly query_id!: string;

  @Shown(JSON_VALUE)
  readonly final_answer!: Json;

  @Shown(orNull(NUMBER))
  readonly final_confidence!: number | null;

  @Shown(INSTANT)
  readonly requested_at!: string;

  @Shown(one(PersonDto))
  readonly requested_by!: PersonDto;

  @Shown(TEXT)
  readonly reason!: string;
}

export class ReviewsPageDto {
  @Shown(many(OpenReviewDto), { description: 'Oldest first.' })
  readonly reviews!: readonly OpenReviewDto[];

  @Shown(orNull(TEXT))
  readonly next_cursor!: string | null;
}
