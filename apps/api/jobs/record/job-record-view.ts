import type { Json, JsonObject } from '#domain/json.js';
import type { EventMetadata } from '#domain/recorded-event.js';
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
import { JobDto } from '../job-view.js';

/** A job in a list. */
export class ListedJobDto {
  @ApiField(TEXT) readonly job_seed!: string;

  @ApiField(TEXT, { description: 'The job’s log position, in decimal; used as `cursor`.' })
  readonly position!: string;

  @ApiField(oneOf('running', 'ended')) readonly status!: 'running' | 'ended';
  @ApiField(TEXT) readonly owner_sub!: string;

  @ApiField(orNull(TEXT), {
    description: 'The user id in lower case, without an initial `user_`.',
  })
  readonly owner_user_id!: string | null;

  @ApiField(orNull(TEXT)) readonly session_id!: string | null;
  @ApiField(orNull(TEXT)) readonly goal!: string | null;
  @ApiField(WHOLE) readonly tick!: number;

  @ApiField(WHOLE, { description: 'The number of the job’s last event, from 0.' })
  readonly version!: number;

  @ApiField(WHOLE) readonly wm_count!: number;
  @ApiField(WHOLE) readonly cwm_count!: number;
  @ApiField(WHOLE) readonly promotions!: number;
  @ApiField(WHOLE) readonly episodes!: number;
  @ApiField(WHOLE) readonly reads!: number;
  @ApiField(TEXT) readonly sem_snapshot_id!: string;
  @ApiField(TEXT) readonly episodic_snapshot_id!: string;
  @ApiField(TEXT) readonly brainstate_snapshot_id!: string;

  @ApiField(INSTANT, { description: 'Wall-clock time.' })
  readonly started_at!: string;

  @ApiField(INSTANT) readonly last_event_at!: string;
  @ApiField(orNull(INSTANT)) readonly ended_at!: string | null;
}

export class JobsPageDto {
  @ApiField(many(ListedJobDto), { description: 'Newest first.' })
  readonly jobs!: readonly ListedJobDto[];

  @ApiField(orNull(TEXT)) readonly next_cursor!: string | null;
}

/** An event as it is stored in the log. */
export class JobEventDto {
  @ApiField(TEXT) readonly stream!: string;

  @ApiField(WHOLE, { description: 'The event’s number in the stream, from 0.' })
  readonly number!: number;

  @ApiField(TEXT, { description: 'The event’s position in the whole log, in decimal.' })
  readonly position!: string;

  @ApiField(TEXT) readonly type!: string;
  @ApiField(JSON_OBJECT) readonly data!: JsonObject;
  @ApiField(JSON_OBJECT) readonly metadata!: EventMetadata;
}

/** Where the number `from` lies among the events that meet the conditions. */
export class EventMatchesDto {
  @ApiField(WHOLE, { description: 'How many events of the job meet the conditions.' })
  readonly count!: number;

  @ApiField(WHOLE, { description: 'How many of them come before `from`.' })
  readonly before!: number;

  @ApiField(orNull(WHOLE), { description: 'The last of them before `from`.' })
  readonly previous!: number | null;

  @ApiField(orNull(WHOLE), { description: 'The first of them after `from`.' })
  readonly next!: number | null;
}

export class JobEventsPageDto {
  @ApiField(many(JobEventDto)) readonly events!: readonly JobEventDto[];
  @ApiField(orNull(WHOLE)) readonly next_from!: number | null;

  @ApiField(one(EventMatchesDto), {
    optional: true,
    description: 'Present if the request has conditions.',
  })
  readonly matches?: EventMatchesDto;
}

/** The shape of a job’s stream: what a reader needs to move through it without reading every event. */
export class JobTimelineDto {
  @ApiField(TEXT) readonly job_seed!: string;

  @ApiField(WHOLE, { description: 'The number of the job’s last event, from 0.' })
  readonly version!: number;

  @ApiField(list(TEXT), { description: 'The types that occur, in the order of their first event.' })
  readonly types!: readonly string[];

  @ApiField(list(WHOLE), { description: 'For each event, the index of its type in `types`.' })
  readonly type_of!: readonly number[];

  @ApiField(list(WHOLE), { description: 'The numbers of the events that began a tick, in order.' })
  readonly ticks!: readonly number[];

  @ApiField(orNull(WHOLE), {
    description:
      'The first event whose hash does not fit, or that cannot be read; null without one.',
  })
  readonly broken_at!: number | null;
}

/** The state of a job after one of its events. */
export class JobStateDto extends JobDto {
  @ApiField(WHOLE, { description: 'How many episodes the job has written so far.' })
  readonly episodes!: number;

  @ApiField(JSON_VALUE, {
    description: 'The state of the query that the job runs; null without one.',
  })
  readonly query!: Json;
}
