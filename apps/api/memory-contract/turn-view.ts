import type { JsonObject } from '#domain/json.js';
import { DELETION_REASONS, MEMORY_KINDS } from '#domain/memory-contract/item.js';
import { LEFT_OUT_REASONS } from '#domain/memory-contract/interaction/left-out.js';
import { TURN_TYPES } from '#domain/memory-contract/trace/turns.js';
import {
  ApiField,
  INSTANT,
  JSON_OBJECT,
  list,
  many,
  one,
  oneOf,
  orNull,
  TEXT,
  WHOLE,
} from '../platform/http/answer-fields.js';
import { MemoryItemDto, NUMBERED_TRACE, type NumberedTraceView } from './memory-view.js';

export const WITHHELD_BECAUSE = [
  'privacy_deny_sensitive',
  'privacy_deny_pattern',
  'personal_data',
] as const;

/** A text of a turn. */
export class SaidDto {
  @ApiField(orNull(TEXT), { description: 'Null for a text that the log does not have.' })
  readonly text!: string | null;

  @ApiField(oneOf(...WITHHELD_BECAUSE), {
    optional: true,
    description: 'Why the log does not have the text.',
  })
  readonly withheld?: string;
}

export class DeletionDto {
  @ApiField(WHOLE, { description: 'The number of the event.' }) readonly number!: number;
  @ApiField(oneOf(...DELETION_REASONS)) readonly reason!: string;
  @ApiField(orNull(TEXT), { description: 'The item that took its place.' })
  readonly replaced_by!: string | null;
}

/** An item that a turn stored. */
export class TurnItemDto {
  @ApiField(WHOLE, { description: 'The number of the event.' }) readonly number!: number;
  @ApiField(one(MemoryItemDto), { description: 'As the event has it.' })
  readonly item!: MemoryItemDto;

  @ApiField(orNull(one(DeletionDto)), { description: 'Null while the store has the item.' })
  readonly deleted!: DeletionDto | null;
}

/** An item that a turn did not try to make. */
export class LeftOutDto {
  @ApiField(oneOf('user', 'ai', 'tool')) readonly source!: string;
  @ApiField(oneOf(...MEMORY_KINDS)) readonly kind!: string;
  @ApiField(oneOf(...LEFT_OUT_REASONS)) readonly reason!: string;
}

/** One request to a store: what was said, and what the rules decided about it. */
export class TurnDto {
  @ApiField(WHOLE, { description: 'The number of its first event.' }) readonly number!: number;
  @ApiField(INSTANT) readonly recorded_at!: string;

  @ApiField(oneOf(...TURN_TYPES, 'interaction_finished'), {
    description: '`interaction_finished`: the last step of a turn of an earlier page.',
  })
  readonly type!: string;

  @ApiField(orNull(one(SaidDto))) readonly user!: SaidDto | null;
  @ApiField(orNull(one(SaidDto))) readonly ai!: SaidDto | null;
  @ApiField(orNull(one(SaidDto)), { description: 'The tool events, as canonical JSON.' })
  readonly tool!: SaidDto | null;

  @ApiField(JSON_OBJECT, {
    optional: true,
    description: 'What the caller changed in the texts so that they could be stored.',
  })
  readonly turn_altered?: JsonObject;

  @ApiField(many(TurnItemDto)) readonly stored!: readonly TurnItemDto[];
  @ApiField(many(LeftOutDto)) readonly left_out!: readonly LeftOutDto[];

  @ApiField(list(NUMBERED_TRACE), {
    description: 'Its decisions as the log has them, each with the number of its event.',
  })
  readonly decisions!: readonly NumberedTraceView[];
}

export class TurnsPageDto {
  @ApiField(many(TurnDto), { description: 'Oldest first.' }) readonly turns!: readonly TurnDto[];

  @ApiField(orNull(WHOLE), { description: 'The `before` of the page of earlier turns.' })
  readonly earlier!: number | null;

  @ApiField(orNull(WHOLE), { description: 'The `from` of the page of later turns.' })
  readonly later!: number | null;
}
