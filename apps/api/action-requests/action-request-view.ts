import { ApiSchema } from '@nestjs/swagger';
import {
  VOTES,
  ACTION_REQUEST_STATUSES,
  ACTION_REQUEST_KINDS,
  type ActionRequestKind,
  type ActionRequestStatus,
  REASON_CODES,
  type ReasonCode,
  type Vote,
} from '#domain/action-request/events.js';
import type { Json, JsonObject } from '#domain/json.js';
import {
  FLAG,
  INSTANT,
  JSON_OBJECT,
  JSON_VALUE,
  list,
  many,
  one,
  oneOf,
  orNull,
  ApiField,
  TEXT,
  WHOLE,
} from '../platform/http/answer-fields.js';
import {
  RISK_LEVELS,
  type RiskLevel,
  RISK_REASON_CODES,
  type RiskReason,
} from '#domain/action-request/risk-reasons.js';
import { EventSourceDto } from '../platform/http/event-source.dto.js';

@ApiSchema({
  description: 'Where an event stands in the log, and its hash in the chain of its stream.',
})
export class SourceEventDto extends EventSourceDto {
  @ApiField(INSTANT, { description: 'The wall-clock time of the append.' })
  readonly recorded_at!: string;
}

@ApiSchema({ description: 'How careful the review of a request has to be, and why.' })
export class RiskDto {
  @ApiField(oneOf(...RISK_LEVELS)) readonly level!: RiskLevel;

  @ApiField(list(oneOf(...RISK_REASON_CODES)), {
    description: 'The weightiest first. The level follows from the sum of their points.',
  })
  readonly reasons!: readonly RiskReason[];
}

/** The event behind a part of a view, whose number leads to its receipt. */
const SourceEvent = (of: string): PropertyDecorator =>
  ApiField(orNull(one(SourceEventDto)), {
    description: `The event ${of}; null if the log cannot be read now.`,
  });

export class PersonDto {
  @ApiField(TEXT) readonly sub!: string;
  @ApiField(orNull(TEXT)) readonly user_id!: string | null;
}

/** The fields that the view of one request and a row in a list share. */
export class ActionRequestFields {
  @ApiField(TEXT) readonly request_id!: string;
  @ApiField(oneOf(...ACTION_REQUEST_KINDS)) readonly kind!: ActionRequestKind;
  @ApiField(oneOf(...ACTION_REQUEST_STATUSES)) readonly status!: ActionRequestStatus;

  @ApiField(orNull(TEXT), {
    description: 'The episode that a proposed fact is based on; null for other kinds.',
  })
  readonly episodic_id!: string | null;

  @ApiField(orNull(TEXT), { description: 'The key of a proposed fact; null for other kinds.' })
  readonly target_sem_key!: string | null;

  @ApiField(JSON_VALUE) readonly value!: Json;
  @ApiField(TEXT) readonly justification!: string;
  @ApiField(list(JSON_OBJECT)) readonly evidence!: readonly JsonObject[];
  @ApiField(one(PersonDto)) readonly proposer!: PersonDto;

  @ApiField(orNull(TEXT), {
    description: 'The raw id of the user whom the request concerns, else that user’s entity id.',
  })
  readonly made_for!: string | null;

  @ApiField(TEXT, {
    description: '`user`, `system` or `agent:<id>`: the source of the proposed fact.',
  })
  readonly source!: string;

  @ApiField(INSTANT) readonly requested_at!: string;
  @ApiField(INSTANT) readonly expires_at!: string;

  @ApiField(INSTANT, {
    optional: true,
    description: 'For an erasure whose retention period is not over: when it is.',
  })
  readonly executable_from?: string;

  @ApiField(WHOLE, { description: 'The number of votes needed; abstentions do not count.' })
  readonly quorum!: number;

  @ApiField(TEXT, {
    description:
      'What a vote names, so that nobody votes on another proposal than the one they saw.',
  })
  readonly proposal_hash!: string;

  @ApiField(FLAG, { description: 'Whether the proposer has not answered the last question.' })
  readonly awaits_answer!: boolean;

  @ApiField(WHOLE, { description: 'The number of votes on the current value.' })
  readonly votes_cast!: number;

  @ApiField(orNull(WHOLE), {
    description:
      'The votes that count towards the quorum: those without abstentions. Null while votes are hidden.',
  })
  readonly votes_counted!: number | null;

  @ApiField(orNull(TEXT), {
    description:
      'The sub of the reviewer who works on it. Null for nobody, for agents and users, and for those by and for whom it was made.',
  })
  readonly assigned_to!: string | null;

  @ApiField(orNull(INSTANT), { description: 'Until when the caller has put it off.' })
  readonly snoozed_until!: string | null;

  @ApiField(orNull(INSTANT)) readonly decided_at!: string | null;

  @ApiField(orNull(TEXT), {
    description: 'Why an approved request was not executed: an error code, or SUPERSEDED.',
  })
  readonly refusal_code!: string | null;
}

