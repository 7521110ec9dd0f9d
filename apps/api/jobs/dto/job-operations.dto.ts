import { EPISODE_SOURCES, WM_TYPES, type EpisodeSource, type WmType } from '#domain/job/events.js';
import type { Json, JsonObject } from '#domain/json.js';
import { AnyJson, ListBy, ObjectList, OneOf, Text, Whole } from '../../platform/http/fields.js';

const MAX_TICKS = 1_000;
const MAX_COMMANDS = 500;
const id = { min: 1, max: 256 };

export class WmInsertDto {
  @OneOf(WM_TYPES)
  type!: WmType;

  @AnyJson({ description: 'At most 16 KB canonical.' })
  value!: Json;

  @Whole({ optional: true, min: 1, max: 10_000 })
  ttl_ticks?: number;
}

export class TickDto {
  @Whole({ optional: true, min: 1, max: MAX_TICKS })
  count?: number;
}

export class GoalDto {
  @Text({ max: 16_000 })
  goal!: string;
}

export class EpisodeDto {
  @Text({ max: 4_000, description: 'At most 2,000 characters.' })
  summary!: string;

  @AnyJson({ optional: true, description: 'At most 256 KB canonical.' })
  payload?: Json;

  @ObjectList({ optional: true, max: 1_000 })
  evidence?: JsonObject[];

  @OneOf(EPISODE_SOURCES, { optional: true })
  source?: EpisodeSource;
}

/** A body without fields. */
export class EmptyDto {}

class WmInsertOperation extends WmInsertDto {
  @OneOf(['wm_insert'])
  op!: 'wm_insert';
}

class WmReferenceOperation {
  @OneOf(['wm_reference'])
  op!: 'wm_reference';

  @Text(id)
  wm_id!: string;
}

class CwmReferenceOperation {
  @OneOf(['cwm_reference'])
  op!: 'cwm_reference';

  @Text(id)
  item_id!: string;
}

class TickOperation extends TickDto {
  @OneOf(['tick'])
  op!: 'tick';
}

class GoalOperation extends GoalDto {
  @OneOf(['goal'])
  op!: 'goal';
}

class EpisodicWriteOperation extends EpisodeDto {
  @OneOf(['episodic_write'])
  op!: 'episodic_write';
}

class EndOperation {
  @OneOf(['end'])
  op!: 'end';
}

/** One command of a job, as it stands in a batch. */
export type JobOperation =
  | WmInsertOperation
  | WmReferenceOperation
  | CwmReferenceOperation
  | TickOperation
  | GoalOperation
  | EpisodicWriteOperation
  | EndOperation;

export class JobBatchDto {
  @ListBy(
    'op',
    {
      wm_insert: WmInsertOperation,
      wm_reference: WmReferenceOperation,
      cwm_reference: CwmReferenceOperation,
      tick: TickOperation,
      goal: GoalOperation,
      episodic_write: EpisodicWriteOperation,
      end: EndOperation,
    },
    { max: MAX_COMMANDS, description: 'Atomic and ordered (SPEC J9).' },
  )
  commands!: JobOperation[];

  @Whole({ optional: true, min: 0, max: Number.MAX_SAFE_INTEGER })
  expected_version?: number;
}
