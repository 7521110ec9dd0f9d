import { ApiSchema } from '@nestjs/swagger';
import { ERASURE_REASONS, type ErasureReason } from '#domain/action-request/erasure.js';
import {
  ERASURE_OBSTACLES,
  type ErasureObstacle,
} from '#domain/action-request/erasure-obstacles.js';
import {
  type ActionRequestStatus,
  REASON_CODES,
  type ReasonCode,
} from '#domain/action-request/events.js';
import {
  type CitedState,
  type RecheckCode,
  RECHECK_CODES,
} from '#domain/action-request/recheck.js';
import type { Category } from '#domain/privacy/finding.js';
import type { Json, JsonObject } from '#domain/json.js';
import {
  ApiField,
  FLAG,
  INSTANT,
  JSON_OBJECT,
  JSON_OBJECT_OR_NULL,
  JSON_VALUE,
  list,
  many,
  one,
  oneOf,
  orNull,
  TEXT,
  WHOLE,
} from '../../platform/http/answer-fields.js';
import {
  ActionRequestViewDto,
  PersonDto,
  RiskDto,
  SourceEventDto,
} from '../action-request-view.js';
import { ConsentDto } from '../../consents/consent-view.js';
import { APPROVED_BY, type ApprovedByDto } from '../../sem/fact-history-view.js';
import { ListedActionRequestDto } from './action-requests-page.js';

const CITED_STATES = [
  'none',
  'present',
  'missing',
  'erased',
] as const satisfies readonly CitedState[];

@ApiSchema({ description: 'What has changed while a request waits, or what would refuse it now.' })
export class RecheckDto {
  @ApiField(oneOf(...RECHECK_CODES)) readonly code!: RecheckCode;
  @ApiField(TEXT) readonly text!: string;

  @ApiField(list(WHOLE), {
    optional: true,
    description: 'The entries of the evidence that it is about, from 0.',
  })
  readonly evidence?: readonly number[];
}

@ApiSchema({ description: 'What an approved request gave as its grounds.' })
export class GroundsDto {
  @ApiField(TEXT) readonly justification!: string;
  @ApiField(list(JSON_OBJECT)) readonly evidence!: readonly JsonObject[];
}

@ApiSchema({ description: 'A value of the target. Personal data is redacted.' })
export class StandingFactDto {
  @ApiField(JSON_VALUE) readonly value!: Json;
  @ApiField(TEXT) readonly source!: string;
  @ApiField(INSTANT) readonly last_updated!: string;
  @ApiField(orNull(TEXT)) readonly notes!: string | null;
  @ApiField(JSON_OBJECT_OR_NULL) readonly meta!: JsonObject | null;

  @ApiField(APPROVED_BY, { description: 'null if nobody approved it.' })
  readonly approved_by!: ApprovedByDto | null;

  @ApiField(orNull(one(GroundsDto)), { description: 'null if nobody approved it.' })
  readonly grounds!: GroundsDto | null;

  @ApiField(WHOLE, { description: 'The number of its event, for reads with `version`.' })
  readonly version!: number;

  @ApiField(one(SourceEventDto)) readonly source_event!: SourceEventDto;
}

@ApiSchema({ description: 'A fact near the target.' })
export class SimilarFactDto {
  @ApiField(TEXT) readonly key!: string;

  @ApiField(oneOf('same_entity', 'same_attribute'))
  readonly relation!: 'same_entity' | 'same_attribute';

  @ApiField(FLAG, { description: 'Whether its value is the proposed one.' })
  readonly is_same_value!: boolean;

  @ApiField(JSON_VALUE) readonly value!: Json;
  @ApiField(TEXT) readonly source!: string;
  @ApiField(INSTANT) readonly last_updated!: string;

  @ApiField(WHOLE, { description: 'The number of the last event of its stream.' })
  readonly version!: number;
}

@ApiSchema({ description: 'The episode that a proposed fact is based on.' })
export class DossierEpisodeDto {
  @ApiField(TEXT) readonly episodic_id!: string;
  @ApiField(oneOf(...CITED_STATES)) readonly state!: CitedState;
  @ApiField(orNull(TEXT)) readonly summary!: string | null;

  @ApiField(orNull(TEXT), { description: '`agent`, `executor` or `brainstate`.' })
  readonly source!: string | null;

