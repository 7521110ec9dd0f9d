import { KEPT_BECAUSE, NOT_KEPT_BECAUSE } from '#domain/memories/kept-sentences.js';
import {
  ApiField,
  FLAG,
  INSTANT,
  list,
  many,
  NUMBER,
  oneOf,
  orNull,
  TEXT,
  WHOLE,
} from '../platform/http/answer-fields.js';

/** A memory of a person (SPEC W2). */
export class RememberedDto {
  @ApiField(TEXT) readonly id!: string;
  @ApiField(WHOLE, { description: '1, and one more for each rewording.' })
  readonly version!: number;

  @ApiField(TEXT, {
    description:
      '`[REDACTED:…]` for other readers than the person; `[DAMAGED]` if nobody can read it.',
  })
  readonly text!: string;

  @ApiField(list(TEXT)) readonly tags!: readonly string[];

  @ApiField(orNull(oneOf(...KEPT_BECAUSE)), {
    description: 'Why the sentence was kept; of a text that was given, `instruction` or null.',
  })
  readonly kept_because!: string | null;

  @ApiField(INSTANT) readonly created_at!: string;
  @ApiField(INSTANT) readonly updated_at!: string;
  @ApiField(orNull(INSTANT)) readonly expires_at!: string | null;

  @ApiField(FLAG, {
    optional: true,
    description: 'True, in a list, for a memory whose sealed text was changed outside the service.',
  })
  readonly damaged?: true;
}

export class KeptMemoryDto {
  @ApiField(TEXT) readonly id!: string;
  @ApiField(WHOLE) readonly version!: number;
  @ApiField(TEXT) readonly text!: string;
  @ApiField(FLAG, { description: 'True if the same text was remembered before.' })
  readonly existed!: boolean;
}

export class RewordedDto {
  @ApiField(TEXT) readonly id!: string;
  @ApiField(WHOLE) readonly version!: number;
  @ApiField(TEXT) readonly text!: string;
}

export class NotKeptDto {
  @ApiField(TEXT) readonly text!: string;
  @ApiField(oneOf(...NOT_KEPT_BECAUSE)) readonly reason!: string;
}

export class KeptDto {
  @ApiField(many(KeptMemoryDto)) readonly kept!: readonly KeptMemoryDto[];
  @ApiField(many(NotKeptDto)) readonly not_kept!: readonly NotKeptDto[];
}

export class RememberedPageDto {
  @ApiField(many(RememberedDto), { description: 'Newest first.' })
  readonly memories!: readonly RememberedDto[];

  @ApiField(orNull(TEXT), { description: 'Null on the last page.' })
  readonly next_cursor!: string | null;
}

export class ForgottenDto {
  @ApiField(TEXT) readonly id!: string;
  @ApiField(TEXT, { description: 'What became of the text.' }) readonly note!: string;
}

export const RECALLED_KINDS = ['memory', 'memory_item', 'fact', 'episode'] as const;

export class RecalledMemoryDto {
  @ApiField(oneOf(...RECALLED_KINDS)) readonly kind!: string;
  @ApiField(TEXT, { description: 'The id of the memory, the item or the episode, or the key.' })
  readonly id!: string;

  @ApiField(TEXT) readonly text!: string;

  @ApiField(INSTANT, { description: 'As `shown_at` of a search.' })
  readonly time!: string;

  @ApiField(TEXT, { description: 'For a prompt: the date and the text, in one line.' })
  readonly line!: string;

  @ApiField(orNull(NUMBER), { description: 'Null for what was not found by the query’s words.' })
  readonly score!: number | null;

  @ApiField(WHOLE, { optional: true, description: 'Only for a memory.' }) readonly version?: number;
  @ApiField(list(TEXT), { optional: true, description: 'Only for a memory.' })
  readonly tags?: readonly string[];
}

export class RecallDto {
  @ApiField(many(RecalledMemoryDto), {
    description: 'Standing instructions, then what the query found, best first, then the newest.',
  })
  readonly recalled!: readonly RecalledMemoryDto[];

  @ApiField(TEXT, { description: 'For a prompt: one dated line for each; empty without any.' })
  readonly text!: string;

  @ApiField(TEXT, { description: 'The position in the log at which memory was read.' })
  readonly as_of!: string;
}
