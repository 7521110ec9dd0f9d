import { WM_TYPES, type WmType } from '#domain/job/entry.js';
import type { Json } from '#domain/json.js';
import {
  JSON_VALUE,
  list,
  many,
  one,
  oneOf,
  ApiField,
  TEXT,
  WHOLE,
} from '../platform/http/answer-fields.js';

export class WmEntryDto {
  @ApiField(TEXT) readonly wm_id!: string;
  @ApiField(oneOf(...WM_TYPES)) readonly type!: WmType;
  @ApiField(JSON_VALUE) readonly value!: Json;
  @ApiField(WHOLE) readonly created_at_tick!: number;

  @ApiField(WHOLE, { description: 'Ticks left before the expiry.' })
  readonly ttl_ticks!: number;

  @ApiField(WHOLE) readonly references!: number;

  @ApiField(TEXT, { optional: true, description: 'The CWM item that returned as this entry.' })
  readonly returned_from?: string;
}

export class CwmItemDto {
  @ApiField(TEXT) readonly cwm_id_item!: string;
  @ApiField(oneOf(...WM_TYPES)) readonly type!: WmType;
  @ApiField(JSON_VALUE) readonly value!: Json;
  @ApiField({ type: 'boolean', enum: [true] }) readonly promoted_from_wm!: true;

  @ApiField(WHOLE, { description: 'Ticks left before the expiry.' })
  readonly ttl_ticks!: number;

  @ApiField(WHOLE) readonly references!: number;
}

export class CwmDto {
  @ApiField(TEXT) readonly cwm_id!: string;
  @ApiField(TEXT) readonly topic!: string;

  @ApiField(many(CwmItemDto), { description: 'In order of insertion.' })
  readonly items!: readonly CwmItemDto[];

  @ApiField(WHOLE) readonly token_estimate!: number;
}

export class JobSnapshotsDto {
  @ApiField(TEXT) readonly sem_snapshot_id!: string;
  @ApiField(TEXT) readonly sem_snapshot_hash!: string;
  @ApiField(WHOLE) readonly sem_event_count!: number;
  @ApiField(TEXT) readonly episodic_snapshot_id!: string;
  @ApiField(WHOLE) readonly episodic_count!: number;
  @ApiField(TEXT) readonly brainstate_snapshot_id!: string;
}

/** A job's current state, or its state at the requested version. */
export class JobDto {
  @ApiField(TEXT) readonly job_seed!: string;
  @ApiField(oneOf('running', 'ended')) readonly status!: 'running' | 'ended';
  @ApiField(WHOLE) readonly tick!: number;

  @ApiField(WHOLE, { description: 'The number of the job’s last event, from 0.' })
  readonly version!: number;

  @ApiField(many(WmEntryDto), { description: 'Working memory, newest first.' })
  readonly wm!: readonly WmEntryDto[];

  @ApiField(one(CwmDto), { description: 'The consolidated working memory.' })
  readonly cwm!: CwmDto;

  @ApiField(one(JobSnapshotsDto), {
    description: 'The snapshots that the job reads, pinned at its start.',
  })
  readonly snapshots!: JobSnapshotsDto;
}

/** The answer to every command on a job. */
export class JobVersionDto {
  @ApiField(WHOLE, { description: 'The number of the job’s last event after the command.' })
  readonly version!: number;
}

export class BatchDoneDto extends JobVersionDto {
  @ApiField(list(JSON_VALUE), { description: 'One answer for each command, in order.' })
  readonly results!: readonly Json[];
}

export class WmDoneDto extends JobVersionDto {
  @ApiField(TEXT) readonly wm_id!: string;
}

export class CwmDoneDto extends JobVersionDto {
  @ApiField(TEXT) readonly item_id!: string;
}

export class TickedDto extends JobVersionDto {
  @ApiField(WHOLE) readonly tick!: number;
}

export class GoalSetDto extends JobVersionDto {
  @ApiField(TEXT) readonly goal!: string;
}

export class EpisodeWrittenDto extends JobVersionDto {
  @ApiField(TEXT) readonly episodic_id!: string;
}

export class KeptEpisodeDto {
  @ApiField(TEXT) readonly episodic_id!: string;

  @ApiField(TEXT, { description: 'The first 80 characters of the episode’s summary.' })
  readonly summary!: string;
}

export class KeptEpisodesDto {
  @ApiField(WHOLE, { description: 'The number of all.' }) readonly count!: number;

  @ApiField(many(KeptEpisodeDto), { description: 'The last 20, oldest first.' })
  readonly items!: readonly KeptEpisodeDto[];
}

export class EntryExcerptDto {
  @ApiField(TEXT, { description: 'A wm_id, or the id of a CWM item.' }) readonly id!: string;
  @ApiField(oneOf(...WM_TYPES)) readonly type!: WmType;

  @ApiField(TEXT, {
    description: 'The first 80 characters of the value; `(personal data)` if it is sealed.',
  })
  readonly content!: string;
}

export class EntryExcerptsDto {
  @ApiField(WHOLE, { description: 'The number of all.' }) readonly count!: number;

  @ApiField(many(EntryExcerptDto), { description: 'The last 20, oldest first.' })
  readonly items!: readonly EntryExcerptDto[];
}

export class JobEndedDto extends JobVersionDto {
  @ApiField(oneOf('ended')) readonly status!: 'ended';
  @ApiField(TEXT) readonly reflective_log_id!: string;

  @ApiField(one(KeptEpisodesDto), {
    description: 'The episodes that the end made: one for each used fact, then the summary.',
  })
  readonly kept!: KeptEpisodesDto;

  @ApiField(one(EntryExcerptsDto), {
    description: 'The CWM with which the session’s next job begins; none without a session.',
  })
  readonly carried!: EntryExcerptsDto;

  @ApiField(one(EntryExcerptsDto), {
    description:
      'The entries that are gone: they expired, left the CWM over its budget, or were in WM at the end without ' +
      'becoming an episode. What the agent itself removed is not among them.',
  })
  readonly expired!: EntryExcerptsDto;
}

export class FoundWmDto extends JobVersionDto {
  @ApiField(many(WmEntryDto), { description: 'Newest first.' })
  readonly entries!: readonly WmEntryDto[];
}

export class FoundCwmDto extends JobVersionDto {
  @ApiField(many(CwmItemDto), { description: 'In order of insertion.' })
  readonly entries!: readonly CwmItemDto[];
}
