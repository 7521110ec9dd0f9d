import { WM_TYPES, type WmType } from '#domain/job/events.js';
import type { Json } from '#domain/json.js';
import {
  JSON_VALUE,
  list,
  many,
  one,
  oneOf,
  Shown,
  TEXT,
  WHOLE,
} from '../../platform/http/answer-fields.js';

export class WmEntryDto {
  @Shown(TEXT)
  readonly wm_id!: string;

  @Shown(oneOf(...WM_TYPES))
  readonly type!: WmType;

  @Shown(JSON_VALUE)
  readonly value!: Json;

  @Shown(WHOLE)
  readonly created_at_tick!: number;

  @Shown(WHOLE, { description: 'Ticks left before the expiry.' })
  readonly ttl_ticks!: number;

  @Shown(WHOLE)
  readonly references!: number;

  @Shown(TEXT, { optional: true, description: 'The CWM item that returned as this entry.' })
  readonly returned_from?: string;
}

export class CwmItemDto {
  @Shown(TEXT)
  readonly cwm_id_item!: string;

  @Shown(oneOf(...WM_TYPES))
  readonly type!: WmType;

  @Shown(JSON_VALUE)
  readonly value!: Json;

  @Shown({ type: 'boolean', enum: [true] })
  readonly promoted_from_wm!: true;

  @Shown(WHOLE, { description: 'Ticks left before the expiry.' })
  readonly ttl_ticks!: number;

  @Shown(WHOLE)
  readonly references!: number;
}

export class CwmDto {
  @Shown(TEXT)
  readonly cwm_id!: string;

  @Shown(TEXT)
  readonly topic!: string;

  @Shown(many(CwmItemDto), { description: 'In order of insertion.' })
  readonly items!: readonly CwmItemDto[];

  @Shown(WHOLE)
  readonly token_estimate!: number;
}

export class JobSnapshotsDto {
  @Shown(TEXT)
  readonly sem_snapshot_id!: string;

  @Shown(TEXT)
  readonly sem_snapshot_hash!: string;

  @Shown(WHOLE)
  readonly sem_event_count!: number;

  @Shown(TEXT)
  readonly episodic_snapshot_id!: string;

  @Shown(WHOLE)
  readonly episodic_count!: number;

  @Shown(TEXT)
  readonly brainstate_snapshot_id!: string;
}

/** A job's current state, or its state at the requested version. */
export class JobDto {
  @Shown(TEXT)
  readonly job_seed!: string;

  @Shown(oneOf('running', 'ended'))
  readonly status!: 'running' | 'ended';

  @Shown(WHOLE)
  readonly tick!: number;

  @Shown(WHOLE, { description: 'The number of the job’s last event, from 0.' })
  readonly version!: number;

  @Shown(many(WmEntryDto), { description: 'Working memory, newest first.' })
  readonly wm!: readonly WmEntryDto[];

  @Shown(one(CwmDto), { description: 'The consolidated working memory.' })
  readonly cwm!: CwmDto;

  @Shown(one(JobSnapshotsDto), {
    description: 'The snapshots that the job reads, pinned at its start.',
  })
  readonly snapshots!: JobSnapshotsDto;
}

/** The answer to every command on a job. */
export class JobVersionDto {
  @Shown(WHOLE, { description: 'The number of the job’s last event after the command.' })
  readonly version!: number;
}

export class BatchDoneDto extends JobVersionDto {
  @Shown(list(JSON_VALUE), { description: 'One answer for each command, in order.' })
  readonly results!: readonly Json[];
}

export class WmDoneDto extends JobVersionDto {
  @Shown(TEXT)
  readonly wm_id!: string;
}

export class CwmDoneDto extends JobVersionDto {
  @Shown(TEXT)
  readonly item_id!: string;
}

export class TickedDto extends JobVersionDto {
  @Shown(WHOLE)
  readonly tick!: number;
}

export class GoalSetDto extends JobVersionDto {
  @Shown(TEXT)
  readonly goal!: string;
}

export class EpisodeWrittenDto extends JobVersionDto {
  @Shown(TEXT)
  readonly episodic_id!: string;
}

export class JobEndedDto extends JobVersionDto {
  @Shown(oneOf('ended'))
  readonly status!: 'ended';

  @Shown(TEXT)
  readonly reflective_log_id!: string;
}

export class FoundWmDto extends JobVersionDto {
  @Shown(many(WmEntryDto), { description: 'Newest first.' })
  readonly entries!: readonly WmEntryDto[];
}

export class FoundCwmDto extends JobVersionDto {
  @Shown(many(CwmItemDto), { description: 'In order of insertion.' })
  readonly entries!: readonly CwmItemDto[];
}
