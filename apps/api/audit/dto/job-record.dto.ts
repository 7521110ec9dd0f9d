import type { Json, JsonObject } from '#domain/json.js';
import type { ReplayMode } from '#domain/replay/stream-replay.js';
import {
  FLAG,
  INSTANT,
  JSON_OBJECT,
  JSON_VALUE,
  many,
  one,
  oneOf,
  orNull,
  Shown,
  TEXT,
  WHOLE,
} from '../../platform/http/answer-fields.js';

/** A job in a list. */
export class ListedJobDto {
  @Shown(TEXT)
  readonly job_seed!: string;

  @Shown(TEXT, { description: 'The job’s log position, in decimal; used as `cursor`.' })
  readonly position!: string;

  @Shown(oneOf('running', 'ended'))
  readonly status!: 'running' | 'ended';

  @Shown(TEXT)
  readonly owner_sub!: string;

  @Shown(orNull(TEXT), { description: 'The user id in lower case, without an initial `user_`.' })
  readonly owner_user_id!: string | null;

  @Shown(orNull(TEXT))
  readonly session_id!: string | null;

  @Shown(orNull(TEXT))
  readonly goal!: string | null;

  @Shown(WHOLE)
  readonly tick!: number;

  @Shown(WHOLE, { description: 'The number of the job’s last event, from 0.' })
  readonly version!: number;

  @Shown(WHOLE)
  readonly wm_count!: number;

  @Shown(WHOLE)
  readonly cwm_count!: number;

  @Shown(WHOLE)
  readonly promotions!: number;

  @Shown(WHOLE)
  readonly episodes!: number;

  @Shown(WHOLE)
  readonly reads!: number;

  @Shown(TEXT)
  readonly sem_snapshot_id!: string;

  @Shown(TEXT)
  readonly episodic_snapshot_id!: string;

  @Shown(TEXT)
  readonly brainstate_snapshot_id!: string;

  @Shown(INSTANT, { description: 'Wall-clock time.' })
  readonly started_at!: string;

  @Shown(INSTANT)
  readonly last_event_at!: string;

  @Shown(orNull(INSTANT))
  readonly ended_at!: string | null;
}

export class JobsPageDto {
  @Shown(many(ListedJobDto), { description: 'Newest first.' })
  readonly jobs!: readonly ListedJobDto[];

  @Shown(orNull(TEXT))
  readonly next_cursor!: string | null;
}

/** An event as stored in the log. */
export class JobEventDto {
  @Shown(TEXT)
  readonly stream!: string;

  @Shown(WHOLE, { description: 'The event’s number in the stream, from 0.' })
  readonly number!: number;

  @Shown(TEXT, { description: 'The event’s position in the whole log, in decimal.' })
  readonly position!: string;

  @Shown(TEXT)
  readonly type!: string;

  @Shown(JSON_OBJECT)
  readonly data!: JsonObject;

  @Shown(JSON_OBJECT)
  readonly metadata!: JsonObject;
}

export class JobEventsPageDto {
  @Shown(many(JobEventDto))
  readonly events!: readonly JobEventDto[];

  @Shown(orNull(WHOLE))
  readonly next_from!: number | null;
}

export class DivergenceDto {
  @Shown(WHOLE)
  readonly number!: number;

  @Shown(JSON_VALUE)
  readonly expected!: Json;

  @Shown(JSON_VALUE)
  readonly actual!: Json;
}

/** The result of a replay. */
export class ReplayReportDto {
  @Shown(oneOf('audit', 'strict'))
  readonly mode!: ReplayMode;

  @Shown(TEXT)
  readonly stream!: string;

  @Shown(WHOLE)
  readonly events_checked!: number;

  @Shown(TEXT, { description: 'The hash of the stream’s last event.' })
  readonly head_hash!: string;

  @Shown(TEXT, { description: 'Equal for all runs with the same seed and the same commands.' })
  readonly content_hash!: string;

  @Shown(orNull(TEXT), {
    description: 'The hash of the job’s final state; null if the replay did not reach it.',
  })
  readonly state_hash!: string | null;

  @Shown(WHOLE, {
    description: 'The number of outcomes that an interrupted end still owes; 0 otherwise.',
  })
  readonly owed!: number;

  @Shown(FLAG)
  readonly identical!: boolean;

  @Shown(oneOf('REPLAY_DIVERGENCE', 'INTEGRITY_FAILURE'), {
    optional: true,
    description: 'Present if the replay is not identical.',
  })
  readonly code?: 'REPLAY_DIVERGENCE' | 'INTEGRITY_FAILURE';

  @Shown(one(DivergenceDto), {
    optional: true,
    description: 'The first event that the rules do not reproduce, or whose hash is wrong.',
  })
  readonly divergence?: DivergenceDto;
}
