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
  Shown,
  TEXT,
  WHOLE,
} from '../../platform/http/answer-fields.js';
import { STATUSES, VOTES } from './action-request.dto.js';

export class PersonDto {
  @Shown(TEXT)
  readonly sub!: string;

  @Shown(orNull(TEXT))
  readonly user_id!: string | null;
}

/** The fields that a request and its row in a list share. */
class ActionRequestFields {
  @Shown(TEXT)
  readonly request_id!: string;

  @Shown(oneOf('sem_put'))
  readonly kind!: 'sem_put';

  @Shown(oneOf(...STATUSES))
  readonly status!: ActionRequestStatus;

  @Shown(TEXT, { description: 'The episode that the proposal is based on.' })
  readonly episodic_id!: string;

  @Shown(TEXT)
  readonly target_sem_key!: string;

  @Shown(JSON_VALUE)
  readonly value!: Json;

  @Shown(TEXT)
  readonly justification!: string;

  @Shown(list(JSON_OBJECT))
  readonly evidence!: readonly JsonObject[];

  @Shown(one(PersonDto))
  readonly proposer!: PersonDto;

  @Shown(orNull(TEXT), {
    description: 'The raw id of the user whom the request concerns, else that user’s entity id.',
  })
  readonly made_for!: string | null;

  @Shown(TEXT, {
    description: '`user`, `system` or `agent:<id>`: the source of the proposed fact.',
  })
  readonly source!: string;

  @Shown(INSTANT)
  readonly requested_at!: string;

  @Shown(INSTANT)
  readonly expires_at!: string;

  @Shown(WHOLE, { description: 'The number of votes needed; abstentions do not count.' })
  readonly quorum!: number;

  @Shown(TEXT, {
    description:
      'What a vote names, so that nobody votes on another proposal than the one they saw.',
  })
  readonly proposal_hash!: string;

  @Shown(orNull(INSTANT))
  readonly decided_at!: string | null;

  @Shown(orNull(TEXT), {
    description: 'Why an approved request was not executed: an error code, or SUPERSEDED.',
  })
  readonly refusal_code!: string | null;
}

export class VoteCastDto {
  @Shown(one(PersonDto))
  readonly voter!: PersonDto;

  @Shown(oneOf(...VOTES))
  readonly vote!: Vote;

  @Shown(TEXT)
  readonly reason!: string;

  @Shown(INSTANT)
  readonly at!: string;
}

export class ExecutionDto {
  @Shown(TEXT)
  readonly sem_stream!: string;

  @Shown(WHOLE)
  readonly sem_event_number!: number;
}

/** A proposal with its votes and its outcome. */
export class ActionRequestViewDto extends ActionRequestFields {
  @Shown(many(VoteCastDto))
  readonly votes!: readonly VoteCastDto[];

  @Shown(orNull(oneOf('votes', 'tie')))
  readonly rejected_for!: 'votes' | 'tie' | null;

  @Shown(orNull(one(ExecutionDto)))
  readonly execution!: ExecutionDto | null;
}

/** A proposal in a list. */
export class ListedActionRequestDto extends ActionRequestFields {
  @Shown(orNull(oneOf('votes', 'tie')))
  readonly rejection_reason!: 'votes' | 'tie' | null;

  @Shown(orNull(TEXT))
  readonly sem_stream!: string | null;

  @Shown(orNull(WHOLE))
  readonly sem_event_number!: number | null;

  @Shown(WHOLE, { description: 'The number of the request’s last event.' })
  readonly revision!: number;
}

export class ActionRequestsPageDto {
  @Shown(many(ListedActionRequestDto))
  readonly action_requests!: readonly ListedActionRequestDto[];

  @Shown(orNull(TEXT))
  readonly next_cursor!: string | null;
}