export class VoteCastDto {
  @ApiField(one(PersonDto)) readonly voter!: PersonDto;
  @ApiField(oneOf(...VOTES)) readonly vote!: Vote;
  @ApiField(TEXT) readonly reason!: string;
  @ApiField(orNull(oneOf(...REASON_CODES))) readonly reason_code!: ReasonCode | null;

  @ApiField(orNull(one(RiskDto)), {
    description:
      'The risk at the time of the vote; null if the vote recorded none, and for agents and users.',
  })
  readonly risk!: RiskDto | null;

  @ApiField(INSTANT) readonly at!: string;
  @SourceEvent('of the vote') readonly source_event!: SourceEventDto | null;
}

@ApiSchema({ description: 'The revision that a value comes from.' })
export class RevisedDto {
  @ApiField(WHOLE, { description: 'Counted from 1.' })
  readonly revision!: number;

  @ApiField(one(PersonDto), { description: 'The reviewer, who may not vote on this revision.' })
  readonly editor!: PersonDto;

  @ApiField(TEXT) readonly reason!: string;
  @ApiField(INSTANT) readonly at!: string;
  @SourceEvent('of the revision') readonly source_event!: SourceEventDto | null;
}

@ApiSchema({ description: 'A value that a revision replaced, with the votes on it.' })
export class EarlierVersionDto {
  @ApiField(TEXT) readonly proposal_hash!: string;
  @ApiField(JSON_VALUE) readonly value!: Json;
  @ApiField(many(VoteCastDto)) readonly votes!: readonly VoteCastDto[];

  @ApiField(orNull(one(RevisedDto)), { description: 'null for the value of the proposer.' })
  readonly revised!: RevisedDto | null;
}

@ApiSchema({ description: 'A question to the proposer, or the proposer’s answer.' })
export class RemarkDto {
  @ApiField(oneOf('question', 'answer')) readonly kind!: 'question' | 'answer';
  @ApiField(one(PersonDto)) readonly by!: PersonDto;
  @ApiField(TEXT) readonly text!: string;
  @ApiField(INSTANT) readonly at!: string;
  @SourceEvent('of the question or the answer') readonly source_event!: SourceEventDto | null;
}

@ApiSchema({ description: 'A comment of a reviewer for the other reviewers.' })
export class CommentDto {
  @ApiField(one(PersonDto)) readonly by!: PersonDto;
  @ApiField(TEXT) readonly text!: string;
  @ApiField(INSTANT) readonly at!: string;
  @SourceEvent('of the comment') readonly source_event!: SourceEventDto | null;
}

export class ExecutionDto {
  @ApiField(TEXT) readonly sem_stream!: string;
  @ApiField(WHOLE) readonly sem_event_number!: number;
}

/** A proposal with its votes and its outcome. */
export class ActionRequestViewDto extends ActionRequestFields {
  @ApiField(TEXT, {
    optional: true,
    description: 'The job whose episode this is; its ReflectiveLog lists the request.',
  })
  readonly job_seed?: string;

  @SourceEvent('of the proposal') readonly source_event!: SourceEventDto | null;

  @ApiField(many(VoteCastDto), {
    description: 'The votes on the current value; only the caller’s own while votes are hidden.',
  })
  readonly votes!: readonly VoteCastDto[];

  @ApiField(FLAG, {
    description:
      'Whether the votes of others are hidden, also those on earlier values: until the request is closed, from all but auditors and members who have voted.',
  })
  readonly votes_hidden!: boolean;

  @ApiField(orNull(one(RevisedDto)), { description: 'Where the current value is a revision.' })
  readonly revised!: RevisedDto | null;

  @ApiField(many(EarlierVersionDto), {
    description: 'Values that were replaced by revisions, oldest first; their votes do not count.',
  })
  readonly earlier_versions!: readonly EarlierVersionDto[];

  @ApiField(many(RemarkDto), { description: 'Questions of reviewers and answers of the proposer.' })
  readonly discussion!: readonly RemarkDto[];

  @ApiField(many(CommentDto), {
    description:
      'The comments of reviewers; empty for agents and users, and for those by and for whom it was made.',
  })
  readonly comments!: readonly CommentDto[];

  @ApiField(orNull(oneOf('votes', 'tie'))) readonly rejected_for!: 'votes' | 'tie' | null;

  @ApiField(orNull(one(SourceEventDto)), {
    description:
      'The event that closed the vote; null for a pending request, and if the log cannot be read now.',
  })
  readonly decision_event!: SourceEventDto | null;

  @ApiField(orNull(one(ExecutionDto))) readonly execution!: ExecutionDto | null;

  @ApiField(orNull(one(SourceEventDto)), {
    description:
      'The event that recorded what the approval led to: the write, its refusal, or the destroyed keys. Null before it.',
  })
  readonly execution_event!: SourceEventDto | null;
}
