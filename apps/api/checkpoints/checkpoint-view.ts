import { PLACE_PROBLEMS, type PlaceProblem } from '#domain/log-checkpoint/events.js';
import { INTEGRITY_PROBLEMS } from '#event-store/log-check.js';
import { SINCE_PROBLEMS } from '#event-store/since-checkpoint.js';
import { FindingPlace } from '../integrity/integrity-view.js';
import type { LogFinding } from '#checkpoints/compare-log.js';
import {
  ApiField,
  FLAG,
  INSTANT,
  list,
  many,
  one,
  oneOf,
  orNull,
  TEXT,
  WHOLE,
} from '../platform/http/answer-fields.js';

/** One place of a checkpoint’s file: when it took the file, or why it did not. */
export class CheckpointPlaceDto {
  @ApiField(TEXT, {
    description:
      'A URL of `MACE_CHECKPOINT_PLACE`; `data_dir`: the data directory of the instance that made it.',
  })
  readonly place!: string;

  @ApiField(orNull(INSTANT), { description: 'Null until the place has taken the file.' })
  readonly kept_at!: string | null;

  @ApiField(orNull(INSTANT), { description: 'Until then, nobody can delete the file there.' })
  readonly locked_until!: string | null;

  @ApiField(orNull(oneOf(...PLACE_PROBLEMS)), {
    description: 'Why the place has not taken the file; the service goes on to try.',
  })
  readonly problem!: PlaceProblem | null;
}

/** A signed checkpoint of the log. */
export class LogCheckpointDto {
  @ApiField(TEXT) readonly checkpoint_id!: string;
  @ApiField(INSTANT, { description: 'The time before the log was read.' })
  readonly created_at!: string;

  @ApiField(INSTANT) readonly made_at!: string;

  @ApiField(TEXT, { description: 'The caller; `system`: the schedule.' })
  readonly made_by!: string;

  @ApiField(TEXT, { description: 'The position of the last event that it covers.' })
  readonly position!: string;

  @ApiField(WHOLE) readonly events!: number;
  @ApiField(WHOLE) readonly streams!: number;

  @ApiField(WHOLE, { description: 'The number of events that failed their check.' })
  readonly found!: number;

  @ApiField(TEXT, { description: 'The thumbprint of the key that signed it (RFC 7638).' })
  readonly key_id!: string;

  @ApiField(TEXT, { description: 'The SHA-256 of the file, as hex digits.' })
  readonly sha256!: string;

  @ApiField(WHOLE) readonly bytes!: number;
  @ApiField(many(CheckpointPlaceDto)) readonly places!: readonly CheckpointPlaceDto[];
}

/** The making of a checkpoint: its progress, or its result. */
export class CheckpointRunDto {
  @ApiField(TEXT) readonly checkpoint_id!: string;
  @ApiField(INSTANT) readonly started_at!: string;

  @ApiField(orNull(INSTANT), { description: 'Null while the log is read.' })
  readonly finished_at!: string | null;

  @ApiField(WHOLE, { description: 'The number of events that were checked.' })
  readonly events!: number;

  @ApiField(WHOLE, { description: 'The number of events that failed their check.' })
  readonly found!: number;

  @ApiField(orNull(TEXT), { description: 'The SHA-256 of the file; null while the log is read.' })
  readonly sha256!: string | null;
}

/** When checkpoints are made, and where their files are kept. */
export class CheckpointScheduleDto {
  @ApiField(orNull(WHOLE), {
    description:
      'The minutes between two checkpoints, if the log has grown; null: only on request.',
  })
  readonly every_minutes!: number | null;

  @ApiField(list(TEXT)) readonly places!: readonly string[];

  @ApiField(orNull(WHOLE), { description: 'The days of the object lock of buckets.' })
  readonly lock_days!: number | null;
}

export class LogCheckpointsPageDto {
  @ApiField(many(LogCheckpointDto), { description: 'The newest first.' })
  readonly checkpoints!: readonly LogCheckpointDto[];

  @ApiField(orNull(TEXT)) readonly next_cursor!: string | null;

  @ApiField(orNull(one(CheckpointRunDto)), { description: 'The checkpoint that is made now.' })
  readonly running!: CheckpointRunDto | null;

  @ApiField(one(CheckpointScheduleDto)) readonly schedule!: CheckpointScheduleDto;
}

/** The first line of a checkpoint file. */
export class ComparedCheckpointDto {
  @ApiField(orNull(TEXT), { description: 'Null for a file that the caller sent.' })
  readonly checkpoint_id!: string | null;

  @ApiField(INSTANT) readonly created_at!: string;
  @ApiField(TEXT) readonly position!: string;
  @ApiField(WHOLE) readonly streams!: number;
  @ApiField(TEXT) readonly key_id!: string;

  @ApiField(FLAG, {
    description: 'Whether a key of this service signed it, a replaced one included.',
  })
  readonly is_of_this_service!: boolean;
}

export class ComparisonFindingDto extends FindingPlace {
  @ApiField(oneOf(...INTEGRITY_PROBLEMS, ...SINCE_PROBLEMS))
  readonly problem!: LogFinding['problem'];
}

/** A comparison of the log with a checkpoint: its result, or its progress. */
export class LogComparisonDto {
  @ApiField(INSTANT) readonly started_at!: string;

  @ApiField(orNull(INSTANT), { description: 'Null while the comparison runs.' })
  readonly finished_at!: string | null;

  @ApiField(one(ComparedCheckpointDto)) readonly checkpoint!: ComparedCheckpointDto;

  @ApiField(WHOLE, { description: 'The number of events that were checked.' })
  readonly events!: number;

  @ApiField(WHOLE, { description: 'The number of all findings.' })
  readonly found!: number;

  @ApiField(many(ComparisonFindingDto), {
    description: 'The first 1,000 findings, those of a verification included.',
  })
  readonly findings!: readonly ComparisonFindingDto[];
}

export class LogComparisonsDto {
  @ApiField(orNull(one(LogComparisonDto)), {
    description: 'The last comparison that finished; null before the first one.',
  })
  readonly last!: LogComparisonDto | null;

  @ApiField(orNull(one(LogComparisonDto)), { description: 'The comparison that runs now.' })
  readonly running!: LogComparisonDto | null;
}