  @ApiField(orNull(TEXT)) readonly job_seed!: string | null;
  @ApiField(orNull(one(SourceEventDto))) readonly source_event!: SourceEventDto | null;
}

@ApiSchema({ description: 'An entry of the evidence, and the event that it names.' })
export class DossierEvidenceDto {
  @ApiField(JSON_OBJECT) readonly entry!: JsonObject;

  @ApiField(oneOf(...CITED_STATES), {
    description: '`none` for an entry that names no episode, note or event.',
  })
  readonly state!: CitedState;

  @ApiField(orNull(TEXT), { description: 'The summary of a cited episode.' })
  readonly summary!: string | null;

  @ApiField(orNull(one(SourceEventDto))) readonly source_event!: SourceEventDto | null;
}

@ApiSchema({ description: 'Personal data that was removed or sealed; never the data itself.' })
export class DossierRedactionDto {
  @ApiField(TEXT) readonly field!: string;

  @ApiField(TEXT, { description: 'The type that the rule finds, such as `email`.' })
  readonly rule!: string;

  @ApiField(TEXT) readonly reason!: string;
}

@ApiSchema({ description: 'A council member’s word that a finding is not personal data.' })
export class ClearanceDto {
  @ApiField(one(PersonDto)) readonly by!: PersonDto;
  @ApiField(TEXT) readonly reason!: string;
  @ApiField(INSTANT) readonly at!: string;
}

@ApiSchema({
  description: 'A finding in the current value: its place and its type, never the text.',
})
export class FlaggedSpanDto {
  @ApiField(TEXT, { description: 'Such as `email`.' })
  readonly type!: string;

  @ApiField(oneOf('high', 'medium', 'low')) readonly category!: Category;

  @ApiField(list({ oneOf: [{ type: 'string' }, { type: 'integer' }] }), {
    description:
      'The way to the text in the value: keys of objects, and indexes from 0. Of a key with a finding, it has the number among the sorted keys.',
  })
  readonly path!: readonly (string | number)[];

  @ApiField(FLAG, { description: 'Whether the finding is in the key, not in its value.' })
  readonly in_key!: boolean;

  @ApiField(list(WHOLE), {
    description:
      'Where it begins and ends in the text, in UTF-16 code units; the end is exclusive.',
  })
  readonly span!: readonly number[];

  @ApiField(FLAG, {
    description:
      'False in scope `user` and for a value with data of category high: nobody can clear those.',
  })
  readonly may_be_cleared!: boolean;

  @ApiField(many(ClearanceDto), {
    description: 'Who says that it is not personal data; it takes two members.',
  })
  readonly cleared_by!: readonly ClearanceDto[];
}

@ApiSchema({ description: 'What else the proposer has proposed.' })
export class ProposerHistoryDto {
  @ApiField(
    { type: 'object', additionalProperties: { type: 'integer' } },
    { description: 'The numbers of all its requests by status.' },
  )
  readonly by_status!: Readonly<Record<ActionRequestStatus, number>>;

  @ApiField(many(ListedActionRequestDto), { description: 'The newest other requests, at most 20.' })
  readonly others!: readonly ListedActionRequestDto[];
}

@ApiSchema({ description: 'A vote with which the council rejected a request.' })
export class RejectionDto {
  @ApiField(one(PersonDto)) readonly voter!: PersonDto;
  @ApiField(TEXT) readonly reason!: string;
  @ApiField(orNull(oneOf(...REASON_CODES))) readonly reason_code!: ReasonCode | null;
}

@ApiSchema({ description: 'A rejected request with the same value for the same key.' })
export class RejectedBeforeDto {
  @ApiField(TEXT) readonly request_id!: string;
  @ApiField(INSTANT) readonly decided_at!: string;
  @ApiField(many(RejectionDto)) readonly rejections!: readonly RejectionDto[];
}

@ApiSchema({ description: 'Sealed values of the subject in one category of streams.' })
export class SealedKindDto {
  @ApiField(TEXT, {
    description:
      'The category: `job`, `sem`, `note`, `remembered`, `conversation`, `thread` or `request`.',
  })
  readonly kind!: string;

