import type { Json, JsonObject } from '#domain/json.js';
import {
  ApiField,
  FLAG,
  INSTANT,
  JSON_OBJECT_OR_NULL,
  JSON_VALUE,
  many,
  one,
  oneOf,
  orNull,
  TEXT,
  WHOLE,
} from '../platform/http/answer-fields.js';
import { EventSourceDto } from '../platform/http/event-source.dto.js';

/** A member of the council who voted for a request. */
export class ApprovingVoteDto {
  @ApiField(TEXT) readonly sub!: string;
  @ApiField(INSTANT) readonly at!: string;
}

/** The reviewers who approved a fact by a request. */
export class ApprovedByDto {
  @ApiField(TEXT) readonly request_id!: string;
  @ApiField(INSTANT) readonly decided_at!: string;

  @ApiField(WHOLE, { description: 'The number of votes for it.' })
  readonly approvals!: number;

  @ApiField(many(ApprovingVoteDto), {
    optional: true,
    description: 'Who cast these votes; only for the council, auditors and admins.',
  })
  readonly voters?: readonly ApprovingVoteDto[];
}

export const APPROVED_BY = orNull(one(ApprovedByDto));

/** The action request whose approval led to a write (SPEC G3). */
export class FactRequestDto {
  @ApiField(TEXT) readonly request_id!: string;

  @ApiField(orNull(TEXT), {
    description:
      'The episode that the request names as its ground. Null if the caller may not read the request.',
  })
  readonly episodic_id!: string | null;

  @ApiField(orNull(TEXT), { description: 'Null if the caller may not read the request.' })
  readonly justification!: string | null;
}

export const SEM_EVENT_TYPES = [
  'fact_put',
  'fact_deleted',
  'key_claimed',
  'collision_event',
  'collision_closed',
] as const;

/** One event of a fact's stream. */
export class FactEventDto {
  @ApiField(oneOf(...SEM_EVENT_TYPES)) readonly type!: (typeof SEM_EVENT_TYPES)[number];

  @ApiField(WHOLE, { description: 'The number of the event in its stream.' })
  readonly version!: number;

  @ApiField(TEXT, { description: 'The subject of the token that made the write.' })
  readonly actor!: string;

  @ApiField(INSTANT, { description: 'When the log took the event.' })
  readonly recorded_at!: string;

  @ApiField(one(EventSourceDto)) readonly event!: EventSourceDto;

  @ApiField(JSON_VALUE, { optional: true, description: 'Only of a put.' })
  readonly value?: Json;

  @ApiField(INSTANT, {
    optional: true,
    description: 'The time of the write, which decides which write wins.',
  })
  readonly timestamp?: string;

  @ApiField(TEXT, { optional: true, description: '`user`, `system` or `agent:<id>`.' })
  readonly source?: string;

  @ApiField(orNull(TEXT), { optional: true }) readonly notes?: string | null;
  @ApiField(JSON_OBJECT_OR_NULL, { optional: true }) readonly meta?: JsonObject | null;

  @ApiField(FLAG, {
    optional: true,
    description:
      'Whether the fact already had a later write, so that this one changed only the history.',
  })
  readonly superseded?: boolean;

  @ApiField(orNull(one(FactRequestDto)), { optional: true, description: 'Only of a put.' })
  readonly request?: FactRequestDto | null;

  @ApiField(APPROVED_BY, {
    optional: true,
    description: 'Only of a put; null if nobody approved it.',
  })
  readonly approved_by?: ApprovedByDto | null;

  @ApiField(TEXT, {
    optional: true,
    description: 'A title that claimed a key, or met the claim of another title.',
  })
  readonly title?: string;

  @ApiField(TEXT, { optional: true, description: 'The reason with which a collision was closed.' })
  readonly reason?: string;
}

export class FactHistoryDto {
  @ApiField(TEXT) readonly key!: string;

  @ApiField(many(FactEventDto), { description: 'Newest first.' })
  readonly events!: readonly FactEventDto[];

  @ApiField(orNull(WHOLE)) readonly next_before!: number | null;
}
