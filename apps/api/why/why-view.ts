import { READ_KINDS, type ReadKind } from '#domain/job/events.js';
import { SPACES, type Space } from '#domain/memory-contract/item.js';
import {
  ApiField,
  INSTANT,
  list,
  many,
  one,
  oneOf,
  orNull,
  TEXT,
  WHOLE,
} from '../platform/http/answer-fields.js';
import { EventSourceDto } from '../platform/http/event-source.dto.js';
import { APPROVED_BY, type ApprovedByDto, FactRequestDto } from '../sem/fact-history-view.js';
import { WHY_KINDS, type WhyKind } from './why-fields.js';

/** The event that put something into memory. */
export class WhySourceDto {
  @ApiField(TEXT, { description: 'The type of the event.' })
  readonly type!: string;

  @ApiField(TEXT, { description: 'The subject of the token that caused the event.' })
  readonly actor!: string;

  @ApiField(INSTANT) readonly recorded_at!: string;
  @ApiField(one(EventSourceDto)) readonly event!: EventSourceDto;
}

/** An item of the Memory Contract on its way between spaces (SPEC M12). */
export class WhyItemDto {
  @ApiField(TEXT) readonly id!: string;
  @ApiField(oneOf(...SPACES)) readonly space!: Space;
  @ApiField(TEXT) readonly owner!: string;
  @ApiField(TEXT) readonly text!: string;

  @ApiField(WHOLE, { description: 'The tick of the store at which the item was created.' })
  readonly created_at!: number;

  @ApiField(WHOLE, { description: 'The number of the event that stored the item.' })
  readonly stored_number!: number;

  @ApiField(orNull(TEXT), {
    description: '`promoted`, `superseded` or `expired`; null while the item is stored.',
  })
  readonly deleted_reason!: string | null;

  @ApiField(orNull(TEXT), { description: 'The item that took its place.' })
  readonly replaced_by!: string | null;

  @ApiField(orNull(TEXT), { description: 'Why the item was promoted into this space.' })
  readonly promotion_reason!: string | null;

  @ApiField(list(TEXT), {
    description: 'The items from which this one was made: turns, or those of a summary.',
  })
  readonly made_from!: readonly string[];
}

/** Where something in memory came from. */
export class WhyDto {
  @ApiField(oneOf(...WHY_KINDS)) readonly kind!: WhyKind;
  @ApiField(TEXT) readonly id!: string;

  @ApiField(TEXT, { description: 'The stream that holds it.' })
  readonly stream!: string;

  @ApiField(orNull(one(WhySourceDto)), { description: 'Null for a fact that was deleted.' })
  readonly source!: WhySourceDto | null;

  @ApiField(orNull(one(FactRequestDto)), { description: 'The request that led to it.' })
  readonly request!: FactRequestDto | null;

  @ApiField(APPROVED_BY, { description: 'Of a fact; null if nobody approved it.' })
  readonly approved_by!: ApprovedByDto | null;

  @ApiField(orNull(TEXT), { description: 'The episode on which it rests.' })
  readonly episodic_id!: string | null;

  @ApiField(orNull(TEXT), { description: 'The job in which it arose.' })
  readonly job_seed!: string | null;

  @ApiField(orNull(TEXT)) readonly session_id!: string | null;

  @ApiField(many(WhyItemDto), {
    description:
      'Of an item: the items through which it came between spaces, oldest first, itself included.',
  })
  readonly promotions!: readonly WhyItemDto[];
}

/** A read that a job recorded (SPEC J10). */
export class WhyReadDto {
  @ApiField(TEXT) readonly job_seed!: string;
  @ApiField(oneOf(...READ_KINDS)) readonly kind!: ReadKind;
  @ApiField(WHOLE) readonly tick!: number;
  @ApiField(TEXT) readonly sem_snapshot_hash!: string;
  @ApiField(TEXT) readonly actor!: string;
  @ApiField(TEXT) readonly trace_id!: string;
  @ApiField(INSTANT) readonly recorded_at!: string;
  @ApiField(one(EventSourceDto)) readonly event!: EventSourceDto;
}

export class WhyReadsPageDto {
  @ApiField(many(WhyReadDto), {
    description: 'Newest first. Agents and users get the reads of their own jobs.',
  })
  readonly reads!: readonly WhyReadDto[];

  @ApiField(orNull(TEXT)) readonly next_cursor!: string | null;
}
