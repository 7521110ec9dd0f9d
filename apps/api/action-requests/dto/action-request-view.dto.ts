import type { ActionRequestStatus, Vote } from '#domain/action-request/events.js';
import type { Json, JsonObject } from '#domain/json.js';
import {
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
} from '../../platform/http/answer-fields.js';
import { STATUSES, VOTES } from './action-request.dto.js';

export class PersonDto {
  @ApiField(TEXT)
  readonly sub!: string;

  @ApiField(orNull(TEXT))
  readonly user_id!: string | null;
}

/** The fields that the view of one request and a row in a list share. */
class ActionRequestFields {
  @ApiField(TEXT)
  readonly request_id!: string;

  @ApiField(oneOf('sem_put'))
  readonly kind!: 'sem_put';

  @ApiField(oneOf(...STATUSES))
  readonly status!: ActionRequestStatus;

  @ApiField(TEXT, { description: 'The episode that the proposal is based on.' })
  readonly episodic_id!: string;

  @ApiField(TEXT)
  readonly target_sem_key!: string;

  @ApiField(JSON_VALUE)
  readonly value!: Json;

  @ApiField(TEXT)
  readonly justification!: string;

  @ApiField(list(JSON_OBJECT))
  readonly evidence!: readonly JsonObject[];

  @ApiField(one(PersonDto))
  readonly proposer!: PersonDto;

  @ApiField(orNull(TEXT), {
    description: 'The raw id of the user whom the request concerns, else that user’s entity id.',
  })
  readonly made_for!: string | null;

  @ApiField(TEXT, {
    description: '`user`, `system` or `agent:<id>`: the source of the proposed fact.',
  })
  readonly source!: string;

  @ApiField(INSTANT)
  readonly requested_at!: string;

  @ApiField(INSTANT)
  readonly expires_at!: string;

  @ApiField(WHOLE, { description: 'The number of votes needed; abstentions do not count.' })
  readonly quorum!: number;

  @ApiField(TEXT, {
    description:
      'What a vote names, so that nobody votes on another proposal than the one they saw.',
  })
  readonly proposal_hash!: string;

  @ApiField(orNull(INSTANT))
  readonly decided_at!: string | null;

  @ApiField(orNull(TEXT), {
    description: 'Why an approved request was not executed: an error code, or SUPERSEDED.',
  })
  readonly refusal_code!: string | null;
}

export class VoteCastDto {
  @ApiField(one(PersonDto))
  readonly voter!: PersonDto;

  @ApiField(oneOf(...VOTES))
  readonly vote!: Vote;

  @ApiField(TEXT)
  readonly reason!: string;

  @ApiField(INSTANT)
  readonly at!: string;
}

export class ExecutionDto {
  @ApiField(TEXT)
  readonly sem_stream!: string;

  @ApiField(WHOLE)
  readonly sem_event_number!: number;
}

/** A proposal with its votes and its outcome. */
export class ActionRequestViewDto extends ActionRequestFields {
  @ApiField(TEXT, {
    optional: true,
    description: 'The job whose episode this is; its ReflectiveLog lists the request.',
  })
  readonly job_seed?: string;

  @ApiField(many(VoteCastDto))
  readonly votes!: readonly VoteCastDto[];

  @ApiField(orNull(oneOf('votes', 'tie')))
  readonly rejected_for!: 'votes' | 'tie' | null;

  @ApiField(orNull(one(ExecutionDto)))
  readonly execution!: ExecutionDto | null;
}

/** A proposal in a list. */
export class ListedActionRequestDto extends ActionRequestFields {
  @ApiField(orNull(oneOf('votes', 'tie')))
  readonly rejection_reason!: 'votes' | 'tie' | null;

  @ApiField(orNull(TEXT))
  readonly sem_stream!: string | null;

  @ApiField(orNull(WHOLE))
  readonly sem_event_number!: number | null;

  @ApiField(WHOLE, { description: 'The number of the request’s last event.' })
  readonly revision!: number;
}

export class ActionRequestsPageDto {
  @ApiField(many(ListedActionRequestDto))
  readonly action_requests!: readonly ListedActionRequestDto[];

  @ApiField(orNull(TEXT))
  readonly next_cursor!: string | null;
}
