import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { retentionEnd } from '#domain/action-request/erasure.js';
import { subjectForms } from '#domain/privacy/subject.js';
import type { ServiceConfig } from '#platform/config/service-config.js';
import { type RetainedSubject, SealedValueQueries } from '#projections/sealed-values/queries.js';
import { SubjectKeys } from '#subject-keys/subject-keys.js';
import { CONFIG } from '../platform/tokens.js';
import { Text, Whole } from '../platform/http/fields.js';
import { Describes, ReadRequest } from '../platform/http/request.js';
import {
  ApiField,
  FLAG,
  INSTANT,
  many,
  orNull,
  TEXT,
  WHOLE,
} from '../platform/http/answer-fields.js';
import { pageOf } from '../platform/page.js';

/** The sealed personal data of one subject. */
export class RetainedSubjectDto {
  @ApiField(TEXT, { description: `${subjectForms('`')}.` })
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

const DEFAULT_PAGE = 100;

@Describes({
  summary: 'Whose personal data is kept, since when, and what is due',
  roles: { all: ['admin', 'auditor'], of: 'self' },
  answers: [200, RetentionReportDto],
  reads: ['sealed_values'],
})
export class GetRetention extends ReadRequest<RetentionReportDto> {
  @Text({ optional: true, min: 1, max: 512, description: 'The last subject of the page before.' })
  cursor?: string;

  @Whole({ optional: true, min: 1, max: 500 }) limit?: number;
}

@QueryHandler(GetRetention)
export class GetRetentionHandler implements IQueryHandler<GetRetention> {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<ServiceConfig, 'retentionDays'>,
    private readonly values: SealedValueQueries,
    private readonly keys: SubjectKeys,
  ) {}

  async execute({ cursor = '', limit = DEFAULT_PAGE }: GetRetention) {
    const found = await this.values.subjects(cursor, limit + 1);
    const { rows, next_cursor } = pageOf(found, limit, ({ subject }) => subject);
    const subjects = await Promise.all(rows.map((subject) => this.viewOf(subject)));
    return { retention_days: this.config.retentionDays, subjects, next_cursor };
  }

  private async viewOf(retained: RetainedSubject): Promise<RetainedSubjectDto> {
    const due_at = retentionEnd(retained.last_recorded_at, this.config.retentionDays);
    return {
      ...retained,
      due_at,
      is_due: due_at <= new Date().toISOString(),
      erased: !(await this.keys.hasKey(retained.subject)),
    };
  }
}
