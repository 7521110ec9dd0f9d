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
  Shown,
  TEXT,
  WHOLE,
} from '../../platform/http/answer-fields.js';

/** One stored item (SPEC M1). */
export class MemoryItemDto {
  @Shown(TEXT, { description: '`<space>:<owner>:<kind>:<n>`' })
  readonly id!: string;

  @Shown(oneOf(...MEMORY_KINDS))
  readonly kind!: MemoryKind;

  @Shown(TEXT)
  readonly text!: string;

  @Shown(oneOf('user', 'ai', 'tool', 'system'))
  readonly source!: 'user' | 'ai' | 'tool' | 'system';

  @Shown(WHOLE, { description: 'The store’s tick when the item was created.' })
  readonly created_at!: number;

  @Shown(NUMBER)
  readonly importance!: number;

  @Shown(oneOf('session'))
  readonly scope!: 'session';

  @Shown(JSON_OBJECT, {
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

export type TraceView = JsonObject & { readonly type: string };

export class RecalledDto {
  @Shown(many(MemoryItemDto), { description: 'Short-term, then semantic, then profile items.' })
  readonly items!: readonly MemoryItemDto[];

  @Shown(TRACES)
  readonly trace!: readonly TraceView[];
}

export class RecordedInteractionDto {
  @Shown(many(MemoryItemDto))
  readonly written!: readonly MemoryItemDto[];

  @Shown(TRACES)
  readonly trace!: readonly TraceView[];
}

export class PhaseViewDto {
  @Shown(TEXT)
  readonly phase_id!: string;

  @Shown(WHOLE)
  readonly phase_index!: number;

  @Shown(WHOLE, { description: 'A tick.' })
  readonly phase_started_at!: number;

  @Shown(TEXT)
  readonly phase_reason!: string;

  @Shown(TEXT, { optional: true })
  readonly phase_name?: string;
}

class StoreName {
  @Shown(oneOf(...SPACES))
  readonly space!: Space;

  @Shown(TEXT)
  readonly owner!: string;
}

export class StoreViewDto extends StoreName {
  @Shown(WHOLE)
  readonly tick!: number;

  @Shown(WHOLE, { description: 'The number of the store’s last event, -1 for none.' })
  readonly version!: number;

  @Shown(orNull(one(PhaseViewDto)))
  readonly current_phase!: PhaseViewDto | null;

  @Shown(many(MemoryItemDto), { description: 'By kind, each oldest first.' })
  readonly items!: readonly MemoryItemDto[];
}

export class PhasesDto extends StoreName {
  @Shown(many(PhaseViewDto), { description: 'Oldest first.' })
  readonly phases!: readonly PhaseViewDto[];
}

export class PhaseChangeDto {
  @Shown(oneOf('replaced', 'added', 'deleted'))
  readonly change!: 'replaced' | 'added' | 'deleted';

  @Shown(TEXT, { optional: true })
  readonly dedupe_key?: string;

  @Shown(TEXT, { optional: true })
  readonly from_id?: string;

  @Shown(TEXT, { optional: true })
  readonly to_id?: string;

  @Shown(oneOf(...MEMORY_KINDS), { optional: true })
  readonly from_kind?: MemoryKind;

  @Shown(oneOf(...MEMORY_KINDS), { optional: true })
  readonly to_kind?: MemoryKind;

  @Shown(TEXT, { optional: true })
  readonly memory_id?: string;

  @Shown(oneOf(...MEMORY_KINDS), { optional: true })
  readonly kind?: MemoryKind;
}

/** The changes from one phase to another; empty if a phase is unknown (SPEC M15). */
export class PhaseDiffViewDto extends StoreName {
  @Shown(TEXT)
  readonly from_phase_id!: string;

  @Shown(TEXT)
  readonly to_phase_id!: string;

  @Shown(WHOLE)
  readonly added_count!: number;

  @Shown(WHOLE)
  readonly deleted_count!: number;

  @Shown(WHOLE)
  readonly replaced_count!: number;

  @Shown(many(PhaseChangeDto), { description: 'At most 8: replaced, then added, then deleted.' })
  readonly top_changes!: readonly PhaseChangeDto[];

  @Shown(list(TEXT))
  readonly summary_lines!: readonly string[];
}

export class TracesPageDto {
  @Shown(
    list({
      ...TRACE,
      required: ['type', 'number'],
      properties: { type: { type: 'string' }, number: { type: 'integer' } },
    }),
    { description: 'Decisions, oldest first, each with the number of its event.' },
  )
  readonly traces!: readonly (TraceView & { readonly number: number })[];

  @Shown(orNull(WHOLE))
  readonly next_from!: number | null;
}