  @ApiField(WHOLE) readonly values!: number;
  @ApiField(WHOLE) readonly events!: number;
  @ApiField(WHOLE) readonly streams!: number;
  @ApiField(INSTANT) readonly first_recorded_at!: string;
  @ApiField(INSTANT) readonly last_recorded_at!: string;
}

@ApiSchema({ description: 'What an erasure destroys, and what keeps it from being executed.' })
export class ErasureReviewDto {
  @ApiField(TEXT, { description: '`user:<id>`, `sub:<id>`, `job:<seed>` or `request:<id>`.' })
  readonly subject!: string;

  @ApiField(oneOf(...ERASURE_REASONS)) readonly reason_code!: ErasureReason;

  @ApiField(FLAG, { description: 'Whether the proposer asks for the own data.' })
  readonly is_own!: boolean;

  @ApiField(many(SealedKindDto), {
    description:
      'The values that nobody can open after the erasure, by category. Once it is executed, those under the destroyed keys.',
  })
  readonly destroys!: readonly SealedKindDto[];

  @ApiField(orNull(INSTANT), {
    description:
      'When the retention period ends, before which nobody executes it; null if it is over or the reason is legal. New data of the subject moves it.',
  })
  readonly retention_ends_at!: string | null;

  @ApiField(list(oneOf(...ERASURE_OBSTACLES)), {
    description: 'What keeps the caller from executing it now; empty if nothing does.',
  })
  readonly obstacles!: readonly ErasureObstacle[];
}

/** Everything that a reviewer needs to decide on one request. */
export class DossierDto {
  @ApiField(one(ActionRequestViewDto)) readonly request!: ActionRequestViewDto;

  @ApiField(orNull(one(RiskDto)), {
    description: 'The present risk of a pending request, else the risk at the last vote.',
  })
  readonly risk!: RiskDto | null;

  @ApiField(many(RecheckDto), {
    description:
      'The check of a pending request at the time of this answer; empty if nothing has changed.',
  })
  readonly recheck!: readonly RecheckDto[];

  @ApiField(orNull(one(StandingFactDto)), { description: 'The present value of the target.' })
  readonly present_fact!: StandingFactDto | null;

  @ApiField(orNull(one(StandingFactDto)), {
    description: 'The value of the target when the request was made.',
  })
  readonly fact_at_proposal!: StandingFactDto | null;

  @ApiField(many(SimilarFactDto), {
    description: 'Facts of the same entity, and of the same attribute; at most 10 of each.',
  })
  readonly similar_facts!: readonly SimilarFactDto[];

  @ApiField(many(ListedActionRequestDto), {
    description: 'Other pending requests for the same target, at most 20.',
  })
  readonly rival_requests!: readonly ListedActionRequestDto[];

  @ApiField(many(RejectedBeforeDto), {
    description:
      'Rejected requests with the same value for the same target, newest first, at most 5.',
  })
  readonly rejected_before!: readonly RejectedBeforeDto[];

  @ApiField(many(ListedActionRequestDto), {
    description:
      'Other pending requests by or about the user of a consent or an erasure, newest first, at most 20; empty for a fact.',
  })
  readonly person_requests!: readonly ListedActionRequestDto[];

  @ApiField(orNull(one(DossierEpisodeDto)), { description: 'null for a request of another kind.' })
  readonly episode!: DossierEpisodeDto | null;

  @ApiField(orNull(one(ConsentDto)), {
    description:
      'The consent that would cover data of category high; null for a request of another kind.',
  })
  readonly consent!: ConsentDto | null;

  @ApiField(orNull(one(ErasureReviewDto)), { description: 'null for a request of another kind.' })
  readonly erasure!: ErasureReviewDto | null;

  @ApiField(many(DossierEvidenceDto)) readonly evidence!: readonly DossierEvidenceDto[];
  @ApiField(many(DossierRedactionDto)) readonly redactions!: readonly DossierRedactionDto[];

  @ApiField(many(FlaggedSpanDto), {
    description:
      'The findings in the current value, in the order of their numbers, as far as they are recorded.',
  })
  readonly flagged_spans!: readonly FlaggedSpanDto[];

  @ApiField(one(ProposerHistoryDto)) readonly proposer_history!: ProposerHistoryDto;

  @ApiField(one(SourceEventDto), { description: 'The event of the proposal.' })
  readonly source_event!: SourceEventDto;
}
