import { ApiSchema } from '@nestjs/swagger';
import type { ActionRequestStatus } from '#domain/action-request/events.js';
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

@ApiSchema({ description: 'A value of the target. Personal data is redacted.' })
export class StandingFactDto {
  @ApiField(JSON_VALUE) readonly value!: Json;
  @ApiField(TEXT) readonly source!: string;
  @ApiField(INSTANT) readonly last_updated!: string;
  @ApiField(orNull(TEXT)) readonly notes!: string | null;
  @ApiField(JSON_OBJECT_OR_NULL) readonly meta!: JsonObject | null;

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

  @ApiField(orNull(one(DossierEpisodeDto)), { description: 'null for a request of another kind.' })
  readonly episode!: DossierEpisodeDto | null;

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
