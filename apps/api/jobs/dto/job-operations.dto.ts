import { MAX_COMMANDS } from '#domain/job/constants.js';
import { EPISODE_SOURCES, WM_TYPES, type EpisodeSource, type WmType } from '#domain/job/events.js';
import type { Json, JsonObject } from '#domain/json.js';
import {
  AnyJson,
  Commands,
  IdText,
  ObjectList,
  OneOf,
  Text,
  Whole,
} from '../../platform/http/fields.js';
import { LogAccountDto } from '../../reflective-logs/dto/log-view.dto.js';
import { EVIDENCE_ITEMS } from '#domain/episode/summaries.js';

const MAX_TICKS = 1_000;

/** With `expected_version`, a client makes a command depend on the job's version (SPEC J9). */
const expectedVersion = { optional: true, min: 0, max: Number.MAX_SAFE_INTEGER };

export class WmInsertFields {
  @OneOf(WM_TYPES)
  type!: WmType;

  @AnyJson({ description: 'At most 16 KB as canonical JSON.' })
  value!: Json;

  @Whole({ optional: true, min: 1, max: 10_000, description: 'In ticks; default 3.' })
  ttl_ticks?: number;
}

export class TickFields {
  @Whole({ optional: true, min: 1, max: MAX_TICKS })
  count?: number;
}

export class GoalFields {
  @Text({ max: 16_000 })
  goal!: string;
}

export class EpisodeFields {
  @Text({ max: 4_000, description: 'At most 2,000 characters; queries search this text.' })
  summary!: string;

  @AnyJson({ optional: true, description: 'At most 256 KB as canonical JSON.' })
  payload?: Json;

  @ObjectList({ optional: true, max: EVIDENCE_ITEMS })
  evidence?: JsonObject[];

  @OneOf(EPISODE_SOURCES, { optional: true })
  source?: EpisodeSource;
}

export class EndFields {
  @AnyJson({
    optional: true,
    shownAs: LogAccountDto,
    description:
      'The runtime’s own log of the job; an invalid log is refused with LOG_INVALID (SPEC L7).',
  })
  reflective_log?: Json;
}

/** A command that has no fields of its own. */
export class CommandDto {
  @Whole(expectedVersion)
  expected_version?: number;
}

export class WmInsertDto extends WmInsertFields {
  @Whole(expectedVersion)
  expected_version?: number;
}

export class TickDto extends TickFields {
  @Whole(expectedVersion)
  expected_version?: number;
}

export class GoalDto extends GoalFields {
  @Whole(expectedVersion)
  expected_version?: number;
}

export class EpisodeDto extends EpisodeFields {
  @Whole(expectedVersion)
  expected_version?: number;
}

export class EndDto extends EndFields {
  @Whole(expectedVersion)
  expected_version?: number;
}

class WmInsertOperation extends WmInsertFields {
  @OneOf(['wm_insert'])
  op!: 'wm_insert';
}

class WmReferenceOperation {
  @OneOf(['wm_reference'])
  op!: 'wm_reference';

  @IdText()
  wm_id!: string;
}

class CwmReferenceOperation {
  @OneOf(['cwm_reference'])
  op!: 'cwm_reference';

  @IdText()
  item_id!: string;
}

class WmForgetOperation {
  @OneOf(['wm_forget'])
  op!: 'wm_forget';

  @IdText()
  wm_id!: string;
}

class CwmForgetOperation {
  @OneOf(['cwm_forget'])
  op!: 'cwm_forget';

  @IdText()
  item_id!: string;
}

class TickOperation extends TickFields {
  @OneOf(['tick'])
  op!: 'tick';
}

class GoalOperation extends GoalFields {
  @OneOf(['goal'])
  op!: 'goal';
}

class EpisodicWriteOperation extends EpisodeFields {
  @OneOf(['episodic_write'])
  op!: 'episodic_write';
}

class EndOperation extends EndFields {
  @OneOf(['end'])
  op!: 'end';
}

/** One command of a job in a batch. */
export type JobOperation =
  | WmInsertOperation
  | WmReferenceOperation
  | CwmReferenceOperation
  | WmForgetOperation
  | CwmForgetOperation
  | TickOperation
  | GoalOperation
  | EpisodicWriteOperation
  | EndOperation;

const OPERATIONS = {
  wm_insert: WmInsertOperation,
  wm_reference: WmReferenceOperation,
  cwm_reference: CwmReferenceOperation,
  wm_forget: WmForgetOperation,
  cwm_forget: CwmForgetOperation,
  tick: TickOperation,
  goal: GoalOperation,
  episodic_write: EpisodicWriteOperation,
  end: EndOperation,
} as const;

/** The DTO of each operation, which openapi.json needs. */
export const JOB_OPERATIONS = Object.values(OPERATIONS);

export class JobBatchDto {
  @Commands('op', OPERATIONS, {
    max: MAX_COMMANDS,
    description: 'The commands run in order; all are recorded, or none (SPEC J9).',
  })
  commands!: JobOperation[];

  @Whole(expectedVersion)
  expected_version?: number;
}
