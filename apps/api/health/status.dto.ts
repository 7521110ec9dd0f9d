import {
  ApiField,
  FLAG,
  INSTANT,
  many,
  one,
  oneOf,
  orNull,
  TEXT,
  WHOLE,
} from '../platform/http/answer-fields.js';

export class CheckDto {
  @ApiField(TEXT, { description: 'What is checked, such as `postgres` or `projection_sem`.' })
  readonly name!: string;

  @ApiField(oneOf('up', 'down'))
  readonly status!: 'up' | 'down';

  @ApiField(orNull(TEXT))
  readonly reason!: string | null;
}

/** The room of the event log, as far as this instance knows it. */
export class StorageDto {
  @ApiField(orNull(INSTANT), {
    description: 'Since when the log has no room; null if it has room.',
  })
  readonly full_since!: string | null;

  @ApiField(orNull(WHOLE), { description: 'Null for an event store that is elsewhere.' })
  readonly used_bytes!: number | null;

  @ApiField(orNull(WHOLE), {
    description: 'The bytes until the quota or the disk is full, whichever comes first.',
  })
  readonly free_bytes!: number | null;

  @ApiField(TEXT, { description: 'What makes room.' })
  readonly needs!: string;
}

export class StatusDto {
  @ApiField(FLAG, { description: 'True if no check failed.' })
  readonly ready!: boolean;

  @ApiField(many(CheckDto))
  readonly checks!: readonly CheckDto[];

  @ApiField(one(StorageDto))
  readonly storage!: StorageDto;
}
