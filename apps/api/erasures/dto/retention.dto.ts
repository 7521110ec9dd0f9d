import {
  ApiField,
  FLAG,
  INSTANT,
  many,
  orNull,
  TEXT,
  WHOLE,
} from '../../platform/http/answer-fields.js';

/** The sealed personal data of one subject. */
export class RetainedSubjectDto {
  @ApiField(TEXT, { description: '`user:<id>`, `sub:<id>` or `job:<seed>`.' })
  readonly subject!: string;

  @ApiField(WHOLE, { description: 'The number of events with sealed values of the subject.' })
  readonly events!: number;

  @ApiField(INSTANT) readonly first_recorded_at!: string;
  @ApiField(INSTANT) readonly last_recorded_at!: string;

  @ApiField(INSTANT, { description: 'The end of the retention period of the last event.' })
  readonly due_at!: string;

  @ApiField(FLAG, { description: 'True if the retention period is over.' })
  readonly is_due!: boolean;

  @ApiField(FLAG, { description: 'True if all keys of the subject are destroyed.' })
  readonly erased!: boolean;
}

export class RetentionReportDto {
  @ApiField(WHOLE, { description: 'Days, as set by MACE_RETENTION_DAYS.' })
  readonly retention_days!: number;

  @ApiField(many(RetainedSubjectDto), { description: 'In byte order of the subject.' })
  readonly subjects!: readonly RetainedSubjectDto[];

  @ApiField(orNull(TEXT)) readonly next_cursor!: string | null;
}
