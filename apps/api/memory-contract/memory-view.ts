import type { JsonObject } from '#domain/json.js';
import { MEMORY_KINDS, SPACES, type MemoryKind, type Space } from '#domain/memory-contract/item.js';
import {
  JSON_OBJECT,
  JSON_VALUE,
  list,
  many,
  NUMBER,
  oneOf,
  one,
  orNull,
  ApiField,
  INSTANT,
  TEXT,
  WHOLE,
} from '../platform/http/answer-fields.js';

/** One stored item (SPEC M1). */
export class MemoryItemDto {
  @ApiField(TEXT, { description: '`<space>:<owner>:<kind>:<n>`' })
  readonly id!: string;

  @ApiField(oneOf(...MEMORY_KINDS)) readonly kind!: MemoryKind;
  @ApiField(TEXT) readonly text!: string;

  @ApiField(oneOf('user', 'ai', 'tool', 'system'))
  readonly source!: 'user' | 'ai' | 'tool' | 'system';

  @ApiField(WHOLE, { description: 'The store’s tick when the item was created.' })
  readonly created_at!: number;

  @ApiField(NUMBER) readonly importance!: number;
  @ApiField(oneOf('session')) readonly scope!: 'session';

  @ApiField(JSON_OBJECT, {
    description:
      '`event_type`, `authority`, `dedup_key`, `phase_id` and more; of a recalled item also `recall_reason`.',
  })
  readonly meta!: JsonObject;
}

const TRACE = {
  type: 'object',
  required: ['type'],
  properties: { type: { type: 'string' } },
  additionalProperties: JSON_VALUE,
};

const TRACES = {
  ...list(TRACE),
  description: 'Decisions: their `type`, and the fields that the contract requires for it.',
};

export const NUMBERED_TRACE = {
  ...TRACE,
  required: ['type', 'number'],
  properties: { type: { type: 'string' }, number: { type: 'integer' } },
};

export type TraceView = JsonObject & { readonly type: string };
export type NumberedTraceView = TraceView & { readonly number: number };

export class RecalledDto {
  @ApiField(many(MemoryItemDto), {
    description: 'Short-term, then semantic, then profile items.',
  })
  readonly items!: readonly MemoryItemDto[];

  @ApiField(TRACES) readonly trace!: readonly TraceView[];
}

export class RecordedInteractionDto {
  @ApiField(many(MemoryItemDto)) readonly written!: readonly MemoryItemDto[];
  @ApiField(TRACES) readonly trace!: readonly TraceView[];
}

export class PhaseViewDto {
  @ApiField(TEXT) readonly phase_id!: string;
  @ApiField(WHOLE) readonly phase_index!: number;

  @ApiField(WHOLE, { description: 'A tick.' })
  readonly phase_started_at!: number;

  @ApiField(TEXT) readonly phase_reason!: string;
  @ApiField(TEXT, { optional: true }) readonly phase_name?: string;
}

class StoreName {
  @ApiField(oneOf(...SPACES)) readonly space!: Space;
  @ApiField(TEXT) readonly owner!: string;
}

export class StoreViewDto extends StoreName {
  @ApiField(WHOLE) readonly tick!: number;

  @ApiField(WHOLE, { description: 'The number of the store’s last event, -1 for none.' })
  readonly version!: number;

  @ApiField(orNull(one(PhaseViewDto))) readonly current_phase!: PhaseViewDto | null;

  @ApiField(many(MemoryItemDto), { description: 'By kind, each oldest first.' })
  readonly items!: readonly MemoryItemDto[];
}

export class ListedStoreDto extends StoreName {
  @ApiField(WHOLE, { description: 'The last tick of the store.' })
  readonly tick!: number;

  @ApiField(WHOLE, { description: 'The number of the store’s last event.' })
  readonly version!: number;
}

export class StoresPageDto {
  @ApiField(many(ListedStoreDto), {
    description: 'In byte order of space and owner. A page may be short although others follow.',
  })
  readonly stores!: readonly ListedStoreDto[];

  @ApiField(orNull(TEXT)) readonly next_cursor!: string | null;
}

export class ListedSessionDto {
  @ApiField(TEXT, { description: 'The owner of the session’s store.' })
  readonly owner!: string;

  @ApiField(TEXT, { description: 'The assistant of the first request for the user.' })
  readonly assistant!: string;

  @ApiField(TEXT, { description: 'The position of the first request for the user.' })
  readonly position!: string;

  @ApiField(INSTANT, { description: 'The time of that request.' })
  readonly began_at!: string;
}

export class SessionsPageDto {
  @ApiField(many(ListedSessionDto), {
    description: 'The newest first. A page may be short although others follow.',
  })
  readonly sessions!: readonly ListedSessionDto[];

  @ApiField(orNull(TEXT)) readonly next_cursor!: string | null;
}

export class PhasesDto extends StoreName {
  @ApiField(many(PhaseViewDto), { description: 'Oldest first.' })
  readonly phases!: readonly PhaseViewDto[];
}

export class PhaseChangeDto {
  @ApiField(oneOf('replaced', 'added', 'deleted'))
  readonly change!: 'replaced' | 'added' | 'deleted';

  @ApiField(TEXT, { optional: true }) readonly dedupe_key?: string;
  @ApiField(TEXT, { optional: true }) readonly from_id?: string;
  @ApiField(TEXT, { optional: true }) readonly to_id?: string;
  @ApiField(oneOf(...MEMORY_KINDS), { optional: true }) readonly from_kind?: MemoryKind;
  @ApiField(oneOf(...MEMORY_KINDS), { optional: true }) readonly to_kind?: MemoryKind;
  @ApiField(TEXT, { optional: true }) readonly memory_id?: string;
  @ApiField(oneOf(...MEMORY_KINDS), { optional: true }) readonly kind?: MemoryKind;
}

/** The changes from one phase to another; empty if a phase is unknown (SPEC M15). */
export class PhaseDiffViewDto extends StoreName {
  @ApiField(TEXT) readonly from_phase_id!: string;
  @ApiField(TEXT) readonly to_phase_id!: string;
  @ApiField(WHOLE) readonly added_count!: number;
  @ApiField(WHOLE) readonly deleted_count!: number;
  @ApiField(WHOLE) readonly replaced_count!: number;

  @ApiField(many(PhaseChangeDto), {
    description: 'At most 8: replaced, then added, then deleted.',
  })
  readonly top_changes!: readonly PhaseChangeDto[];

  @ApiField(list(TEXT)) readonly summary_lines!: readonly string[];
}

export class TracesPageDto {
  @ApiField(list(NUMBERED_TRACE), {
    description: 'Decisions, oldest first, each with the number of its event.',
  })
  readonly traces!: readonly NumberedTraceView[];

  @ApiField(orNull(WHOLE)) readonly next_from!: number | null;
}
